package exec

import (
	"context"
	"slices"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/types"
)

// dedup passes the first row of each key, in the order of arrival, and remembers the key until the watermark frees it.
//
// A key that holds the time it expires by can only be in one bucket. Under WITHIN WATERMARK a key expires by its first row, so it
// may be in any bucket that is not yet freed; a duplicate never prolongs it. So it is with a TTL, in processing time: a key expires
// that long after its row, or its present first row by the event time, was passed.
type dedup struct {
	in     Operator
	node   *physicalplan.Dedup
	env    *Env
	count  *lateCount
	layout *keyLayout

	buckets map[bucketID]*keyBucket
	order   []*keyBucket // by end, newest first, where keys roam
	loaded  bool
	epoch   *Epoch
	past    types.MicroTime // keys that expire at or before it are free
	stored  bool
	stats   OperatorStats

	cols  []column.Vector
	set   keySet
	parts parts
	slots []int32
	keep  []int32
}

func (b *builder) dedup(n *physicalplan.Dedup) (Operator, error) {
	in, err := b.build(n.Input)
	if err != nil {
		return nil, err
	}
	ts := schemaTypes(n.Input.Schema())
	var keys []types.Type
	for _, o := range n.On {
		keys = append(keys, ts[o])
	}
	d := &dedup{in: in, node: n, env: b.env, count: b.lateCount(n.State), layout: newKeyLayout(keys)}
	b.q.stats = append(b.q.stats, d.operatorStats)
	b.q.wakes = append(b.q.wakes, d.wake)
	return d, nil
}

// Begin finds out what is stored at the first epoch.
func (d *dedup) Begin(ctx context.Context, e *Epoch) error {
	d.epoch, d.stored = e, false
	d.count.rows.Store(0)
	d.stats = OperatorStats{RowsTotal: d.stats.RowsTotal, StateBytes: d.stats.StateBytes}
	if err := d.in.Begin(ctx, e); err != nil {
		return err
	}
	if d.past = d.in.Bounds().LateUpTo; d.node.TTL > 0 {
		d.past = e.Now
	}
	if d.loaded {
		return nil
	}
	d.loaded = true
	return d.readIndex()
}

// Next returns the next batch with a row whose key is new. After the last one it stores the epoch's keys.
func (d *dedup) Next(ctx context.Context) (*column.Batch, error) {
	for {
		b, err := d.in.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			if d.stored {
				return nil, nil
			}
			d.stored = true
			return nil, d.finish()
		}
		if err := d.firsts(b); err != nil {
			return nil, err
		}
		d.stats.RowsOut += int64(len(d.keep))
		switch len(d.keep) {
		case 0:
		case b.Rows:
			return b, nil
		default:
			return b.Take(d.keep), nil
		}
	}
}

// firsts fills keep with the rows of b whose keys are new, ascending.
func (d *dedup) firsts(b *column.Batch) error {
	d.keep, d.cols = d.keep[:0], d.cols[:0]
	for _, o := range d.node.On {
		d.cols = append(d.cols, b.Cols[o])
	}
	d.layout.encode(&d.set, d.cols, b.Rows)
	var times *column.Of[int64]
	switch {
	case d.roams():
		return d.within(b)
	case d.node.Expires < 0:
		d.parts.byShard(&d.set)
	default:
		times = b.Cols[d.node.Expires].(*column.Of[int64])
		d.parts.byTime(times, d.node.After, d.node.ByWindow)
	}
	for k, id := range d.parts.ids {
		to, err := d.bucket(id)
		if err != nil {
			return err
		}
		d.slots = to.table.find(d.slots[:0], &d.set, d.parts.rows[k], b.Rows)
		if d.node.By >= 0 {
			d.better(to, b, d.parts.rows[k])
			continue
		}
		for _, i := range to.table.added {
			switch {
			case times == nil || d.node.ByWindow:
			case times.IsNull(int(i)):
				to.expiresAt(int64(types.Infinity))
			default:
				to.expiresAt(plusMicros(times.Values[i], d.node.After))
			}
		}
		d.keep = append(d.keep, to.table.added...)
	}
	if len(d.parts.ids) > 1 {
		slices.Sort(d.keep)
	}
	return nil
}

// better keeps the rows that are the first of their key by the event time, as far as is known; slots are their keys.
func (d *dedup) better(to *keyBucket, b *column.Batch, rows []int32) {
	by := b.Cols[d.node.By].(*column.Of[int64])
	for j, s := range d.slots {
		i := j
		if rows != nil {
			i = int(rows[j])
		}
		t := orLast(by, i)
		switch {
		case int(s) == len(to.best):
			to.best = append(to.best, t)
		case d.before(t, to.best[s]):
			to.best[s] = t
			if int(s) < to.stored {
				to.redone = append(to.redone, s)
			}
		default:
			continue
		}
		d.keep = append(d.keep, int32(i))
	}
}

// bucket returns a bucket with its keys in memory, new if need be.
func (d *dedup) bucket(id bucketID) (*keyBucket, error) {
	k := d.buckets[id]
	if k == nil {
		k = newKeyBucket(id)
		k.table = &groupTable{}
		d.add(k)
	}
	k.epoch = d.epoch.ID
	if k.cold() {
		return k, d.load(k)
	}
	return k, nil
}

// Bounds is the input's: what is put out is on time under the same watermark.
func (d *dedup) Bounds() Bounds { return d.in.Bounds() }

// Close closes the input.
func (d *dedup) Close() error { return d.in.Close() }

func (d *dedup) operatorStats() OperatorStats {
	s := d.stats
	s.Name, s.Title, s.Table = "dedupe", d.node.Title(), d.node.State
	if !d.node.InKey {
		s.Name = "dedupeWithinWatermark"
	}
	s.RowsDropped = d.count.rows.Load()
	s.Bounds = d.Bounds()
	return s
}
