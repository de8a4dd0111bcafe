package exec

import (
	"context"
	"errors"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/physicalplan"
)

// windowFunc computes functions OVER one partitioning and order. It drains its input, sorts it by partition and order, and adds a
// column for each function; rows come out in that order. Rows that do not fit in memory are sorted on disk, and computed some whole
// partitions at a time.
type windowFunc struct {
	in    Operator
	node  *physicalplan.WindowFunc
	over  *overCalls
	rows  rowSorter
	whole *partitions // of sorted rows that are on disk

	out     chunks
	drained bool
}

func (b *builder) windowFunc(n *physicalplan.WindowFunc) (Operator, error) {
	in, err := b.build(n.Input)
	if err != nil {
		return nil, err
	}
	w := &windowFunc{in: in, node: n}
	if w.over, err = b.overCalls(&n.Over, n.Input.Layout()); err != nil {
		return nil, err
	}
	w.rows = rowSorter{node: n, schema: n.Input.Schema(), limit: b.env.Memory, spill: b.q.spill, keep: -1}
	w.rows.order = append(make([]keyOrder, len(n.PartitionBy)), keyOrders(n.OrderBy)...)
	keys := append([]expr.Expr{}, n.PartitionBy...)
	for _, k := range n.OrderBy {
		keys = append(keys, k.X)
	}
	w.rows.keys, err = b.exprs(keys, n.Input.Layout())
	return w, err
}

// Begin forgets the rows.
func (w *windowFunc) Begin(ctx context.Context, e *Epoch) error {
	w.out, w.drained, w.whole = chunks{}, false, nil
	if err := w.rows.begin(); err != nil {
		return err
	}
	return w.in.Begin(ctx, e)
}

// Next drains the input when first called, and returns the next rows.
func (w *windowFunc) Next(ctx context.Context) (*column.Batch, error) {
	if !w.drained {
		if err := w.drain(ctx); err != nil {
			return nil, err
		}
		w.drained = true
	}
	for {
		if b := w.out.next(); b != nil || w.whole == nil {
			return b, nil
		}
		b, err := w.whole.next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		if err := w.compute(b); err != nil {
			return nil, err
		}
	}
}

func (w *windowFunc) drain(ctx context.Context) error {
	if err := each(ctx, w.in, w.rows.add); err != nil {
		return err
	}
	if w.rows.runs == nil {
		return w.compute(w.rows.c.take())
	}
	sorted, err := w.rows.finish(ctx)
	w.whole = &partitions{in: sorted, keys: w.over.parts, schema: w.rows.schema, limit: w.rows.limit}
	return err
}

// compute readies rows, of which each partition is whole, to come out.
func (w *windowFunc) compute(b *column.Batch) error {
	w.out = chunks{}
	if b.Rows == 0 {
		return nil
	}
	s, err := w.over.sorted(b)
	if err != nil {
		return err
	}
	w.out.b, err = w.over.compute(s, w.node.Schem)
	return err
}

// Bounds is that of tables: there are no streams below.
func (w *windowFunc) Bounds() Bounds { return tableBounds }

// Close closes the input.
func (w *windowFunc) Close() error {
	w.out, w.whole = chunks{}, nil
	return errors.Join(w.in.Close(), w.rows.close())
}
