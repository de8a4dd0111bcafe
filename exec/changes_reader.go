package exec

import (
	"encoding/binary"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// ChangesReader reads what the epochs of a view changed in its result, oldest first.
type ChangesReader struct {
	it     state.Iterator
	schema *types.Schema
	read   []int
	peeked bool
}

// ReadChanges opens the changes after an epoch; only the columns at the ordinals read are decoded.
func ReadChanges(r state.Reader, view catalog.ID, s *types.Schema, read []int, after int64) (*ChangesReader, error) {
	it, err := r.Iter(state.Changes, uint32(view), changesKey(after+1, 0), nil, false)
	return &ChangesReader{it: it, schema: s, read: read}, err
}

// Epoch goes to the next epoch; ok is false behind the last.
func (c *ChangesReader) Epoch() (h ChangesHeader, ok bool, err error) {
	for c.peeked || c.it.Next() {
		c.peeked = false
		epoch, part, err := parseChangesKey(c.it.Key())
		if err != nil {
			return h, false, err
		}
		if part == 0 {
			h, err = decodeChangesHeader(epoch, c.it.Value())
			return h, err == nil, err
		}
	}
	return h, false, nil
}

// Next returns the next rows of the epoch, nil at its end.
func (c *ChangesReader) Next() (*column.Batch, error) {
	if c.peeked || !c.it.Next() {
		return nil, nil
	}
	if _, part, err := parseChangesKey(c.it.Key()); err != nil || part == 0 {
		c.peeked = true
		return nil, err
	}
	all, err := column.DecodeBatch(c.schema, c.it.Value(), c.read)
	if err != nil {
		return nil, err
	}
	out := &column.Batch{Rows: all.Rows, Ops: all.Ops}
	for _, o := range c.read {
		out.Cols = append(out.Cols, all.Cols[o])
	}
	return out, nil
}

// Close ends the reading.
func (c *ChangesReader) Close() error { return c.it.Close() }

func parseChangesKey(k []byte) (epoch int64, part uint32, err error) {
	if len(k) != 12 {
		return 0, 0, sqlerr.Newf(sqlerr.DataCorrupted, "the changes of a result are damaged: a key has %d bytes", len(k))
	}
	return int64(binary.BigEndian.Uint64(k)), binary.BigEndian.Uint32(k[8:]), nil
}
