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
// may be in any bucket that is not yet freed; a duplicate never prolongs it.
type dedup struct {
	in     Operator
	node   *physicalplan.Dedup
	env    *Env
	count  *lateCount
	layout *keyLayout

	buckets map[bucketID]*keyBucket
	order   []*keyBucket // by end, newest first: of WITHIN WATERMARK
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
	d.past = d.in.Bounds().LateUpTo
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
	case d.node.Expires < 0:
		d.parts.byHash(d.set.hashes)
	case !d.node.InKey:
		return d.within(b)
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
				to.expiresAt(times.Values[i] + d.node.After)
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
		t := int64(types.Infinity) // NULL is last, as in Postgres
		if !by.IsNull(i) {
			t = by.Values[i]
		}
		switch {
		case int(s) == len(to.best):
			to.best = append(to.best, t)
		case d.node.Desc && t > to.best[s], !d.node.Desc && t < to.best[s]:
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

// within is firsts for WITHIN WATERMARK. A row without an event time is let through unless its key is known, and is not remembered.
func (d *dedup) within(b *column.Batch) error {
	times := b.Cols[d.node.Expires].(*column.Of[int64])
	for i := range b.Rows {
		known, err := d.known(i)
		if err != nil {
			return err
		}
		if known {
			continue
		}
		d.keep = append(d.keep, int32(i))
		if times.IsNull(i) {
			continue
		}
		if err := d.remember(i, times.Values[i]+d.node.After); err != nil {
			return err
		}
	}
	return nil
}

// known reports whether key i of the batch is in a bucket and has not expired.
func (d *dedup) known(i int) (bool, error) {
	for _, k := range d.order {
		if k.cold() {
			if err := d.load(k); err != nil {
				return false, err
			}
		}
		if s := k.table.lookup(&d.set, i); s >= 0 && k.expires[s] > int64(d.past) {
			return true, nil
		}
	}
	return false, nil
}

// remember puts key i of the batch, which is not known, into the bucket of its expiry.
func (d *dedup) remember(i int, expires int64) error {
	to, err := d.bucket(bucketID{end: d.span(expires)})
	if err != nil {
		return err
	}
	row := [1]int32{int32(i)}
	d.slots = to.table.find(d.slots[:0], &d.set, row[:], 0)
	if len(to.table.added) > 0 {
		to.expiresAt(expires)
		return nil
	}
	to.again(d.slots[0], expires) // it had expired, but not all of its bucket
	return nil
}

// withinBuckets is about how many buckets a delay is cut into under WITHIN WATERMARK: a key is looked for in all of them.
const withinBuckets = 4

// span is the end of the bucket of a key that expires at t.
func (d *dedup) span(t int64) types.MicroTime {
	width := max(d.node.After/withinBuckets, 1e6)
	if t > int64(types.Infinity)-2*width || t < int64(types.MinTime)+2*width {
		return types.Infinity
	}
	return types.MicroTime(floorTo(t, 0, width) + width - 1)
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
