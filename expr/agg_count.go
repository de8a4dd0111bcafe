package expr

import (
	"encoding/binary"

	"wmsql/column"
)

// countCells is count(*) and count(x): a slot is the number of rows.
var countCells = cellKernel[int64]{
	add: func(st []int64, slots, rows []int32, args []column.Vector) error {
		return countRows(st, slots, rows, args, 1)
	},
	retract: func(st []int64, slots, rows []int32, args []column.Vector) error {
		return countRows(st, slots, rows, args, -1)
	},
	merge:  func(dst, src *int64) error { *dst += *src; return nil },
	result: fixedResult(func(s *int64) (int64, bool, error) { return *s, true, nil }),
	encode: func(dst []byte, s *int64) []byte { return binary.AppendVarint(dst, *s) },
	decode: decodeVarint,
}

func decodeVarint(s *int64, data []byte) ([]byte, bool) {
	v, n := binary.Varint(data)
	if n <= 0 {
		return nil, false
	}
	*s = v
	return data[n:], true
}

func countRows(st []int64, slots, rows []int32, args []column.Vector, by int64) error {
	var nulls []bool
	if len(args) > 0 {
		nulls = args[0].NullMask()
	}
	if nulls == nil {
		for _, slot := range slots {
			st[slot] += by
		}
		return nil
	}
	for k, slot := range slots {
		if !nulls[rowAt(rows, k)] {
			st[slot] += by
		}
	}
	return nil
}
