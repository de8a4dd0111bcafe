package exec

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"wmsql/column"
	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/state"
	"wmsql/types"
)

// tableScan reads the stored rows of a table or of a view's result, in key order. Conditions on the leading columns of the key, or of an
// index, narrow what is read. Copies of it, each of a worker, share out the rows in pieces.
type tableScan struct {
	node   *physicalplan.TableScan
	env    *Env
	ranges []keyCond
	share  *scanShare
	first  bool // of the copies: it opens for all

	rel   *relation
	at    int                  // piece that is read now
	it    state.Iterator       // nil: none is
	from  []byte               // where the next block of the piece begins
	piece piece                // that is read
	tail  *state.ColumnBlock   // its last block so far, whose end is not known yet, is to be stored
	bs    []column.Builder     // one a stored column, nil where it is not read
	row   *column.RowDecoder   // into bs
	key   *column.BytesBuilder // of the rows' keys; nil when they are not read
	out   column.Batch
}

// Begin opens the range.
func (s *tableScan) Begin(context.Context, *Epoch) error {
	if err := s.end(); err != nil || !s.first {
		return err
	}
	if err := s.share.reset(); err != nil {
		return err
	}
	id := uint32(s.node.Object.ID)
	rel, err := s.env.Cache.relation(s.env.Reader, id)
	if rel == nil || err != nil {
		return err
	}
	if err := rel.planned(s.node.Object); err != nil {
		return err
	}
	s.share.rel = rel
	r := narrow(s.ranges, rel)
	s.share.how = r.String()
	if r.one {
		s.share.few = [][]byte{r.lo}
		return nil
	}
	if keys, found, err := indexed(s.env.Reader, id, rel, s.ranges); found || err != nil {
		s.share.few, s.share.how = keys, "keys found by an index"
		return err
	}
	plan := columnPlan{segments: []segment{{lo: r.lo, hi: r.hi}}}
	if r.all() {
		if plan, err = s.env.Cache.plan(s.env.Reader, id, rel, plan.segments[0], s.node.Ords); err != nil {
			return err
		}
	}
	s.share.columns, s.share.keeper, s.share.storer = plan.stored, plan.keep, plan.store
	if err := s.open(id, plan.segments); err != nil {
		return err
	}
	s.share.keeper.expect(len(s.share.pieces))
	return nil
}

// makeBuilders readies the builders of the columns that are read, with room for so many rows.
func (s *tableScan) makeBuilders(room int) {
	if s.rel != nil {
		return
	}
	rel := s.share.rel
	s.rel = rel
	last := slices.Max(append([]int{-1}, s.node.Ords...))
	for o, t := range rel.Types[:min(last+1, len(rel.Types))] {
		var b column.Builder
		if slices.Contains(s.node.Ords, o) {
			b = column.NewBuilder(t, room)
		}
		s.bs = append(s.bs, b)
	}
	s.row = column.NewRowDecoder(&rel.Layout, s.bs)
	if slices.Contains(s.node.Ords, logicalplan.RowKey) {
		s.key = column.NewBuilder(types.Of(types.Bytea), room).(*column.BytesBuilder)
	}
}

// Next returns the next rows.
func (s *tableScan) Next(ctx context.Context) (*column.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch {
	case s.share.rel == nil:
		return nil, nil
	case s.share.few != nil:
		return s.get()
	}
	for {
		if s.it == nil {
			p := s.take()
			if p == nil {
				return nil, nil
			}
			switch {
			case p.block != nil:
				return s.kept(p.block), nil
			case p.stored == nil:
			case p.stored.Rows == 0:
				s.share.keeper.done()
				continue
			default:
				return s.stored(p.stored)
			}
			s.makeBuilders(256)
			s.piece, s.it, s.from, p.it = *p, p.it, p.lo, nil
		}
		b, err := s.read()
		if b != nil || err != nil {
			return b, err
		}
		tail := s.tail
		if s.from != nil && s.share.storer.stores() { // it has no row
			tail = &state.ColumnBlock{Span: state.Span{Lo: s.piece.lo}}
		}
		if err := s.end(); err != nil {
			return nil, err
		}
		s.tail = tail
		s.closeTail(s.piece.hi)
		s.share.keeper.done()
		s.share.storer.done()
	}
}

// take takes the next piece that no copy has taken, nil if there is none.
func (s *tableScan) take() *piece {
	s.at = int(s.share.next.Add(1) - 1)
	if s.at >= len(s.share.pieces) {
		return nil
	}
	return &s.share.pieces[s.at]
}

// kept is the rows of a cached block.
func (s *tableScan) kept(b *cachedBlock) *column.Batch {
	s.share.rows.Add(int64(b.rows))
	if k := s.share.keeper; k.keeps() {
		k.add(s.at, *b)
	}
	s.share.keeper.done()
	s.out = column.Batch{Schema: s.node.Schem, Cols: s.out.Cols[:0], Rows: b.rows}
	for _, o := range s.node.Ords {
		s.out.Cols = append(s.out.Cols, b.cols[o])
	}
	return &s.out
}

// stored reads a stored block.
func (s *tableScan) stored(b *state.ColumnBlock) (*column.Batch, error) {
	cols, err := s.share.columns.read(s.env.Reader, uint32(s.node.Object.ID), b)
	if err != nil {
		return nil, err
	}
	s.share.rows.Add(int64(b.Rows))
	s.out = column.Batch{Schema: s.node.Schem, Cols: cols, Rows: b.Rows}
	if k := s.share.keeper; k.keeps() {
		k.add(s.at, k.block(b.Lo, &s.out, len(s.share.rel.Types)))
	}
	s.share.keeper.done()
	return &s.out, nil
}

// read decodes the next rows of the piece, nil at its end.
func (s *tableScan) read() (*column.Batch, error) {
	s.empty()
	most := column.MaxRows
	var along *state.ColumnBlock
	if s.piece.along != nil {
		if len(s.piece.along) == 0 {
			return nil, nil
		}
		along, s.piece.along = &s.piece.along[0], s.piece.along[1:]
		most, s.from = along.Rows, along.Lo
	}
	n := 0
	for n < most && s.it.Next() {
		if n == 0 {
			if s.from == nil {
				s.from = bytes.Clone(s.it.Key())
			}
			s.closeTail(s.from)
		}
		if err := s.decode(s.it.Key(), s.it.Value()); err != nil {
			return nil, err
		}
		n++
	}
	switch {
	case along != nil && n < most:
		return nil, cmp.Or(s.end(), damaged("block of columns")) // it would be of other rows
	case n == 0:
		return nil, nil
	}
	b := s.batch(n)
	if st := s.share.storer; st.stores() {
		s.tail = st.block(s.from, b, along)
	}
	s.from = nil
	return b, nil
}

// closeTail says where the last block ends.
func (s *tableScan) closeTail(hi []byte) {
	if s.tail == nil {
		return
	}
	s.tail.Hi = hi
	s.share.storer.add(s.tail)
	s.tail = nil
}

// get reads the few rows, for the copy that comes first.
func (s *tableScan) get() (*column.Batch, error) {
	if s.share.next.Add(1) > 1 {
		return nil, nil
	}
	s.makeBuilders(len(s.share.few))
	s.empty()
	n := 0
	for _, key := range s.share.few {
		v, err := s.env.Reader.Get(state.Result, uint32(s.node.Object.ID), key)
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		if err := s.decode(key, v); err != nil {
			return nil, err
		}
		n++
	}
	if n == 0 {
		return nil, nil
	}
	return s.batch(n), nil
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
	return s.row.Decode(value)
}

// batch is the rows that were decoded.
func (s *tableScan) batch(n int) *column.Batch {
	s.share.rows.Add(int64(n))
	keep := s.share.keeper.keeps()
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
	if k := s.share.keeper; keep {
		k.add(s.at, k.block(s.from, &s.out, len(s.rel.Types)))
	}
	return &s.out
}

// Bounds says that a table holds nothing back.
func (s *tableScan) Bounds() Bounds { return tableBounds }

// tableBounds are the bounds of what is not a stream: nothing is late, nothing waits for it.
var tableBounds = Bounds{LateUpTo: types.MinTime, EvictUpTo: types.Infinity}

// end closes the piece that is read.
func (s *tableScan) end() error {
	if s.it == nil {
		return nil
	}
	err := s.it.Close()
	s.it, s.tail = nil, nil
	return err
}

// Close closes the iterators.
func (s *tableScan) Close() error {
	err := s.end()
	if s.first {
		err = errors.Join(err, s.share.close())
	}
	return err
}
