package column

import (
	"wmsql/sqlerr"
	"wmsql/types"
)

// RecordBuilder builds a *Record. A record type does not say its fields, so a builder made without them
// takes the fields of the first row that is appended.
type RecordBuilder struct {
	fields []Builder
	known  bool
	rows   int
	nulls  nullMask
}

// NewRecordBuilder returns a builder of records with the given field types; nil: those of the first row.
func NewRecordBuilder(fields []types.Type, capacity int) *RecordBuilder {
	b := &RecordBuilder{}
	if fields != nil {
		b.define(fields, capacity)
	}
	return b
}

func (b *RecordBuilder) define(fields []types.Type, capacity int) {
	b.known = true
	b.fields = make([]Builder, len(fields))
	for i, t := range fields {
		b.fields[i] = NewBuilder(t, capacity)
		for range b.rows {
			b.fields[i].AppendNull()
		}
	}
}

// Fields are the builders of the fields; nil while they are unknown.
func (b *RecordBuilder) Fields() []Builder { return b.fields }

// EndRow makes the values appended to each field a row.
func (b *RecordBuilder) EndRow() {
	b.nulls.push(b.rows, false)
	b.rows++
}

// Type returns record.
func (b *RecordBuilder) Type() types.Type { return types.Of(types.Record) }

// Len returns the number of rows.
func (b *RecordBuilder) Len() int { return b.rows }

// AppendNull appends a NULL.
func (b *RecordBuilder) AppendNull() {
	for _, f := range b.fields {
		f.AppendNull()
	}
	b.nulls.push(b.rows, true)
	b.rows++
}

// AppendFrom appends row i of v.
func (b *RecordBuilder) AppendFrom(v Vector, i int) {
	src := v.(*Record)
	b.defineAs(src)
	if src.IsNull(i) {
		b.AppendNull()
		return
	}
	for f := range b.fields {
		b.fields[f].AppendFrom(src.Fields[f], i)
	}
	b.EndRow()
}

// defineAs takes the fields of src, unless it has none because all its rows are NULL.
func (b *RecordBuilder) defineAs(src *Record) {
	if b.known || unknownFields(src) {
		return
	}
	ts := make([]types.Type, len(src.Fields))
	for f, v := range src.Fields {
		ts[f] = v.Type()
	}
	b.define(ts, src.Rows)
}

// unknownFields reports whether nothing has told the fields of src: all its rows are NULL.
func unknownFields(src *Record) bool {
	if len(src.Fields) > 0 {
		return false
	}
	for i := range src.Rows {
		if !src.IsNull(i) {
			return false
		}
	}
	return true
}

// AppendVector appends all rows of v.
func (b *RecordBuilder) AppendVector(v Vector) {
	src := v.(*Record)
	b.defineAs(src)
	for f := range b.fields {
		if unknownFields(src) {
			for range src.Rows {
				b.fields[f].AppendNull()
			}
			continue
		}
		b.fields[f].AppendVector(src.Fields[f])
	}
	b.nulls.pushAll(b.rows, src.Rows, src.Nulls)
	b.rows += src.Rows
}

// AppendDatum appends an []any of field datums, or NULL for nil. Unknown field types are guessed from the datums.
func (b *RecordBuilder) AppendDatum(d any) {
	if d == nil {
		b.AppendNull()
		return
	}
	row := d.([]any)
	if !b.known {
		ts := make([]types.Type, len(row))
		for i, x := range row {
			ts[i] = datumType(x)
		}
		b.define(ts, 1)
	}
	for i, x := range row {
		b.fields[i].AppendDatum(x)
	}
	b.EndRow()
}

// datumType is the widest type of a datum's layout.
func datumType(d any) types.Type {
	switch d := d.(type) {
	case bool:
		return types.Of(types.Bool)
	case int64:
		return types.Of(types.Int8)
	case float64:
		return types.Of(types.Float8)
	case types.Decimal:
		return types.Of(types.Numeric)
	case types.IntervalValue:
		return types.Of(types.Interval)
	case []any:
		for _, e := range d {
			if e != nil {
				return types.ArrayOf(datumType(e).Kind)
			}
		}
		return types.ArrayOf(types.Text)
	}
	return types.Of(types.Text)
}

// AppendText refuses: Postgres does not read anonymous records either.
func (b *RecordBuilder) AppendText([]byte, *types.Format) error {
	return sqlerr.Newf(sqlerr.FeatureNotSupported, "input of anonymous composite types is not implemented")
}

// Truncate drops all rows from n on.
func (b *RecordBuilder) Truncate(n int) {
	for _, f := range b.fields {
		f.Truncate(n)
	}
	b.rows = n
	b.nulls.truncate(n)
}

// Build returns the rows and empties the builder.
func (b *RecordBuilder) Build() Vector {
	out := &Record{T: b.Type(), Rows: b.rows, Fields: make([]Vector, len(b.fields)), Nulls: b.nulls.build()}
	for f := range b.fields {
		out.Fields[f] = b.fields[f].Build()
	}
	b.rows = 0
	return out
}

// View returns the rows until the builder changes.
func (b *RecordBuilder) View() Vector {
	out := &Record{T: b.Type(), Rows: b.rows, Fields: make([]Vector, len(b.fields)), Nulls: b.nulls.view()}
	for f := range b.fields {
		out.Fields[f] = b.fields[f].View()
	}
	return out
}

// Reset empties the builder.
func (b *RecordBuilder) Reset() {
	for _, f := range b.fields {
		f.Reset()
	}
	b.rows = 0
	b.nulls.reset()
}
