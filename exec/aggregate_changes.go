package exec

import (
	"slices"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/physicalplan"
)

// An aggregate in a chain of changing results. Below it rows may be taken back: they are folded in with their sign, and a group without
// rows is gone. Above it an operator may have to take back what was put out: then a group is put out as it was before the
// epoch, and as it is now.

// before is the groups of a bucket that an epoch changed, as they were when it began.
type before struct {
	had  int     // groups that the bucket had
	at   []int32 // by group: its place in rows + 1, 0 if it is not there
	n    int
	bs   []column.Builder
	gone map[int32]bool // groups that had no row, for they could not be computed
	todo []int32        // scratch
}

// sides parts the rows of a batch into those that are added and those that are taken back.
type sides struct{ slots, rows [2][]int32 }

func (s *sides) part(ops []column.Op, slots, rows []int32) {
	for k := range s.slots {
		s.slots[k], s.rows[k] = s.slots[k][:0], s.rows[k][:0]
	}
	for k, slot := range slots {
		i := int32(k)
		if rows != nil {
			i = rows[k]
		}
		side := 0
		if ops[i].Removes() {
			side = 1
		}
		s.slots[side], s.rows[side] = append(s.slots[side], slot), append(s.rows[side], i)
	}
}

// change folds rows of b (nil: all) into a bucket. What a batch adds comes first, so that it takes back nothing that is not there.
func (w *aggWorker) change(to *bucket, b *column.Batch, rows []int32) ([]int32, error) {
	n := w.agg.node
	if !n.Changes && b.Ops == nil {
		return w.g.add(to.groups, b, rows)
	}
	had := to.table.len()
	slots := w.g.place(to.groups, b, rows)
	if n.Changes {
		if err := w.agg.remember(to, had, slots); err != nil {
			return nil, err
		}
	}
	if b.Ops == nil {
		return slots, w.g.fold(to.accs, to.table.len(), b, slots, rows, false)
	}
	if !n.Retracts {
		panic("exec: rows are taken back from an aggregate that cannot do that")
	}
	w.sides.part(b.Ops, slots, rows)
	for side, undo := range [...]bool{false, true} {
		if len(w.sides.slots[side]) == 0 {
			continue
		}
		if err := w.g.fold(to.accs, to.table.len(), b, w.sides.slots[side], w.sides.rows[side], undo); err != nil {
			return nil, err
		}
	}
	return slots, nil
}

// remember notes how the groups at slots stand, if the epoch has not changed them yet; had is how many groups there were.
func (a *streamAggregate) remember(b *bucket, had int, slots []int32) error {
	p := b.before
	if p == nil {
		p = &before{had: had}
		if b.epoch == a.epoch.ID { // made in this epoch, as the group of an aggregate without keys is
			p.had = 0
		}
		b.before = p
	}
	p.todo = p.todo[:0]
	for _, s := range slots {
		if int(s) >= p.had {
			continue
		}
		for len(p.at) <= int(s) {
			p.at = append(p.at, 0)
		}
		if p.at[s] == 0 {
			p.n++
			p.at[s] = int32(p.n)
			p.todo = append(p.todo, s)
		}
	}
	if len(p.todo) == 0 {
		return nil
	}
	if p.bs == nil {
		p.bs = column.NewBuilders(a.node.Schem, len(p.todo))
	}
	failed, err := a.merger.results(p.bs, b.groups, p.todo)
	for _, f := range failed {
		if p.gone == nil {
			p.gone = map[int32]bool{}
		}
		p.gone[p.todo[f.at]] = true
	}
	return err
}

// place is where group s lies in rows, -1 if it was not there before the epoch.
func (p *before) place(s int32) int {
	if p == nil || int(s) >= len(p.at) || p.gone[s] {
		return -1
	}
	return int(p.at[s]) - 1
}

// changed makes of the groups at slots of a bucket, whose present rows are in now, what is to be put out.
// Groups that failed have no rows.
func (e *emission) changed(a *streamAggregate, b *bucket, now *column.Batch, slots []int32, failed []failedGroup) *column.Batch {
	alive := a.alive(now)
	if len(failed) > 0 {
		sound := besidesFailed(now.Rows, failed)
		alive = slices.DeleteFunc(alive, func(i int32) bool { _, ok := slices.BinarySearch(sound, i); return !ok })
	}
	switch {
	case a.node.Mode != catalog.Update:
		return now.Take(alive)
	case !a.node.Changes:
		return upserted(now, alive)
	}
	out := &changesBuilder{bs: column.NewBuilders(a.node.Schem, 2*len(slots))}
	var was []column.Vector
	if b.before != nil {
		for _, c := range b.before.bs {
			was = append(was, c.View())
		}
	}
	for i, s := range slots {
		lives := len(alive) > 0 && alive[0] == int32(i)
		if lives {
			alive = alive[1:]
		}
		old := b.before.place(s)
		switch {
		case old >= 0 && lives:
			out.add(column.UpdateBefore, was, old)
			out.add(column.UpdateAfter, now.Cols, i)
		case old >= 0:
			out.add(column.Delete, was, old)
		case lives:
			out.add(column.Insert, now.Cols, i)
		}
	}
	return out.batch(a.node)
}

// alive returns the rows of groups that have rows left.
func (a *streamAggregate) alive(now *column.Batch) []int32 {
	if !a.node.Retracts || len(a.node.Keys) == 0 {
		return upTo(nil, now.Rows)
	}
	var out []int32
	for i, n := range now.Cols[len(now.Cols)-1].(*column.Of[int64]).Values {
		if n > 0 {
			out = append(out, int32(i))
		}
	}
	return out
}

// upserted makes deletions of the rows that are not alive.
func upserted(now *column.Batch, alive []int32) *column.Batch {
	if len(alive) == now.Rows {
		return now
	}
	now.Ops = make([]column.Op, now.Rows)
	for i := range now.Ops {
		now.Ops[i] = column.Delete
	}
	for _, i := range alive {
		now.Ops[i] = column.Insert
	}
	return now
}

// changesBuilder collects changes.
type changesBuilder struct {
	bs  []column.Builder
	ops []column.Op
}

func (c *changesBuilder) add(op column.Op, cols []column.Vector, i int) {
	for k, b := range c.bs {
		b.AppendFrom(cols[k], i)
	}
	c.ops = append(c.ops, op)
}

func (c *changesBuilder) batch(n *physicalplan.StreamAggregate) *column.Batch {
	out := column.BuildBatch(n.Schem, c.bs)
	out.Rows, out.Ops = len(c.ops), c.ops
	return out
}

// emptied returns the groups among slots that have no rows left, ascending.
func (a *streamAggregate) emptied(b *bucket, slots []int32) ([]int32, error) {
	if !a.node.Retracts || len(a.node.Keys) == 0 || len(slots) == 0 {
		return nil, nil
	}
	acc := b.accs[len(b.accs)-1]
	acc.Resize(b.table.len())
	count := &column.FixedBuilder[int64]{}
	if err := acc.Result(count, slots); err != nil {
		return nil, err
	}
	var out []int32
	for i, n := range count.Build().(*column.Of[int64]).Values {
		if n <= 0 {
			out = append(out, slots[i])
		}
	}
	return out, nil
}

// drop takes groups out of memory; what is stored of them says that they have no rows.
func (b *bucket) drop(dead []int32) {
	left := make([]int32, 0, b.table.len()-len(dead))
	for s := range int32(b.table.len()) {
		if len(dead) > 0 && dead[0] == s {
			dead = dead[1:]
			continue
		}
		left = append(left, s)
	}
	b.keep(left)
}

// rowsMax is how many groups make a batch of at most column.MaxRows rows.
func (a *streamAggregate) rowsMax() int {
	if a.node.Changes {
		return column.MaxRows / 2
	}
	return column.MaxRows
}
