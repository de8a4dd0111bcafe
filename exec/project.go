package exec

import (
	"context"

	"wmsql/column"
	"wmsql/physicalplan"
)

// project computes expressions. A plain column is passed on, not copied.
type project struct {
	in    Operator
	node  *physicalplan.Project
	exprs *exprs
	split splitter

	out  column.Batch
	cols []column.Vector
}

// Begin readies the expressions.
func (p *project) Begin(ctx context.Context, e *Epoch) error {
	if err := p.exprs.begin(); err != nil {
		return err
	}
	return p.in.Begin(ctx, e)
}

// Next computes the next batch.
func (p *project) Next(ctx context.Context) (*column.Batch, error) {
	for {
		b, err := p.in.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		if err = p.evaluate(b); err != nil {
			if b, err = p.split.good(b, err, p.evaluate); err != nil {
				return nil, err
			}
			if b.Rows == 0 {
				continue
			}
			if err = p.evaluate(b); err != nil {
				return nil, err
			}
		}
		p.out = column.Batch{Schema: p.node.Schem, Cols: p.cols, Rows: b.Rows, Ops: b.Ops}
		return &p.out, nil
	}
}

func (p *project) evaluate(b *column.Batch) (err error) {
	p.cols, err = p.exprs.eval(p.cols[:0], b)
	return err
}

// Bounds is the input's.
func (p *project) Bounds() Bounds { return p.in.Bounds() }

// Close closes the input.
func (p *project) Close() error { return p.in.Close() }
