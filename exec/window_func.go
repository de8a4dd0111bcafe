package exec

import (
	"context"

	"wmsql/column"
	"wmsql/physicalplan"
)

// windowFunc computes functions OVER one partitioning and order. It drains its input, sorts it by partition and order, and adds a
// column for each function; rows come out in that order.
type windowFunc struct {
	in   Operator
	node *physicalplan.WindowFunc
	env  *Env
	over *overCalls

	out     chunks
	drained bool
}

func (b *builder) windowFunc(n *physicalplan.WindowFunc) (Operator, error) {
	in, err := b.build(n.Input)
	if err != nil {
		return nil, err
	}
	over, err := b.overCalls(&n.Over, n.Input.Layout())
	return &windowFunc{in: in, node: n, env: b.env, over: over}, err
}

// Begin forgets the rows.
func (w *windowFunc) Begin(ctx context.Context, e *Epoch) error {
	w.out, w.drained = chunks{}, false
	return w.in.Begin(ctx, e)
}

// Next drains the input when first called, and returns the next rows.
func (w *windowFunc) Next(ctx context.Context) (*column.Batch, error) {
	if !w.drained {
		b, err := collect(ctx, w.in, w.node.Input.Schema(), w.env.Memory)
		if err != nil {
			return nil, err
		}
		w.drained = true
		if b.Rows > 0 {
			s, err := w.over.sorted(b)
			if err != nil {
				return nil, err
			}
			if w.out.b, err = w.over.compute(s, w.node.Schem); err != nil {
				return nil, err
			}
		}
	}
	return w.out.next(), nil
}

// Bounds is that of tables: there are no streams below.
func (w *windowFunc) Bounds() Bounds { return tableBounds }

// Close closes the input.
func (w *windowFunc) Close() error {
	w.out = chunks{}
	return w.in.Close()
}
