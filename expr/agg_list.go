package expr

import (
	"wmsql/column"
	"wmsql/types"
)

// makeListAgg makes collect_list and collect_set, Spark's array_agg: no NULLs, and an empty array where there is no value.
func makeListAgg(s *aggSite) Accumulator {
	if isArray(s.args[0]) {
		return makeArrayAgg(s)
	}
	k := collectKernel(s.args, nil)
	keep := k.add
	var present, places []int32
	k.add = func(st []rowLog, slots, rows []int32, args []column.Vector) error {
		present, places = present[:0], places[:0]
		for n, slot := range slots {
			if i := rowAt(rows, n); !args[0].IsNull(i) {
				present, places = append(present, int32(i)), append(places, slot)
			}
		}
		return keep(st, places, present, args)
	}
	k.result = func(st []rowLog, slots []int32, t types.Type) (column.Vector, error) {
		b := column.NewBuilder(t, len(slots))
		for _, slot := range slots {
			args, err := decodeRows(s.args, st[slot].all())
			if err != nil {
				return nil, err
			}
			b.AppendVector(&column.List{T: t, Offsets: []int32{0, int32(args[0].Len())}, Elems: args[0]})
		}
		return b.Build(), nil
	}
	return makeCells(k)(s)
}
