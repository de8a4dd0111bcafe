package format

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"wmsql/sqlerr"
	"wmsql/types"
)

// CSV decodes records that are one line of comma-separated values each, by the rules of Postgres's COPY ... CSV: a
// value in double quotes may hold delimiters and line ends, and two double quotes for one; a value without quotes that
// is the null text is NULL.
type CSV struct {
	shape   *Shape
	opts    CSVOptions
	columns []int  // the field of every value of a line, -1 for none; nil: the stream's columns in order
	header  string // what columns was made from
	cells   []cell
	buf     []byte // unquoted values of the line
	days    dayCache
}

// CSVOptions says how the lines are written.
type CSVOptions struct {
	Delimiter byte
	Null      string // the text of NULL, outside quotes
	Header    bool   // the first line of a file names the columns
}

// cell is one value of a line.
type cell struct {
	text   []byte
	quoted bool
}

// NewCSV returns a decoder for rows of shape s.
func NewCSV(s *Shape, o CSVOptions) *CSV { return &CSV{shape: s, opts: o} }

// SetHeader says which columns the values of the coming lines are. Names that the stream has not are left out.
func (d *CSV) SetHeader(line []byte) (reason string) {
	if d.columns != nil && d.header == string(line) {
		return ""
	}
	if reason = d.split(line); reason != "" {
		return "the header: " + reason
	}
	d.header = string(line)
	d.columns = make([]int, len(d.cells))
	for i, c := range d.cells {
		d.columns[i] = d.find(string(c.text))
	}
	return ""
}

func (d *CSV) find(name string) int {
	for i := range d.shape.fields {
		if d.shape.fields[i].name == name {
			return i
		}
	}
	return -1
}

// Decode appends the row of one line, without its line end.
func (d *CSV) Decode(out *Rows, rec []byte) (reason string) {
	if reason = d.line(out, rec); reason != "" {
		out.Truncate(out.N)
		return reason
	}
	out.N++
	return ""
}

func (d *CSV) line(out *Rows, rec []byte) (reason string) {
	if len(rec) == 0 && len(d.shape.fields) != 1 {
		return "the record is empty"
	}
	if !utf8.Valid(rec) {
		return notUTF8
	}
	if bytes.IndexByte(rec, 0) >= 0 {
		return "the character zero cannot be in text"
	}
	if reason = d.split(rec); reason != "" {
		return reason
	}
	if want := d.width(); len(d.cells) != want {
		return fmt.Sprintf("has %d values, wants %d", len(d.cells), want)
	}
	for i, c := range d.cells {
		f := i
		if d.columns != nil {
			f = d.columns[i]
		}
		if f < 0 {
			continue
		}
		if reason = d.value(&d.shape.fields[f], &out.sinks[f], c, out.N); reason != "" {
			return reason
		}
	}
	return d.fill(out)
}

func (d *CSV) width() int {
	if d.columns != nil {
		return len(d.columns)
	}
	return len(d.shape.fields)
}

// fill makes the columns that the header does not name NULL.
func (d *CSV) fill(out *Rows) (reason string) {
	if d.columns == nil {
		return ""
	}
	for f := range d.shape.fields {
		named := false
		for _, c := range d.columns {
			named = named || c == f
		}
		if named {
			continue
		}
		if d.shape.fields[f].notNull {
			return quote(d.shape.fields[f].name) + " is missing, but the column is NOT NULL"
		}
		out.sinks[f].null()
	}
	return ""
}

// split cuts a line into cells.
func (d *CSV) split(rec []byte) (reason string) {
	d.cells, d.buf = d.cells[:0], d.buf[:0]
	if cap(d.buf) < len(rec) {
		d.buf = make([]byte, 0, 2*len(rec)) // cells point into it: it must not move
	}
	for {
		if len(rec) > 0 && rec[0] == '"' {
			start := len(d.buf)
			rest, ok := d.unquote(rec[1:])
			if !ok {
				return "a quoted value does not end"
			}
			d.cells = append(d.cells, cell{d.buf[start:], true})
			switch {
			case len(rest) == 0:
				return ""
			case rest[0] != d.opts.Delimiter:
				return fmt.Sprintf("unexpected %q after a quoted value", rest[:1])
			}
			rec = rest[1:]
			continue
		}
		i := bytes.IndexByte(rec, d.opts.Delimiter)
		if i < 0 {
			d.cells = append(d.cells, cell{rec, false})
			return ""
		}
		d.cells = append(d.cells, cell{rec[:i], false})
		rec = rec[i+1:]
	}
}

// unquote appends a quoted value, whose opening quote is read, to d.buf and returns what follows it.
func (d *CSV) unquote(rec []byte) (rest []byte, ok bool) {
	for {
		i := bytes.IndexByte(rec, '"')
		if i < 0 {
			return nil, false
		}
		d.buf = append(d.buf, rec[:i]...)
		rec = rec[i+1:]
		if len(rec) == 0 || rec[0] != '"' {
			return rec, true
		}
		d.buf = append(d.buf, '"')
		rec = rec[1:]
	}
}

func (d *CSV) value(f *field, s *sink, c cell, row int) (reason string) {
	if s.any != nil && s.any.Len() > row {
		s.drop(row) // the header has the name twice: the last counts
	}
	if !c.quoted && string(c.text) == d.opts.Null {
		if f.notNull {
			return quote(f.name) + " is null, but the column is NOT NULL"
		}
		s.null()
		return ""
	}
	switch f.act {
	case actText:
		if s.bytes != nil {
			s.bytes.Append(c.text)
		}
		return ""
	case actInt:
		if n, ok := scanNumber(c.text, 0); ok && n.end == len(c.text) && f.t.Kind == types.Int8 && n.digits <= 18 && n.scale == 0 && !n.exponent {
			v, _, _ := n.integer(c.text)
			if s.ints != nil {
				s.ints.Append(v)
			}
			return ""
		}
	case actTime:
		return d.time(f, s, c.text)
	}
	return parsed(f, s, c.text)
}

func (d *CSV) time(f *field, s *sink, text []byte) (reason string) {
	v, ok := d.days.parse(text)
	if n, isNum := scanNumber(text, 0); d.shape.epoch != NoEpoch && isNum && n.end == len(text) {
		if v, _, ok = scaled(text, d.shape.epoch.shift()); !ok || v < minTimestamp || isInfinite(v) {
			return outOfRange(f, text)
		}
	}
	if !ok {
		return parsed(f, s, text)
	}
	if s.ints != nil {
		s.ints.Append(types.RoundMicros(v, f.t.Mod))
	}
	return ""
}

// parsed reads the Postgres text form of a value.
func parsed(f *field, s *sink, text []byte) (reason string) {
	if err := s.parse(text); err != nil {
		return quote(f.name) + ": " + strings.TrimSpace(sqlerr.From(err).Msg)
	}
	if f.isEvent && isInfinite(s.lastInt()) {
		return quote(f.name) + ": infinity is no event time"
	}
	if f.act == actFloat && s.lastNaN() {
		return quote(f.name) + ": wants " + f.t.String() + ", has " + clip(text)
	}
	return ""
}

// CutCSV returns the length of the longest prefix of data that ends with a line end outside quotes, 0 if there is none.
func CutCSV(data []byte) int {
	last, quoted := 0, false
	for i, c := range data {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\n' && !quoted:
			last = i + 1
		}
	}
	return last
}

// NextCSV returns the first line of data, its end left out, and its length with the end. Line ends inside quotes
// belong to the line.
func NextCSV(data []byte) (line []byte, size int) {
	quoted := false
	for i, c := range data {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\n' && !quoted:
			return bytes.TrimSuffix(data[:i], []byte{'\r'}), i + 1
		}
	}
	return data, len(data)
}
