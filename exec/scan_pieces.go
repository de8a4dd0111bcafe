package exec

import (
	"errors"
	"slices"
	"sync/atomic"

	"wmsql/physicalplan"
	"wmsql/state"
)

// scanShare is what the copies of a scan share.
type scanShare struct {
	copies  int
	rel     *relation // nil: there is nothing to read
	few     [][]byte  // the keys of the only rows that there may be; nil: pieces are read
	pieces  []piece   // in key order
	next    atomic.Int64
	columns *storedColumns // those of the pieces that are stored
	keeper  *columnKeeper  // nil: what is read is not kept
	storer  *columnStorer  // nil: it is not stored either
	rows    atomic.Int64   // that were read
	node    *physicalplan.TableScan
	how     string // of the last opening
}

// piece is a block whose columns are cached or stored, or keys to be read.
type piece struct {
	block  *cachedBlock       // nil: it is not cached
	stored *state.ColumnBlock // nil: its columns are not stored
	it     state.Iterator     // of the keys; nil once a copy has taken it
	lo, hi []byte
	along  []state.ColumnBlock // the blocks in which they are read; nil: as they come
}

// reset forgets the last opening. The copies do not run yet.
func (s *scanShare) reset() error {
	s.rel, s.few, s.keeper, s.storer = nil, nil, nil, nil
	s.next.Store(0)
	return s.close()
}

// close closes the pieces that nobody has taken. The copies do not run any more.
func (s *scanShare) close() error {
	var errs []error
	for _, p := range s.pieces {
		if p.it != nil {
			errs = append(errs, p.it.Close())
		}
	}
	s.pieces = s.pieces[:0]
	return errors.Join(errs...)
}

// stats tells what was read.
func (s *scanShare) stats() ScanStats {
	how := s.how
	if how == "" {
		how = "nothing is stored"
	}
	return ScanStats{s.node.Object.Name, how, s.rows.Load()}
}

// piecesEach is how many pieces of the keys there are for each copy, so that one which is late with its last has little left.
const piecesEach = 4

// open makes pieces of segments.
func (s *tableScan) open(id uint32, all []segment) error {
	for _, seg := range all {
		var err error
		switch {
		case seg.block != nil, seg.stored != nil:
			s.share.pieces = append(s.share.pieces, piece{block: seg.block, stored: seg.stored})
		case seg.along != nil:
			err = s.openAlong(id, seg.along)
		default:
			err = s.openKeys(id, seg)
		}
		if err != nil {
			return err
		}
	}
	s.share.how += howRead(all)
	return nil
}

// openKeys makes pieces of keys.
func (s *tableScan) openKeys(id uint32, seg segment) error {
	var cuts [][]byte
	if d, ok := s.env.Reader.(state.Divider); ok && s.share.copies > 1 {
		cuts = d.Divide(state.Result, id, seg.lo, seg.hi, s.share.copies*piecesEach)
	}
	lo := seg.lo
	for _, hi := range append(cuts, seg.hi) {
		if err := s.openPiece(id, piece{lo: lo, hi: hi}); err != nil {
			return err
		}
		lo = hi
	}
	return nil
}

// openAlong makes pieces of the rows of blocks.
func (s *tableScan) openAlong(id uint32, blocks []state.ColumnBlock) error {
	each := (len(blocks) + s.share.copies*piecesEach - 1) / (s.share.copies * piecesEach)
	for part := range slices.Chunk(blocks, each) {
		if err := s.openPiece(id, piece{lo: part[0].Lo, hi: part[len(part)-1].Hi, along: part}); err != nil {
			return err
		}
	}
	return nil
}

func (s *tableScan) openPiece(id uint32, p piece) (err error) {
	if p.it, err = s.env.Reader.Iter(state.Result, id, p.lo, p.hi, false); err == nil {
		s.share.pieces = append(s.share.pieces, p)
	}
	return err
}
