package pgwire

import (
	"bytes"
	"slices"

	"github.com/jackc/pgproto3/v2"

	"wmsql/sqlerr"
	"wmsql/types"
)

// copySpec is CopyOptions with the defaults filled in.
type copySpec struct {
	relation    string
	schema      *types.Schema
	format      *types.Format
	binary, csv bool
	delim       byte
	quote       byte
	escape      byte
	null        []byte
	header      bool
	match       bool // the header has to name the columns

	forceNull, forceNotNull, forceQuote []bool // by column
}

func newCopySpec(s *types.Schema, o CopyOptions, f *types.Format) (*copySpec, error) {
	p := &copySpec{
		relation: o.Relation, schema: s, format: f, binary: o.Format == "binary", csv: o.Format == "csv",
		delim: '\t', quote: '"', null: []byte(`\N`), header: o.Header, match: o.HeaderMatch,
	}
	switch o.Format {
	case "", "text", "binary":
	case "csv":
		p.delim, p.null = ',', nil
	default:
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "COPY format \"%s\" not recognized", o.Format)
	}
	if o.Delimiter != 0 {
		p.delim = o.Delimiter
	}
	if o.Null != nil {
		p.null = []byte(*o.Null)
	}
	if o.Quote != 0 {
		p.quote = o.Quote
	}
	p.escape = p.quote
	if o.Escape != 0 {
		p.escape = o.Escape
	}
	p.forceNull, p.forceNotNull, p.forceQuote = p.flags(o.ForceNull), p.flags(o.ForceNotNull), p.flags(o.ForceQuote)
	return p, nil
}

// flags turns column names into a flag a column.
func (p *copySpec) flags(names []string) []bool {
	out := make([]bool, len(p.schema.Fields))
	for k, f := range p.schema.Fields {
		out[k] = slices.Contains(names, f.Name) || slices.Contains(names, "*")
	}
	return out
}

// isNull reports whether the raw text of column k's field stands for NULL; quoted: it was in quotes.
func (p *copySpec) isNull(k int, raw []byte, quoted bool) bool {
	if quoted && !p.forceNull[k] || p.forceNotNull[k] {
		return false
	}
	return bytes.Equal(raw, p.null)
}

// codes are the format codes of a CopyInResponse or CopyOutResponse.
func (p *copySpec) codes() (overall byte, columns []uint16) {
	columns = make([]uint16, len(p.schema.Fields))
	if !p.binary {
		return 0, columns
	}
	for k := range columns {
		columns[k] = uint16(formatBinary)
	}
	return 1, columns
}

func (p *copySpec) inResponse() *pgproto3.CopyInResponse {
	overall, columns := p.codes()
	return &pgproto3.CopyInResponse{OverallFormat: overall, ColumnFormatCodes: columns}
}

func (p *copySpec) outResponse() *pgproto3.CopyOutResponse {
	overall, columns := p.codes()
	return &pgproto3.CopyOutResponse{OverallFormat: overall, ColumnFormatCodes: columns}
}

// The beginning of binary COPY: a signature, flags and the length of an extension. Its end is a field count of -1.
const (
	copySignature = "PGCOPY\n\xff\r\n\x00"
	copyHeader    = copySignature + "\x00\x00\x00\x00\x00\x00\x00\x00"
	copyTrailer   = "\xff\xff"
)
