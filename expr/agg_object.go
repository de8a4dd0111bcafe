package expr

import (
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// makeObjectAgg makes json_object_agg and jsonb_object_agg of keys and values, in the order of arrival. A NULL is no key; a continuous
// query leaves it out.
func makeObjectAgg(s *aggSite) Accumulator {
	if l := s.args[0].Layout(); l == types.LayoutList || l == types.LayoutRecord || s.args[0].Kind == types.JSON || s.args[0].Kind == types.JSONB {
		return failing{sqlerr.Newf(sqlerr.InvalidParameterValue, "key value must be scalar, not array, composite, or json")}
	}
	w := newJSONWriter(&site{ctx: s.ctx})
	k := collectKernel(s.args, func(args []column.Vector, b column.Builder) error {
		text := []byte("{ ")
		for i := range args[0].Len() {
			if i > 0 {
				text = append(text, ", "...)
			}
			text = w.value(append(w.key(text, args[0], i), " : "...), args[1], i)
		}
		return b.AppendText(append(text, " }"...), w.format)
	})
	keep, ongoing := k.add, s.ctx != nil && s.ctx.Ongoing
	k.add = func(st []rowLog, slots, rows []int32, args []column.Vector) error {
		named, at := make([]int32, 0, len(slots)), make([]int32, 0, len(slots))
		for n, slot := range slots {
			if r := rowAt(rows, n); !args[0].IsNull(r) {
				named, at = append(named, slot), append(at, int32(r))
			} else if !ongoing {
				return sqlerr.Newf(sqlerr.InvalidParameterValue, "field name must not be null")
			}
		}
		return keep(st, named, at, args)
	}
	return makeCells(k)(s)
}

// key appends row i of v as an object's key: what is no string as JSON goes between quotes.
func (w *jsonWriter) key(dst []byte, v column.Vector, i int) []byte {
	start := len(dst)
	dst = w.value(dst, v, i)
	if dst[start] == '"' {
		return dst
	}
	text := string(dst[start:])
	return append(append(append(dst[:start], '"'), text...), '"')
}
