package expr

import (
	"wmsql/column"
	"wmsql/types"
)

// leader is the value of the row whose order is the least or greatest so far.
type leader struct{ value, by column.Vector } // each of one row; by is nil while there is none

// byKernel is min_by (sign -1) and max_by (sign 1): the value of the row with the extreme order; rows without an order do not
// count, a value may be NULL. Of rows with the same order the last to arrive stays, as in Spark.
func byKernel(s *aggSite, sign int) *cellKernel[leader] {
	var best, touched []int32 // per slot the best row of the batch, -1: none; slots that have one
	values, orders := vectorCodec(s.args[0]), vectorCodec(s.args[1])
	return &cellKernel[leader]{
		add: func(st []leader, slots, rows []int32, args []column.Vector) error {
			for len(best) < len(st) {
				best = append(best, -1)
			}
			touched = touched[:0]
			by := args[1]
			for k, slot := range slots {
				i := rowAt(rows, k)
				if by.IsNull(i) {
					continue
				}
				switch at := best[slot]; {
				case at >= 0:
					if column.Compare(by, i, by, int(at))*sign < 0 {
						continue
					}
				case st[slot].by != nil && column.Compare(by, i, st[slot].by, 0)*sign < 0:
					continue
				default:
					touched = append(touched, slot)
				}
				best[slot] = int32(i)
			}
			for _, slot := range touched {
				row := best[slot : slot+1]
				st[slot] = leader{args[0].Take(row), by.Take(row)}
				best[slot] = -1
			}
			return nil
		},
		merge: func(dst, src *leader) error {
			if src.by != nil && (dst.by == nil || column.Compare(src.by, 0, dst.by, 0)*sign >= 0) {
				*dst = *src
			}
			return nil
		},
		result: func(st []leader, slots []int32, t types.Type) (column.Vector, error) {
			b := column.NewBuilder(t, len(slots))
			for _, slot := range slots {
				if l := &st[slot]; l.by != nil {
					b.AppendFrom(l.value, 0)
				} else {
					b.AppendNull()
				}
			}
			return b.Build(), nil
		},
		encode: func(dst []byte, l *leader) []byte {
			if l.by == nil {
				return append(dst, 0)
			}
			return orders.write(values.write(append(dst, 1), l.value), l.by)
		},
		decode: func(l *leader, data []byte) ([]byte, bool) {
			if len(data) == 0 || data[0] > 1 {
				return nil, false
			}
			if data[0] == 0 {
				return data[1:], true
			}
			value, data, ok := values.read(data[1:])
			if !ok {
				return nil, false
			}
			by, data, ok := orders.read(data)
			l.value, l.by = value, by
			return data, ok
		},
		heap: func(l *leader) int {
			if l.by == nil {
				return 0
			}
			return leaderBytes
		},
	}
}

// leaderBytes estimates what two vectors of one row take.
const leaderBytes = 200

func makeBy(sign int) func(*aggSite) Accumulator {
	return func(s *aggSite) Accumulator { return makeCells(byKernel(s, sign))(s) }
}
