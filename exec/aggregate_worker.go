package exec

import (
	"context"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/types"
)

// aggWorker runs one copy of the pipeline below a streamAggregate and folds its rows: a single worker right into
// the aggregate's state, one of several into groups of its own.
type aggWorker struct {
	agg   *streamAggregate
	in    Operator
	g     *grouping
	alone bool
	own   map[bucketID]*bucket
	spare []*bucket // emptied ones, for later epochs
	parts parts
	sides sides
}

// spareMax bounds the buckets a worker keeps for later: more windows than this in one epoch are rare.
const spareMax = 256

// run folds the epoch's rows.
func (w *aggWorker) run(ctx context.Context) error {
	for {
		b, err := w.in.Next(ctx)
		if b == nil || err != nil {
			return err
		}
		if b.Rows > 0 {
			if err := w.fold(b); err != nil {
				return err
			}
		}
	}
}

func (w *aggWorker) fold(b *column.Batch) error {
	n := w.agg.node
	w.g.encode(b)
	switch {
	case n.Expires >= 0:
		w.parts.byTime(b.Cols[n.Expires].(*column.Of[int64]), n.After, n.ByWindow)
		w.parts.divide(w.agg.divided, &w.g.set)
	case len(n.Keys) > 0:
		w.parts.byShard(&w.g.set)
	default:
		w.parts.whole(bucketID{end: types.Infinity})
	}
	for k, id := range w.parts.ids {
		to, err := w.bucket(id)
		if err != nil {
			return err
		}
		if w.alone {
			w.agg.renew(to, &w.g.set, w.parts.rows[k], b.Rows)
		}
		slots, err := w.change(to, b, w.parts.rows[k])
		if err != nil {
			return err
		}
		to.noteExpiry(n, b)
		to.stamp(slots, n, w.agg.epoch)
		if w.alone {
			to.touch(slots, w.agg.epoch.ID)
		}
	}
	return nil
}

// bucket returns the bucket that rows are folded into.
func (w *aggWorker) bucket(id bucketID) (*bucket, error) {
	if w.alone {
		return w.agg.target(id)
	}
	b := w.own[id]
	if b == nil {
		if k := len(w.spare); k > 0 {
			b, w.spare = w.spare[k-1], w.spare[:k-1]
			b.id = id
		} else {
			b = &bucket{id: id, groups: w.g.newGroups()}
		}
		w.own[id] = b
	}
	return b, nil
}

// free empties a bucket and keeps it for a later epoch.
func (w *aggWorker) free(b *bucket) {
	if len(w.spare) == spareMax {
		return
	}
	b.reset()
	b.expires, b.changed = b.expires[:0], b.changed[:0]
	w.spare = append(w.spare, b)
}

// noteExpiry notes when the groups that add has just made expire.
func (b *bucket) noteExpiry(n *physicalplan.StreamAggregate, from *column.Batch) {
	if n.Expires < 0 || n.ByWindow {
		return
	}
	v := from.Cols[n.Expires].(*column.Of[int64])
	for _, i := range b.table.added {
		t := int64(types.Infinity)
		if !v.IsNull(int(i)) {
			t = plusMicros(v.Values[i], n.After)
		}
		b.expires = append(b.expires, t)
	}
}

// stamp notes that groups changed now.
func (b *bucket) stamp(slots []int32, n *physicalplan.StreamAggregate, e *Epoch) {
	if n.TTL == 0 {
		return
	}
	for len(b.changed) < b.table.len() {
		b.changed = append(b.changed, 0)
	}
	for _, s := range slots {
		b.changed[s] = int64(e.Now)
	}
	b.oldest = min(b.oldest, int64(e.Now))
}

// note fills expiry and change time of a group that no row made.
func (b *bucket) note(n *physicalplan.StreamAggregate, e *Epoch) {
	if n.Expires >= 0 && !n.ByWindow {
		b.expires = append(b.expires, int64(types.Infinity))
	}
	b.stamp([]int32{0}, n, e)
	b.fixed = []fixedKey{}
	for _, acc := range b.accs {
		acc.Resize(1)
	}
}
