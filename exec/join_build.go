package exec

import (
	"context"
	"sync"

	"wmsql/column"
)

// joinBuild is the right side of a join, which the copies of the join in a pipeline share: whoever comes first reads it. When it does not
// fit in memory the join that has the right operator does all the work.
type joinBuild struct {
	by    *join // has the right operator
	once  *sync.Once
	err   error
	table *joinTable // nil: see by.spill
}

// begin starts over; the join that has the right operator does it for all.
func (b *joinBuild) begin(j *join) {
	if j == b.by {
		b.once, b.err, b.table = &sync.Once{}, nil, nil
	}
}

// run readies j to take left rows.
func (b *joinBuild) run(ctx context.Context, j *join) error {
	b.once.Do(func() {
		b.err = b.by.build(ctx)
		b.table = b.by.table
	})
	if b.err != nil || b.table == nil {
		return b.err
	}
	j.table, j.source = b.table, j.left
	return nil
}

// nothing is an operator without rows.
type nothing struct{}

// Begin does nothing.
func (nothing) Begin(context.Context, *Epoch) error { return nil }

// Next has no rows.
func (nothing) Next(context.Context) (*column.Batch, error) { return nil, nil }

// Bounds is that of tables.
func (nothing) Bounds() Bounds { return tableBounds }

// Close does nothing.
func (nothing) Close() error { return nil }
