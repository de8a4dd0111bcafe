package exec

import (
	"context"

	"wmsql/column"
	"wmsql/physicalplan"
)

// hashAggregate groups the whole input; without keys there is one group, though no row comes.
type hashAggregate struct {
	in   Operator
	node *physicalplan.HashAggregate
	g    *grouping

	budget budget
	groups *groups
	from   int
	all    []int32
}

// Begin forgets the groups.
func (a *hashAggregate) Begin(ctx context.Context, e *Epoch) error {
	a.groups, a.from = nil, 0
	return a.in.Begin(ctx, e)
}

// Next drains the input when first called, and returns the next groups.
func (a *hashAggregate) Next(ctx context.Context) (*column.Batch, error) {
	if a.groups == nil {
		if err := a.drain(ctx); err != nil {
			return nil, err
		}
	}
	n := a.groups.table.len()
	if a.from >= n {
		return nil, nil
	}
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

func (a *hashAggregate) drain(ctx context.Context) error {
	a.groups = a.g.newGroups()
	n := 0
	for {
		b, err := a.in.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if b.Rows == 0 {
			continue
		}
		a.g.encode(b)
		if _, err := a.g.add(a.groups, b, nil); err != nil {
			return err
		}
		if n++; n%checkEvery == 0 {
			if err := a.budget.check(a.groups.bytes()); err != nil {
				return err
			}
		}
	}
	if len(a.node.Keys) == 0 && a.groups.table.len() == 0 {
		a.groups.table.one(nil)
	}
	for _, n := range a.node.Totals {
		a.g.exists(a.groups, a.total(n))
	}
	return nil
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
