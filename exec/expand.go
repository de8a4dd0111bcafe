package exec

import (
	"context"

	"wmsql/column"
	"wmsql/physicalplan"
	"wmsql/types"
)

// expand gives each batch once for every grouping set, with the keys that are not in the set NULL and the number of the set. The
// columns are shared, nothing is copied.
type expand struct {
	in   Operator
	node *physicalplan.Expand

	cur     *column.Batch
	set     int             // the next set of cur
	nulls   []column.Vector // for each key, at least as long as any batch so far
	numbers []column.Vector // for each set, likewise
	out     column.Batch
}

func newExpand(in Operator, n *physicalplan.Expand) *expand {
	return &expand{in: in, node: n, nulls: make([]column.Vector, len(n.Keys)), numbers: make([]column.Vector, len(n.Sets))}
}

// Begin readies the input.
func (x *expand) Begin(ctx context.Context, e *Epoch) error {
	x.cur = nil
	return x.in.Begin(ctx, e)
}

// Next returns the next set of the batch in hand.
func (x *expand) Next(ctx context.Context) (*column.Batch, error) {
	if x.cur == nil || x.set == len(x.node.Sets) {
		b, err := x.in.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		x.cur, x.set = b, 0
	}
	in, b, fs := x.node.Sets[x.set], x.cur, x.node.Schem.Fields
	cols := x.out.Cols[:0]
	for k, c := range x.node.Keys {
		if in[k] {
			cols = append(cols, b.Cols[c])
		} else {
			cols = append(cols, repeated(&x.nulls[k], fs[k].Type, nil, b.Rows))
		}
	}
	number := repeated(&x.numbers[x.set], fs[len(in)].Type, int64(x.set+1), b.Rows)
	x.set++
	cols = append(append(cols, number), b.Cols...)
	x.out = column.Batch{Schema: x.node.Schem, Cols: cols, Rows: b.Rows, Ops: b.Ops}
	return &x.out, nil
}

// repeated is n times d, from a vector that is kept for the next time.
func repeated(kept *column.Vector, t types.Type, d any, n int) column.Vector {
	if *kept == nil || (*kept).Len() < n {
		*kept = column.Const(t, d, max(n, column.MaxRows))
	}
	return (*kept).Slice(0, n)
}

// Bounds is the input's.
func (x *expand) Bounds() Bounds { return x.in.Bounds() }

// Close closes the input.
func (x *expand) Close() error { return x.in.Close() }
