package state

import (
	"bytes"

	"github.com/cockroachdb/pebble/v2"
)

// beginStoring reports whether blocks that were made of a version of an object may be stored, and which others they replace. Until endStoring
// no commit that changes the object begins.
func (c *commits) beginStoring(object uint32, version uint64, blocks []ColumnBlock) (replaced []blockRun, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.history(object)
	for h.storing {
		c.stored.Wait()
	}
	if h.open > 0 || // it removes from the index what it deletes by its bounds
		c.blocks+len(blocks) > blocksMax || changed(h.since(version), blocks) {
		return nil, false
	}
	h.storing = true
	index := c.columns[object]
	for i := range blocks {
		from, to := index.within(&blocks[i].Span)
		same := to == from+1 && bytes.Equal(index[from].Lo, blocks[i].Lo) && bytes.Equal(index[from].Hi, blocks[i].Hi)
		if from < to && !same {
			replaced = append(replaced, index.touched([]Span{blocks[i].Span})...)
		}
	}
	return replaced, true
}

// changed reports whether one of the spans meets one of the blocks, or what says how rows are to be read.
func changed(spans []Span, blocks []ColumnBlock) bool {
	for i := range spans {
		if spans[i].meets(&headSpan) {
			return true
		}
		for j := range blocks {
			if spans[i].meets(&blocks[j].Span) {
				return true
			}
		}
	}
	return false
}

// endStoring says that blocks can be seen, with all columns that they have now, or never will.
func (c *commits) endStoring(object uint32, replaced []blockRun, blocks []ColumnBlock) {
	c.mu.Lock()
	defer c.mu.Unlock()
	index := c.columns[object].remove(replaced)
	for i := range blocks {
		index = index.put(indexed(&blocks[i]))
	}
	c.setIndex(object, index)
	c.history(object).storing = false
	c.stored.Broadcast()
}

// setIndex replaces the index of an object.
func (c *commits) setIndex(object uint32, index blockIndex) {
	c.blocks += len(index) - len(c.columns[object])
	if len(index) == 0 {
		delete(c.columns, object)
		return
	}
	c.columns[object] = index
}

func (c *commits) hasBlocks(object uint32) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.columns[object]) > 0
}

// waitStored waits until nobody stores columns of the results.
func (c *commits) waitStored(results []*touched) {
	for i := 0; i < len(results); {
		if h := c.results[results[i].object]; h != nil && h.storing {
			c.stored.Wait()
			i = 0
			continue
		}
		i++
	}
}

// readColumns reads which blocks are stored.
func (s *Store) readColumns() error {
	objects, err := s.Objects(Columns)
	for _, object := range objects {
		blocks, err := ReadColumnBlocks(s, object, nil, nil)
		if err != nil {
			return err
		}
		index := make(blockIndex, len(blocks))
		for i := range blocks {
			index[i] = indexed(&blocks[i])
		}
		s.commits.setIndex(object, index)
	}
	return err
}

// useColumns readies what is stored of columns. What cannot be read is forgotten: the rows are there.
func (s *Store) useColumns() error {
	err := s.readColumns()
	if err == nil {
		return nil
	}
	s.log.warn("stored columns cannot be read and are forgotten", "dir", s.dir, "error", err)
	clear(s.commits.columns)
	s.commits.blocks = 0
	return s.guard(func() error { return s.db.DeleteRange([]byte{byte(Columns)}, []byte{byte(Columns) + 1}, pebble.Sync) })
}
