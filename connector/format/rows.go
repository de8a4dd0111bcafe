package format

import (
	"wmsql/column"
	"wmsql/types"
)

// Rows collects decoded rows of one shape. Reset and use it again: it keeps its memory.
type Rows struct {
	N     int // complete rows
	shape *Shape
	cols  []column.Builder
	sinks []sink // one a field of the shape
}

// sink is where the values of a field go: the builder, by its own type so that a loop calls no interface. All are
// nil for a field that is only checked; check then takes the values that need a parser.
type sink struct {
	ints   *column.FixedBuilder[int64]
	floats *column.FixedBuilder[float64]
	bools  *column.FixedBuilder[bool]
	bytes  *column.BytesBuilder
	list   *column.ListBuilder
	any    column.Builder
	check  column.Builder
	elem   *sink
}

// NewRows returns empty rows with room for capacity.
func NewRows(s *Shape, capacity int) *Rows {
	r := &Rows{shape: s, cols: column.NewBuilders(s.Read, capacity), sinks: make([]sink, len(s.fields))}
	for i := range s.fields {
		f := &s.fields[i]
		if f.col >= 0 {
			r.sinks[i] = newSink(r.cols[f.col])
			continue
		}
		r.sinks[i].check = column.NewBuilder(f.t, 1)
		if f.elem != nil {
			r.sinks[i].elem = &sink{check: column.NewBuilder(f.elem.t, 1)}
		}
	}
	return r
}

func newSink(b column.Builder) sink {
	s := sink{any: b}
	switch b := b.(type) {
	case *column.FixedBuilder[int64]:
		s.ints = b
	case *column.FixedBuilder[float64]:
		s.floats = b
	case *column.FixedBuilder[bool]:
		s.bools = b
	case *column.BytesBuilder:
		s.bytes = b
	case *column.ListBuilder:
		s.list = b
		e := newSink(b.Elems())
		s.elem = &e
	}
	return s
}

// Col returns the builder of column c of a batch: for columns that do not come from the record. The caller appends
// to it once a row, after Decode.
func (r *Rows) Col(c int) column.Builder { return r.cols[c] }

// Batch returns the rows as vectors that are valid until the next Reset.
func (r *Rows) Batch() column.Batch {
	b := column.Batch{Schema: r.shape.Read, Cols: make([]column.Vector, len(r.cols)), Rows: r.N}
	for i, c := range r.cols {
		b.Cols[i] = c.View()
	}
	return b
}

// Reset forgets the rows.
func (r *Rows) Reset() {
	for _, c := range r.cols {
		c.Reset()
	}
	r.N = 0
}

// Truncate drops all rows from n on, half-read ones too.
func (r *Rows) Truncate(n int) {
	for _, c := range r.cols {
		c.Truncate(n) // also where Len is n: a list may have elements of a row that was not ended
	}
	r.N = n
}

// drop takes the last value of a field back: the same key stood twice in the record.
func (s *sink) drop(n int) {
	if s.any != nil {
		s.any.Truncate(n)
	}
}

func (s *sink) null() {
	if s.any != nil {
		s.any.AppendNull()
	}
}

// parse reads the type's text form.
func (s *sink) parse(text []byte) error {
	if s.any != nil {
		return s.any.AppendText(text, types.UTC)
	}
	s.check.Reset()
	return s.check.AppendText(text, types.UTC)
}

// endList ends the row of a list whose elements are appended.
func (s *sink) endList() {
	if s.list != nil {
		s.list.EndRow()
	}
}

// lastInt returns the value that parse read last, of a type kept as int64.
func (s *sink) lastInt() int64 {
	v := s.view().(*column.Of[int64]).Values
	return v[len(v)-1]
}

// lastNaN reports whether the float that parse read last is not a number, or infinite.
func (s *sink) lastNaN() bool {
	v := s.view().(*column.Of[float64]).Values
	return v[len(v)-1]-v[len(v)-1] != 0
}

func (s *sink) view() column.Vector {
	if s.any != nil {
		return s.any.View()
	}
	return s.check.View()
}
