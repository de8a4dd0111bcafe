package expr

import (
	"encoding/binary"

	"wmsql/column"
	"wmsql/types"
)

// newSortedAccumulator makes an aggregate whose rows are fed to it in order when the result is asked for: ORDER BY inside
// the call, or DISTINCT of an aggregate that depends on the order, which Postgres sorts too.
func newSortedAccumulator(a *Aggregate, s *aggSite) Accumulator {
	return makeCells(sortedKernel(a, s))(s)
}

// sortedKernel keeps each row as its key's length, its key and the arguments in the row codec.
func sortedKernel(a *Aggregate, s *aggSite) *cellKernel[rowLog] {
	ts := s.args
	k := collectKernel(ts, nil)
	var key []byte
	k.add = func(st []rowLog, slots, rows []int32, args []column.Vector) error {
		for n, slot := range slots {
			i, l := rowAt(rows, n), &st[slot]
			key = sortKey(key[:0], a, args, i)
			l.data = append(l.data, key...)
			l.data = column.AppendRow(l.data, args[:len(ts)], i)
			l.data = binary.BigEndian.AppendUint32(l.data, uint32(len(key)))
			l.close()
		}
		return nil
	}
	keyLen := func(row []byte) int { return int(binary.BigEndian.Uint32(row[len(row)-4:])) }
	k.result = func(st []rowLog, slots []int32, t types.Type) (column.Vector, error) {
		b := column.NewBuilder(t, len(slots))
		finish := a.Func.finish
		if finish == nil {
			finish = feedInOrder(a)
		}
		for _, slot := range slots {
			rows := st[slot].sorted(keyLen, a.Distinct)
			for i, row := range rows {
				rows[i] = row[keyLen(row):]
			}
			args, err := decodeRows(ts, rows)
			if err != nil {
				return nil, err
			}
			if err := finish(s, args, b); err != nil {
				return nil, err
			}
		}
		return b.Build(), nil
	}
	return k
}

// feedInOrder gives the rows in order to an aggregate of one slot.
func feedInOrder(a *Aggregate) finish {
	var inner Accumulator
	return func(s *aggSite, args []column.Vector, b column.Builder) error {
		if inner == nil {
			inner = a.Func.make(s)
			inner.Resize(1)
		}
		inner.Reset(0)
		if err := inner.Add(make([]int32, args[0].Len()), nil, args); err != nil {
			return err
		}
		return inner.Result(b, []int32{0})
	}
}

// sortKey appends the order of row i: the ORDER BY keys, which follow the arguments, then with DISTINCT the arguments.
func sortKey(dst []byte, a *Aggregate, args []column.Vector, i int) []byte {
	for k, o := range a.OrderBy {
		dst = appendOrder(dst, o, args[len(a.Args)+k], i)
	}
	if a.Distinct {
		for k := range a.Args {
			dst = column.AppendKey(dst, args[k], i, false)
		}
	}
	return dst
}

// appendOrder appends the order of row i by one key, whose value is v.
func appendOrder(dst []byte, k SortKey, v column.Vector, i int) []byte {
	if v.IsNull(i) != k.NullsFirst {
		dst = append(dst, 1)
	} else {
		dst = append(dst, 0)
	}
	return column.AppendKey(dst, v, i, k.Desc)
}
