package expr

import (
	"bytes"
	"encoding/binary"
	"strings"

	"wmsql/column"
	"wmsql/types"
)

// picked is the row of a slot that is first or last in the order of the call: its order-preserving key and the value.
type picked struct {
	key, row []byte
	ok       bool
}

// picks reports whether a is first, last or any_value with an order: one row a group is enough for it, whatever order rows come in.
func picks(a *Aggregate) bool {
	name := strings.TrimSuffix(a.Func.Name, ignoreNulls)
	return len(a.OrderBy) > 0 && !a.Distinct && (name == "first" || name == "last" || name == "any_value")
}

// pickByKernel is first and last by the ORDER BY inside the call. Of rows with the same order the first to come is first, the last to
// come is last, as if the rows had been sorted.
func pickByKernel(a *Aggregate) *cellKernel[picked] {
	name, skipNulls := strings.CutSuffix(a.Func.Name, ignoreNulls)
	last := name == "last"
	skipNulls = skipNulls || name == "any_value"
	better := func(p *picked, key []byte) bool {
		if !p.ok {
			return true
		}
		c := bytes.Compare(key, p.key)
		return last && c >= 0 || !last && c < 0
	}
	var key []byte
	return &cellKernel[picked]{
		add: func(st []picked, slots, rows []int32, args []column.Vector) error {
			for k, slot := range slots {
				i, p := rowAt(rows, k), &st[slot]
				if skipNulls && args[0].IsNull(i) {
					continue
				}
				if key = sortKey(key[:0], a, args, i); better(p, key) {
					p.key, p.row, p.ok = append(p.key[:0], key...), column.AppendRow(p.row[:0], args[:1], i), true
				}
			}
			return nil
		},
		merge: func(dst, src *picked) error {
			if src.ok && better(dst, src.key) {
				*dst = picked{bytes.Clone(src.key), bytes.Clone(src.row), true}
			}
			return nil
		},
		result: func(st []picked, slots []int32, t types.Type) (column.Vector, error) {
			b := []column.Builder{column.NewBuilder(t, len(slots))}
			for _, slot := range slots {
				if !st[slot].ok {
					b[0].AppendNull()
				} else if _, err := column.DecodeRow(b, st[slot].row); err != nil {
					return nil, err
				}
			}
			return b[0].Build(), nil
		},
		encode: func(dst []byte, p *picked) []byte {
			if !p.ok {
				return append(dst, 0)
			}
			dst = append(binary.AppendUvarint(append(dst, 1), uint64(len(p.key))), p.key...)
			return append(binary.AppendUvarint(dst, uint64(len(p.row))), p.row...)
		},
		decode: func(p *picked, data []byte) ([]byte, bool) {
			if len(data) == 0 || data[0] > 1 {
				return nil, false
			}
			if data[0] == 0 {
				return data[1:], true
			}
			data = data[1:]
			for _, part := range []*[]byte{&p.key, &p.row} {
				n, k := binary.Uvarint(data)
				if k <= 0 || n > uint64(len(data)-k) {
					return nil, false
				}
				*part, data = bytes.Clone(data[k:k+int(n)]), data[k+int(n):]
			}
			p.ok = true
			return data, true
		},
		heap: func(p *picked) int { return cap(p.key) + cap(p.row) },
	}
}
