package expr

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// arrayFunctions are the functions on arrays but for those that put arrays together.
func arrayFunctions() []*Function {
	return []*Function{
		def("array_length(anyarray,int4) int4", arrayBound(func(d types.ArrayDim) int32 { return d.Len }), total),
		def("array_upper(anyarray,int4) int4", arrayBound(func(d types.ArrayDim) int32 { return d.Low + d.Len - 1 }), total),
		def("array_lower(anyarray,int4) int4", arrayBound(func(d types.ArrayDim) int32 { return d.Low }), total),
		def("array_ndims(anyarray) int4", fn1e(func(a list) (int64, error) {
			if a.len() == 0 {
				return 0, errNull
			}
			return int64(len(a.dims(1))), nil
		}), total),
		def("array_dims(anyarray) text", arrayDims, total),
		def("cardinality(anyarray) int4", fn1(func(a list) int64 { return int64(a.len()) }), total),
		def("array_remove(anycompatiblearray,anycompatible) anycompatiblearray", arrayRemove, called),
		def("array_replace(anycompatiblearray,anycompatible,anycompatible) anycompatiblearray", arrayReplace, called, total),
		def("array_position(anycompatiblearray,anycompatible) int4", arrayPosition, called),
		def("array_position(anycompatiblearray,anycompatible,int4) int4", arrayPosition, called),
		def("array_positions(anycompatiblearray,anycompatible) int4[]", arrayPositions, called),
		def("array_to_string(anyarray,text) text", arrayToString, stable),
		def("array_to_string(anyarray,text,text) text", arrayToString, stable, called),
		def("string_to_array(text,text) text[]", stringToArray, called, total),
		def("string_to_array(text,text,text) text[]", stringToArray, called, total),
		def("trim_array(anyarray,int4) anyarray", anysOf(trimArray)),
	}
}

func arrayOperators() []*Function {
	return []*Function{
		def("||(anycompatiblearray,anycompatiblearray) anycompatiblearray", joinArrays, called),
		def("||(anycompatiblearray,anycompatible) anycompatiblearray", joinArrays, called),
		def("||(anycompatible,anycompatiblearray) anycompatiblearray", joinArrays, called),
		def("@>(anyarray,anyarray) bool", fn2(holdsAll), total),
		def("<@(anyarray,anyarray) bool", fn2(func(a, b list) bool { return holdsAll(b, a) }), total),
		def("&&(anyarray,anyarray) bool", fn2(overlap), total),
	}
}

// firstIndex is the number of the first element: int2vector and oidvector count from 0.
func firstIndex(t types.Type) int64 {
	if t.Array {
		return 1
	}
	return 0
}

func arrayBound(f func(d types.ArrayDim) int32) kernel {
	return fn2s(func(s *site) func(list, int64) (int64, error) {
		first := firstIndex(s.args[0])
		return func(a list, dim int64) (int64, error) {
			dims := a.dims(first)
			if dim < 1 || dim > int64(len(dims)) {
				return 0, errNull
			}
			return int64(f(dims[dim-1])), nil
		}
	})
}

// dims are the dimensions of an array, none if it is empty; first is where one of one dimension begins that has no shape.
func (l list) dims(first int64) []types.ArrayDim {
	if l.shape == nil && l.len() > 0 {
		return []types.ArrayDim{{Len: int32(l.len()), Low: int32(first)}}
	}
	return l.shape.DimsOf(l.len())
}

// low is the number of the first element of an array of one dimension.
func (l list) low(first int64) int64 {
	if l.shape != nil {
		return int64(l.shape.Dims[0].Low)
	}
	return first
}

// flat refuses an array of several dimensions.
func (l list) flat(doing string) error {
	if l.shape != nil && len(l.shape.Dims) > 1 {
		return sqlerr.Newf(sqlerr.FeatureNotSupported, "%s multidimensional arrays is not supported", doing)
	}
	return nil
}

// resized is the shape of an array of one dimension that keeps its bound with n elements.
func (l list) resized(n int) *types.ArrayShape {
	if l.shape == nil {
		return nil
	}
	return types.ShapeOf([]types.ArrayDim{{Len: int32(n), Low: l.shape.Dims[0].Low}})
}

func arrayDims(s *site) body {
	out, first := bytesOutput{t: s.ret}, firstIndex(s.args[0])
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		read := reader[list](in[0])
		return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) {
			dims := read(i).dims(first)
			if dims == nil {
				return nil, errNull
			}
			return types.AppendDims(dst, dims), nil
		})
	}
}

// find is the place in a, from lo on, of row i of v; -1 if it is not there. NULL is found by NULL.
func (l list) find(lo int, v column.Vector, i int) int {
	for k := lo; k < l.hi; k++ {
		if l.elems.IsNull(k) == v.IsNull(i) && column.Compare(l.elems, k, v, i) == 0 {
			return k
		}
	}
	return -1
}

func holdsAll(a, b list) bool {
	for k := b.lo; k < b.hi; k++ {
		if b.elems.IsNull(k) || a.find(a.lo, b.elems, k) < 0 {
			return false
		}
	}
	return true
}

func overlap(a, b list) bool {
	for k := b.lo; k < b.hi; k++ {
		if !b.elems.IsNull(k) && a.find(a.lo, b.elems, k) >= 0 {
			return true
		}
	}
	return false
}

// mapArrays makes each row's array by each, which appends to the elements and returns the shape; a NULL array stays NULL.
func mapArrays(s *site, in []column.Vector, n int, each func(b column.Builder, a list, i int) (*types.ArrayShape, error)) (column.Vector, error) {
	b := column.NewListBuilder(s.ret, n)
	read := reader[list](in[0])
	for i := range n {
		if in[0].IsNull(i) {
			b.AppendNull()
			continue
		}
		shape, err := each(b.Elems(), read(i), i)
		if err != nil {
			return nil, err
		}
		b.EndShaped(shape)
	}
	return b.Build(), nil
}

func arrayRemove(s *site) body {
	return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
		return mapArrays(s, in, n, func(b column.Builder, a list, i int) (*types.ArrayShape, error) {
			kept := 0
			for k := a.lo; k < a.hi; k++ {
				if column.Compare(a.elems, k, in[1], i) != 0 {
					b.AppendFrom(a.elems, k)
					kept++
				}
			}
			return a.resized(kept), a.flat("removing elements from")
		})
	}
}

func arrayReplace(s *site) body {
	return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
		return mapArrays(s, in, n, func(b column.Builder, a list, i int) (*types.ArrayShape, error) {
			for k := a.lo; k < a.hi; k++ {
				if column.Compare(a.elems, k, in[1], i) == 0 {
					b.AppendFrom(in[2], i)
				} else {
					b.AppendFrom(a.elems, k)
				}
			}
			return a.shape, nil
		})
	}
}

// searching begins Postgres's refusal of array_position and array_positions.
const searching = "searching for elements in"

func arrayPosition(s *site) body {
	out, first := output[int64]{t: s.ret}, firstIndex(s.args[0])
	return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
		arrays := in[0].(*column.List)
		read := reader[list](arrays)
		return out.fill(arrays.Nulls, n, func(i int) (int64, error) {
			a, from := read(i), 0
			low := a.low(first)
			if len(in) == 3 {
				if in[2].IsNull(i) {
					return 0, errNull
				}
				from = int(max(in[2].(*column.Of[int64]).Values[i]-low, 0))
			}
			if err := a.flat(searching); err != nil {
				return 0, err
			}
			k := a.find(a.lo+from, in[1], i)
			if k < 0 {
				return 0, errNull
			}
			return int64(k-a.lo) + low, nil
		})
	}
}

func arrayPositions(s *site) body {
	first := firstIndex(s.args[0])
	return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
		return mapArrays(s, in, n, func(b column.Builder, a list, i int) (*types.ArrayShape, error) {
			for k := a.find(a.lo, in[1], i); k >= 0; k = a.find(k+1, in[1], i) {
				b.AppendDatum(int64(k-a.lo) + a.low(first))
			}
			return nil, a.flat(searching)
		})
	}
}

// arrayToString joins the elements; NULLs are left out, or written as the third argument.
func arrayToString(s *site) body {
	out, format := bytesOutput{t: s.ret}, s.format()
	return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
		arrays, sep := in[0].(*column.List), in[1].(*column.Bytes)
		read := reader[list](arrays)
		nulls := nullFlags(arrays.Nulls, n)
		for i := range nulls {
			nulls[i] = nulls[i] || sep.IsNull(i)
		}
		return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) {
			a, first := read(i), true
			for k := a.lo; k < a.hi; k++ {
				if a.elems.IsNull(k) && (len(in) < 3 || in[2].IsNull(i)) {
					continue
				}
				if !first {
					dst = append(dst, sep.Value(i)...)
				}
				first = false
				if a.elems.IsNull(k) {
					dst = append(dst, in[2].(*column.Bytes).Value(i)...)
				} else {
					dst = column.AppendText(dst, a.elems, k, format)
				}
			}
			return dst, nil
		})
	}
}

// stringToArray splits text. A NULL separator splits it into characters, an empty one leaves it whole; parts equal to the third
// argument become NULL.
func stringToArray(s *site) body {
	return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
		text := in[0].(*column.Bytes)
		return fillAny(s.ret, text.Nulls, n, func(i int) (any, error) {
			parts := splitText(text.Value(i), in[1].(*column.Bytes), i)
			out := make([]any, len(parts))
			for k, p := range parts {
				if len(in) == 3 && !in[2].IsNull(i) && string(p) == string(in[2].(*column.Bytes).Value(i)) {
					continue
				}
				out[k] = string(p)
			}
			return out, nil
		})
	}
}

func splitText(text []byte, sep *column.Bytes, i int) [][]byte {
	switch {
	case len(text) == 0:
		return nil
	case sep.IsNull(i):
		var out [][]byte
		for len(text) > 0 {
			_, size := utf8.DecodeRune(text)
			out, text = append(out, text[:size]), text[size:]
		}
		return out
	case len(sep.Value(i)) == 0:
		return [][]byte{text}
	}
	return bytes.Split(text, sep.Value(i))
}

// trimArray drops the last n of what the first dimension counts; what is left counts from 1.
func trimArray(args []any) (any, error) {
	a, shape := column.Elements(args[0])
	n, dims := args[1].(int64), slices.Clone(shape.DimsOf(len(a)))
	count := int64(0)
	if len(dims) > 0 {
		count = int64(dims[0].Len)
	}
	if n < 0 || n > count {
		return nil, sqlerr.Newf("2202E", "number of elements to trim must be between 0 and %d", count)
	}
	if n == count {
		return []any{}, nil
	}
	keep := len(a) / int(count) * int(count-n)
	dims[0].Len -= int32(n)
	for i := range dims {
		dims[i].Low = 1
	}
	return column.ArrayOf(slices.Clone(a[:keep]), types.ShapeOf(dims)), nil
}

// identFunctions take names apart.
func identFunctions() []*Function {
	return []*Function{
		def("parse_ident(text) text[]", anysOf(func(a []any) (any, error) { return parseIdent(a[0].(string), true) })),
		def("parse_ident(text,bool) text[]", anysOf(func(a []any) (any, error) { return parseIdent(a[0].(string), a[1] == true) })),
	}
}

// parseIdent splits a qualified name; what is not quoted is folded to lower case.
func parseIdent(s string, strict bool) (any, error) {
	bad := func() (any, error) { return nil, errFormat("string is not a valid identifier: \"%s\"", s) }
	var out []any
	rest := strings.TrimLeft(s, " \t\n")
	for {
		var part string
		if strings.HasPrefix(rest, `"`) {
			end := 1
			for ; end < len(rest); end++ {
				if rest[end] == '"' {
					if end+1 < len(rest) && rest[end+1] == '"' {
						end++
						continue
					}
					break
				}
			}
			if end >= len(rest) || end == 1 {
				return bad()
			}
			part, rest = strings.ReplaceAll(rest[1:end], `""`, `"`), rest[end+1:]
		} else {
			end := 0
			for end < len(rest) && (rest[end] == '_' || rest[end] >= 0x80 || isLetter(rune(rest[end])) || rest[end]|0x20 == 'e' ||
				end > 0 && (rest[end] == '$' || rest[end] >= '0' && rest[end] <= '9')) {
				end++
			}
			if end == 0 {
				return bad()
			}
			part, rest = string(appendLower(nil, []byte(rest[:end]))), rest[end:]
		}
		out = append(out, part)
		rest = strings.TrimLeft(rest, " \t\n")
		switch {
		case strings.HasPrefix(rest, "."):
			rest = strings.TrimLeft(rest[1:], " \t\n")
		case rest == "" || !strict:
			return out, nil
		default:
			return bad()
		}
	}
}
