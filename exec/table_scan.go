package exec

import (
	"context"
	"slices"
	"sync/atomic"

	"wmsql/column"
	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/state"
	"wmsql/types"
)

// tableScan reads the stored rows of a table or of a view's result, in key order. Conditions on the leading key columns narrow what
// is read. Copies of it, each of a worker, may share the rows of a relation whose columns are cached.
type tableScan struct {
	node   *physicalplan.TableScan
	env    *Env
	ranges []keyCond
	share  *scanShare
	first  bool // of the copies: it opens, and reads what is not cached

	rel *relation
	it  state.Iterator       // nil: no more rows
	one *oneKey              // instead of it: a single row
	bs  []column.Builder     // one a stored column, nil where it is not read
	key *column.BytesBuilder // of the rows' keys; nil when they are not read
	out column.Batch
}

// scanShare is what the copies of a scan share.
type scanShare struct {
	cached bool
	blocks []cachedBlock
	next   atomic.Int64  // block
	keeper *columnKeeper // of the rows that are read; nil: they are not kept
	rows   atomic.Int64  // that were read
	node   *physicalplan.TableScan
	how    string // of the last opening
}

// reset forgets the last opening. The copies do not run yet.
func (s *scanShare) reset() {
	s.cached, s.blocks, s.keeper = false, nil, nil
	s.next.Store(0)
}

// stats tells what was read.
func (s *scanShare) stats() ScanStats {
	how := s.how
	if how == "" {
		how = "nothing is stored"
	}
	return ScanStats{s.node.Object.Name, how, s.rows.Load()}
}

// oneKey is the key of the only row that a scan may find.
type oneKey struct{ key []byte }

// Begin opens the range.
func (s *tableScan) Begin(context.Context, *Epoch) error {
	if err := s.Close(); err != nil || !s.first {
		return err
	}
	s.share.reset()
	id := uint32(s.node.Object.ID)
	rel, err := s.env.Cache.relation(s.env.Reader, id)
	if rel == nil || err != nil {
		return err
	}
	r := narrow(s.ranges, rel)
	s.share.how = r.String()
	if r.all() {
		if s.share.blocks, s.share.cached, s.share.keeper = s.env.Cache.blocks(s.env.Reader, id, s.node.Ords); s.share.cached {
			s.share.how = "all keys, cached columns"
			return nil
		}
	}
	s.makeBuilders(rel, r.one)
	if r.one {
		s.one = &oneKey{r.lo}
		return nil
	}
	s.it, err = s.env.Reader.Iter(state.Result, id, r.lo, r.hi, false)
	return err
}

// makeBuilders readies the builders of the columns that are read.
func (s *tableScan) makeBuilders(rel *relation, one bool) {
	if s.rel != nil {
		return
	}
	s.rel = rel
	room := 256
	if one {
		room = 1
	}
	last := slices.Max(append([]int{-1}, s.node.Ords...))
	for o, t := range rel.types[:min(last+1, len(rel.types))] {
		var b column.Builder
		if slices.Contains(s.node.Ords, o) {
			b = column.NewBuilder(t, room)
		}
		s.bs = append(s.bs, b)
	}
	if slices.Contains(s.node.Ords, logicalplan.RowKey) {
		s.key = column.NewBuilder(types.Of(types.Bytea), room).(*column.BytesBuilder)
	}
}

// Next decodes the next rows.
func (s *tableScan) Next(ctx context.Context) (*column.Batch, error) {
	switch {
	case s.share.cached:
		return s.nextBlock(), ctx.Err()
	case s.one != nil:
		return s.get()
	case s.it == nil:
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
		err := s.Close()
		if k := s.share.keeper; k != nil && err == nil {
			k.publish()
		}
		return nil, err
	}
	return s.batch(n), nil
}

// nextBlock is the next cached rows that no copy has taken.
func (s *tableScan) nextBlock() *column.Batch {
	at := s.share.next.Add(1) - 1
	if at >= int64(len(s.share.blocks)) {
		return nil
	}
	b := &s.share.blocks[at]
	s.share.rows.Add(int64(b.rows))
	s.out = column.Batch{Schema: s.node.Schem, Cols: s.out.Cols[:0], Rows: b.rows}
	for _, o := range s.node.Ords {
		s.out.Cols = append(s.out.Cols, b.cols[o])
	}
	return &s.out
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
		if b != nil {
			b.Reset()
		}
	}
	if s.key != nil {
		s.key.Reset()
	}
}

func (s *tableScan) decode(key, value []byte) error {
	if s.key != nil {
		s.key.Append(key)
	}
	return column.DecodeColumns(s.bs, s.rel.types, value)
}

// batch is the rows that were decoded.
func (s *tableScan) batch(n int) *column.Batch {
	s.share.rows.Add(int64(n))
	keep := s.share.keeper != nil
	s.out = column.Batch{Schema: s.node.Schem, Cols: s.out.Cols[:0], Rows: n}
	for _, o := range s.node.Ords {
		switch {
		case o == logicalplan.RowKey:
			s.out.Cols = append(s.out.Cols, s.key.View())
		case keep:
			s.out.Cols = append(s.out.Cols, s.bs[o].Build())
		default:
			s.out.Cols = append(s.out.Cols, s.bs[o].View())
		}
	}
	if keep && !s.share.keeper.add(&s.out, len(s.rel.types)) {
		s.share.keeper = nil
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
