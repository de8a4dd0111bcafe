package exec

import (
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// budget bounds the memory of what an operator of a SELECT holds at once: rows to be sorted, the side of a join, groups.
type budget struct {
	limit int64 // bytes; 0: none
}

// check fails when used is above the limit.
func (m *budget) check(used int64) error {
	if m.limit <= 0 || used <= m.limit {
		return nil
	}
	return overBudget(m.limit)
}

// overBudget says that an operator needs more memory than it may have.
func overBudget(limit int64) error {
	return sqlerr.Newf(sqlerr.OutOfMemory, "out of memory").
		WithDetail("An operator of the statement holds more than %d MiB.", limit>>20).
		WithHint("Read fewer rows, or start the server with a larger --memory.")
}

// batchBytes estimates the memory of the rows of b.
func batchBytes(b *column.Batch) int64 {
	n := int64(0)
	for _, v := range b.Cols {
		n += vectorBytes(v)
	}
	return n
}

// vectorBytes estimates the memory of a vector.
func vectorBytes(v column.Vector) int64 {
	n := int64(v.Len())
	switch v := v.(type) {
	case *column.Of[bool]:
		return n
	case *column.Of[types.Decimal]:
		return 32 * n
	case *column.Of[types.IntervalValue]:
		return 16 * n
	case *column.Bytes:
		if n == 0 {
			return 0
		}
		return 4*n + int64(v.Offsets[n]-v.Offsets[0])
	case *column.List:
		return 4*n + vectorBytes(v.Elems)
	case *column.Record:
		out := int64(0)
		for _, f := range v.Fields {
			out += vectorBytes(f)
		}
		return out
	}
	return 8 * n
}
