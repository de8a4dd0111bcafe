package exec

import (
	"context"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// collector copies batches into one, up to a limit of memory.
type collector struct {
	schema *types.Schema
	budget budget
	bs     []column.Builder
	ops    []column.Op // nil while all rows are inserts
	rows   int
	size   int64
}

func newCollector(s *types.Schema, limit int64) *collector {
	return &collector{schema: s, budget: budget{limit: limit}, bs: column.NewBuilders(s, 0)}
}

// add copies the rows of b.
func (c *collector) add(b *column.Batch) error {
	c.size += batchBytes(b)
	if err := c.budget.check(c.size); err != nil {
		return err
	}
	for i, v := range b.Cols {
		if t, ok := c.bs[i].(*column.BytesBuilder); ok && t.Size()+len(v.(*column.Bytes).Data) > column.MaxBytes {
			return sqlerr.Newf(sqlerr.StatementTooComplex, "a column of an intermediate result is larger than 2 GiB")
		}
		c.bs[i].AppendVector(v)
	}
	if b.Ops != nil || c.ops != nil {
		for len(c.ops) < c.rows {
			c.ops = append(c.ops, column.Insert)
		}
		if b.Ops != nil {
			c.ops = append(c.ops, b.Ops...)
		} else {
			c.ops = append(c.ops, make([]column.Op, b.Rows)...)
		}
	}
	c.rows += b.Rows
	return nil
}

// bytes estimates the memory of the rows.
func (c *collector) bytes() int64 { return c.size }

// take returns the rows and empties the collector.
func (c *collector) take() *column.Batch {
	b := column.BuildBatch(c.schema, c.bs)
	b.Rows, b.Ops = c.rows, c.ops
	c.rows, c.ops, c.size = 0, nil, 0
	return b
}

// collect drains in into one batch of at most limit bytes (0: any number).
func collect(ctx context.Context, in Operator, s *types.Schema, limit int64) (*column.Batch, error) {
	c := newCollector(s, limit)
	for {
		b, err := in.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			return c.take(), nil
		}
		if err := c.add(b); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

// chunks hands out a batch piece by piece.
type chunks struct {
	b    *column.Batch
	from int
}

// Next returns the next rows, nil at the end.
func (c *chunks) Next(context.Context) (*column.Batch, error) { return c.next(), nil }

// next returns the next rows, nil at the end.
func (c *chunks) next() *column.Batch {
	if c.b == nil || c.from >= c.b.Rows {
		return nil
	}
	to := min(c.from+column.MaxRows, c.b.Rows)
	out := c.b
	if c.from > 0 || to < c.b.Rows {
		out = c.b.Slice(c.from, to)
	}
	c.from = to
	return out
}
