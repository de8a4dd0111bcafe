package exec

import (
	"cmp"
	"context"
	"slices"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/types"
)

// overTime computes functions over partitions of a stream in the order of event time, ties in the order of arrival. A row comes out once,
// when the watermark has passed its time: all rows before it and its peers are there then. With lead() it waits for later rows of its
// partition too, or for the partition's end.
//
// Rows stay in memory until no frame of a later row can reach them (overRows). What is reached by number, whatever its time, is read
// from the store when a row of its partition is ready (lastRows).
type overTime struct {
	in     Operator
	node   *physicalplan.OverTime
	env    *Env
	count  *lateCount
	calls  *overCalls
	layout *keyLayout // of PARTITION BY

	rows    *overRows
	last    *lastRows       // nil if nothing is reached by number
	past    types.MicroTime // the watermark up to which rows have come out
	loaded  bool
	drained bool
	epoch   *Epoch
	out     chunks
	stats   OperatorStats
	set     keySet
	keep    []int32
	split   splitter // of rows whose functions cannot be computed
}

func (b *builder) overTime(n *physicalplan.OverTime) (Operator, error) {
	in, err := b.build(n.Input)
	if err != nil {
		return nil, err
	}
	o := &overTime{in: in, node: n, env: b.env, count: b.lateCount(n.State), past: types.MinTime, split: b.splitter(n.Reject)}
	if o.calls, err = b.overCalls(&n.Over, n.Input.Layout()); err != nil {
		return nil, err
	}
	var keys []types.Type
	for _, e := range n.PartitionBy {
		keys = append(keys, e.Type())
	}
	o.layout = newKeyLayout(keys)
	o.rows = newOverRows(n)
	if n.Last+n.Lead > 0 {
		o.last = &lastRows{node: n, env: b.env}
		b.q.wakes = append(b.q.wakes, o.last.wake)
	}
	b.q.stats = append(b.q.stats, o.operatorStats)
	return o, nil
}

// Begin reads what is stored at the first epoch.
func (o *overTime) Begin(ctx context.Context, e *Epoch) error {
	o.epoch, o.drained, o.out = e, false, chunks{}
	o.count.rows.Store(0)
	o.stats = OperatorStats{RowsTotal: o.stats.RowsTotal, StateBytes: o.stats.StateBytes}
	if err := o.in.Begin(ctx, e); err != nil {
		return err
	}
	if o.loaded {
		return nil
	}
	o.loaded = true
	return o.load()
}

// Next drains the input when first called, and returns the next rows that are ready.
func (o *overTime) Next(ctx context.Context) (*column.Batch, error) {
	for !o.drained {
		b, err := o.in.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			o.drained = true
			err = o.finish()
		} else {
			err = o.take(b)
		}
		if err != nil {
			return nil, err
		}
	}
	return o.out.next(), nil
}

// take keeps the rows of b that can still come out in order.
func (o *overTime) take(b *column.Batch) error {
	times := b.Cols[o.node.Time].(*column.Of[int64])
	o.keep = appendOnTime(o.keep[:0], times.Values, nil, o.upTo(o.past))
	o.keep = slices.DeleteFunc(o.keep, func(i int32) bool { return times.IsNull(int(i)) })
	if len(o.keep) < b.Rows {
		o.count.rows.Add(int64(b.Rows - len(o.keep)))
		b = b.Take(o.keep)
	}
	o.stats.RowsUpdated += int64(b.Rows)
	return o.add(b, nil)
}

// upTo is the last time at which a row comes out by the watermark w.
func (o *overTime) upTo(w types.MicroTime) int64 { return expiredBy(w, o.node.TimeAfter) }

// add puts rows into memory: new ones, or those of a stored bucket.
func (o *overTime) add(b *column.Batch, stored *overBucket) error {
	parts, err := o.calls.parts.eval(nil, b)
	if err != nil {
		return err
	}
	o.layout.encode(&o.set, parts, b.Rows)
	o.rows.add(b, &o.set, o.upTo(o.past), stored)
	return nil
}

// finish puts out what the watermark has passed, frees what no later row reaches, and stores the rest.
func (o *overTime) finish() error {
	w := max(o.past, o.in.Bounds().EvictUpTo)
	if w > o.past {
		if err := o.ready(w); err != nil {
			return err
		}
		if err := o.evict(w); err != nil {
			return err
		}
		o.past = w
		if o.rows.wasteful() {
			if err := o.compact(); err != nil {
				return err
			}
		}
	}
	if err := o.store(); err != nil {
		return err
	}
	m := budget{limit: o.env.Memory}
	return m.check(o.stats.StateBytes)
}

// readyRows are the rows that functions are computed over in one epoch, partition by partition, each in its order.
type readyRows struct {
	bs    []column.Builder
	times []int64
	emit  []bool // of each row: it comes out now
	rows  int
}

// ready computes the rows that the watermark w has passed, in the order of time.
func (o *overTime) ready(w types.MicroTime) error {
	r := &readyRows{bs: column.NewBuilders(o.node.Input.Schema(), 0)}
	for _, slot := range o.rows.ripe(o.upTo(w)) {
		if err := o.partition(r, slot, w); err != nil {
			return err
		}
	}
	if o.last != nil && o.node.End >= 0 {
		if err := o.last.end(r, w, o.epoch); err != nil {
			return err
		}
	}
	if !slices.Contains(r.emit, true) {
		return nil
	}
	return o.compute(r)
}

// partition adds the rows of one partition that w has passed, behind those that are reached by number.
func (o *overTime) partition(r *readyRows, slot int32, w types.MicroTime) error {
	from, key, end := r.rows, o.rows.keys.keys.key(int(slot)), o.rows.ends[slot]
	complete := end <= w
	waiting, old := 0, 0
	if o.last != nil {
		var err error
		if old, err = o.last.read(r, key, end, o.epoch); err != nil {
			return err
		}
		waiting = min(o.node.Lead, r.rows-from)
	}
	before := r.rows - waiting
	for _, i := range o.rows.of[slot] {
		t := o.rows.times[i]
		if t > o.upTo(w) {
			break
		}
		o.rows.copyTo(r, i)
		if t <= o.upTo(o.past) {
			before = r.rows
		}
	}
	after := r.rows - o.node.Lead
	if complete {
		after = r.rows
	}
	for i := before; i < after; i++ {
		r.emit[i] = true
	}
	if o.last != nil && o.node.Keep == 0 {
		return o.last.write(r, from, old, o.last.key(key, end), end <= w, o.epoch)
	}
	return nil
}

// compute adds the functions' columns and puts the rows that come out in order.
func (o *overTime) compute(r *readyRows) error {
	b := column.BuildBatch(o.node.Input.Schema(), r.bs)
	b.Rows = r.rows
	s, err := o.calls.sorted(b)
	if err != nil {
		return err
	}
	s.want = make([]bool, b.Rows)
	var out []int32
	for i, from := range s.idx {
		if s.want[i] = r.emit[from]; s.want[i] {
			out = append(out, int32(i))
		}
	}
	all, out, err := o.values(s, out)
	if err != nil {
		return err
	}
	slices.SortFunc(out, func(x, y int32) int {
		a, b := s.idx[x], s.idx[y]
		return cmp.Or(cmp.Compare(r.times[a], r.times[b]), cmp.Compare(a, b))
	})
	o.out.b = all.Take(out)
	o.stats.RowsOut += int64(len(out))
	return nil
}

// values computes the functions for the rows out of s, and returns those for which they can be computed.
func (o *overTime) values(s *sortedRows, out []int32) (*column.Batch, []int32, error) {
	all, err := o.calls.compute(s, o.node.Schem)
	if err == nil || o.split.dest() == nil || !ofRow(err) {
		return all, out, err
	}
	clear(s.want)
	var good []int32
	for _, i := range out {
		s.want[i] = true
		_, err := o.calls.compute(s, o.node.Schem)
		s.want[i] = false
		switch {
		case err == nil:
			good = append(good, i)
		case ofRow(err):
			o.split.reject(s.rows, int(i), err)
		default:
			return nil, nil, err
		}
	}
	if len(good) == 0 {
		return column.BuildBatch(o.node.Schem, column.NewBuilders(o.node.Schem, 0)), nil, nil
	}
	for _, i := range good {
		s.want[i] = true
	}
	all, err = o.calls.compute(s, o.node.Schem)
	return all, good, err
}

// evict frees the rows that no frame of a later row reaches.
func (o *overTime) evict(w types.MicroTime) error {
	for slot, gone := range o.rows.evict(w, o.drop) {
		o.stats.RowsRemoved += int64(len(gone))
		if o.last == nil || o.node.Keep == 0 {
			continue
		}
		r := &readyRows{bs: column.NewBuilders(o.node.Input.Schema(), len(gone))}
		key, end := o.rows.keys.keys.key(int(slot)), o.rows.ends[slot]
		old, err := o.last.read(r, key, end, o.epoch)
		if err != nil {
			return err
		}
		for _, i := range gone {
			o.rows.copyTo(r, i)
		}
		if err := o.last.write(r, 0, old, o.last.key(key, end), end <= w, o.epoch); err != nil {
			return err
		}
	}
	return nil
}

// compact takes the rows that were freed out of memory.
func (o *overTime) compact() error {
	old := o.rows
	o.rows = newOverRows(o.node)
	for _, b := range old.ordered() {
		batch := (&column.Batch{Schema: o.node.Input.Schema(), Cols: old.view(), Rows: len(old.times)}).Take(b.rows)
		if err := o.add(batch, b); err != nil {
			return err
		}
	}
	return nil
}

// Bounds is the input's: a row comes out in the epoch whose watermark passes it.
func (o *overTime) Bounds() Bounds { return o.in.Bounds() }

// Close closes the input.
func (o *overTime) Close() error {
	o.out = chunks{}
	return o.in.Close()
}

func (o *overTime) operatorStats() OperatorStats {
	s := o.stats
	s.Name, s.Title, s.Table = "overTime", o.node.Title(), o.node.State
	s.RowsDropped = o.count.rows.Load()
	s.Bounds = o.Bounds()
	return s
}
