package exec

import (
	"math"

	"wmsql/column"
)

// joinTable is the rows of a join's right side, found by key: rows with one key form a chain in their order.
type joinTable struct {
	rows  *column.Batch
	keys  groupTable
	heads []int32 // first row of each key
	links []int32 // next row with the same key, -1 at the end
	all   bool    // no keys: every row matches
	dense bool    // the key is a whole number, and heads is by its distance from base; -1: no row
	base  int64
	once  bool // no two rows have one key
}

// build indexes rows by cols; rows with a NULL in them are left out of the index.
func (t *joinTable) build(rows *column.Batch, cols []column.Vector, layout *keyLayout) {
	t.rows = rows
	t.links = make([]int32, rows.Rows)
	switch {
	case len(cols) == 0:
		t.chainAll()
	case !t.buildDense(cols):
		t.buildHashed(cols, layout)
	}
}

func (t *joinTable) chainAll() {
	t.all = true
	for i := range t.links {
		t.links[i] = int32(i + 1)
	}
	if n := len(t.links); n > 0 {
		t.links[n-1] = -1
	}
}

// denseRoom is how many values a dense index may have for each row.
const denseRoom = 4

// buildDense makes an index without hashing if there is one key, of whole numbers that lie close together.
func (t *joinTable) buildDense(cols []column.Vector) bool {
	v, ok := cols[0].(*column.Of[int64])
	if !ok || len(cols) > 1 {
		return false
	}
	lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
	for i, x := range v.Values {
		if !v.IsNull(i) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	if lo > hi || uint64(hi)-uint64(lo) >= uint64(denseRoom*len(v.Values)) {
		return false
	}
	t.dense, t.base, t.once = true, lo, true
	t.heads = make([]int32, hi-lo+1)
	for i := range t.heads {
		t.heads[i] = -1
	}
	for i := len(v.Values) - 1; i >= 0; i-- {
		if v.IsNull(i) {
			continue
		}
		h := &t.heads[v.Values[i]-lo]
		t.once = t.once && *h < 0
		t.links[i], *h = *h, int32(i)
	}
	return true
}

func (t *joinTable) buildHashed(cols []column.Vector, layout *keyLayout) {
	var set keySet
	layout.encode(&set, cols, t.rows.Rows)
	tails := []int32{}
	for i := range t.rows.Rows {
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

// encodes reports whether keys are looked up in their encoded form.
func (t *joinTable) encodes() bool { return !t.all && !t.dense }

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
	if t.dense {
		if at := uint64(cols[0].(*column.Of[int64]).Values[i]) - uint64(t.base); at < uint64(len(t.heads)) {
			return t.heads[at]
		}
		return -1
	}
	g := t.keys.lookup(set, i)
	if g < 0 {
		return -1
	}
	return t.heads[g]
}

// firsts appends the pairs of all left rows to l and r, where no key has two right rows and no left key is NULL; false if it is not so.
func (t *joinTable) firsts(l, r []int32, cols []column.Vector) (_, _ []int32, ok bool) {
	if !t.dense || !t.once {
		return l, r, false
	}
	v := cols[0].(*column.Of[int64])
	if v.Nulls != nil {
		return l, r, false
	}
	heads, base := t.heads, uint64(t.base)
	for i, x := range v.Values {
		if at := uint64(x) - base; at < uint64(len(heads)) && heads[at] >= 0 {
			l, r = append(l, int32(i)), append(r, heads[at])
		}
	}
	return l, r, true
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
