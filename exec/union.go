package exec

import (
	"context"

	"wmsql/column"
	"wmsql/physicalplan"
)

// union passes its inputs one after the other.
type union struct {
	ins  []Operator
	node *physicalplan.SetOp
	at   int
	out  column.Batch
}

// Begin begins all inputs.
func (u *union) Begin(ctx context.Context, e *Epoch) error {
	u.at = 0
	for _, in := range u.ins {
		if err := in.Begin(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// Next returns the next batch of the present input.
func (u *union) Next(ctx context.Context) (*column.Batch, error) {
	for ; u.at < len(u.ins); u.at++ {
		b, err := u.ins[u.at].Next(ctx)
		if err != nil {
			return nil, err
		}
		if b != nil {
			u.out = *b
			u.out.Schema = u.node.Schem
			return &u.out, nil
		}
	}
	return nil, nil
}

// Bounds is the older of the inputs': a row of any may be that old. Which of several watermarks holds is the query's matter.
func (u *union) Bounds() Bounds {
	out := u.ins[0].Bounds()
	for _, in := range u.ins[1:] {
		b := in.Bounds()
		out = Bounds{min(out.LateUpTo, b.LateUpTo), min(out.EvictUpTo, b.EvictUpTo)}
	}
	return out
}

// Close closes all inputs.
func (u *union) Close() error { return closeAll(u.ins) }

func closeAll(ins []Operator) error {
	errs := make([]error, len(ins))
	for i, in := range ins {
		errs[i] = in.Close()
	}
	return firstError(errs)
}
