package column

import "wmsql/types"

// A datum is one value outside a loop: nil for NULL, else bool, int64 (every type of
// LayoutInt64), float64, types.Decimal, types.IntervalValue, string (LayoutBytes), []any (rows, and arrays of one
// dimension from 1) or *Array.

// Array is the datum of an array that has a shape.
type Array struct {
	Elems []any
	Shape *types.ArrayShape
}

// Elements takes the datum of an array apart.
func Elements(d any) ([]any, *types.ArrayShape) {
	if a, ok := d.(*Array); ok {
		return a.Elems, a.Shape
	}
	return d.([]any), nil
}

// ArrayOf is the datum of an array of a shape, nil for one dimension from 1.
func ArrayOf(elems []any, s *types.ArrayShape) any {
	if s == nil {
		return elems
	}
	return &Array{elems, s}
}

// Get returns row i of v as a datum.
func Get(v Vector, i int) any {
	if v.IsNull(i) {
		return nil
	}
	switch v := v.(type) {
	case *Of[bool]:
		return v.Values[i]
	case *Of[int64]:
		return v.Values[i]
	case *Of[float64]:
		return v.Values[i]
	case *Of[types.Decimal]:
		return v.Values[i]
	case *Of[types.IntervalValue]:
		return v.Values[i]
	case *Bytes:
		return string(v.Value(i))
	case *List:
		out := make([]any, 0, v.Offsets[i+1]-v.Offsets[i])
		for e := v.Offsets[i]; e < v.Offsets[i+1]; e++ {
			out = append(out, Get(v.Elems, int(e)))
		}
		return ArrayOf(out, v.Shape(i))
	case *Record:
		out := make([]any, len(v.Fields))
		for f, c := range v.Fields {
			out[f] = Get(c, i)
		}
		return out
	}
	panic("column: unknown vector")
}

// Const returns a vector of n rows that all hold the datum d.
func Const(t types.Type, d any, n int) Vector {
	b := NewBuilder(t, 1)
	b.AppendDatum(d)
	if n == 1 {
		return b.View()
	}
	return b.View().Take(make([]int32, n))
}

// Concat returns the batches as one.
func Concat(s *types.Schema, bs []*Batch) *Batch {
	if len(bs) == 1 {
		return bs[0]
	}
	rows, ops := 0, false
	for _, b := range bs {
		rows += b.Rows
		ops = ops || b.Ops != nil
	}
	out := &Batch{Schema: s, Cols: make([]Vector, len(s.Fields)), Rows: rows}
	for c := range out.Cols {
		col := NewBuilder(s.Fields[c].Type, rows)
		for _, b := range bs {
			col.AppendVector(b.Cols[c])
		}
		out.Cols[c] = col.Build()
	}
	if ops {
		out.Ops = make([]Op, 0, rows)
		for _, b := range bs {
			if b.Ops == nil {
				out.Ops = append(out.Ops, make([]Op, b.Rows)...)
			} else {
				out.Ops = append(out.Ops, b.Ops...)
			}
		}
	}
	return out
}
