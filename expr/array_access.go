package expr

import (
	"math"

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
	return NewElement(x, []Expr{idx})
}

// NewElement makes x[i][j]...: NULL where the array has no such element, or other dimensions.
func NewElement(x Expr, idx []Expr) (Expr, error) {
	t := x.Type()
	elem := elemOf(t)
	fn := &Function{Name: "subscript", Args: []types.Type{plain(t)}, Return: plain(elem), Strict: true, total: true, kernel: subscriptKernel}
	args := []Expr{x}
	for _, i := range idx {
		i, err := subscriptIndex(i)
		if err != nil {
			return nil, err
		}
		args, fn.Args = append(args, i), append(fn.Args, types.Of(types.Int4))
	}
	return &Call{Func: fn, Args: args, T: elem}, nil
}

// The bounds of a slice that are not written.
const (
	openLow  = math.MinInt32
	openHigh = math.MaxInt32
)

// NewSlice makes x[lo:hi]...; bounds are pairs of lo and hi, nil where one is not written.
func NewSlice(x Expr, bounds [][2]Expr) (Expr, error) {
	t := x.Type()
	if !t.Array {
		return nil, sqlerr.Newf(sqlerr.DatatypeMismatch, "cannot subscript type %s because it does not support slices", plain(t))
	}
	fn := &Function{Name: "slice", Args: []types.Type{plain(t)}, Return: plain(t), Strict: true, total: true, kernel: sliceKernel}
	args := []Expr{x}
	for _, pair := range bounds {
		for k, open := range [2]int64{openLow, openHigh} {
			b := pair[k]
			if b == nil {
				b = &Const{Value: open, T: types.Of(types.Int4)}
			}
			b, err := subscriptIndex(b)
			if err != nil {
				return nil, err
			}
			args, fn.Args = append(args, b), append(fn.Args, types.Of(types.Int4))
		}
	}
	return &Call{Func: fn, Args: args, T: t}, nil
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
		read, idx := reader[list](in[0]), intArgs(in[1:])
		b := column.NewBuilder(s.ret, n)
		for i := range n {
			if nulls != nil && nulls[i] {
				b.AppendNull()
				continue
			}
			a := read(i)
			if k := a.place(a.dims(first), idx, i); k >= 0 {
				b.AppendFrom(a.elems, k)
			} else {
				b.AppendNull()
			}
		}
		return b.Build(), nil
	}
}

func intArgs(in []column.Vector) [][]int64 {
	out := make([][]int64, len(in))
	for k, v := range in {
		out[k] = v.(*column.Of[int64]).Values
	}
	return out
}

// place is where the element with the numbers of row i stands, -1 if there is none.
func (l list) place(dims []types.ArrayDim, idx [][]int64, i int) int {
	if len(dims) != len(idx) {
		return -1
	}
	at := 0
	for k, d := range dims {
		n := idx[k][i] - int64(d.Low)
		if n < 0 || n >= int64(d.Len) {
			return -1
		}
		at = at*int(d.Len) + int(n)
	}
	return l.lo + at
}

func sliceKernel(s *site) body {
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		read, bounds := reader[list](in[0]), intArgs(in[1:])
		b := column.NewListBuilder(s.ret, n)
		for i := range n {
			if nulls != nil && nulls[i] {
				b.AppendNull()
				continue
			}
			b.EndShaped(read(i).slice(b.Elems(), bounds, i))
		}
		return b.Build(), nil
	}
}

// slice appends the elements within the bounds of row i, two for each dimension, and returns their shape, which counts from 1. It is empty where
// there are more bounds than dimensions; dimensions without bounds are whole.
func (l list) slice(b column.Builder, bounds [][]int64, i int) *types.ArrayShape {
	dims := l.dims(1)
	if len(bounds) > 2*len(dims) {
		return nil
	}
	out, from := make([]types.ArrayDim, len(dims)), make([]int, len(dims))
	for k, d := range dims {
		lo, hi := int64(d.Low), int64(d.Low)+int64(d.Len)-1
		if 2*k < len(bounds) {
			lo, hi = max(lo, bounds[2*k][i]), min(hi, bounds[2*k+1][i])
		}
		if lo > hi {
			return nil
		}
		from[k] = int(lo - int64(d.Low))
		out[k] = types.ArrayDim{Len: int32(hi - lo + 1), Low: 1}
	}
	var level func(k, at int)
	level = func(k, at int) {
		if k == len(dims) {
			b.AppendFrom(l.elems, l.lo+at)
			return
		}
		for e := range int(out[k].Len) {
			level(k+1, at*int(dims[k].Len)+from[k]+e)
		}
	}
	if len(dims) > 0 {
		level(0, 0)
	}
	return types.ShapeOf(out)
}
