package exec

import (
	"context"
	"errors"
	"slices"
	"sync"

	"wmsql/column"
	"wmsql/physicalplan"
)

// hashAggregate groups the whole input; without keys there is one group, though no row comes. Where the order of rows does not matter,
// workers group their shares of the input, and the groups are merged. When it may hold no more groups, it writes those it has to parts on
// disk and begins anew; the groups of a part are merged when the input is through.
type hashAggregate struct {
	workers []*aggInput
	node    *physicalplan.HashAggregate
	g       *grouping

	budget budget
	spill  *aggSpill
	groups *groups // those that come out now
	ready  bool
	from   int
	all    []int32
}

// aggInput is one worker's share.
type aggInput struct {
	in     Operator
	g      *grouping
	groups *groups
}

func newHashAggregate(n *physicalplan.HashAggregate, b *builder) (*hashAggregate, error) {
	a := &hashAggregate{node: n, budget: budget{limit: b.env.Memory}}
	newGrouping := func() *grouping { return newGrouping(&n.Grouping, n.Input.Schema(), n.Schem, b.env.Expr) }
	a.g = newGrouping()
	a.spill = &aggSpill{agg: a, spill: b.q.spill}
	ins, err := b.pipelines(n.Input, n.Parallel && len(a.g.layout.lossy) == 0)
	for _, in := range ins {
		w := &aggInput{in: in, g: newGrouping()}
		w.g.near = true
		a.workers = append(a.workers, w)
	}
	return a, err
}

// Begin forgets the groups.
func (a *hashAggregate) Begin(ctx context.Context, e *Epoch) error {
	a.groups, a.ready, a.from = nil, false, 0
	a.spill.begin()
	for _, w := range a.workers {
		if err := w.in.Begin(ctx, e); err != nil {
			return err
		}
	}
	return nil
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

// drain groups the input.
func (a *hashAggregate) drain(ctx context.Context) error {
	if err := a.work(ctx); err != nil {
		return err
	}
	a.groups = a.workers[0].groups
	for _, w := range a.workers[1:] {
		if _, err := a.g.merge(a.groups, w.groups, upTo(nil, w.groups.table.len())); err != nil {
			return err
		}
		w.groups = nil
	}
	if len(a.node.Keys) == 0 && a.groups.table.len() == 0 {
		a.groups.table.one(nil)
	}
	for _, n := range a.node.Totals {
		a.g.exists(a.groups, a.total(n))
	}
	return a.spill.finish(0)
}

// work has each worker drain its share.
func (a *hashAggregate) work(ctx context.Context) error {
	if len(a.workers) == 1 {
		return a.workers[0].drain(ctx, a)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	errs := make([]error, len(a.workers))
	var wg sync.WaitGroup
	for i, w := range a.workers {
		wg.Go(func() {
			if errs[i] = w.drain(ctx, a); errs[i] != nil {
				stop()
			}
		})
	}
	wg.Wait()
	return firstFailure(errs)
}

// firstFailure is the first error that is not of a worker that was told to stop for another's.
func firstFailure(errs []error) error {
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return firstError(errs)
}

// checkEvery is after how many batches the memory of the groups is measured: it takes a walk over some of them.
const checkEvery = 64

// smallBudget is a budget that fewer batches than checkEvery may use up.
const smallBudget = 64 << 20

func (w *aggInput) drain(ctx context.Context, a *hashAggregate) error {
	w.groups = w.g.newGroups()
	every := checkEvery
	if a.budget.limit < smallBudget {
		every = 1
	}
	n := 0
	return each(ctx, w.in, func(b *column.Batch) error {
		w.g.encode(b)
		if _, err := w.g.add(w.groups, b, nil); err != nil {
			return err
		}
		if n++; n%every != 0 {
			return nil
		}
		fresh, err := a.spill.bound(w.groups, 0, len(a.workers))
		w.groups = fresh
		return err
	})
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
func (a *hashAggregate) Bounds() Bounds { return a.workers[0].in.Bounds() }

// Close closes the input.
func (a *hashAggregate) Close() error {
	a.groups = nil
	var ins []Operator
	for _, w := range a.workers {
		w.groups = nil
		ins = append(ins, w.in)
	}
	return closeAll(ins)
}

// divides reports whether groups can be told apart by their keys at all.
func (a *hashAggregate) divides() bool {
	return len(a.node.Keys) > 0 && !slices.Contains(a.node.Fixed, true)
}
