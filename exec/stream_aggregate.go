package exec

import (
	"context"
	"errors"
	"math"
	"sync"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/types"
)

// streamAggregate keeps groups from epoch to epoch. Each epoch it drains its input, then puts out, by output mode:
//
//	append    the groups that expire at or before the watermark, once and for all
//	update    the groups with a row in the epoch
//	complete  all groups
//
// Groups that expire are freed in the same epoch, silently in update mode; in complete mode nothing is. Without keys there is
// one group from the first epoch on, though no row has come.
//
// With several workers each folds what it pulls into groups of its own, and those are merged at the end of the epoch.
type streamAggregate struct {
	node    *physicalplan.StreamAggregate
	env     *Env
	count   *lateCount
	workers []*aggWorker
	merger  *grouping

	buckets map[bucketID]*bucket
	loaded  bool
	kept    *lateRows            // shared with the late test below; nil when closed windows are freed
	final   map[bucketID]*bucket // windows that are kept for a refresh, all cold
	since   types.MicroTime      // windows that ended at or before were closed when they were not kept
	created bool                 // the group of an aggregate without keys was made
	past    cut                  // what the epochs before have freed: it may still lie in chunks
	now     cut                  // what this epoch frees
	epoch   *Epoch
	drained bool
	emit    emission
	stored  bool
	all     []int32
	stats   OperatorStats
	split   splitter // of groups that cannot be computed

	divided map[types.MicroTime]bool // ends of the windows that are divided into shards
	hot     int64                    // bytes of the buckets in memory, those that the epoch has not settled as they were before it
	lateAt  types.MicroTime          // how far the epochs before have come with what the watermark frees; Infinity: all the way
	heldAt  types.MicroTime          // how far this one has
	closed  int                      // buckets that this one has freed
}

// cut says which groups are freed: those that expire at or before a watermark, and those not changed since a time.
type cut struct{ expired, unchanged types.MicroTime }

// Begin reads the state at the first epoch.
func (a *streamAggregate) Begin(ctx context.Context, e *Epoch) error {
	a.epoch, a.drained, a.stored = e, false, false
	a.stats = OperatorStats{RowsTotal: a.stats.RowsTotal}
	if !a.loaded {
		if err := a.readIndex(e.Query); err != nil {
			return err
		}
		a.loaded = true
	}
	a.readyTTL()
	a.readyClosed()
	for _, w := range a.workers {
		if err := w.in.Begin(ctx, e); err != nil {
			return err
		}
	}
	a.readyHold()
	return a.create()
}

// create makes the one group of an aggregate without keys.
func (a *streamAggregate) create() error {
	if len(a.node.Keys) > 0 || a.created {
		return nil
	}
	a.created = true
	b, err := a.bucket(bucketID{end: types.Infinity})
	if err != nil {
		return err
	}
	if b.table.len() == 0 {
		b.table.one(nil)
		b.note(a.node, a.epoch)
	}
	b.touch([]int32{0}, a.epoch.ID)
	return nil
}

// Next drains the input when first called, and returns what is to be put out.
func (a *streamAggregate) Next(ctx context.Context) (*column.Batch, error) {
	if !a.drained {
		if err := a.drain(ctx); err != nil {
			return nil, err
		}
		a.drained = true
		if err := a.expire(); err != nil {
			return nil, err
		}
		a.plan()
	}
	b, err := a.emit.next(a)
	if err != nil {
		return nil, err
	}
	if b != nil {
		a.stats.RowsOut += int64(b.Rows)
		return b, nil
	}
	if !a.stored {
		a.stored = true
		return nil, a.finish()
	}
	return nil, nil
}

// drain folds the epoch's rows.
func (a *streamAggregate) drain(ctx context.Context) error {
	if len(a.workers) == 1 {
		return a.workers[0].run(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wg sync.WaitGroup
	errs := make([]error, len(a.workers))
	for i, w := range a.workers {
		wg.Go(func() {
			if errs[i] = w.run(ctx); errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	if err := firstError(errs); err != nil {
		return err
	}
	for _, w := range a.workers {
		if err := a.merge(w); err != nil {
			return err
		}
	}
	return nil
}

// firstError prefers an error that is not the cancellation which another one caused.
func firstError(errs []error) error {
	var out error
	for _, err := range errs {
		if err != nil && (out == nil || errors.Is(out, context.Canceled)) {
			out = err
		}
	}
	return out
}

// merge folds what a worker collected into the state, and empties the worker.
func (a *streamAggregate) merge(w *aggWorker) error {
	for id, p := range w.own {
		b, err := a.target(id)
		if err != nil {
			return err
		}
		a.renew(b, &p.table.keys, nil, p.table.len())
		a.all = upTo(a.all, max(len(a.all), p.table.len()))
		slots, err := a.merger.merge(b.groups, p.groups, a.all[:p.table.len()])
		if err != nil {
			return err
		}
		if p.expires != nil {
			for _, i := range b.table.added {
				b.expires = append(b.expires, p.expires[i])
			}
		}
		b.stamp(slots, a.node, a.epoch)
		b.touch(slots, a.epoch.ID)
		w.free(p)
	}
	clear(w.own)
	return nil
}

// bucket returns a bucket with its groups in memory, new if need be.
func (a *streamAggregate) bucket(id bucketID) (*bucket, error) {
	b := a.buckets[id]
	if b == nil {
		b = a.reopen(id)
	}
	if b == nil {
		b = &bucket{id: id, groups: a.merger.newGroups(), oldest: math.MaxInt64}
		a.buckets[id] = b
	}
	if b.cold() {
		return b, a.load(b)
	}
	return b, nil
}

// evicts reports whether groups expire.
func (a *streamAggregate) evicts() bool {
	return a.node.Expires >= 0 && a.node.Mode != catalog.Complete
}

// Close closes the inputs.
func (a *streamAggregate) Close() error {
	errs := make([]error, len(a.workers))
	for i, w := range a.workers {
		errs[i] = w.in.Close()
	}
	return firstError(errs)
}

func (a *streamAggregate) operatorStats() OperatorStats {
	s := a.stats
	s.Name, s.Title, s.Table = "stateStoreSave", a.node.Title(), a.node.State
	s.RowsDropped, s.RowsPartlyLate = a.count.rows.Load(), a.count.partly.Load()
	s.RowsCorrected, s.RowsTooOld = a.count.corrected.Load(), a.count.tooOld.Load()
	s.Bounds = a.Bounds()
	return s
}
