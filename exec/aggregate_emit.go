package exec

import (
	"cmp"
	"slices"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/types"
)

// emission is what an epoch puts out: groups of buckets, one bucket after the other.
type emission struct {
	todo  []task
	at    int
	from  int               // next of slots
	slots []int32           // of the present task
	ready bool              // slots are filled
	of    *groups           // that the slots are of
	win   *groups           // scratch: the groups of one window, merged from panes
	panes []types.MicroTime // the ends of the buckets, in order, where they are panes
	bs    []column.Builder
}

// task is one bucket's, or one sliding window's, part of an epoch's end.
type task struct {
	b    *bucket
	end  types.MicroTime // of a window to be put together from panes, when b is nil
	emit bool            // its groups are put out: the expired ones in append mode, the touched ones in update mode, else all
	// drop says which groups are freed after that.
	drop dropKind
	read bool // b was read from the store for this task
}

type dropKind uint8

const (
	dropNone dropKind = iota
	dropSome          // those that expired
	dropAll
)

// plan decides for every bucket what is put out and freed, buckets by their end.
func (a *streamAggregate) plan() {
	a.emit.todo, a.emit.at, a.emit.ready = a.emit.todo[:0], 0, false
	upTo := a.Bounds().EvictUpTo
	a.stats.RowsUpdated, a.hot = 0, 0
	for _, b := range a.buckets {
		touched := b.epoch == a.epoch.ID
		switch {
		case b.delta != nil:
			a.stats.RowsUpdated += int64(b.delta.table.len())
		case touched:
			a.stats.RowsUpdated += int64(b.touchedLen())
		}
		if !b.cold() {
			a.hot += b.size
		}
		if b.reopened {
			a.stats.Corrected += int64(b.touchedLen())
		}
		t := task{b: b, drop: a.expired(b, upTo)}
		switch a.node.Mode {
		case catalog.Complete:
			t.emit = true
		case catalog.Update:
			t.emit = touched || a.reissues()
		case catalog.Append:
			t.emit = t.drop != dropNone && (touched || !b.reopened)
		}
		if a.node.Panes != nil {
			t.emit = false // windows are put out, not panes
		}
		if t.emit || t.drop != dropNone || b.delta != nil {
			a.emit.todo = append(a.emit.todo, t)
		}
	}
	slices.SortFunc(a.emit.todo, func(x, y task) int {
		return cmp.Or(cmp.Compare(x.b.id.end, y.b.id.end), cmp.Compare(x.b.id.shard, y.b.id.shard))
	})
	if a.node.Panes != nil {
		a.emit.todo = append(a.windows(upTo), a.emit.todo...)
	}
	if a.evicts() {
		a.now.expired = max(a.now.expired, upTo)
	}
}

// expired says which groups of b the watermark frees.
func (a *streamAggregate) expired(b *bucket, upTo types.MicroTime) dropKind {
	switch {
	case a.evicts() && upTo != types.MinTime && b.id.end <= upTo:
		return dropAll
	case a.evicts() && !a.node.ByWindow && upTo != types.MinTime && b.id.end-spanMicros < upTo:
		return dropSome
	}
	return dropNone
}

// next returns the next batch of the emission, nil at its end.
func (e *emission) next(a *streamAggregate) (*column.Batch, error) {
	for ; e.at < len(e.todo); e.at++ {
		if !e.ready {
			a.hold(e.todo[e.at:])
		}
		t := &e.todo[e.at]
		if !e.ready {
			if err := e.open(a, t); err != nil {
				return nil, err
			}
		}
		if e.from < len(e.slots) {
			to := min(e.from+a.rowsMax(), len(e.slots))
			slots := e.slots[e.from:to]
			e.from = to
			return e.batch(a, slots)
		}
		e.ready = false
		if err := a.settle(t); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// open chooses the groups of a task.
func (e *emission) open(a *streamAggregate, t *task) error {
	e.ready, e.from, e.slots = true, 0, e.slots[:0]
	if t.b != nil && (t.emit || t.b.delta != nil && !a.writeDelta(t)) {
		t.read = t.b.cold()
		if err := a.warm(t.b); err != nil {
			return err
		}
	}
	if !t.emit {
		return nil
	}
	if t.b == nil {
		if err := a.assemble(t.end); err != nil {
			return err
		}
		e.of, e.slots = e.win, upTo(e.slots, e.win.table.len())
		return nil
	}
	e.of = t.b.groups
	switch {
	case a.onlyTouched(), t.b.reopened:
		e.slots = t.b.touched(e.slots)
	case a.node.Mode == catalog.Append && t.drop == dropSome:
		e.slots, _ = t.b.split(a.now, e.slots, nil)
	case t.b.dead > 0:
		_, e.slots = t.b.split(a.now, nil, e.slots)
	default:
		e.slots = upTo(e.slots, t.b.table.len())
	}
	return nil
}

// split appends the groups that c frees to gone, the others to left.
func (b *bucket) split(c cut, gone, left []int32) (g, l []int32) {
	for s := range b.table.len() {
		if b.expires != nil && b.expires[s] <= int64(c.expired) || b.changed != nil && b.changed[s] <= int64(c.unchanged) {
			gone = append(gone, int32(s))
		} else {
			left = append(left, int32(s))
		}
	}
	return gone, left
}

// batch builds the rows of the groups at slots.
func (e *emission) batch(a *streamAggregate, slots []int32) (*column.Batch, error) {
	if e.bs == nil {
		e.bs = column.NewBuilders(a.node.Schem, len(slots))
	}
	failed, err := a.merger.results(e.bs, e.of, slots)
	if err != nil {
		return nil, err
	}
	out := column.BuildBatch(a.node.Schem, e.bs)
	out.Rows = len(slots)
	if err := a.split.refuseGroups(out, failed); err != nil {
		return nil, err
	}
	t := &e.todo[e.at]
	switch {
	case a.node.Retracts || a.node.Changes:
		return e.changed(a, t.b, out, slots, failed), nil
	case len(failed) == 0:
		return out, nil
	case a.node.Mode == catalog.Update || t.b != nil && t.b.reopened:
		return upserted(out, besidesFailed(out.Rows, failed)), nil
	}
	return out.Take(besidesFailed(out.Rows, failed)), nil
}

// release takes the groups out of memory.
func (b *bucket) release() {
	b.groups, b.expires, b.changed, b.dirty, b.size = nil, nil, nil, nil, 0
}
