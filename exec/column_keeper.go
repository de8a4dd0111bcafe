package exec

import (
	"bytes"
	"slices"
	"sync"

	"wmsql/column"
)

// columnKeeper collects the blocks of one scan of a whole relation, piece by piece as copies of the scan take them. Of a nil one nothing is
// kept.
type columnKeeper struct {
	cache   *Cache
	id      uint32
	version uint64
	ords    []int

	mu    sync.Mutex
	got   [][]cachedBlock // by piece
	left  int             // pieces that are not read yet
	bytes int64
	full  bool // it is too much to be kept
}

// expect says how many pieces there will be.
func (k *columnKeeper) expect(pieces int) {
	if k != nil {
		k.got, k.left = make([][]cachedBlock, pieces), pieces
	}
}

// keeps reports whether rows are still kept.
func (k *columnKeeper) keeps() bool {
	if k == nil {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return !k.full
}

// add takes the next block of a piece.
func (k *columnKeeper) add(piece int, b cachedBlock) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.bytes += b.bytes(); k.bytes > k.cache.limit {
		k.full, k.got = true, nil
	}
	if !k.full {
		k.got[piece] = append(k.got[piece], b)
	}
}

// block makes a block of rows that were read, whose columns stay as they are; of width stored columns they have those at the keeper's ordinals.
func (k *columnKeeper) block(from []byte, b *column.Batch, width int) cachedBlock {
	cols := make([]column.Vector, width)
	for i, o := range k.ords {
		cols[o] = b.Cols[i]
	}
	return cachedBlock{from, cols, b.Rows}
}

// done says that a piece was read to its end. After the last one, later scans find the blocks.
func (k *columnKeeper) done() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.left--; k.left == 0 && !k.full {
		k.publish(slices.Concat(k.got...))
	}
}

// publish hands the blocks to later scans, with the columns that others have kept of the same ones.
func (k *columnKeeper) publish(blocks []cachedBlock) {
	c := k.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.columns[k.id]
	if e == nil || e.version > k.version {
		return
	}
	if e.version == k.version && slices.EqualFunc(e.blocks, blocks, func(a, b cachedBlock) bool { return a.rows == b.rows && bytes.Equal(a.from, b.from) }) {
		for i := range blocks {
			blocks[i].join(&e.blocks[i])
		}
	}
	c.bytes -= e.bytes
	e.version, e.blocks, e.bytes = k.version, nil, 0
	size := int64(0)
	for i := range blocks {
		size += blocks[i].bytes()
	}
	if c.makeRoom(k.id, size) {
		e.blocks, e.bytes = blocks, size
		c.bytes += size
	}
}

// join adds the columns that the same block has elsewhere.
func (b *cachedBlock) join(other *cachedBlock) {
	cols := slices.Clone(b.cols)
	for o, v := range other.cols {
		if v != nil && cols[o] == nil {
			cols[o] = v
		}
	}
	b.cols = cols
}
