package exec

import (
	"math/bits"

	"wmsql/column"
	"wmsql/types"
)

// bucketID names groups that live and die together: those of one window (end is the window's end), those with an expiry in one
// span (end is the last µs of it), or, where nothing expires, one of the shards of all groups (end is Infinity).
type bucketID struct {
	end   types.MicroTime
	shard uint8
}

// spanMicros is the span of event time that groups keyed by the time itself share a bucket for.
const spanMicros = 60e6

// bucket is groups in memory, and what is known of their chunks in the store.
type bucket struct {
	id bucketID
	*groups
	expires []int64 // of each group; nil when the bucket's end says it
	changed []int64 // processing time of each group's last change; nil without a TTL
	oldest  int64   // none of the groups that live is known to have changed before, with a TTL
	dead    int     // groups that a TTL has freed, though they are still here
	dirty   []uint64
	before  *before // the groups changed in the epoch as they were, where that is asked for
	warmth
	// reopened says that the window was put out before: of it only what changed is put out.
	reopened bool

	delta *bucket // groups of the epoch's rows, while the bucket is cold

	live   int // groups, also when they are not in memory
	rows   int // groups in the stored chunks, older forms of one counted too
	chunks int
	deltas int // of the chunks, those that are merged
}

func (b *bucket) place() bucketID { return b.id }

// cold reports whether the groups are only in the store.
func (b *bucket) cold() bool { return b.groups == nil }

// touch marks groups as changed in the epoch.
func (b *bucket) touch(slots []int32, epoch int64) {
	words := (b.table.len() + 63) / 64
	for len(b.dirty) < words {
		b.dirty = append(b.dirty, 0)
	}
	for _, s := range slots {
		b.dirty[s>>6] |= 1 << (s & 63)
	}
	b.epoch, b.live = epoch, b.table.len()
}

// touched appends the groups changed in the epoch to dst.
func (b *bucket) touched(dst []int32) []int32 {
	for w, x := range b.dirty {
		for ; x != 0; x &= x - 1 {
			dst = append(dst, int32(w*64+bits.TrailingZeros64(x)))
		}
	}
	return dst
}

func (b *bucket) touchedLen() int {
	n := 0
	for _, x := range b.dirty {
		n += bits.OnesCount64(x)
	}
	return n
}

// keep keeps only the groups at slots, ascending.
func (b *bucket) keep(slots []int32) {
	var dirty []uint64
	for to, from := range slots {
		if to&63 == 0 {
			dirty = append(dirty, 0)
		}
		if int(from>>6) < len(b.dirty) && b.dirty[from>>6]&(1<<(from&63)) != 0 {
			dirty[to>>6] |= 1 << (to & 63)
		}
		if b.expires != nil {
			b.expires[to] = b.expires[from]
		}
		if b.changed != nil {
			b.changed[to] = b.changed[from]
		}
	}
	b.dirty = dirty
	if b.expires != nil {
		b.expires = b.expires[:len(slots)]
	}
	if b.changed != nil {
		b.changed = b.changed[:len(slots)]
	}
	b.groups.keep(slots)
	b.live = len(slots)
}

// parts cuts a batch by bucket.
type parts struct {
	ids  []bucketID
	rows [][]int32 // of each id; a single nil: all rows are of one bucket

	of     []int32
	counts []int32
	all    []int32
	recent [64]recentEnd
	byEnd  map[types.MicroTime]int32
}

// recentEnd remembers which part an end has; at is one more than its number, 0 if free.
type recentEnd struct {
	end types.MicroTime
	at  int32
}

// whole makes one part of all rows.
func (p *parts) whole(id bucketID) {
	p.ids = append(p.ids[:0], id)
	p.rows = append(p.rows[:0], nil)
}

// byTime cuts by when rows expire. NULL never expires.
func (p *parts) byTime(v *column.Of[int64], after int64, exact bool) {
	p.ids, p.of = p.ids[:0], p.of[:0]
	clear(p.recent[:])
	clear(p.byEnd)
	last, at := types.MinTime, int32(-1)
	for i, t := range v.Values {
		end := bucketEnd(t, after, exact)
		if v.Nulls != nil && v.Nulls[i] {
			end = types.Infinity
		}
		if end != last || at < 0 {
			last, at = end, p.part(end)
		}
		p.of = append(p.of, at)
	}
	p.gather()
}

// bucketEnd is the end of the bucket of a group that expires at t + after.
func bucketEnd(t, after int64, exact bool) types.MicroTime {
	t = plusMicros(t, after)
	if exact {
		return types.MicroTime(t)
	}
	if t > int64(types.Infinity)-2*spanMicros || t < int64(types.MinTime)+2*spanMicros {
		return types.Infinity
	}
	return types.MicroTime(floorTo(t, 0, spanMicros) + spanMicros - 1)
}

// part returns the number of the part that ends at end.
func (p *parts) part(end types.MicroTime) int32 {
	r := &p.recent[uint64(end)*0x9e3779b97f4a7c15>>58]
	if r.at > 0 && r.end == end {
		return r.at - 1
	}
	if p.byEnd == nil {
		p.byEnd = map[types.MicroTime]int32{}
	}
	at, ok := p.byEnd[end]
	if !ok {
		at = int32(len(p.ids))
		p.byEnd[end] = at
		p.ids = append(p.ids, bucketID{end: end})
	}
	*r = recentEnd{end, at + 1}
	return at
}

// byShard cuts by the keys' shards.
func (p *parts) byShard(k *keySet) {
	p.ids, p.of = p.ids[:0], p.of[:0]
	var at [shards]int32
	for i := range k.ends {
		s := shardOf(k.key(i))
		if at[s] == 0 {
			p.ids = append(p.ids, bucketID{types.Infinity, s})
			at[s] = int32(len(p.ids))
		}
		p.of = append(p.of, at[s]-1)
	}
	p.gather()
}

// divide cuts the parts of the windows that are divided by the shards of their keys.
func (p *parts) divide(divided map[types.MicroTime]bool, k *keySet) {
	if len(divided) == 0 {
		return
	}
	for i, n := 0, len(p.ids); i < n; i++ {
		if !divided[p.ids[i].end] {
			continue
		}
		rows := p.rows[i]
		if rows == nil {
			rows = upTo(nil, len(k.ends))
		}
		var of [windowShards][]int32
		for _, r := range rows {
			s := windowShard(k.key(int(r))) - wholeShards
			of[s] = append(of[s], r)
		}
		end, at := p.ids[i].end, i // the first one takes the window's place
		for s, rows := range of {
			if len(rows) == 0 {
				continue
			}
			if at == len(p.ids) {
				p.ids, p.rows = append(p.ids, bucketID{}), append(p.rows, nil)
			}
			p.ids[at], p.rows[at] = bucketID{end, wholeShards + uint8(s)}, rows
			at = len(p.ids)
		}
	}
}

// gather sorts the rows by part.
func (p *parts) gather() {
	p.rows = p.rows[:0]
	if len(p.ids) == 1 {
		p.rows = append(p.rows, nil)
		return
	}
	p.counts = p.counts[:0]
	for range p.ids {
		p.counts = append(p.counts, 0)
	}
	for _, k := range p.of {
		p.counts[k]++
	}
	if cap(p.all) < len(p.of) {
		p.all = make([]int32, len(p.of))
	}
	start := int32(0)
	for _, n := range p.counts {
		p.rows = append(p.rows, p.all[start:start:start+n])
		start += n
	}
	for i, k := range p.of {
		p.rows[k] = append(p.rows[k], int32(i))
	}
}
