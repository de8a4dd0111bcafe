package exec

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/sqlerr"
	"wmsql/types"
)

// sessionAggregate keeps sessions from epoch to epoch. Each epoch it drains its input, then puts out, by output mode:
//
//	append    the sessions that end at or before the watermark, once and for all
//	update    deletions of the rows of sessions that grew or became one, then the sessions with a row in the epoch
//	complete  all sessions
//
// Sessions that end at or before the watermark are freed in the same epoch, but in complete mode none is. A row in the span of a
// session that was freed begins a new one, if it is not late itself.
type sessionAggregate struct {
	node  *physicalplan.SessionAggregate
	in    Operator
	env   *Env
	count *lateCount
	table *sessionTable
	ends  map[int64][]int32 // sessions by the bucket of their end; out of date for some

	loaded  bool
	epoch   *Epoch
	drained bool
	stored  bool
	gone    []retired // rows to delete from the result
	out     []int32   // sessions to put out
	expired []int32
	dec     []column.Builder
	keySlot []int32
	stats   OperatorStats
	split   splitter // of sessions that cannot be computed
}

// noBucket is the bucket of a session that waits in none.
const noBucket = math.MinInt64

func (b *builder) sessionAggregate(n *physicalplan.SessionAggregate) (Operator, error) {
	in, err := b.build(n.Input)
	a := &sessionAggregate{node: n, in: in, env: b.env, count: b.lateCount(n.State), split: splitter{to: n.Reject, aside: b.q.aside}, ends: map[int64][]int32{}}
	a.table = newSessionTable(newGrouping(&n.Grouping, n.Input.Schema(), n.Schem, b.env.Expr))
	b.q.stats = append(b.q.stats, a.operatorStats)
	return a, err
}

// Begin reads the sessions at the first epoch.
func (a *sessionAggregate) Begin(ctx context.Context, e *Epoch) error {
	a.epoch, a.drained, a.stored = e, false, false
	a.count.rows.Store(0)
	if !a.loaded {
		if err := a.load(e.Query); err != nil {
			return err
		}
		a.loaded = true
	}
	return a.in.Begin(ctx, e)
}

// Next drains the input when first called, and returns what is to be put out.
func (a *sessionAggregate) Next(ctx context.Context) (*column.Batch, error) {
	if !a.drained {
		if err := a.drain(ctx); err != nil {
			return nil, err
		}
		a.drained = true
		a.plan()
	}
	b, err := a.next()
	if b != nil || err != nil {
		return b, err
	}
	if !a.stored {
		a.stored = true
		a.finish()
	}
	return nil, nil
}

func (a *sessionAggregate) drain(ctx context.Context) error {
	for {
		b, err := a.in.Next(ctx)
		if b == nil || err != nil {
			return err
		}
		starts, ends := b.Cols[a.node.Start].(*column.Of[int64]).Values, b.Cols[a.node.End].(*column.Of[int64]).Values
		if err := a.table.add(b, starts, ends); err != nil {
			return err
		}
		if held := a.table.bytes(); a.env.Memory > 0 && held > a.env.Memory {
			return tooManySessions(a.table.live, a.env.Memory)
		}
	}
}

// tooManySessions says that the open sessions, all of which are in memory, take more of it than they may.
func tooManySessions(n int, limit int64) error {
	return sqlerr.Newf(sqlerr.OutOfMemory, "out of memory").
		WithDetail("A session window holds %d open sessions, which take more than %d MiB.", n, limit>>20).
		WithHint("A smaller gap or a smaller delay of the watermark ends sessions sooner; or start the server with a larger --memory, and RESUME the view.")
}

// plan decides what is put out and freed.
func (a *sessionAggregate) plan() {
	t := a.table
	a.gone, a.out, a.expired = a.gone[:0], a.out[:0], a.expired[:0]
	a.stats = OperatorStats{}
	for _, slot := range t.touched {
		if x := &t.slots[slot]; x.used {
			a.stats.RowsUpdated++
			a.wait(slot)
		}
	}
	if upTo := a.Bounds().EvictUpTo; a.node.Evicts && upTo != types.MinTime {
		a.collectExpired(int64(upTo))
	}
	switch a.node.Mode {
	case catalog.Append:
		a.out = append(a.out, a.expired...)
	case catalog.Complete:
		for slot := range t.slots {
			if t.slots[slot].used {
				a.out = append(a.out, int32(slot))
			}
		}
	case catalog.Update:
		a.planUpdate()
	}
	slices.SortFunc(a.out, a.byEnd)
}

// planUpdate lists the rows that are new and those that are out of date.
func (a *sessionAggregate) planUpdate() {
	t := a.table
	for _, r := range t.retired {
		if !r.shown.empty() {
			a.gone = append(a.gone, r)
		}
	}
	for _, slot := range t.touched {
		x := &t.slots[slot]
		if !x.used {
			continue
		}
		a.out = append(a.out, slot)
		if !x.shown.empty() && x.shown != x.span {
			a.gone = append(a.gone, retired{key: x.key, shown: x.shown})
		}
	}
}

// byEnd orders sessions by their end, then their key.
func (a *sessionAggregate) byEnd(x, y int32) int {
	t := a.table
	p, q := &t.slots[x], &t.slots[y]
	return cmp.Or(cmp.Compare(p.end, q.end), cmp.Compare(p.start, q.start),
		bytes.Compare(t.keys.table.keys.key(int(p.key)), t.keys.table.keys.key(int(q.key))))
}

// wait puts a session into the bucket of its end, if that is waited for.
func (a *sessionAggregate) wait(slot int32) {
	if !a.node.Evicts {
		return
	}
	x := &a.table.slots[slot]
	if due := floorTo(x.end, 0, spanMicros); due != x.due {
		x.due = due
		a.ends[due] = append(a.ends[due], slot)
	}
}

// collectExpired fills expired with the sessions that end at or before upTo.
func (a *sessionAggregate) collectExpired(upTo int64) {
	for due, slots := range a.ends {
		if due > upTo {
			continue
		}
		left := slots[:0]
		for _, slot := range slots {
			switch x := &a.table.slots[slot]; {
			case !x.used || x.due != due: // freed, or grown since
			case x.end <= upTo:
				x.due = noBucket
				a.expired = append(a.expired, slot)
			default:
				left = append(left, slot)
			}
		}
		if len(left) == 0 {
			delete(a.ends, due)
		} else {
			a.ends[due] = left
		}
	}
}

// next returns the next rows, nil when all are out: deletions first, for a new row may stand where an old one was.
func (a *sessionAggregate) next() (*column.Batch, error) {
	if n := min(len(a.gone), column.MaxRows); n > 0 {
		b, err := a.deletions(a.gone[:n])
		a.gone = a.gone[n:]
		return b, err
	}
	n := min(len(a.out), column.MaxRows)
	if n == 0 {
		return nil, nil
	}
	b, err := a.rows(a.out[:n])
	a.out = a.out[n:]
	a.stats.RowsOut += int64(n)
	return b, err
}

// rows builds the rows of sessions.
func (a *sessionAggregate) rows(slots []int32) (*column.Batch, error) {
	t := a.table
	bs := column.NewBuilders(a.node.Schem, len(slots))
	spans := make([]span, len(slots))
	a.keySlot = a.keySlot[:0]
	for i, s := range slots {
		spans[i] = t.slots[s].span
		a.keySlot = append(a.keySlot, t.slots[s].key)
		if a.node.Mode == catalog.Update {
			t.slots[s].shown = t.slots[s].span
		}
	}
	if err := a.appendKeys(bs, spans); err != nil {
		return nil, err
	}
	why := make([]error, len(slots))
	for k, acc := range t.accs {
		acc.Resize(len(t.slots))
		b := bs[len(a.node.Keys)+k]
		if err := acc.Result(b, slots); err == nil {
			continue
		}
		b.Truncate(0)
		if err := resultEach(b, acc, slots, why); err != nil {
			return nil, err
		}
	}
	out := column.BuildBatch(a.node.Schem, bs)
	out.Rows = len(slots)
	return a.sound(out, failedOf(why))
}

// sound takes the sessions that failed out of the rows b, and in update mode out of the result.
func (a *sessionAggregate) sound(b *column.Batch, failed []failedGroup) (*column.Batch, error) {
	if len(failed) == 0 {
		return b, nil
	}
	if err := a.split.refuseGroups(b, failed); err != nil {
		return nil, err
	}
	left := besidesFailed(b.Rows, failed)
	if a.node.Mode == catalog.Update {
		return upserted(b, left), nil
	}
	return b.Take(left), nil
}

// deletions builds rows that take their keys out of the result. Their aggregates are NULL.
func (a *sessionAggregate) deletions(old []retired) (*column.Batch, error) {
	bs := column.NewBuilders(a.node.Schem, len(old))
	spans := make([]span, len(old))
	ops := make([]column.Op, len(old))
	a.keySlot = a.keySlot[:0]
	for i, r := range old {
		spans[i], ops[i] = r.shown, column.Delete
		a.keySlot = append(a.keySlot, r.key)
		for k := range a.table.accs {
			bs[len(a.node.Keys)+k].AppendNull()
		}
	}
	if err := a.appendKeys(bs, spans); err != nil {
		return nil, err
	}
	out := column.BuildBatch(a.node.Schem, bs)
	out.Rows, out.Ops = len(old), ops
	return out, nil
}

// appendKeys appends the keys of rows: the bounds from spans, the others of keySlot.
func (a *sessionAggregate) appendKeys(bs []column.Builder, spans []span) error {
	a.dec = a.dec[:0]
	role := 0
	for k := range a.node.Keys {
		if !a.node.Fixed[k] {
			a.dec = append(a.dec, bs[k])
			continue
		}
		b := bs[k].(*column.FixedBuilder[int64])
		for _, s := range spans {
			b.Append([...]int64{physicalplan.WindowStart: s.start, physicalplan.WindowEnd: s.end, physicalplan.WindowTime: s.end - 1}[a.node.Roles[role]])
		}
		role++
	}
	return a.table.g.decodeKeys(a.dec, a.table.keys, a.keySlot)
}

// Bounds is the input's: what is put out was final under the same watermark.
func (a *sessionAggregate) Bounds() Bounds { return a.in.Bounds() }

// Close closes the input.
func (a *sessionAggregate) Close() error { return a.in.Close() }

func (a *sessionAggregate) operatorStats() OperatorStats {
	s := a.stats
	s.Name, s.Title, s.Table = "sessionWindowStateStoreSaveExec", a.node.Title(), a.node.State
	s.RowsDropped = a.count.rows.Load()
	s.Bounds = a.Bounds()
	return s
}
