package exec

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/state"
	"wmsql/types"
)

// eventOrder holds rows back until the watermark has come to their time, then passes them in its order: rows of one time in the order
// of their arrival. Later rows are late, so the order of all rows that ever pass is right, whatever the micro-batches were. Rows
// without a time pass at once.
//
// Rows that wait are stored one by one under their time; those that pass in the epoch in which they come are never stored.
type eventOrder struct {
	in   Operator
	node *physicalplan.EventOrder
	env  *Env

	epoch  *Epoch
	loaded bool
	fresh  *collector     // rows of this epoch that have a time
	order  []int32        // of fresh, by time
	rows   *column.Batch  // fresh, sorted by order
	stored state.Iterator // rows of earlier epochs whose time has come; nil: none, or all passed
	ended  bool
	past   bool // the input is drained
	stats  OperatorStats
	out    []column.Builder
}

// The stored form: a header under the table's key, and rows under the table, an ordered time, the epoch and the row's number in it.
const eventOrderVersion = 1

func (b *builder) eventOrder(n *physicalplan.EventOrder) (Operator, error) {
	in, err := b.build(n.Input)
	if err != nil {
		return nil, err
	}
	o := &eventOrder{in: in, node: n, env: b.env, fresh: newCollector(n.Schem, 0), out: column.NewBuilders(n.Schem, 0)}
	b.q.stats = append(b.q.stats, o.operatorStats)
	return o, nil
}

// Begin reads at the first epoch how many rows wait.
func (o *eventOrder) Begin(ctx context.Context, e *Epoch) error {
	o.epoch, o.past, o.ended, o.rows, o.order = e, false, false, nil, o.order[:0]
	o.stats = OperatorStats{RowsTotal: o.stats.RowsTotal, StateBytes: o.stats.StateBytes}
	if !o.loaded {
		o.loaded = true
		v, err := o.env.Reader.Get(state.Operator, e.Query, tableKey(o.node.State))
		if err != nil {
			return err
		}
		if v != nil {
			d := decoder{data: v}
			if d.byte() != eventOrderVersion {
				return damaged("event order")
			}
			o.stats.RowsTotal, o.stats.StateBytes = d.varint(), d.varint()
			if d.err != nil {
				return d.err
			}
		}
	}
	return o.in.Begin(ctx, e)
}

// Next passes rows without a time while the input lasts, then those whose time has come.
func (o *eventOrder) Next(ctx context.Context) (*column.Batch, error) {
	for !o.past {
		b, err := o.in.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			o.past = true
			if err := o.release(); err != nil {
				return nil, err
			}
			break
		}
		if b, err = o.take(b); b != nil || err != nil {
			return b, err
		}
	}
	return o.next()
}

// take keeps the rows that have a time and returns the others, nil if there are none.
func (o *eventOrder) take(b *column.Batch) (*column.Batch, error) {
	t := b.Cols[o.node.Time].(*column.Of[int64])
	if t.Nulls == nil {
		return nil, o.fresh.add(b)
	}
	var with, without []int32
	for i := range b.Rows {
		if t.Nulls[i] {
			without = append(without, int32(i))
		} else {
			with = append(with, int32(i))
		}
	}
	if err := o.fresh.add(b.Take(with)); err != nil {
		return nil, err
	}
	if len(without) == 0 {
		return nil, nil
	}
	return b.Take(without), nil
}

// release sorts the epoch's rows, stores those that must wait, and opens what is stored and need not wait any longer.
func (o *eventOrder) release() error {
	o.rows = o.fresh.take()
	times := o.times()
	for i := range o.rows.Rows {
		o.order = append(o.order, int32(i))
	}
	slices.SortStableFunc(o.order, func(a, b int32) int { return cmp.Compare(times[a], times[b]) })
	upTo := int64(o.in.Bounds().EvictUpTo)
	pass, _ := slices.BinarySearchFunc(o.order, upTo, func(i int32, t int64) int {
		if times[i] <= t {
			return -1
		}
		return 1
	})
	for n, i := range o.order[pass:] {
		v := column.AppendRow(nil, o.rows.Cols, int(i))
		key := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(o.key(times[i]), uint64(o.epoch.ID)), uint32(n))
		o.epoch.Txn.Put(state.Operator, o.epoch.Query, key, v)
		o.stats.RowsTotal++
		o.stats.RowsUpdated++
		o.stats.StateBytes += int64(len(key) + len(v))
	}
	o.order = o.order[:pass]
	if o.stats.RowsTotal == 0 || upTo == int64(types.MinTime) {
		return nil
	}
	var err error
	o.stored, err = o.env.Reader.Iter(state.Operator, o.epoch.Query, o.key(int64(types.MinTime)), o.after(upTo), false)
	return err
}

func (o *eventOrder) times() []int64 { return o.rows.Cols[o.node.Time].(*column.Of[int64]).Values }

// key is the first part of the key of a row that waits until t.
func (o *eventOrder) key(t int64) []byte {
	return binary.BigEndian.AppendUint64(append(tableKey(o.node.State), 0), orderedTime(types.MicroTime(t)))
}

// after is the key behind all rows that wait until t or less.
func (o *eventOrder) after(t int64) []byte { return successor(o.key(t)) }

// next merges stored and fresh rows by time; stored ones came before. Then it frees what has passed.
func (o *eventOrder) next() (*column.Batch, error) {
	if o.ended {
		return nil, nil
	}
	rows, took := 0, 0
	for rows < column.MaxRows && o.stored != nil {
		if !o.stored.Next() {
			err := o.stored.Close()
			o.stored = nil
			if err != nil {
				return nil, err
			}
			break
		}
		k, v := o.stored.Key(), o.stored.Value()
		if len(k) < 13 {
			return nil, damaged("row in waiting")
		}
		t := int64(timeOf(binary.BigEndian.Uint64(k[5:])))
		for took < len(o.order) && o.times()[o.order[took]] < t {
			o.copy(o.order[took])
			took, rows = took+1, rows+1
		}
		if _, err := column.DecodeRow(o.out, v); err != nil {
			return nil, err
		}
		o.stats.RowsTotal--
		o.stats.RowsRemoved++
		o.stats.StateBytes -= int64(len(k) + len(v))
		rows++
	}
	for ; rows < column.MaxRows && o.stored == nil && took < len(o.order); took++ {
		o.copy(o.order[took])
		rows++
	}
	o.order = o.order[took:]
	if rows == 0 {
		o.ended = true
		o.free()
		return nil, nil
	}
	b := column.BuildBatch(o.node.Schem, o.out)
	b.Rows = rows
	o.stats.RowsOut += int64(rows)
	return b, nil
}

func (o *eventOrder) copy(i int32) {
	for c, v := range o.rows.Cols {
		o.out[c].AppendFrom(v, int(i))
	}
}

// free deletes the stored rows that have passed, and notes how many are left.
func (o *eventOrder) free() {
	if o.stats.RowsRemoved > 0 {
		upTo := int64(o.in.Bounds().EvictUpTo)
		o.epoch.Txn.DeleteRange(state.Operator, o.epoch.Query, o.key(int64(types.MinTime)), o.after(upTo))
	}
	if o.stats.RowsRemoved > 0 || o.stats.RowsUpdated > 0 {
		v := binary.AppendVarint([]byte{eventOrderVersion}, o.stats.RowsTotal)
		o.epoch.Txn.Put(state.Operator, o.epoch.Query, tableKey(o.node.State), binary.AppendVarint(v, o.stats.StateBytes))
	}
}

// Bounds is the input's: a row passes as soon as the watermark has come to it, so it is on time under the same watermark.
func (o *eventOrder) Bounds() Bounds { return o.in.Bounds() }

// Close closes the input.
func (o *eventOrder) Close() error {
	if o.stored != nil {
		_ = o.stored.Close() // it is not read any more
		o.stored = nil
	}
	return o.in.Close()
}

func (o *eventOrder) operatorStats() OperatorStats {
	s := o.stats
	s.Name, s.Title, s.Table = "eventOrder", o.node.Title(), o.node.State
	s.Bounds = o.Bounds()
	return s
}
