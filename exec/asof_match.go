package exec

import (
	"bytes"
	"slices"

	"wmsql/column"
)

// asOfTable is the whole right side of an ASOF join: the rows of each key, ordered by their time, of equal times the one that came last
// behind.
type asOfTable struct {
	rows  *column.Batch
	keys  groupTable
	times keySet    // of every row, in an encoding that is ordered as the times are
	of    [][]int32 // rows of each key
}

// appendTimes encodes the values of v in their order; a NULL is an empty key.
func appendTimes(k *keySet, v column.Vector, rows int) {
	k.reset()
	for i := range rows {
		if !v.IsNull(i) {
			k.data = column.AppendKey(k.data, v, i, false)
		}
		k.ends = append(k.ends, uint32(len(k.data)))
	}
}

// newAsOfTable orders rows by key and time; those with a NULL in either match nothing.
func newAsOfTable(rows *column.Batch, keys []column.Vector, time column.Vector, layout *keyLayout) *asOfTable {
	t := &asOfTable{rows: rows}
	appendTimes(&t.times, time, rows.Rows)
	var set keySet
	if len(keys) > 0 {
		layout.encode(&set, keys, rows.Rows)
	}
	for i := range rows.Rows {
		if anyNull(keys, i) || time.IsNull(i) {
			continue
		}
		g := t.slot(&set, keys, i)
		if g == len(t.of) {
			t.of = append(t.of, nil)
		}
		t.of[g] = append(t.of[g], int32(i))
	}
	for _, of := range t.of {
		slices.SortStableFunc(of, func(x, y int32) int { return bytes.Compare(t.times.key(int(x)), t.times.key(int(y))) })
	}
	return t
}

// slot is the number of key i, made if it is new. Without keys there is one.
func (t *asOfTable) slot(set *keySet, keys []column.Vector, i int) int {
	if len(keys) == 0 {
		return 0
	}
	if 4*(t.keys.len()+1) > 3*len(t.keys.index) {
		t.keys.grow()
	}
	return int(t.keys.slot(set, i))
}

// find returns the newest row of key i of set at or before time, or before it if strict; -1 if there is none.
func (t *asOfTable) find(set *keySet, keys []column.Vector, i int, time []byte, strict bool) int32 {
	g := int32(0)
	if len(keys) > 0 {
		if g = t.keys.lookup(set, i); g < 0 {
			return -1
		}
	}
	if int(g) >= len(t.of) {
		return -1
	}
	of := t.of[g]
	n, _ := slices.BinarySearchFunc(of, time, func(r int32, time []byte) int {
		if c := bytes.Compare(t.times.key(int(r)), time); c != 0 || strict {
			return orEqual(c)
		}
		return -1
	})
	if n == 0 {
		return -1
	}
	return of[n-1]
}

// orEqual makes of equal a later one: a search then ends before it.
func orEqual(c int) int {
	if c == 0 {
		return 1
	}
	return c
}
