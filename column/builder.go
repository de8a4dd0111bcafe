package column

import "wmsql/types"

// Builder collects rows of one column. The concrete types are *FixedBuilder[T], *BytesBuilder,
// *ListBuilder and *RecordBuilder, by layout; hot loops assert to them and append without boxing.
type Builder interface {
	Type() types.Type
	Len() int
	AppendNull()
	// AppendFrom appends row i of v, which has the builder's layout.
	AppendFrom(v Vector, i int)
	// AppendVector appends all rows of v.
	AppendVector(v Vector)
	// AppendDatum appends a datum of the builder's layout.
	AppendDatum(d any)
	// AppendText parses the Postgres text form of a value of the builder's type and applies its
	// modifiers. The error is a *sqlerr.Error with the SQLSTATE Postgres gives; nothing is appended then.
	AppendText(text []byte, f *types.Format) error
	// Truncate drops all rows from n on: a half-read record is taken back.
	Truncate(n int)
	// Build returns the rows as a vector and empties the builder. The vector does not share memory with later rows.
	Build() Vector
	// View returns the rows as a vector that is valid until the builder changes.
	View() Vector
	// Reset empties the builder and keeps its memory.
	Reset()
}

// NewBuilder returns a builder for type t with room for capacity rows.
func NewBuilder(t types.Type, capacity int) Builder {
	switch t.Layout() {
	case types.LayoutBool:
		return NewFixedBuilder[bool](t, capacity)
	case types.LayoutInt64:
		return NewFixedBuilder[int64](t, capacity)
	case types.LayoutFloat64:
		return NewFixedBuilder[float64](t, capacity)
	case types.LayoutDecimal:
		return NewFixedBuilder[types.Decimal](t, capacity)
	case types.LayoutInterval:
		return NewFixedBuilder[types.IntervalValue](t, capacity)
	case types.LayoutList:
		return NewListBuilder(t, capacity)
	case types.LayoutRecord:
		return NewRecordBuilder(nil, capacity)
	}
	return NewBytesBuilder(t, capacity)
}

// NewBuilders returns one builder a field of s.
func NewBuilders(s *types.Schema, capacity int) []Builder {
	out := make([]Builder, len(s.Fields))
	for i := range s.Fields {
		out[i] = NewBuilder(s.Fields[i].Type, capacity)
	}
	return out
}

// BuildBatch empties the builders, equally long, into a batch.
func BuildBatch(s *types.Schema, bs []Builder) *Batch {
	out := &Batch{Schema: s, Cols: make([]Vector, len(bs))}
	for i, b := range bs {
		out.Cols[i] = b.Build()
	}
	if len(bs) > 0 {
		out.Rows = out.Cols[0].Len()
	}
	return out
}

// nullMask is the null flags of a builder; mask holds nothing while no row is NULL.
type nullMask struct {
	mask []bool
	any  bool
}

// push notes whether row n, the next one, is NULL.
func (m *nullMask) push(n int, null bool) {
	if !m.any {
		if !null {
			return
		}
		m.start(n)
	}
	m.mask = append(m.mask, null)
}

// start makes the mask explicit: n rows that are not NULL.
func (m *nullMask) start(n int) {
	m.any = true
	if cap(m.mask) < n {
		m.mask = make([]bool, n, 2*n+16)
		return
	}
	m.mask = m.mask[:n]
	clear(m.mask)
}

// pushAll notes the flags of rows n and on, count of them; nulls may be nil.
func (m *nullMask) pushAll(n, count int, nulls []bool) {
	if nulls == nil {
		if m.any {
			for range count {
				m.mask = append(m.mask, false)
			}
		}
		return
	}
	if !m.any {
		m.start(n)
	}
	m.mask = append(m.mask, nulls...)
}

func (m *nullMask) truncate(n int) {
	if m.any {
		m.mask = m.mask[:n]
	}
}

func (m *nullMask) view() []bool {
	if !m.any {
		return nil
	}
	return m.mask
}

func (m *nullMask) build() []bool {
	out := m.view()
	m.mask, m.any = nil, false
	return out
}

func (m *nullMask) reset() { m.mask, m.any = m.mask[:0], false }
