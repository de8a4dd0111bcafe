package exec

import (
	"sync"

	"wmsql/column"
	"wmsql/state"
)

// columnStorer stores the columns that the copies of a scan read from rows, some blocks at a time, while they go on. Of a nil one nothing is
// stored.
type columnStorer struct {
	into    ColumnStore
	id      uint32
	version uint64
	cols    *storedColumns
	from    int // blocks of a relation that is worth it

	mu    sync.Mutex
	held  []state.ColumnBlock // not stored yet
	bytes int                 // of their columns
	seen  int                 // blocks so far
	off   bool                // rows have changed, or the store cannot be written
}

const (
	storeBytes = 1 << 20 // blocks are stored together when their columns have so many bytes
	columnMax  = 1 << 20 // a column of a block that takes more is not stored: to read it takes as long as to read the rows
)

// block encodes the columns of rows that begin at lo, but for those that are stored already in have, which is nil if none are.
func (s *columnStorer) block(lo []byte, b *column.Batch, have *state.ColumnBlock) *state.ColumnBlock {
	out := &state.ColumnBlock{Span: state.Span{Lo: lo}, Rows: b.Rows}
	for i, v := range b.Cols {
		if have != nil && s.cols.has(have, i) {
			continue
		}
		if data := column.AppendStored(nil, v); len(data) <= columnMax {
			out.Cols = append(out.Cols, state.BlockColumn{Number: s.cols.ords[i], Type: s.cols.names[i], Data: data})
		}
	}
	return out
}

// stores reports whether blocks are still stored.
func (s *columnStorer) stores() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.off
}

// add takes a block, and stores it with those that were taken before when they are enough.
func (s *columnStorer) add(b *state.ColumnBlock) {
	s.mu.Lock()
	if b.Rows > 0 {
		s.seen++
	}
	if (len(b.Cols) > 0 || b.Rows == 0) && !s.off {
		s.held = append(s.held, *b)
		for _, c := range b.Cols {
			s.bytes += len(c.Data)
		}
	}
	full := s.bytes >= storeBytes
	s.mu.Unlock()
	if full {
		s.store()
	}
}

// done says that a piece was read to its end.
func (s *columnStorer) done() {
	if s == nil {
		return
	}
	s.mu.Lock()
	worth := s.seen >= s.from && len(s.held) > 0
	s.mu.Unlock()
	if worth {
		s.store()
	}
}

// store stores what is held. What the store does not take, for rows change or the disk is full, is read from rows the next time too.
func (s *columnStorer) store() {
	s.mu.Lock()
	held := s.held
	s.held, s.bytes = nil, 0
	s.mu.Unlock()
	stored, err := s.into.StoreColumns(s.id, s.version, held)
	if !stored || err != nil {
		s.mu.Lock()
		s.off = true
		s.mu.Unlock()
	}
}
