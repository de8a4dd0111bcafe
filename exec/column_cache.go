package exec

import (
	"bytes"

	"wmsql/column"
	"wmsql/state"
)

// cachedColumns is the rows of a relation as one version has them, in blocks of at most column.MaxRows rows, and in these the columns that
// some scan has read: later scans need not look rows up in the store and decode them, which is ten times the work of grouping them. When the
// relation has changed, the blocks in which nothing has are as good as before.
//
// A relation that changes all over between any two scans is not worth it: it is kept again only when it is read twice without a change.
type cachedColumns struct {
	version uint64        // of the blocks
	blocks  []cachedBlock // in key order; nil: none is kept
	bytes   int64
	used    uint64 // when it was read last, in scans
	seen    uint64 // the version that was read last
	again   bool   // some blocks have served a later scan
}

// cachedBlock is never changed.
type cachedBlock struct {
	from []byte          // its first key or one before it, behind the last of the block before
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

func (b *cachedBlock) bytes() int64 {
	n := int64(0)
	for _, v := range b.cols {
		if v != nil {
			n += vectorBytes(v)
		}
	}
	return n
}

// segment is a part of a relation's keys: a block that is kept or stored, or keys to be read.
type segment struct {
	block  *cachedBlock        // nil: it is not kept
	stored *state.ColumnBlock  // nil: not all columns are stored
	lo, hi []byte              // of neither: [lo, hi) is to be read
	along  []state.ColumnBlock // block by block; nil: in blocks as they come
}

// columnPlan is how the columns of a whole relation are read.
type columnPlan struct {
	segments []segment
	stored   *storedColumns // those of the segments that are stored
	keep     *columnKeeper  // takes what is read; nil: it is not to be kept
	store    *columnStorer  // likewise
}

// plan divides the keys of all rows of relation id, as r shows it, into blocks that have the columns at ords, in memory or stored, and what else
// is to be read.
func (c *Cache) plan(r state.Reader, id uint32, rel *relation, rows segment, ords []int) (columnPlan, error) {
	p := columnPlan{segments: []segment{rows}}
	version, known := versionOf(r, id)
	if c == nil || !known || hidden(ords) {
		return p, nil
	}
	all, cached := c.cached(r, id, version, rows, ords)
	storable := false
	if p.stored, storable = columnsOf(rel, ords); storable && c.into != nil && c.into.HasColumns(id) {
		var err error
		if all, err = p.stored.divideAll(r, id, all); err != nil {
			return p, err
		}
	}
	p.segments = all
	if p.keep = c.read(id, version, all, ords, cached); p.keep != nil && storable && c.into != nil {
		p.store = &columnStorer{into: c.into, id: id, version: version, cols: p.stored, from: c.storedFrom, seen: blocksOf(all)}
	}
	return p, nil
}

// cached divides the keys into blocks that are kept, and what is to be read otherwise. It returns what is known of the relation, too.
func (c *Cache) cached(r state.Reader, id uint32, version uint64, rows segment, ords []int) ([]segment, *cachedColumns) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.columns[id]
	switch {
	case e == nil:
		if len(c.columns) >= relationsMax {
			c.forgetAll()
		}
		e = &cachedColumns{version: version, seen: version}
		c.columns[id] = e
	case e.version > version: // r is an old snapshot
	case e.blocks != nil && e.version == version:
		return e.segments(rows, nil, ords), e
	case e.blocks != nil:
		return e.segments(rows, r.(state.Versioned).Since(id, e.version), ords), e
	}
	return []segment{rows}, e
}

// read notes that a relation is read in segments and returns the keeper of what is read; nil: it is not to be kept. e is what cached knew of it.
func (c *Cache) read(id uint32, version uint64, all []segment, ords []int, e *cachedColumns) *columnKeeper {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scans++
	if c.columns[id] != e || e.version > version {
		return nil // it was forgotten meanwhile, or others have read it at a later version
	}
	serves := len(all) > 1 || all[0].block != nil || all[0].stored != nil
	keeps := serves || e.again || e.seen == version
	if !serves && e.version != version {
		c.bytes -= e.bytes
		*e = cachedColumns{version: version}
	}
	e.used, e.seen, e.again = c.scans, version, serves
	if isKept(all) {
		e.version = version
		return nil
	}
	if !keeps {
		return nil
	}
	return &columnKeeper{cache: c, id: id, version: version, ords: ords}
}

func hidden(ords []int) bool {
	for _, o := range ords {
		if o < 0 {
			return true
		}
	}
	return false
}

// isKept reports whether nothing is to be read.
func isKept(all []segment) bool {
	for _, s := range all {
		if s.block == nil {
			return false
		}
	}
	return true
}

// howRead says how a scan reads segments.
func howRead(all []segment) string {
	var cached, stored, rows bool
	for _, s := range all {
		cached = cached || s.block != nil
		stored = stored || s.stored != nil
		rows = rows || s.block == nil && s.stored == nil
	}
	how := ""
	switch {
	case cached && stored:
		how = ", cached and stored columns"
	case cached:
		how = ", cached columns"
	case stored:
		how = ", stored columns"
	default:
		return ""
	}
	if rows {
		how += " but where rows have changed"
	}
	return how
}

// blocksOf counts the blocks that are kept or stored.
func blocksOf(all []segment) (n int) {
	for _, s := range all {
		if n += len(s.along); s.block != nil || s.stored != nil {
			n++
		}
	}
	return n
}

// segments are the blocks that have the columns at ords and in which nothing has changed, and the keys between them.
func (e *cachedColumns) segments(rows segment, changed []state.Span, ords []int) []segment {
	var all []segment
	if meets(changed, headerKey, firstRow) {
		return []segment{rows} // they have other columns
	}
	for i := range e.blocks {
		b := &e.blocks[i]
		lo, hi := b.from, rows.hi
		if i == 0 {
			lo = rows.lo
		}
		if i+1 < len(e.blocks) {
			hi = e.blocks[i+1].from
		}
		last := len(all) - 1
		switch {
		case b.has(ords) && !meets(changed, lo, hi):
			all = append(all, segment{block: b})
		case last >= 0 && all[last].block == nil:
			all[last].hi = hi
		default:
			all = append(all, segment{lo: lo, hi: hi})
		}
	}
	return all
}

// meets reports whether one of the spans has a key in [lo, hi).
func meets(spans []state.Span, lo, hi []byte) bool {
	for _, s := range spans {
		if bytes.Compare(s.Lo, hi) < 0 && (s.Hi == nil || bytes.Compare(lo, s.Hi) < 0) {
			return true
		}
	}
	return false
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
