package exec

import (
	"bytes"
	"encoding/binary"

	"wmsql/column"
	"wmsql/state"
	"wmsql/types"
)

// ColumnStore keeps columns that scans have read from the rows of large relations, so that a scan after a start, and one of what does not fit in memory,
// reads columns and not rows. See state.ColumnBlock for why they are never others than those of the rows.
type ColumnStore interface {
	StoreColumns(object uint32, version uint64, blocks []state.ColumnBlock) (stored bool, err error)
	HasColumns(object uint32) bool
}

// storedFrom is the blocks of a relation from which on its columns are stored: fewer are read from rows in hundredths of a second.
const storedFrom = 16

// StoreIn has scans of relations of at least so many blocks of column.MaxRows rows store the columns that they read; 0: as many as are worth it.
func (c *Cache) StoreIn(s ColumnStore, blocks int) {
	c.into, c.storedFrom = s, blocks
	if blocks == 0 {
		c.storedFrom = storedFrom
	}
}

// columnType is how the store of columns names a type: a column that was stored under another one is not read.
func columnType(t types.Type) string {
	return string(binary.AppendVarint(binary.AppendUvarint(nil, uint64(t.OID())), int64(t.Mod)))
}

// storedColumns are the columns of a relation that a scan asks for.
type storedColumns struct {
	ords  []int
	types []types.Type
	names []string // of the types
}

// columnsOf returns the columns of rel at ords, false if some cannot be stored.
func columnsOf(rel *relation, ords []int) (*storedColumns, bool) {
	out := &storedColumns{ords: ords}
	for _, o := range ords {
		if o < 0 || o >= min(len(rel.Types), state.MaxColumns) || !column.Storable(rel.Types[o]) {
			return nil, false
		}
		out.types = append(out.types, rel.Types[o])
		out.names = append(out.names, columnType(rel.Types[o]))
	}
	return out, len(ords) > 0
}

// in reports whether a block has all of them, as one without rows does.
func (s *storedColumns) in(b *state.ColumnBlock) bool {
	if b.Rows == 0 {
		return true
	}
	for i := range s.ords {
		if !s.has(b, i) {
			return false
		}
	}
	return true
}

// has reports whether a block has the i-th.
func (s *storedColumns) has(b *state.ColumnBlock, i int) bool {
	for _, c := range b.Cols {
		if c.Number == s.ords[i] {
			return c.Type == s.names[i]
		}
	}
	return false
}

// read reads them from a block.
func (s *storedColumns) read(r state.Reader, object uint32, b *state.ColumnBlock) ([]column.Vector, error) {
	out := make([]column.Vector, len(s.ords))
	for i, o := range s.ords {
		data, err := state.ReadBlockColumn(r, object, o, b.Lo)
		if err != nil {
			return nil, err
		}
		if out[i], err = column.ReadStored(s.types[i], b.Rows, data); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// divideAll divides the segments that are to be read.
func (s *storedColumns) divideAll(r state.Reader, object uint32, all []segment) (out []segment, err error) {
	for _, seg := range all {
		if seg.block != nil {
			out = append(out, seg)
			continue
		}
		parts, err := s.divide(r, object, seg)
		if err != nil {
			return nil, err
		}
		out = append(out, parts...)
	}
	return out, nil
}

// divide divides a part of a relation's keys that is to be read, into stored blocks that have the columns, rows of stored blocks that lack
// some, which are read block by block so that the blocks keep their bounds, and rows of which no column is stored.
func (s *storedColumns) divide(r state.Reader, object uint32, seg segment) ([]segment, error) {
	blocks, err := state.ReadColumnBlocks(r, object, seg.lo, seg.hi)
	if err != nil {
		return nil, err
	}
	var all []segment
	at := seg.lo
	for i := range blocks {
		b := &blocks[i]
		if bytes.Compare(b.Hi, seg.hi) > 0 {
			break // it reaches beyond the part
		}
		if !bytes.Equal(at, b.Lo) {
			all = append(all, segment{lo: at, hi: b.Lo})
		}
		at = b.Hi
		last := len(all) - 1
		switch {
		case s.in(b):
			all = append(all, segment{stored: b})
		case last >= 0 && all[last].along != nil:
			all[last].hi = b.Hi
			all[last].along = append(all[last].along, *b)
		default:
			all = append(all, segment{lo: b.Lo, hi: b.Hi, along: []state.ColumnBlock{*b}})
		}
	}
	if !bytes.Equal(at, seg.hi) {
		all = append(all, segment{lo: at, hi: seg.hi})
	}
	return all, nil
}
