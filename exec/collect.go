package exec

import (
	"context"

	"wmsql/column"
	"wmsql/types"
)

// collector copies batches into one.
type collector struct {
	schema *types.Schema
	bs     []column.Builder
	ops    []column.Op // nil while all rows are inserts
	rows   int
}

func newCollector(s *types.Schema) *collector {
	return &collector{schema: s, bs: column.NewBuilders(s, 0)}
}

// add copies the rows of b.
func (c *collector) add(b *column.Batch) {
	for i, v := range b.Cols {
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
}

// take returns the rows and empties the collector.
func (c *collector) take() *column.Batch {
	b := column.BuildBatch(c.schema, c.bs)
	b.Rows, b.Ops = c.rows, c.ops
	c.rows, c.ops = 0, nil
	return b
}

// collect drains in into one batch.
func collect(ctx context.Context, in Operator, s *types.Schema) (*column.Batch, error) {
	c := newCollector(s)
	for {
		b, err := in.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			return c.take(), nil
		}
		c.add(b)
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
