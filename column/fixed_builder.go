package column

import "wmsql/types"

// FixedBuilder builds an *Of[T].
type FixedBuilder[T any] struct {
	t      types.Type
	values []T
	nulls  nullMask
}

// NewFixedBuilder returns a builder for type t, whose layout must be that of T.
func NewFixedBuilder[T any](t types.Type, capacity int) *FixedBuilder[T] {
	return &FixedBuilder[T]{t: t, values: make([]T, 0, capacity)}
}

// Type returns the type of the column.
func (b *FixedBuilder[T]) Type() types.Type { return b.t }

// Len returns the number of rows.
func (b *FixedBuilder[T]) Len() int { return len(b.values) }

// Append appends a value that is not NULL.
func (b *FixedBuilder[T]) Append(x T) {
	b.nulls.push(len(b.values), false)
	b.values = append(b.values, x)
}

// AppendNull appends a NULL.
func (b *FixedBuilder[T]) AppendNull() {
	var zero T
	b.nulls.push(len(b.values), true)
	b.values = append(b.values, zero)
}

// AppendFrom appends row i of v.
func (b *FixedBuilder[T]) AppendFrom(v Vector, i int) {
	src := v.(*Of[T])
	b.nulls.push(len(b.values), src.Nulls != nil && src.Nulls[i])
	b.values = append(b.values, src.Values[i])
}

// AppendVector appends all rows of v.
func (b *FixedBuilder[T]) AppendVector(v Vector) {
	src := v.(*Of[T])
	b.nulls.pushAll(len(b.values), len(src.Values), src.Nulls)
	b.values = append(b.values, src.Values...)
}

// AppendDatum appends a T, or NULL for nil.
func (b *FixedBuilder[T]) AppendDatum(d any) {
	if d == nil {
		b.AppendNull()
		return
	}
	b.Append(d.(T))
}

// Truncate drops all rows from n on.
func (b *FixedBuilder[T]) Truncate(n int) {
	b.values = b.values[:n]
	b.nulls.truncate(n)
}

// Build returns the rows and empties the builder.
func (b *FixedBuilder[T]) Build() Vector {
	out := &Of[T]{T: b.t, Values: b.values, Nulls: b.nulls.build()}
	b.values = make([]T, 0, len(b.values))
	return out
}

// View returns the rows until the builder changes.
func (b *FixedBuilder[T]) View() Vector {
	return &Of[T]{T: b.t, Values: b.values, Nulls: b.nulls.view()}
}

// Reset empties the builder.
func (b *FixedBuilder[T]) Reset() {
	b.values = b.values[:0]
	b.nulls.reset()
}

// AppendText parses text by the column's type.
func (b *FixedBuilder[T]) AppendText(text []byte, f *types.Format) error {
	switch b := any(b).(type) {
	case *FixedBuilder[int64]:
		return appendParsed(b, text, f, types.ParseInt64Kind)
	case *FixedBuilder[bool]:
		return appendParsed(b, text, f, func(s string, _ types.Type, _ *types.Format) (bool, error) { return types.ParseBool(s) })
	case *FixedBuilder[float64]:
		return appendParsed(b, text, f, func(s string, t types.Type, _ *types.Format) (float64, error) { return types.ParseFloat(s, t.Kind) })
	case *FixedBuilder[types.Decimal]:
		return appendParsed(b, text, f, parseDecimalMod)
	case *FixedBuilder[types.IntervalValue]:
		return appendParsed(b, text, f, func(s string, t types.Type, f *types.Format) (types.IntervalValue, error) {
			return f.ParseInterval(s, t.Mod)
		})
	}
	panic("column: a fixed builder of an unknown layout")
}

func appendParsed[T any](b *FixedBuilder[T], text []byte, f *types.Format, parse func(string, types.Type, *types.Format) (T, error)) error {
	x, err := parse(str(text), b.t, f)
	if err == nil {
		b.Append(x)
	}
	return err
}

func parseDecimalMod(s string, t types.Type, _ *types.Format) (types.Decimal, error) {
	d, err := types.ParseDecimal(s)
	if err != nil {
		return d, err
	}
	return d.WithMod(t.Mod)
}
