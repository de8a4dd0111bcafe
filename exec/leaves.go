package exec

import (
	"context"

	"wmsql/column"
	"wmsql/physicalplan"
)

// virtualScan reads a table that the server computes: once for a statement, however often a subquery reads it.
type virtualScan struct {
	node *physicalplan.VirtualScan
	env  *Env
	rows *column.Batch
	done bool
}

// Begin lets the rows come again.
func (s *virtualScan) Begin(context.Context, *Epoch) error {
	s.done = false
	return nil
}

// Next returns the table at once.
func (s *virtualScan) Next(ctx context.Context) (*column.Batch, error) {
	if s.done {
		return nil, nil
	}
	s.done = true
	if s.rows == nil {
		b, err := s.env.Virtual(ctx, s.node.In, s.node.Name, s.node.Ords)
		if err != nil {
			return nil, err
		}
		s.rows = &column.Batch{Schema: s.node.Schem}
		if b != nil {
			s.rows.Cols, s.rows.Rows = b.Cols, b.Rows
		}
	}
	if s.rows.Rows == 0 {
		return nil, nil
	}
	return s.rows, nil
}

// Bounds says that a table holds nothing back.
func (s *virtualScan) Bounds() Bounds { return tableBounds }

// Close does nothing.
func (s *virtualScan) Close() error { return nil }

// values is constant rows. Without rows and columns it is one empty row.
type values struct {
	node *physicalplan.Values
	rows []*exprs
	done bool
}

// Begin lets the rows come again.
func (v *values) Begin(context.Context, *Epoch) error {
	v.done = false
	for _, r := range v.rows {
		if err := r.begin(); err != nil {
			return err
		}
	}
	return nil
}

// Next returns all rows at once.
func (v *values) Next(context.Context) (*column.Batch, error) {
	if v.done {
		return nil, nil
	}
	v.done = true
	if len(v.node.Rows) == 0 {
		if len(v.node.IDs) == 0 {
			return oneRow, nil
		}
		return nil, nil
	}
	bs := column.NewBuilders(v.node.Schem, len(v.rows))
	var cols []column.Vector
	for _, r := range v.rows {
		var err error
		if cols, err = r.eval(cols[:0], oneRow); err != nil {
			return nil, err
		}
		for i, c := range cols {
			bs[i].AppendFrom(c, 0)
		}
	}
	out := column.BuildBatch(v.node.Schem, bs)
	out.Rows = len(v.rows)
	return out, nil
}

// Bounds says that constants hold nothing back.
func (v *values) Bounds() Bounds { return tableBounds }

// Close does nothing.
func (v *values) Close() error { return nil }
