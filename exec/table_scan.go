package exec

import (
	"context"
	"slices"

	"wmsql/column"
	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/state"
	"wmsql/types"
)

// tableScan reads the stored rows of a table or of a view's result, in key order. Conditions on the leading key columns narrow what
// is read.
type tableScan struct {
	node   *physicalplan.TableScan
	env    *Env
	ranges []keyCond

	rel *relation
	it  state.Iterator
	bs  []column.Builder     // one a stored column
	key *column.BytesBuilder // of the rows' keys; nil when they are not read
	out column.Batch
}

// Begin opens the range.
func (s *tableScan) Begin(context.Context, *Epoch) error {
	if err := s.Close(); err != nil {
		return err
	}
	id := uint32(s.node.Object.ID)
	rel, err := readRelation(s.env.Reader, id)
	if rel == nil || err != nil {
		return err
	}
	if s.rel == nil {
		s.rel = rel
		for _, t := range rel.types {
			s.bs = append(s.bs, column.NewBuilder(t, 256))
		}
	}
	if slices.Contains(s.node.Ords, logicalplan.RowKey) {
		s.key = column.NewBuilder(types.Of(types.Bytea), 256).(*column.BytesBuilder)
	}
	lo, hi, err := narrow(s.ranges, rel)
	if err != nil {
		return err
	}
	s.it, err = s.env.Reader.Iter(state.Result, id, lo, hi, false)
	return err
}

// Next decodes the next rows.
func (s *tableScan) Next(ctx context.Context) (*column.Batch, error) {
	if s.it == nil {
		return nil, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, b := range s.bs {
		b.Reset()
	}
	if s.key != nil {
		s.key.Reset()
	}
	n := 0
	for n < column.MaxRows && s.it.Next() {
		if s.key != nil {
			s.key.Append(s.it.Key())
		}
		if _, err := column.DecodeRow(s.bs, s.it.Value()); err != nil {
			return nil, err
		}
		n++
	}
	if n == 0 {
		err := s.it.Close()
		s.it = nil
		return nil, err
	}
	s.out = column.Batch{Schema: s.node.Schem, Cols: s.out.Cols[:0], Rows: n}
	for _, o := range s.node.Ords {
		if o == logicalplan.RowKey {
			s.out.Cols = append(s.out.Cols, s.key.View())
			continue
		}
		s.out.Cols = append(s.out.Cols, s.bs[o].View())
	}
	return &s.out, nil
}

// Bounds says that a table holds nothing back.
func (s *tableScan) Bounds() Bounds { return tableBounds }

// tableBounds are the bounds of what is not a stream: nothing is late, nothing waits for it.
var tableBounds = Bounds{LateUpTo: types.MinTime, EvictUpTo: types.Infinity}

// Close closes the iterator.
func (s *tableScan) Close() error {
	if s.it == nil {
		return nil
	}
	err := s.it.Close()
	s.it = nil
	return err
}
