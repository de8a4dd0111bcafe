package exec

import (
	"bytes"
	"slices"

	"wmsql/column"
	"wmsql/state"
)

// indexRowsMax is how many rows are fetched by an index: a batch. Where it leads to more, reading the rows in their order is not slower: to get a row
// by its key takes some five times as long as to step to it.
const indexRowsMax = column.MaxRows

// indexed returns the keys, in order, of the rows that an index of the relation leaves the conditions; found is false when there is none that
// says much.
func indexed(r state.Reader, id uint32, rel *relation, conds []keyCond) (keys [][]byte, found bool, err error) {
	x, in := bestIndex(rel, conds)
	if x == nil {
		return nil, false, nil
	}
	it, err := r.Iter(state.Result, id, in.lo, in.hi, false)
	if err != nil {
		return nil, false, err
	}
	keys = [][]byte{}
	for len(keys) <= indexRowsMax && it.Next() {
		keys = append(keys, bytes.Clone(it.Value()))
	}
	if err := it.Close(); err != nil || len(keys) > indexRowsMax {
		return nil, false, err
	}
	slices.SortFunc(keys, bytes.Compare)
	return keys, true, nil
}

// bestIndex is the index most of whose columns have one value under the conditions, or else one whose first column is bounded; nil if there
// is none.
func bestIndex(rel *relation, conds []keyCond) (best *storedIndex, in keyRange) {
	most := -1
	for n := range rel.indexes {
		x := &rel.indexes[n]
		prefix := append(rel.before(), x.prefix...)
		r, equal := narrowBy(conds, x.columns, prefix)
		switch {
		case x.whole() && equal < len(x.columns):
		case equal == 0 && bytes.Equal(r.lo, prefix) && bytes.Equal(r.hi, successor(prefix)):
		case equal > most:
			best, in, most = x, r, equal
		}
	}
	return best, in
}
