package expr

import (
	"wmsql/column"
	"wmsql/types"
)

// ignoreNulls ends the name of first and last when they pass over NULLs.
const ignoreNulls = " ignore nulls"

// pickKernel is first and last in the order of arrival. A slot holds a vector of one row, which may be NULL.
func pickKernel(last, skipNulls bool, t types.Type) *cellKernel[extreme[column.Vector]] {
	pick := func(s *extreme[column.Vector], v column.Vector, i int) {
		if (last || !s.ok) && (!skipNulls || !v.IsNull(i)) {
			s.v, s.ok = v.Take([]int32{int32(i)}), true
		}
	}
	k := extremeKernel(1, nil, vectorCodec(t))
	k.add = func(st []extreme[column.Vector], slots, rows []int32, args []column.Vector) error {
		if last {
			return addLast(st, slots, rows, args[0], pick)
		}
		for k, slot := range slots {
			if !st[slot].ok {
				pick(&st[slot], args[0], rowAt(rows, k))
			}
		}
		return nil
	}
	k.merge = func(dst, src *extreme[column.Vector]) error {
		if src.ok {
			pick(dst, src.v, 0)
		}
		return nil
	}
	k.result = vectorResult
	return k
}

// addLast goes backwards, so that each slot copies one value a batch.
func addLast(st []extreme[column.Vector], slots, rows []int32, v column.Vector, pick func(*extreme[column.Vector], column.Vector, int)) error {
	done := make(map[int32]bool)
	for k := len(slots) - 1; k >= 0; k-- {
		slot := slots[k]
		if done[slot] {
			continue
		}
		before := st[slot].v
		pick(&st[slot], v, rowAt(rows, k))
		done[slot] = st[slot].v != before
	}
	return nil
}

func makePick(last, skipNulls bool) func(*aggSite) Accumulator {
	return func(s *aggSite) Accumulator { return makeCells(pickKernel(last, skipNulls, s.args[0]))(s) }
}
