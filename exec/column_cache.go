package exec

import (
	"slices"

	"wmsql/column"
	"wmsql/state"
)

// cachedColumns is the rows of a relation as one version has them, in blocks of column.MaxRows rows, and in these the columns that some
// scan has read. A relation that is read as a whole for a second time without a change in between is kept so: rows need not be looked up
// in the store and decoded then, which is ten times the work of grouping them.
type cachedColumns struct {
	version uint64
	blocks  []cachedBlock // nil: a scan was seen, none was kept
	bytes   int64
	used    uint64 // when it was read last, in scans
}

// cachedBlock is never changed.
type cachedBlock struct {
	cols []column.Vector // by stored ordinal; nil: not kept
	rows int
}

func (b *cachedBlock) has(ords []int) bool {
	for _, o := range ords {
		if o >= len(b.cols) || b.cols[o] == nil {
			return false
		}
	}
	return true
}

// blocks returns the columns at ords of the version of relation id that r shows, false if they are not kept. keep says what to do with
// the rows that the scan reads instead; nil: nothing.
func (c *Cache) blocks(r state.Reader, id uint32, ords []int) (blocks []cachedBlock, ok bool, keep *columnKeeper) {
	version, known := versionOf(r, id)
	if c == nil || !known || slices.ContainsFunc(ords, func(o int) bool { return o < 0 }) {
		return nil, false, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scans++
	e := c.columns[id]
	if e == nil || e.version != version {
		if e != nil && e.version > version {
			return nil, false, nil // an old snapshot
		}
		c.forget(id)
		if len(c.columns) >= relationsMax {
			c.forgetAll()
		}
		c.columns[id] = &cachedColumns{version: version, used: c.scans}
		return nil, false, nil
	}
	e.used = c.scans
	if e.blocks != nil && (len(e.blocks) == 0 || e.blocks[0].has(ords)) {
		return e.blocks, true, nil
	}
	return nil, false, &columnKeeper{cache: c, id: id, version: version, ords: ords}
}

// forget drops what is kept of a relation.
func (c *Cache) forget(id uint32) {
	if e := c.columns[id]; e != nil {
		c.bytes -= e.bytes
		delete(c.columns, id)
	}
}

func (c *Cache) forgetAll() {
	c.bytes = 0
	clear(c.columns)
}

// makeRoom forgets the relations that were not read for the longest time, but for id, until bytes more fit.
func (c *Cache) makeRoom(id uint32, bytes int64) bool {
	for c.bytes+bytes > c.limit {
		oldest := id
		for other, e := range c.columns {
			if other != id && e.bytes > 0 && (oldest == id || e.used < c.columns[oldest].used) {
				oldest = other
			}
		}
		if oldest == id {
			return false
		}
		c.forget(oldest)
	}
	return true
}

// columnKeeper collects what one scan of a whole relation reads.
type columnKeeper struct {
	cache   *Cache
	id      uint32
	version uint64
	ords    []int
	got     []cachedBlock
	bytes   int64
}

// add takes a batch whose columns, at the keeper's ordinals of width stored ones, stay as they are. False: it is too much to be kept.
func (k *columnKeeper) add(b *column.Batch, width int) bool {
	if k.bytes += batchBytes(b); k.bytes > k.cache.limit {
		return false
	}
	cols := make([]column.Vector, width)
	for i, o := range k.ords {
		cols[o] = b.Cols[i]
	}
	k.got = append(k.got, cachedBlock{cols, b.Rows})
	return true
}

// publish hands the rows to later scans.
func (k *columnKeeper) publish() {
	c := k.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.columns[k.id]
	if e == nil || e.version != k.version || e.blocks != nil && len(e.blocks) != len(k.got) || !c.makeRoom(k.id, k.bytes) {
		return
	}
	for i, b := range e.blocks {
		for o, v := range b.cols {
			if v != nil && k.got[i].cols[o] == nil {
				k.got[i].cols[o] = v
			}
		}
	}
	if k.got == nil {
		k.got = []cachedBlock{}
	}
	e.blocks = k.got
	e.bytes += k.bytes
	c.bytes += k.bytes
}
