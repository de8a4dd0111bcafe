package exec

import (
	"context"

	"wmsql/column"
	"wmsql/expr"
	"wmsql/physicalplan"
)

// project computes expressions. A plain column is passed on, not copied. Over rows that replace each other by key a row that cannot be
// computed takes its key out of the result.
type project struct {
	in    Operator
	node  *physicalplan.Project
	exprs *exprs
	split splitter

	retracts bool // in this epoch
	out      column.Batch
	cols     []column.Vector
	gone     *column.Batch // to be returned next: deletions
}

// Begin readies the expressions.
func (p *project) Begin(ctx context.Context, e *Epoch) error {
	p.retracts, p.gone = p.node.Retract || p.node.Corrects && e.Refresh, nil
	if err := p.exprs.begin(); err != nil {
		return err
	}
	return p.in.Begin(ctx, e)
}

// Next computes the next batch.
func (p *project) Next(ctx context.Context) (*column.Batch, error) {
	if out := p.gone; out != nil {
		p.gone = nil
		return out, nil
	}
	for {
		b, err := p.in.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		var good *column.Batch
		if p.cols, good, err = p.split.evals(p.cols[:0], p.exprs, b); err != nil {
			return nil, err
		}
		if good.Rows < b.Rows && p.retracts {
			p.gone = p.deletions(b.Take(p.split.bad))
		}
		if good.Rows > 0 || b.Rows == 0 {
			p.out = column.Batch{Schema: p.node.Schem, Cols: p.cols, Rows: good.Rows, Ops: good.Ops}
			return &p.out, nil
		}
		if out := p.gone; out != nil {
			p.gone = nil
			return out, nil
		}
	}
}

// deletions are rows that cannot be computed, as deletions: they have the plain columns, among which is the key.
func (p *project) deletions(b *column.Batch) *column.Batch {
	out := &column.Batch{Schema: p.node.Schem, Rows: b.Rows, Ops: make([]column.Op, b.Rows)}
	for i, f := range p.node.Schem.Fields {
		v := column.Const(f.Type, nil, b.Rows)
		if c, ok := p.node.Exprs[i].(*expr.Column); ok {
			if at := indexOf(p.exprs.layout, c.ID); at >= 0 {
				v = b.Cols[at]
			}
		}
		out.Cols = append(out.Cols, v)
	}
	for i := range out.Ops {
		out.Ops[i] = column.Delete
	}
	return out
}

// Bounds is the input's.
func (p *project) Bounds() Bounds { return p.in.Bounds() }

// Close closes the input.
func (p *project) Close() error { return p.in.Close() }
