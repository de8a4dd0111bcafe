package state

import (
	"encoding/binary"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"wmsql/sqlerr"
)

// ColumnBlock is columns of a result's rows, stored once more beside the rows: of all rows whose keys lie in the span, in the order of the
// keys. What the bytes of a column mean is the affair of who stores them.
//
// A block is stored only while its rows are those it was made of, and whoever changes one of them deletes the block in the same batch. So a
// reader that sees a block sees just these rows, at any moment and after any crash: there is nothing to compare.
//
// In the Columns space under the result's object lie, numbers as uvarints unless said otherwise:
//
//	0x00 Lo         version 1 byte | length of Hi, Hi | rows | columns, and of each its number, the length of its type, its type
//	0x01 number Lo  the bytes of a column (number: 2 bytes, big endian)
//
// All columns of one number lie together, so that a scan reads only those that it asks for.
type ColumnBlock struct {
	Span // Hi is not nil
	Rows int
	Cols []BlockColumn // ascending by number
}

// BlockColumn is a column of a block.
type BlockColumn struct {
	Number int    // below MaxColumns
	Type   string // as the storer names it
	Data   []byte // nil in what ReadColumnBlocks returns
}

// MaxColumns is the number below which those of stored columns must be.
const MaxColumns = 1 << 16

const (
	blockHead    byte = 0
	blockColumn  byte = 1
	blockVersion byte = 1
)

func blockKey(lo []byte) []byte { return append([]byte{blockHead}, lo...) }

func columnKey(number int, lo []byte) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{blockColumn}, uint16(number)), lo...)
}

// ReadColumnBlocks returns the blocks of an object that begin in [lo, hi), hi nil: all from lo on, without the bytes of their columns.
func ReadColumnBlocks(r Reader, object uint32, lo, hi []byte) (blocks []ColumnBlock, err error) {
	var bad error
	to := []byte{blockHead + 1}
	if hi != nil {
		to = blockKey(hi)
	}
	err = r.Scan(Columns, object, blockKey(lo), to, func(key, value []byte) bool {
		var b ColumnBlock
		if b, bad = decodeBlock(key[1:], value); bad != nil {
			return false
		}
		blocks = append(blocks, b)
		return true
	})
	if err == nil {
		err = bad
	}
	return blocks, err
}

// ReadBlockColumn returns the bytes of a column of the block that begins at lo.
func ReadBlockColumn(r Reader, object uint32, number int, lo []byte) ([]byte, error) {
	v, err := r.Get(Columns, object, columnKey(number, lo))
	if err == nil && v == nil {
		err = badBlock()
	}
	return v, err
}

func (b *ColumnBlock) encodeHead() []byte {
	v := binary.AppendUvarint([]byte{blockVersion}, uint64(len(b.Hi)))
	v = append(v, b.Hi...)
	v = binary.AppendUvarint(v, uint64(b.Rows))
	v = binary.AppendUvarint(v, uint64(len(b.Cols)))
	for _, c := range b.Cols {
		v = binary.AppendUvarint(v, uint64(c.Number))
		v = binary.AppendUvarint(v, uint64(len(c.Type)))
		v = append(v, c.Type...)
	}
	return v
}

func decodeBlock(lo, v []byte) (ColumnBlock, error) {
	if len(v) == 0 || v[0] != blockVersion {
		return ColumnBlock{}, badBlock()
	}
	v = v[1:]
	ok := true
	number := func() int {
		n, size := binary.Uvarint(v)
		if ok = ok && size > 0 && n < 1<<31; !ok {
			return 0
		}
		v = v[size:]
		return int(n)
	}
	text := func() []byte {
		n := number()
		if ok = ok && n <= len(v); !ok {
			return nil
		}
		out := slices.Clone(v[:n])
		v = v[n:]
		return out
	}
	b := ColumnBlock{Span: Span{Lo: slices.Clone(lo)}}
	b.Hi, b.Rows = text(), number()
	for n := number(); n > 0 && ok; n-- {
		b.Cols = append(b.Cols, BlockColumn{Number: number(), Type: string(text())})
	}
	if !ok || len(v) > 0 {
		return ColumnBlock{}, badBlock()
	}
	return b, nil
}

func badBlock() error {
	return sqlerr.Newf(sqlerr.DataCorrupted, "stored columns are damaged")
}

// with is b with the columns that another block of the same rows has and b has not.
func (b *ColumnBlock) with(other *ColumnBlock) ColumnBlock {
	out := *b
	out.Cols = slices.Clone(b.Cols)
	for _, c := range other.Cols {
		if !slices.ContainsFunc(b.Cols, func(o BlockColumn) bool { return o.Number == c.Number }) {
			out.Cols = append(out.Cols, c)
		}
	}
	slices.SortFunc(out.Cols, func(x, y BlockColumn) int { return x.Number - y.Number })
	return out
}

// StoreColumns stores blocks of an object, apart from each other, that were made of the rows of one version of it. It stores none, and
// returns false, when the rows of one may have changed since, when some are being changed, and when there are blocks enough. Of a block that is
// stored already the columns are added; one that has other bounds is replaced. It does not wait for the disk.
func (s *Store) StoreColumns(object uint32, version uint64, blocks []ColumnBlock) (stored bool, err error) {
	if err := s.Writable(); err != nil {
		return false, err
	}
	replaced, ok := s.commits.beginStoring(object, version, blocks)
	if !ok {
		return false, nil
	}
	blocks = slices.Clone(blocks)
	defer func() { s.commits.endStoring(object, replaced, blocks) }()
	t := &txn{store: s, batch: s.db.NewBatch()}
	t.deleteBlocks(object, replaced)
	for i := range blocks {
		if err := t.putBlock(object, &blocks[i]); err != nil {
			t.Abort()
			return false, err
		}
	}
	if s.format.Load() < columnsFormat {
		t.Put(Meta, 0, formatKey, s.formatValue(columnsFormat))
	}
	if t.err != nil {
		t.Abort()
		return false, t.err
	}
	defer s.commits.end(s.commits.begin(nil)) // who takes a snapshot afterwards sees the blocks
	b := t.batch
	if err := s.guard(func() error { return s.db.Apply(b, pebble.NoSync) }); err != nil {
		return false, err
	}
	s.format.Store(columnsFormat)
	return true, b.Close()
}

// putBlock stores a block, together with the columns that are stored of it already.
func (t *txn) putBlock(object uint32, b *ColumnBlock) error {
	old, err := ReadColumnBlocks(t.store, object, b.Lo, append(slices.Clone(b.Lo), 0))
	if err != nil {
		return err
	}
	for _, c := range b.Cols {
		t.Put(Columns, object, columnKey(c.Number, b.Lo), c.Data)
	}
	if len(old) > 0 && string(old[0].Hi) == string(b.Hi) {
		*b = b.with(&old[0])
	}
	t.Put(Columns, object, blockKey(b.Lo), b.encodeHead())
	return nil
}

// deleteBlocks deletes blocks.
func (t *txn) deleteBlocks(object uint32, runs []blockRun) {
	for _, run := range runs {
		if len(run) <= fewBlocks {
			for _, b := range run {
				t.Delete(Columns, object, blockKey(b.Lo))
				for _, n := range b.cols {
					t.Delete(Columns, object, columnKey(n, b.Lo))
				}
			}
			continue
		}
		first, last := run[0].Lo, append(slices.Clone(run[len(run)-1].Lo), 0)
		t.DeleteRange(Columns, object, blockKey(first), blockKey(last))
		for _, n := range run.columns() {
			t.DeleteRange(Columns, object, columnKey(n, first), columnKey(n, last))
		}
	}
}

// fewBlocks are deleted one by one, more by ranges, which cost later readers more.
const fewBlocks = 8

// HasColumns reports whether blocks of an object are stored now.
func (s *Store) HasColumns(object uint32) bool { return s.commits.hasBlocks(object) }
