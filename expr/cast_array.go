package expr

import (
	"wmsql/column"
	"wmsql/types"
)

// elementCast converts an array element by element.
func elementCast(from, to types.Type, ctx CastContext) *Function {
	item := &Column{T: plain(elemOf(from))}
	conv, err := castKind(item, elemOf(to), ctx)
	if err != nil {
		panic("expr: pathway found a cast of elements that does not exist")
	}
	return overElements(item, conv, plain(from), plain(to))
}

// overElements makes the function that computes conv, an expression over item, for each element of an array.
func overElements(item *Column, conv Expr, from, to types.Type) *Function {
	f := &Function{Name: "cast", Args: []types.Type{from}, Return: to, Strict: true}
	if c, ok := conv.(*Call); ok {
		f.Volatility, f.total = c.Func.Volatility, c.Func.total
	}
	f.kernel = func(s *site) body {
		ev, err := Compile(conv, []ColumnID{item.ID}, s.ctx, nil)
		return func(in []column.Vector, _ []bool, _ int) (column.Vector, error) {
			if err != nil {
				return nil, err
			}
			v := ownElements(in[0].(*column.List))
			elems, err := ev.Eval(&column.Batch{Cols: []column.Vector{v.Elems}, Rows: v.Elems.Len()})
			if err != nil {
				return nil, err
			}
			return &column.List{T: s.ret, Offsets: v.Offsets, Elems: elems, Nulls: v.Nulls, Shapes: v.Shapes}, nil
		}
	}
	return f
}

// ownElements returns v with no other elements than those of its rows.
func ownElements(v *column.List) *column.List {
	lo, hi := v.Offsets[0], v.Offsets[v.Len()]
	if lo == 0 && int(hi) == v.Elems.Len() {
		return v
	}
	out := &column.List{T: v.T, Elems: v.Elems.Slice(int(lo), int(hi)), Nulls: v.Nulls, Shapes: v.Shapes, Offsets: make([]int32, len(v.Offsets))}
	for i, o := range v.Offsets {
		out.Offsets[i] = o - lo
	}
	return out
}
