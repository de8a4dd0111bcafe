package exec

import "wmsql/column"

// joinTable is the rows of a join's right side, found by key: rows with one key form a chain in their order.
type joinTable struct {
	rows  *column.Batch
	keys  groupTable
	heads []int32 // first row of each key
	links []int32 // next row with the same key, -1 at the end
	all   bool    // no keys: every row matches
}

// build indexes rows by cols; rows with a NULL in them are left out of the index.
func (t *joinTable) build(rows *column.Batch, cols []column.Vector, layout *keyLayout) {
	t.rows = rows
	t.links = make([]int32, rows.Rows)
	if len(cols) == 0 {
		t.all = true
		for i := range t.links {
			t.links[i] = int32(i + 1)
		}
		if rows.Rows > 0 {
			t.links[rows.Rows-1] = -1
		}
		return
	}
	var set keySet
	layout.encode(&set, cols, rows.Rows)
	tails := []int32{}
	for i := range rows.Rows {
		t.links[i] = -1
		if anyNull(cols, i) {
			continue
		}
		if 4*(t.keys.len()+1) > 3*len(t.keys.index) {
			t.keys.grow()
		}
		g := t.keys.slot(&set, i)
		if int(g) == len(t.heads) {
			t.heads = append(t.heads, int32(i))
			tails = append(tails, int32(i))
			continue
		}
		t.links[tails[g]] = int32(i)
		tails[g] = int32(i)
	}
}

// first returns the first row that may match row i of the left side, -1 if there is none.
func (t *joinTable) first(set *keySet, cols []column.Vector, i int) int32 {
	if t.all {
		if t.rows.Rows == 0 {
			return -1
		}
		return 0
	}
	if anyNull(cols, i) {
		return -1
	}
	g := t.keys.lookup(set, i)
	if g < 0 {
		return -1
	}
	return t.heads[g]
}

// next returns the row after r in its chain.
func (t *joinTable) next(r int32) int32 { return t.links[r] }

func anyNull(cols []column.Vector, i int) bool {
	for _, v := range cols {
		if v.IsNull(i) {
			return true
		}
	}
	return false
}
