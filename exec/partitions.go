package exec

import (
	"context"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// partitions cuts sorted rows into pieces that fit in memory and of which each holds whole partitions.
type partitions struct {
	in     rows
	keys   *exprs // PARTITION BY
	schema *types.Schema
	limit  int64 // bytes

	left *column.Batch   // rows of the next piece that were read already
	last []column.Vector // keys of the row read last, each one row; nil before the first
}

// next returns the next piece, nil at the end.
func (p *partitions) next(ctx context.Context) (*column.Batch, error) {
	c := newCollector(p.schema, 0)
	if p.left != nil {
		if err := c.add(p.left); err != nil {
			return nil, err
		}
		p.left = nil
	}
	for {
		b, err := p.in.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			break
		}
		cut, err := p.lastBegin(b)
		if err != nil {
			return nil, err
		}
		if c.bytes()+batchBytes(b) > p.limit && cut >= 0 && c.rows+cut > 0 {
			p.left = b.Slice(cut, b.Rows)
			b = b.Slice(0, cut)
		}
		if err := c.add(b); err != nil {
			return nil, err
		}
		if p.left != nil {
			break
		}
		if c.bytes() > p.limit && c.rows > b.Rows {
			return nil, p.tooLarge()
		}
	}
	if c.rows == 0 {
		return nil, nil
	}
	return c.take(), nil
}

// lastBegin is the row of b at which the last partition that begins in it does, -1 if none does.
func (p *partitions) lastBegin(b *column.Batch) (int, error) {
	keys, err := p.keys.eval(nil, b)
	if err != nil {
		return 0, err
	}
	before := p.last
	p.last = make([]column.Vector, len(keys))
	for k, v := range keys {
		p.last[k] = v.Slice(b.Rows-1, b.Rows)
	}
	for i := b.Rows - 1; i > 0; i-- {
		if !equalKeys(keys, i, keys, i-1) {
			return i, nil
		}
	}
	if before == nil || !equalKeys(keys, 0, before, 0) {
		return 0, nil
	}
	return -1, nil
}

func equalKeys(a []column.Vector, i int, b []column.Vector, j int) bool {
	for k := range a {
		if column.Compare(a[k], i, b[k], j) != 0 {
			return false
		}
	}
	return true
}

func (p *partitions) tooLarge() error {
	e := sqlerr.From(overBudget(p.limit))
	return e.WithDetail("One partition of a window function takes more than %d MiB.", p.limit>>20)
}
