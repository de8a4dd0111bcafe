package exec

import (
	"context"
	"errors"

	"wmsql/column"
)

// root stands above all operators: it fixes what is the same for one epoch.
type root struct {
	Operator
	env   *Env
	aside *aside
	spill *spill
}

// Begin sets the time of the epoch.
func (r *root) Begin(ctx context.Context, e *Epoch) error {
	if r.env.Query != 0 {
		r.env.Expr.Now = e.Now
	}
	r.aside.begin(e)
	return r.Operator.Begin(ctx, e)
}

// Next returns the next batch.
func (r *root) Next(ctx context.Context) (*column.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return r.Operator.Next(ctx)
}

// Close closes the operators, and removes the temporary files that are left.
func (r *root) Close() error { return errors.Join(r.Operator.Close(), r.spill.close()) }
