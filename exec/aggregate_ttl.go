package exec

import (
	"math"

	"wmsql/state"
	"wmsql/types"
)

// A TTL (state_ttl) frees a group that did not change for so long by the time of the epochs. Whether a group is dead is exact: a key
// that comes again starts anew. To find the dead is one pass over the times of a bucket, to take them out is a copy of the bucket,
// so they stay in memory until they are a quarter of it or one of them comes again.

// ttlSlack is which part of a TTL dead groups may outstay it when nobody asks for them: in buckets that are only in the store, and
// where no rows come.
const ttlSlack = 16

// readyTTL says which groups are dead in this epoch.
func (a *streamAggregate) readyTTL() {
	a.now = a.past
	if a.node.TTL > 0 {
		a.now.unchanged = max(a.past.unchanged, a.epoch.Now-types.MicroTime(a.node.TTL))
	}
}

// renew takes the dead out of b when one of the keys, rows of set (nil: the first n), is among them.
func (a *streamAggregate) renew(b *bucket, set *keySet, rows []int32, n int) {
	if a.node.TTL == 0 || b.dead == 0 && b.oldest > int64(a.now.unchanged) {
		return
	}
	if rows != nil {
		n = len(rows)
	}
	for j := range n {
		i := j
		if rows != nil {
			i = int(rows[j])
		}
		if s := b.table.lookup(set, i); s >= 0 && b.changed[s] <= int64(a.now.unchanged) {
			a.tally(b)
			a.bury(b)
			return
		}
	}
}

// expire finds the dead of all buckets, and frees buckets that hold nothing else.
func (a *streamAggregate) expire() error {
	if a.node.TTL == 0 {
		return nil
	}
	for _, b := range a.buckets {
		late := int64(0)
		if b.cold() {
			late = a.node.TTL / ttlSlack
		}
		if b.oldest > int64(a.now.unchanged)-late {
			continue
		}
		if b.cold() {
			if err := a.load(b); err != nil {
				return err
			}
		}
		a.tally(b)
		switch {
		case b.dead == b.table.len():
			a.free(b)
		case 4*b.dead >= b.table.len():
			a.bury(b)
		}
	}
	return nil
}

// tally counts the dead of b.
func (a *streamAggregate) tally(b *bucket) {
	dead, oldest := 0, int64(math.MaxInt64)
	for _, t := range b.changed {
		if t <= int64(a.now.unchanged) {
			dead++
		} else {
			oldest = min(oldest, t)
		}
	}
	a.stats.RowsRemoved += int64(dead - b.dead)
	b.dead, b.oldest = dead, oldest
}

// bury takes the dead out of b.
func (a *streamAggregate) bury(b *bucket) {
	_, left := b.split(a.now, nil, nil)
	b.keep(left)
	b.dead = 0
}

// free takes a bucket away, from the store too.
func (a *streamAggregate) free(b *bucket) {
	if b.chunks > 0 {
		lo := a.bucketKey(b.id)
		a.epoch.Txn.DeleteRange(state.Operator, a.epoch.Query, lo, successor(lo))
	}
	delete(a.buckets, b.id)
}

// wake is when an epoch is due for the dead alone.
func (a *streamAggregate) wake() types.MicroTime {
	out := types.Infinity
	if a.node.TTL == 0 {
		return out
	}
	for _, b := range a.buckets {
		if b.live > b.dead {
			out = min(out, types.MicroTime(plusMicros(b.oldest, a.node.TTL+a.node.TTL/ttlSlack)))
		}
	}
	return out
}
