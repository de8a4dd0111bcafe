package exec

import (
	"context"
	"slices"

	"wmsql/column"
	"wmsql/physicalplan"
)

// hashAggregate groups the whole input; without keys there is one group, though no row comes. When it may hold no more groups, it writes
// those it has to parts on disk and begins anew; the groups of a part are merged when the input is through.
type hashAggregate struct {
	in   Operator
	node *physicalplan.HashAggregate
	g    *grouping

	budget budget
	spill  *aggSpill
	groups *groups // those that come out now
	ready  bool
	from   int
	all    []int32
}

func newHashAggregate(in Operator, n *physicalplan.HashAggregate, b *builder) *hashAggregate {
	a := &hashAggregate{in: in, node: n, budget: budget{limit: b.env.Memory}}
	a.g = newGrouping(&n.Grouping, n.Input.Schema(), n.Schem, b.env.Expr)
	a.spill = &aggSpill{agg: a, spill: b.q.spill}
	return a
}

// Begin forgets the groups.
func (a *hashAggregate) Begin(ctx context.Context, e *Epoch) error {
	a.groups, a.ready, a.from = nil, false, 0
	a.spill.begin()
	return a.in.Begin(ctx, e)
}

// Next drains the input when first called, and returns the next groups.
func (a *hashAggregate) Next(ctx context.Context) (*column.Batch, error) {
	if !a.ready {
		if err := a.drain(ctx); err != nil {
			return nil, err
		}
		a.ready = true
	}
	for a.from >= a.groups.table.len() {
		more, err := a.spill.turn(ctx)
		if !more || err != nil {
			return nil, err
		}
		a.from = 0
	}
	n := a.groups.table.len()
	to := min(a.from+column.MaxRows, n)
	a.all = upTo(a.all, max(len(a.all), to))
	bs := column.NewBuilders(a.node.Schem, to-a.from)
	if err := a.g.result(bs, a.groups, a.all[a.from:to]); err != nil {
		return nil, err
	}
	out := column.BuildBatch(a.node.Schem, bs)
	out.Rows = to - a.from
	a.from = to
	return out, nil
}

// checkEvery is after how many batches the memory of the groups is measured: it takes a walk over some of them.
const checkEvery = 64

// smallBudget is a budget that fewer batches than checkEvery may use up.
const smallBudget = 64 << 20

func (a *hashAggregate) drain(ctx context.Context) error {
	a.groups = a.g.newGroups()
	every := checkEvery
	if a.budget.limit < smallBudget {
		every = 1
	}
	n := 0
	err := each(ctx, a.in, func(b *column.Batch) error {
		a.g.encode(b)
		if _, err := a.g.add(a.groups, b, nil); err != nil {
			return err
		}
		if n++; n%every != 0 {
			return nil
		}
		return a.spill.bound(0)
	})
	if err != nil {
		return err
	}
	if len(a.node.Keys) == 0 && a.groups.table.len() == 0 {
		a.groups.table.one(nil)
	}
	for _, n := range a.node.Totals {
		a.g.exists(a.groups, a.total(n))
	}
	return a.spill.finish(0)
}

// total is a row of the input that has no key but the number of a grouping set.
func (a *hashAggregate) total(set int) *column.Batch {
	b := &column.Batch{Schema: a.node.Input.Schema(), Rows: 1}
	for _, f := range b.Schema.Fields {
		b.Cols = append(b.Cols, column.Const(f.Type, nil, 1))
	}
	last := a.node.Keys[len(a.node.Keys)-1]
	b.Cols[last] = column.Const(b.Schema.Fields[last].Type, int64(set), 1)
	return b
}

// Bounds is the input's.
func (a *hashAggregate) Bounds() Bounds { return a.in.Bounds() }

// Close closes the input.
func (a *hashAggregate) Close() error {
	a.groups = nil
	return a.in.Close()
}

// divides reports whether groups can be told apart by their keys at all.
func (a *hashAggregate) divides() bool {
	return len(a.node.Keys) > 0 && !slices.Contains(a.node.Fixed, true)
}
