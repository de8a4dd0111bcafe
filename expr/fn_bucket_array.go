package expr

import (
	"sort"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// bucketFunctions are width_bucket by thresholds, and what a value takes in memory.
func bucketFunctions() []*Function {
	return []*Function{
		def("width_bucket(anycompatible,anycompatiblearray) int4", bucketOfThresholds),
		def("pg_column_size(any) int4", columnSize),
	}
}

// bucketOfThresholds is how many of the thresholds, which are sorted, a value reaches.
func bucketOfThresholds(s *site) body {
	out := output[int64]{t: s.ret}
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		v, lists := in[0], in[1].(*column.List)
		return out.fill(nulls, n, func(i int) (int64, error) {
			if lists.Shape(i) != nil && len(lists.Shape(i).DimsOf(0)) > 1 {
				return 0, sqlerr.Newf("2202E", "thresholds must be one-dimensional array")
			}
			lo, hi := int(lists.Offsets[i]), int(lists.Offsets[i+1])
			for e := lo; e < hi; e++ {
				if lists.Elems.IsNull(e) {
					return 0, sqlerr.Newf(sqlerr.NullNotAllowed, "thresholds array must not contain NULLs")
				}
			}
			return int64(sort.Search(hi-lo, func(k int) bool { return column.Compare(v, i, lists.Elems, lo+k) < 0 })), nil
		})
	}
}

// columnSize is pg_column_size of a value that no row holds: its width, or a header of four bytes and what it holds.
func columnSize(s *site) body {
	out, t := output[int64]{t: s.ret}, s.args[0]
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		return out.fill(nulls, n, func(i int) (int64, error) {
			size := int64(len(column.AppendBinary(nil, in[0], i)))
			switch {
			case t.Len() > 0:
				return int64(t.Len()), nil
			case t.Same(types.Of(types.Numeric)):
				return size - 2, nil // its wire form has eight bytes before the digits, this one six with its own header
			case isString(t), t.Same(types.Of(types.Bytea)):
				return size + 4, nil
			}
			return 0, sqlerr.Unsupported("pg_column_size of type %s", t)
		})
	}
}
