package expr

import (
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// NewSubscript makes x[idx]: NULL where the array has no such element. A jsonb is subscripted by key or number, a name by byte.
func NewSubscript(x, idx Expr) (Expr, error) {
	t := x.Type()
	if t.Same(types.Of(types.JSONB)) {
		return NewOp("->", x, idx)
	}
	if t.Same(types.Of(types.Name)) {
		return newNameSubscript(x, idx)
	}
	if !isArray(t) {
		return nil, sqlerr.Newf(sqlerr.DatatypeMismatch, "cannot subscript type %s because it does not support subscripting", plain(t))
	}
	i, err := subscriptIndex(idx)
	if err != nil {
		return nil, err
	}
	elem := elemOf(t)
	fn := &Function{
		Name: "subscript", Args: []types.Type{plain(t), types.Of(types.Int4)}, Return: plain(elem), Strict: true, total: true, kernel: subscriptKernel,
	}
	return &Call{Func: fn, Args: []Expr{x, i}, T: elem}, nil
}

// NewSlice makes x[lo:hi]; lo and hi may be nil.
func NewSlice(x, lo, hi Expr) (Expr, error) {
	t := x.Type()
	if !t.Array {
		return nil, sqlerr.Newf(sqlerr.DatatypeMismatch, "cannot subscript type %s because it does not support slices", plain(t))
	}
	const endless = 1<<31 - 1
	bounds := [2]Expr{lo, hi}
	for k, whole := range [2]int64{1, endless} {
		if bounds[k] == nil {
			bounds[k] = &Const{Value: whole, T: types.Of(types.Int4)}
		}
		var err error
		if bounds[k], err = subscriptIndex(bounds[k]); err != nil {
			return nil, err
		}
	}
	int4 := types.Of(types.Int4)
	fn := &Function{Name: "slice", Args: []types.Type{plain(t), int4, int4}, Return: plain(t), Strict: true, total: true, kernel: sliceKernel}
	return &Call{Func: fn, Args: []Expr{x, bounds[0], bounds[1]}, T: t}, nil
}

func subscriptIndex(idx Expr) (Expr, error) {
	if t := idx.Type(); !canCoerce(t, types.Of(types.Int4), Assignment) {
		return nil, sqlerr.Newf(sqlerr.DatatypeMismatch, "array subscript must have type integer")
	}
	return NewCast(idx, types.Of(types.Int4), Assignment)
}

func subscriptKernel(s *site) body {
	first := firstIndex(s.args[0])
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		arrays, idx := in[0].(*column.List), in[1].(*column.Of[int64]).Values
		b := column.NewBuilder(s.ret, n)
		for i := range n {
			lo, hi := int64(arrays.Offsets[i]), int64(arrays.Offsets[i+1])
			k := lo + idx[i] - first
			if nulls != nil && nulls[i] || k < lo || k >= hi {
				b.AppendNull()
				continue
			}
			b.AppendFrom(arrays.Elems, int(k))
		}
		return b.Build(), nil
	}
}

func sliceKernel(s *site) body {
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		lo, hi := in[1].(*column.Of[int64]).Values, in[2].(*column.Of[int64]).Values
		read := reader[list](in[0])
		b := newListBuilder(s.ret, n)
		for i := range n {
			if nulls != nil && nulls[i] {
				b.null(i, n)
				continue
			}
			a := read(i)
			for k := max(lo[i], 1); k <= min(hi[i], int64(a.len())); k++ {
				b.elems.AppendFrom(a.elems, a.lo+int(k)-1)
			}
			b.end()
		}
		return b.build(), nil
	}
}
