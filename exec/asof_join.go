package exec

import (
	"context"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/types"
)

// asOfJoin is an ASOF join whose right side is whole: a table, or in a SELECT anything. It reads it anew in every epoch, and passes the
// left side by it.
type asOfJoin struct {
	left, right Operator
	node        *physicalplan.AsOfJoin
	lkeys       *exprs // with the time behind the keys
	rkeys       *exprs
	layout      *keyLayout
	limit       int64    // bytes of the right side
	split       splitter // of left rows, and right ones of a stream
	tableSplit  splitter // of right rows of a table

	table *asOfTable
	set   keySet
	times keySet
	cols  []column.Vector
	l, r  []int32
}

func (b *builder) asOfJoin(n *physicalplan.AsOfJoin) (Operator, error) {
	left, err := b.build(n.Left)
	if err != nil {
		return nil, err
	}
	right, err := b.build(n.Right)
	if err != nil {
		return nil, err
	}
	var ts []types.Type
	for _, e := range n.L {
		ts = append(ts, e.Type())
	}
	j := &asOfJoin{left: left, right: right, node: n, layout: newKeyLayout(ts), limit: b.env.Memory, split: b.splitter(n.Reject), tableSplit: b.splitter(n.Reject.OfResults())}
	if j.lkeys, err = b.exprs(append(n.L[:len(n.L):len(n.L)], n.LeftTime), n.Left.Layout()); err != nil {
		return nil, err
	}
	if j.rkeys, err = b.exprs(append(n.R[:len(n.R):len(n.R)], n.RightTime), n.Right.Layout()); err != nil {
		return nil, err
	}
	if n.State == 0 {
		return j, nil
	}
	s := newAsOfStream(j, b)
	b.q.stats = append(b.q.stats, s.operatorStats)
	b.q.wakes = append(b.q.wakes, s.versions.wake)
	return s, nil
}

// Begin forgets the right side.
func (j *asOfJoin) Begin(ctx context.Context, e *Epoch) error {
	j.table = nil
	for _, x := range []*exprs{j.lkeys, j.rkeys} {
		if err := x.begin(); err != nil {
			return err
		}
	}
	if err := j.left.Begin(ctx, e); err != nil {
		return err
	}
	return j.right.Begin(ctx, e)
}

// Next reads the right side when first called, and joins left rows.
func (j *asOfJoin) Next(ctx context.Context) (*column.Batch, error) {
	if j.table == nil {
		rows, err := collect(ctx, j.right, j.node.Right.Schema(), j.limit)
		if err != nil {
			return nil, err
		}
		cols, rows, err := j.tableSplit.evals(nil, j.rkeys, rows)
		if err != nil {
			return nil, err
		}
		last := len(cols) - 1
		j.table = newAsOfTable(rows, cols[:last], cols[last], j.layout)
	}
	for {
		b, err := j.left.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		if b, err = j.match(b); err != nil {
			return nil, err
		}
		if len(j.l) > 0 {
			return j.joined(b), nil
		}
	}
}

// match finds the partners of the rows of b, and returns those rows: l are the rows that go on, r their partners, -1 where there is none.
func (j *asOfJoin) match(b *column.Batch) (*column.Batch, error) {
	var err error
	j.l, j.r = j.l[:0], j.r[:0]
	if j.cols, b, err = j.split.evals(j.cols[:0], j.lkeys, b); err != nil || b.Rows == 0 {
		return b, err
	}
	last := len(j.cols) - 1
	keys, time := j.cols[:last], j.cols[last]
	if last > 0 {
		j.layout.encode(&j.set, keys, b.Rows)
	}
	appendTimes(&j.times, time, b.Rows)
	for i := range b.Rows {
		r := int32(-1)
		if !anyNull(j.cols, i) {
			r = j.table.find(&j.set, keys, i, j.times.key(i), j.node.Strict)
		}
		if r >= 0 || j.node.Outer {
			j.l, j.r = append(j.l, int32(i)), append(j.r, r)
		}
	}
	return b, nil
}

// joined builds the rows of l and r.
func (j *asOfJoin) joined(b *column.Batch) *column.Batch {
	left := b
	if len(j.l) < b.Rows {
		left = b.Take(j.l)
	}
	out := &column.Batch{Schema: j.node.Schem, Rows: len(j.l), Cols: append([]column.Vector{}, left.Cols...)}
	for _, v := range j.table.rows.Cols {
		nb := column.NewBuilder(v.Type(), len(j.r))
		for _, r := range j.r {
			if r < 0 {
				nb.AppendNull()
			} else {
				nb.AppendFrom(v, int(r))
			}
		}
		out.Cols = append(out.Cols, nb.View())
	}
	return out
}

// Bounds is the left side's: the right one is a table.
func (j *asOfJoin) Bounds() Bounds { return j.left.Bounds() }

// Close closes both sides.
func (j *asOfJoin) Close() error {
	j.table = nil
	return closeAll([]Operator{j.left, j.right})
}
