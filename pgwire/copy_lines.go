package pgwire

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"wmsql/column"
	"wmsql/sqlerr"
)

// recordMax bounds one record of COPY, which is kept whole until its end has come.
const recordMax = 256 << 20

// splitter finds the ends of records.
type splitter interface {
	// next returns the place of the newline that ends the record beginning data, -1 if it is not there yet. It has seen
	// data up to from before.
	next(data []byte, from int) int
}

// fieldReader parts a record into fields.
type fieldReader interface {
	// each calls f for the fields of a record. raw is as written, for NULL; value is what it stands for.
	each(p *copySpec, record []byte, f func(k int, raw, value []byte, quoted bool) error) error
}

// lineReader reads the text and csv formats, whose records end with newlines.
type lineReader struct {
	copySink
	split  splitter
	fields fieldReader

	carry   []byte // the record that is not whole yet
	scanned int    // of carry, by split
	line    int64  // of the record being read, from 1
	crlf    bool   // the first record's end is \r\n: all are to end so
	ended   bool   // after \.

	rec    []byte                                            // the record being read
	seen   int                                               // its fields so far
	handle func(k int, raw, value []byte, quoted bool) error // r.field, bound once
}

func (r *lineReader) feed(data []byte) error {
	from := 0
	carried := len(r.carry) > 0
	if carried {
		r.carry = append(r.carry, data...)
		data, from = r.carry, r.scanned
	}
	for !r.ended {
		end := r.split.next(data, from)
		if end < 0 {
			break
		}
		rec, err := r.ending(data[:end])
		if err == nil {
			err = r.record(rec)
		}
		if err != nil {
			return err
		}
		data, from = data[end+1:], 0
	}
	if r.ended {
		data = nil
	}
	if !carried || len(data) < len(r.carry) { // else nothing has ended: of a long record each piece is copied once
		r.carry = append(r.carry[:0], data...)
	}
	r.scanned = len(r.carry)
	if len(r.carry) > recordMax {
		r.line++
		return r.where(sqlerr.Newf("54000", "COPY record of more than %d bytes", recordMax), "")
	}
	return nil
}

func (r *lineReader) finish() error {
	if len(r.carry) > 0 && !r.ended {
		if s, ok := r.split.(*csvSplitter); ok && s.quoted {
			r.line++
			return r.where(sqlerr.Newf(sqlerr.BadCopyFormat, "unterminated CSV quoted field"), r.excerpt(r.carry))
		}
		if err := r.record(bytes.TrimSuffix(r.carry, []byte("\r"))); err != nil {
			return err
		}
	}
	return r.flush()
}

// ending takes the rest of a record's end, of which the newline is gone. Ends of two kinds are a sign of data that nobody has escaped.
func (r *lineReader) ending(rec []byte) ([]byte, error) {
	n := len(rec)
	crlf := n > 0 && rec[n-1] == '\r'
	if r.line == 0 {
		r.crlf = crlf
	}
	if crlf != r.crlf {
		r.line++
		return nil, r.where(r.spec.literal(r.crlf), "")
	}
	if crlf {
		rec = rec[:n-1]
	}
	return rec, nil
}

// literal is the error of a newline, else of a carriage return, that stands in the data as it is.
func (p *copySpec) literal(newline bool) *sqlerr.Error {
	name, escape := "carriage return", `\r`
	if newline {
		name, escape = "newline", `\n`
	}
	if p.csv {
		return sqlerr.Newf(sqlerr.BadCopyFormat, "unquoted %s found in data", name).WithHint("Use quoted CSV field to represent %s.", name)
	}
	return sqlerr.Newf(sqlerr.BadCopyFormat, "literal %s found in data", name).WithHint("Use \"%s\" to represent %s.", escape, name)
}

// record reads one record without its end.
func (r *lineReader) record(rec []byte) error {
	r.line++
	if string(rec) == `\.` {
		r.ended = true
		return nil
	}
	if r.line == 1 && r.spec.header {
		return r.header(rec)
	}
	if err := column.CheckText(rec); err != nil {
		return r.where(sqlerr.From(err), "")
	}
	r.rec, r.seen = rec, 0
	if r.handle == nil {
		r.handle = r.field
	}
	if err := r.fields.each(r.spec, rec, r.handle); err != nil {
		return r.where(sqlerr.From(err), r.excerpt(rec))
	}
	if n, want := r.seen, r.spec.schema.Fields; n < len(want) {
		if n == 1 && len(want) > 1 && len(rec) == 0 {
			n = 0
		}
		return r.where(sqlerr.Newf(sqlerr.BadCopyFormat, "missing data for column \"%s\"", want[n].Name), r.excerpt(rec))
	}
	return r.endRow(len(rec))
}

// field takes one field of the present record.
func (r *lineReader) field(k int, raw, value []byte, quoted bool) error {
	r.seen++
	if k >= len(r.builders) {
		return r.where(sqlerr.Newf(sqlerr.BadCopyFormat, "extra data after last expected column"), r.excerpt(r.rec))
	}
	return r.value(k, raw, value, quoted)
}

func (r *lineReader) value(k int, raw, value []byte, quoted bool) error {
	if r.spec.isNull(k, raw, quoted) {
		r.builders[k].AppendNull()
		return nil
	}
	if err := r.builders[k].AppendText(value, r.spec.format); err != nil {
		return r.where(sqlerr.From(err), fmt.Sprintf(", column %s: %s", r.spec.schema.Fields[k].Name, quoteExcerpt(value)))
	}
	return nil
}

// where adds the place of an error that has none yet.
func (r *lineReader) where(e *sqlerr.Error, more string) error {
	if e.Where != "" {
		return e
	}
	at := *e
	at.Where = fmt.Sprintf("COPY %s, line %d%s", r.spec.relation, r.line, more)
	return &at
}

func (r *lineReader) excerpt(rec []byte) string { return ": " + quoteExcerpt(rec) }

// excerptMax is how many bytes of bad input a message shows.
const excerptMax = 100

func quoteExcerpt(b []byte) string {
	dots := ""
	if len(b) > excerptMax {
		b, dots = b[:excerptMax], "..."
		for len(b) > 0 && !utf8.Valid(b) && len(b) > excerptMax-utf8.UTFMax {
			b = b[:len(b)-1]
		}
	}
	return `"` + strings.ToValidUTF8(string(b), "?") + dots + `"`
}

// textSplitter: a newline behind an odd number of backslashes is data.
type textSplitter struct{}

func (textSplitter) next(data []byte, from int) int {
	for {
		k := bytes.IndexByte(data[from:], '\n')
		if k < 0 {
			return -1
		}
		end := from + k
		slashes := 0
		for end-slashes > 0 && data[end-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return end
		}
		from = end + 1
	}
}

// textFields reads fields of the text format: a delimiter between, backslash escapes inside.
type textFields struct{ buf []byte }

func (t *textFields) each(p *copySpec, rec []byte, f func(k int, raw, value []byte, quoted bool) error) error {
	if len(p.schema.Fields) == 0 && len(rec) == 0 {
		return nil
	}
	if bytes.IndexByte(rec, '\r') >= 0 {
		return p.literal(false)
	}
	for k := 0; ; k++ {
		end := fieldEnd(rec, p.delim)
		raw := rec[:end]
		value := raw
		if bytes.IndexByte(raw, '\\') >= 0 && !bytes.Equal(raw, p.null) {
			t.buf = unescape(t.buf[:0], raw)
			value = t.buf
			if err := column.CheckText(value); err != nil {
				return err
			}
		}
		if err := f(k, raw, value, false); err != nil {
			return err
		}
		if end == len(rec) {
			return nil
		}
		rec = rec[end+1:]
	}
}

// fieldEnd returns the place of the first delimiter that no backslash escapes, len(rec) if there is none.
func fieldEnd(rec []byte, delim byte) int {
	end := bytes.IndexByte(rec, delim)
	slash := bytes.IndexByte(rec, '\\')
	if end < 0 {
		return len(rec)
	}
	if slash < 0 || slash > end {
		return end
	}
	for k := slash; k < len(rec); k++ {
		switch rec[k] {
		case '\\':
			k++
		case delim:
			return k
		}
	}
	return len(rec)
}

// unescape appends raw with its backslash escapes resolved: letters of C, one to three octal digits, x and one or two
// hex digits; any other character stands for itself.
func unescape(dst, raw []byte) []byte {
	for k := 0; k < len(raw); k++ {
		if raw[k] != '\\' || k+1 == len(raw) {
			dst = append(dst, raw[k])
			continue
		}
		k++
		switch c := raw[k]; {
		case c >= '0' && c <= '7':
			v := c - '0'
			for n := 0; n < 2 && k+1 < len(raw) && raw[k+1] >= '0' && raw[k+1] <= '7'; n++ {
				k++
				v = v<<3 | (raw[k] - '0')
			}
			dst = append(dst, v)
		case c == 'x' && k+1 < len(raw) && isHex(raw[k+1]):
			v := byte(0)
			for n := 0; n < 2 && k+1 < len(raw) && isHex(raw[k+1]); n++ {
				k++
				v = v<<4 | hexValue(raw[k])
			}
			dst = append(dst, v)
		default:
			if at := strings.IndexByte("bfnrtv", c); at >= 0 {
				c = "\b\f\n\r\t\v"[at]
			}
			dst = append(dst, c)
		}
	}
	return dst
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

func hexValue(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
