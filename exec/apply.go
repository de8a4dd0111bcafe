package exec

import (
	"context"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/types"
)

// apply runs its subplan for every row of its input, once for rows that are equal in the columns that the subplan
// reads; a subplan that reads none runs once.
type apply struct {
	in, sub Operator
	node    *physicalplan.Apply
	row     *outerRow
	layout  *keyLayout
	test    expr.Evaluator // ApplyIn
	limit   int64          // bytes of one result
	split   splitter       // of rows for which the subplan fails

	epoch *Epoch
	seen  groupTable
	runs  []*column.Batch // results by key
	ready []chunks
	set   keySet
	slots []int32
}

// outerRow is a row of the input as the subplan sees it; columns it does not have are of queries further out.
type outerRow struct {
	layout []expr.ColumnID
	cols   []column.Vector // one row each
	outer  expr.Outer
}

// Column returns a column of the present row.
func (o *outerRow) Column(id expr.ColumnID) (column.Vector, bool) {
	if at := indexOf(o.layout, id); at >= 0 {
		return o.cols[at], true
	}
	if o.outer == nil {
		return nil, false
	}
	return o.outer.Column(id)
}

// set makes row i of b the present one.
func (o *outerRow) set(b *column.Batch, i int) {
	o.cols = o.cols[:0]
	for _, v := range b.Cols {
		o.cols = append(o.cols, v.Slice(i, i+1))
	}
}

// Begin forgets the results.
func (a *apply) Begin(ctx context.Context, e *Epoch) error {
	a.epoch = e
	if a.node.Enclosed || e.Txn != nil {
		a.forget()
	}
	a.ready = nil
	return a.in.Begin(ctx, e)
}

func (a *apply) forget() {
	a.seen.reset()
	a.runs = a.runs[:0]
}

// runsMax bounds the results that are kept: beyond, all are forgotten and computed again when needed.
const runsMax = 1 << 16

// Next computes the next batch.
func (a *apply) Next(ctx context.Context) (*column.Batch, error) {
	for {
		for len(a.ready) > 0 {
			if b := a.ready[0].next(); b != nil {
				return b, nil
			}
			a.ready = a.ready[1:]
		}
		b, err := a.in.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		out, err := a.split.expand(b, func(b *column.Batch) (*column.Batch, error) { return a.compute(ctx, b) })
		if err != nil {
			return nil, err
		}
		a.ready = append(a.ready[:0], chunks{b: out})
	}
}

func (a *apply) compute(ctx context.Context, b *column.Batch) (*column.Batch, error) {
	a.number(b)
	if a.node.Kind == logicalplan.ApplyLateral || a.node.Kind == logicalplan.ApplyLeftLateral {
		return a.joined(ctx, b)
	}
	added := column.NewBuilder(a.node.Schem.Fields[len(a.node.Schem.Fields)-1].Type, b.Rows)
	for i := range b.Rows {
		rows, err := a.run(ctx, b, i)
		if err == nil {
			err = a.value(added, rows, b, i)
		}
		if err != nil {
			return nil, err
		}
	}
	out := &column.Batch{Schema: a.node.Schem, Rows: b.Rows, Ops: b.Ops}
	out.Cols = append(append(out.Cols, b.Cols...), added.Build())
	return out, nil
}

// number fills slots: rows with one number share a run.
func (a *apply) number(b *column.Batch) {
	if len(a.runs) > runsMax {
		a.forget()
	}
	var free []column.Vector
	for k, o := range a.node.Free {
		v := b.Cols[o]
		if t := a.layout.types[k]; t.Kind != v.Type().Kind || t.Array != v.Type().Array { // a modifier is no other type
			v = textsOf(v)
		}
		free = append(free, v)
	}
	a.layout.encode(&a.set, free, b.Rows)
	a.slots = a.seen.find(a.slots[:0], &a.set, nil, b.Rows)
	for len(a.runs) < a.seen.len() {
		a.runs = append(a.runs, nil)
	}
}

// joined is the rows of a lateral join.
func (a *apply) joined(ctx context.Context, b *column.Batch) (*column.Batch, error) {
	right := newCollector(a.node.Subplan.Schema(), a.limit)
	var left []int32
	for i := range b.Rows {
		rows, err := a.run(ctx, b, i)
		if err == nil {
			left, err = a.lateral(left, right, rows, i)
		}
		if err != nil {
			return nil, err
		}
	}
	out := &column.Batch{Schema: a.node.Schem, Rows: len(left)}
	for _, v := range b.Cols {
		out.Cols = append(out.Cols, v.Take(left))
	}
	out.Cols = append(out.Cols, right.take().Cols...)
	return out, nil
}

// run returns the subplan's rows for row i of b.
func (a *apply) run(ctx context.Context, b *column.Batch, i int) (*column.Batch, error) {
	g := a.slots[i]
	if a.runs[g] != nil {
		return a.runs[g], nil
	}
	a.row.set(b, i)
	if err := a.sub.Begin(ctx, a.epoch); err != nil {
		return nil, err
	}
	rows, err := a.collect(ctx)
	a.runs[g] = rows
	return rows, err
}

// collect drains the subplan as far as the kind of Apply needs.
func (a *apply) collect(ctx context.Context) (*column.Batch, error) {
	enough := -1
	switch a.node.Kind {
	case logicalplan.ApplyExists:
		enough = 1
	case logicalplan.ApplyScalar:
		enough = 2
	}
	c := newCollector(a.node.Subplan.Schema(), a.limit)
	for enough < 0 || c.rows < enough {
		b, err := a.sub.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			break
		}
		if err := c.add(b); err != nil {
			return nil, err
		}
	}
	return c.take(), nil
}

// lateral adds row i joined with rows.
func (a *apply) lateral(left []int32, right *collector, rows *column.Batch, i int) ([]int32, error) {
	if rows.Rows > 0 {
		for range rows.Rows {
			left = append(left, int32(i))
		}
		return left, right.add(rows)
	}
	if a.node.Kind == logicalplan.ApplyLeftLateral {
		for _, b := range right.bs {
			b.AppendNull()
		}
		right.rows++
		left = append(left, int32(i))
	}
	return left, nil
}

// Bounds is the input's.
func (a *apply) Bounds() Bounds { return a.in.Bounds() }

// Close closes input and subplan.
func (a *apply) Close() error { return closeAll([]Operator{a.in, a.sub}) }

// freeLayout is how the columns that the subplan reads tell runs apart: those whose equal values may look different, and so give
// different results, by their text.
func freeLayout(n *physicalplan.Apply) *keyLayout {
	fs := n.Input.Schema().Fields
	var out []types.Type
	for _, o := range n.Free {
		out = append(out, fs[o].Type)
	}
	for _, i := range newKeyLayout(out).lossy {
		out[i] = types.Of(types.Text)
	}
	return newKeyLayout(out)
}

// textsOf is the values of v as text.
func textsOf(v column.Vector) column.Vector {
	b := column.NewBuilder(types.Of(types.Text), v.Len()).(*column.BytesBuilder)
	for i := range v.Len() {
		if v.IsNull(i) {
			b.AppendNull()
			continue
		}
		b.EndValue(column.AppendText(b.Buffer(), v, i, types.UTC))
	}
	return b.Build()
}
