package exec

import (
	"context"

	"wmsql/column"
	"wmsql/physicalplan"
)

// distinct passes the first row of each key: of all columns, or of those of DISTINCT ON.
type distinct struct {
	in     Operator
	node   *physicalplan.Distinct
	layout *keyLayout
	budget budget

	seen  groupTable
	set   keySet
	cols  []column.Vector
	slots []int32
	keep  []int32
}

func newDistinct(in Operator, n *physicalplan.Distinct, limit int64) *distinct {
	d := &distinct{in: in, node: n, budget: budget{limit: limit}}
	ts := schemaTypes(n.Input.Schema())
	var keys = ts[:0:0]
	for _, o := range n.On {
		keys = append(keys, ts[o])
	}
	d.layout = newKeyLayout(keys)
	return d
}

// Begin forgets the keys.
func (d *distinct) Begin(ctx context.Context, e *Epoch) error {
	d.seen.reset()
	return d.in.Begin(ctx, e)
}

// Next returns the next batch with a new key.
func (d *distinct) Next(ctx context.Context) (*column.Batch, error) {
	for {
		b, err := d.in.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		d.cols = d.cols[:0]
		for _, o := range d.node.On {
			d.cols = append(d.cols, b.Cols[o])
		}
		d.layout.encode(&d.set, d.cols, b.Rows)
		d.slots = d.seen.find(d.slots[:0], &d.set, nil, b.Rows)
		if err := d.budget.check(d.seen.bytes()); err != nil {
			return nil, err
		}
		switch len(d.seen.added) {
		case 0:
		case b.Rows:
			return b, nil
		default:
			d.keep = append(d.keep[:0], d.seen.added...)
			return b.Take(d.keep), nil
		}
	}
}

// Bounds is the input's.
func (d *distinct) Bounds() Bounds { return d.in.Bounds() }

// Close closes the input.
func (d *distinct) Close() error {
	d.seen = groupTable{}
	return d.in.Close()
}
