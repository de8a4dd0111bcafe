package exec

import (
	"math"

	"wmsql/state"
	"wmsql/types"
)

// The groups of closed windows are kept for a while when late rows are: their chunks stay in the store, and a refresh takes them up
// again, folds the late rows in, puts out the groups that changed, and closes them once more. No result row could be corrected
// without them: an average or a count of distinct values does not say what it was made of.

// keepsFrom is the end of the newest window that was freed for good: those that end later are kept once they are closed.
func (a *streamAggregate) keepsFrom() types.MicroTime {
	switch upTo := a.past.expired; {
	case a.kept == nil:
		return types.Infinity
	case a.node.KeepFor == math.MaxInt64 || upTo == types.Infinity || int64(upTo) < math.MinInt64+a.node.KeepFor:
		return a.since // for ever, or the input has ended
	default:
		return max(a.since, upTo-types.MicroTime(a.node.KeepFor))
	}
}

// readyClosed parts the closed windows from the open ones when the state has been read, and tells the operators below what is kept.
func (a *streamAggregate) readyClosed() {
	if a.final == nil {
		a.final = map[bucketID]*bucket{}
		for id, b := range a.buckets {
			if a.evicts() && a.node.ByWindow && id.end <= a.past.expired {
				a.final[id] = b
				delete(a.buckets, id)
			}
		}
	}
	if a.kept != nil {
		a.kept.from = a.keepsFrom()
	}
}

// reopen takes a closed window up again; it is empty if no row ever came in time. nil: the window is not closed.
func (a *streamAggregate) reopen(id bucketID) *bucket {
	if a.kept == nil || id.end > a.past.expired {
		return nil
	}
	b := a.final[id]
	if b == nil {
		b = &bucket{id: id, groups: a.merger.newGroups(), oldest: math.MaxInt64}
	}
	delete(a.final, id)
	b.reopened = true
	a.buckets[id] = b
	return b
}

// shut puts a window away that has been put out, with what changed in it.
func (a *streamAggregate) shut(b *bucket) error {
	if b.epoch == a.epoch.ID && !b.cold() {
		if err := a.write(b); err != nil {
			return err
		}
	}
	if !b.cold() {
		b.release()
	}
	b.reopened = false
	delete(a.buckets, b.id)
	a.final[b.id] = b
	return nil
}

// prune frees the closed windows that are not kept any longer.
func (a *streamAggregate) prune() {
	from := a.keepsFrom()
	for id := range a.final {
		if id.end <= from {
			lo := a.bucketKey(id)
			a.epoch.Txn.DeleteRange(state.Operator, a.epoch.Query, lo, successor(lo))
			delete(a.final, id)
		}
	}
}
