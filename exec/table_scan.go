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
	it  state.Iterator       // nil: no more rows
	one *oneKey              // instead of it: a single row
	bs  []column.Builder     // one a stored column
	key *column.BytesBuilder // of the rows' keys; nil when they are not read
	out column.Batch
}

// oneKey is the key of the only row that a scan may find.
type oneKey struct{ key []byte }

// Begin opens the range.
func (s *tableScan) Begin(context.Context, *Epoch) error {
	if err := s.Close(); err != nil {
		return err
	}
	id := uint32(s.node.Object.ID)
	rel, err := s.env.Cache.relation(s.env.Reader, id)
	if rel == nil || err != nil {
		return err
	}
	r := narrow(s.ranges, rel)
	if s.rel == nil {
		s.rel = rel
		room := 256
		if r.one {
			room = 1
		}
		for _, t := range rel.types {
			s.bs = append(s.bs, column.NewBuilder(t, room))
		}
	}
	if slices.Contains(s.node.Ords, logicalplan.RowKey) {
		s.key = column.NewBuilder(types.Of(types.Bytea), 256).(*column.BytesBuilder)
	}
	if r.one {
		s.one = &oneKey{r.lo}
		return nil
	}
	s.it, err = s.env.Reader.Iter(state.Result, id, r.lo, r.hi, false)
	return err
}

// Next decodes the next rows.
func (s *tableScan) Next(ctx context.Context) (*column.Batch, error) {
	if s.one != nil {
		return s.get()
	}
	if s.it == nil {
		return nil, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s.empty()
	n := 0
	for n < column.MaxRows && s.it.Next() {
		if err := s.decode(s.it.Key(), s.it.Value()); err != nil {
			return nil, err
		}
		n++
	}
	if n == 0 {
		return nil, s.Close()
	}
	return s.batch(n), nil
}

// get reads the single row.
func (s *tableScan) get() (*column.Batch, error) {
	key := s.one.key
	s.one = nil
	v, err := s.env.Reader.Get(state.Result, uint32(s.node.Object.ID), key)
	if v == nil || err != nil {
		return nil, err
	}
	s.empty()
	if err := s.decode(key, v); err != nil {
		return nil, err
	}
	return s.batch(1), nil
}

// empty makes room for the next batch.
func (s *tableScan) empty() {
	for _, b := range s.bs {
		b.Reset()
	}
	if s.key != nil {
		s.key.Reset()
	}
}

func (s *tableScan) decode(key, value []byte) error {
	if s.key != nil {
		s.key.Append(key)
	}
	_, err := column.DecodeRow(s.bs, value)
	return err
}

// batch is the rows that were decoded.
func (s *tableScan) batch(n int) *column.Batch {
	s.out = column.Batch{Schema: s.node.Schem, Cols: s.out.Cols[:0], Rows: n}
	for _, o := range s.node.Ords {
		if o == logicalplan.RowKey {
			s.out.Cols = append(s.out.Cols, s.key.View())
			continue
		}
		s.out.Cols = append(s.out.Cols, s.bs[o].View())
	}
	return &s.out
}

// Bounds says that a table holds nothing back.
func (s *tableScan) Bounds() Bounds { return tableBounds }

// tableBounds are the bounds of what is not a stream: nothing is late, nothing waits for it.
var tableBounds = Bounds{LateUpTo: types.MinTime, EvictUpTo: types.Infinity}

// Close closes the iterator.
func (s *tableScan) Close() error {
	s.one = nil
	if s.it == nil {
		return nil
	}
	err := s.it.Close()
	s.it = nil
	return err
}
