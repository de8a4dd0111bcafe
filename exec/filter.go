package exec

import (
	"context"

	"wmsql/column"
	"wmsql/physicalplan"
)

// filter keeps the rows for which the conditions are true. Over rows that replace each other by key (HAVING in update mode)
// a row that fails them takes its key out of the result.
type filter struct {
	in    Operator
	node  *physicalplan.Filter
	cond  *cond
	split splitter // for rows that cannot be evaluated

	retracts bool // in this epoch
	keep     []int32
}

// Begin readies the conditions.
func (f *filter) Begin(ctx context.Context, e *Epoch) error {
	if err := f.cond.begin(); err != nil {
		return err
	}
	f.retracts = f.node.Retract || f.node.Corrects && e.Refresh
	return f.in.Begin(ctx, e)
}

// Next returns the next batch with a row that passes.
func (f *filter) Next(ctx context.Context) (*column.Batch, error) {
	for {
		b, err := f.in.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		if f.keep, err = f.split.selects(f.keep[:0], f.cond, b); err != nil {
			return nil, err
		}
		switch {
		case len(f.keep) == b.Rows && b.Rows > 0:
			return b, nil
		case f.retracts && b.Rows > 0:
			return f.retract(b), nil
		case len(f.keep) > 0:
			return b.Take(f.keep), nil
		}
	}
}

// retract makes deletions of the rows that are not in keep.
func (f *filter) retract(b *column.Batch) *column.Batch {
	ops := make([]column.Op, b.Rows)
	for i := range ops {
		ops[i] = column.Delete
	}
	for _, i := range f.keep {
		ops[i] = column.Insert
		if b.Ops != nil {
			ops[i] = b.Ops[i]
		}
	}
	out := *b
	out.Ops = ops
	return &out
}

// Bounds is the input's.
func (f *filter) Bounds() Bounds { return f.in.Bounds() }

// Close closes the input.
func (f *filter) Close() error { return f.in.Close() }
