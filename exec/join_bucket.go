package exec

import (
	"math/bits"

	"wmsql/column"
	"wmsql/types"
)

// joinBucket is the rows of one side that expire within one span of time, found by key. Rows keep their number for as long as
// the bucket lives, so that what is stored of them later (that they had a match) can name them.
type joinBucket struct {
	side *joinSide
	end  types.MicroTime // the last µs of the span
	*joinRows
	live   int // rows that may still find a partner, or wait to be put out
	total  int // rows, dead ones too
	stored int // rows that are in the store
	base   int // rows that were, when the bucket was last written as a whole
	chunks int // in the store
	warmth
}

// joinRows is what a bucket has in memory.
type joinRows struct {
	cols    []column.Builder
	view    []column.Vector // of cols; nil after a change
	keys    groupTable
	heads   []int32 // newest row of each key, -1 if none
	links   []int32 // next older row with the same key, -1 at the end
	matched bitset  // rows that had a match, of a side that is put out without one
	dead    bitset  // rows that were freed
	flagged []int32 // rows in the store that had their first match since
}

func newJoinBucket(s *joinSide, end types.MicroTime) *joinBucket {
	return &joinBucket{side: s, end: end, joinRows: newJoinRows(s)}
}

func newJoinRows(s *joinSide) *joinRows {
	return &joinRows{cols: column.NewBuilders(s.node.Input.Schema(), 0)}
}

// cold reports whether the rows are only in the store.
func (b *joinBucket) cold() bool { return b.joinRows == nil }

func (b *joinBucket) place() bucketID { return bucketID{b.end, uint8(b.side.at)} }

// release takes the rows out of memory.
func (b *joinBucket) release() { b.joinRows, b.size = nil, 0 }

// begins is the first µs of the span.
func (b *joinBucket) begins() types.MicroTime {
	if b.end == types.Infinity {
		return types.Infinity
	}
	return types.MicroTime(plusMicros(int64(b.end), 1-b.side.j.node.Span))
}

// rows returns the columns of all rows.
func (b *joinBucket) rows() []column.Vector {
	if b.view == nil {
		b.view = make([]column.Vector, len(b.cols))
		for i, c := range b.cols {
			b.view[i] = c.View()
		}
	}
	return b.view
}

// add appends row i of the batch; a NULL key is not found again.
func (b *joinBucket) add(p *joinProbe, i int, null, hit bool) {
	for c, v := range p.batch.Cols {
		b.cols[c].AppendFrom(v, i)
	}
	b.view = nil
	n := int32(b.total)
	b.total++
	b.live++
	if hit && b.side.node.Keep {
		b.matched.set(n)
	}
	link := int32(-1)
	if !null {
		link = b.index(&p.set, i, n)
	}
	b.links = append(b.links, link)
}

// index makes row n the newest one of key i of set, and returns the one before.
func (b *joinRows) index(set *keySet, i int, n int32) int32 {
	if 4*(b.keys.len()+1) > 3*len(b.keys.index) {
		b.keys.grow()
	}
	g := b.keys.slot(set, i)
	b.keys.added = b.keys.added[:0]
	if int(g) == len(b.heads) {
		b.heads = append(b.heads, n)
		return -1
	}
	before := b.heads[g]
	b.heads[g] = n
	return before
}

// first returns the newest row with key i of set, -1 if there is none.
func (b *joinRows) first(set *keySet, i int) int32 {
	g := b.keys.lookup(set, i)
	if g < 0 {
		return -1
	}
	return b.heads[g]
}

// match notes that row r had a match and reports whether it was the first one.
func (b *joinBucket) match(r int32, once bool) bool {
	if !b.side.node.Keep && !once || b.matched.has(r) {
		return false
	}
	b.matched.set(r)
	if int(r) < b.stored {
		b.flagged = append(b.flagged, r)
	}
	if once {
		b.kill(r)
	}
	b.epoch = b.side.j.epoch.ID
	return true
}

// kill frees row r.
func (b *joinBucket) kill(r int32) {
	b.dead.set(r)
	b.live--
}

// expired appends the rows that expire at or before upTo, of those not freed: to lonely the ones that had no match, and all to gone.
func (b *joinBucket) expired(upTo types.MicroTime, lonely, gone []int32) (l, g []int32) {
	s := b.side
	if s.node.TTL > 0 {
		return b.alone(lonely), gone
	}
	times := b.rows()[s.node.Time].(*column.Of[int64]).Values
	last := expiredBy(upTo, s.node.FreeAfter)
	for i, t := range times {
		r := int32(i)
		if t > last || b.dead.has(r) {
			continue
		}
		gone = append(gone, r)
		if !b.matched.has(r) {
			lonely = append(lonely, r)
		}
	}
	return lonely, gone
}

// alone appends the rows that had no match, of those not freed.
func (b *joinBucket) alone(dst []int32) []int32 {
	for r := range int32(b.total) {
		if !b.dead.has(r) && !b.matched.has(r) {
			dst = append(dst, r)
		}
	}
	return dst
}

// bytes estimates the memory held.
func (b *joinBucket) bytes() int64 {
	n := b.keys.bytes() + 4*int64(cap(b.heads)+cap(b.links)+cap(b.flagged)) + 8*int64(cap(b.dead)+cap(b.matched)) + 300
	for _, v := range b.rows() {
		n += vectorBytes(v)
	}
	return n
}

// bitset is numbers, one bit each.
type bitset []uint64

func (s bitset) has(i int32) bool {
	return int(i>>6) < len(s) && s[i>>6]&(1<<(i&63)) != 0
}

func (s *bitset) set(i int32) {
	for int(i>>6) >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[i>>6] |= 1 << (i & 63)
}

// count is how many numbers are in the set.
func (s bitset) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}
