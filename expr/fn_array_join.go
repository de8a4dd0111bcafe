package expr

import (
	"slices"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// arrayJoinFunctions put arrays and elements together.
func arrayJoinFunctions() []*Function {
	return []*Function{
		def("array_append(anycompatiblearray,anycompatible) anycompatiblearray", joinArrays, called),
		def("array_prepend(anycompatible,anycompatiblearray) anycompatiblearray", joinArrays, called),
		def("array_cat(anycompatiblearray,anycompatiblearray) anycompatiblearray", joinArrays, called),
		def("array_fill(anyelement,int4[]) anyarray", fillArray, called), def("array_fill(anyelement,int4[],int4[]) anyarray", fillArray, called),
	}
}

// joinArrays puts two arrays, or an array and an element, together. A NULL array is left out; the result is NULL only if both are.
func joinArrays(s *site) body {
	return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
		b := column.NewListBuilder(s.ret, n)
		for i := range n {
			shape, some := (*types.ArrayShape)(nil), false
			for k, v := range in {
				l, ok := v.(*column.List)
				other, _ := in[1-k].(*column.List)
				switch {
				case !ok:
					some = true
					var err error
					if shape, err = withElement(other, i); err != nil {
						return nil, err
					}
					b.Elems().AppendFrom(v, i)
				case !l.IsNull(i):
					if other != nil && !some && !other.IsNull(i) {
						var err error
						if shape, err = joinedShape(listAt(l, i), listAt(other, i)); err != nil {
							return nil, err
						}
					} else if other != nil && !some {
						shape = l.Shape(i)
					}
					some = true
					for e := l.Offsets[i]; e < l.Offsets[i+1]; e++ {
						b.Elems().AppendFrom(l.Elems, int(e))
					}
				}
			}
			if !some {
				b.AppendNull()
				continue
			}
			b.EndShaped(shape)
		}
		return b.Build(), nil
	}
}

func listAt(l *column.List, i int) list {
	return list{l.Elems, int(l.Offsets[i]), int(l.Offsets[i+1]), l.Shape(i)}
}

// withElement is the shape of row i of l with one element more.
func withElement(l *column.List, i int) (*types.ArrayShape, error) {
	if l.IsNull(i) || l.Shape(i) == nil {
		return nil, nil
	}
	a := listAt(l, i)
	if len(a.shape.Dims) > 1 {
		return nil, sqlerr.Newf("22000", "argument must be empty or one-dimensional array")
	}
	return a.resized(a.len() + 1), nil
}

// joinedShape is the shape of two arrays together: of as many dimensions, or of one less, which is then an element of the other.
func joinedShape(a, b list) (*types.ArrayShape, error) {
	x, y := a.dims(1), b.dims(1)
	wrong := func(format string, args ...any) error {
		return sqlerr.Newf("2202E", "cannot concatenate incompatible arrays").WithDetail(format, args...)
	}
	switch {
	case len(x) == 0:
		return b.shape, nil
	case len(y) == 0:
		return a.shape, nil
	case len(x) == len(y):
		if !slices.Equal(x[1:], y[1:]) {
			return nil, wrong("Arrays with differing element dimensions are not compatible for concatenation.")
		}
		out := slices.Clone(x)
		out[0].Len += y[0].Len
		return types.ShapeOf(out), nil
	case len(x) == len(y)-1, len(y) == len(x)-1:
		if len(x) < len(y) {
			x, y = y, x
		}
		if !slices.Equal(x[1:], y) {
			return nil, wrong("Arrays with differing dimensions are not compatible for concatenation.")
		}
		out := slices.Clone(x)
		out[0].Len++
		return types.ShapeOf(out), nil
	}
	return nil, wrong("Arrays of %d and %d dimensions are not compatible for concatenation.", len(x), len(y))
}

// nest is the shape of arrays of the shapes of, one behind the other, as elements of one; n are how many elements each has.
func nest(of []*types.ArrayShape, n []int, unlike func() error) (*types.ArrayShape, error) {
	inner := of[0].DimsOf(n[0])
	for i := range of {
		if !slices.Equal(of[i].DimsOf(n[i]), inner) {
			return nil, unlike()
		}
	}
	if inner == nil {
		return nil, nil
	}
	if err := types.CheckDims(len(inner) + 1); err != nil {
		return nil, err
	}
	return types.ShapeOf(slices.Concat([]types.ArrayDim{{Len: int32(len(of)), Low: 1}}, inner)), nil
}

// fillMax bounds the elements of array_fill.
const fillMax = 1 << 24

// fillArray is an array of given lengths, and bounds, that holds one value.
func fillArray(s *site) body {
	return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
		b := column.NewListBuilder(s.ret, n)
		for i := range n {
			dims, count, err := fillDims(in[1:], i)
			if err != nil {
				return nil, err
			}
			for range count {
				b.Elems().AppendFrom(in[0], i)
			}
			b.EndShaped(types.ShapeOf(dims))
		}
		return b.Build(), nil
	}
}

func fillDims(in []column.Vector, i int) (dims []types.ArrayDim, count int64, err error) {
	var given [2]list
	for k, v := range in {
		if v.IsNull(i) {
			return nil, 0, sqlerr.Newf("22004", "dimension array or low bound array cannot be null")
		}
		given[k] = listAt(v.(*column.List), i)
		if l := given[k]; l.shape != nil && len(l.shape.Dims) > 1 {
			return nil, 0, sqlerr.Newf("2202E", "wrong number of array subscripts").WithDetail("Dimension array must be one dimensional.")
		}
		for e := given[k].lo; e < given[k].hi; e++ {
			if given[k].elems.IsNull(e) {
				return nil, 0, sqlerr.Newf("22004", "dimension values cannot be null")
			}
		}
	}
	if len(in) > 1 && given[0].len() != given[1].len() {
		return nil, 0, sqlerr.Newf("2202E", "wrong number of array subscripts").WithDetail("Low bound array has different size than dimensions array.")
	}
	if err := types.CheckDims(given[0].len()); err != nil {
		return nil, 0, err
	}
	value := func(l list, k int) int32 { return int32(l.elems.(*column.Of[int64]).Values[l.lo+k]) }
	count = 1
	for k := range given[0].len() {
		d := types.ArrayDim{Len: value(given[0], k), Low: 1}
		if len(in) > 1 {
			d.Low = value(given[1], k)
		}
		if count *= int64(d.Len); d.Len < 0 || count > fillMax {
			return nil, 0, sqlerr.Newf(sqlerr.ProgramLimitExceeded, "array size exceeds the maximum allowed (%d)", fillMax)
		}
		dims = append(dims, d)
	}
	if len(dims) == 0 {
		count = 0
	}
	return dims, count, nil
}
