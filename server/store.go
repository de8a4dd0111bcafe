package server

import (
	"encoding/binary"

	"wmsql/catalog"
	"wmsql/sqlerr"
	"wmsql/state"
)

// nextKey, of object 0 in Meta, holds the number of the next new catalog entry (uint32, big endian).
var nextKey = []byte("next id")

// loadCatalog reads the definitions of a store.
func loadCatalog(r state.Reader) (*catalog.Catalog, error) {
	next, err := r.Get(state.Meta, 0, nextKey)
	if err != nil {
		return nil, err
	}
	defs := map[catalog.ID][]byte{}
	err = r.Scan(state.Catalog, 0, nil, nil, func(k, v []byte) bool {
		defs[catalog.ID(binary.BigEndian.Uint32(k))] = append([]byte(nil), v...)
		return true
	})
	if err != nil {
		return nil, err
	}
	var id catalog.ID
	if next != nil {
		id = catalog.ID(binary.BigEndian.Uint32(next))
	}
	c, err := catalog.Load(id, defs)
	if err != nil {
		e := sqlerr.Newf(sqlerr.DataCorrupted, "the catalog cannot be read: %v", err).
			WithHint("Start the version of wmsql that wrote it, or restore the data directory from a backup.")
		e.Cause = err
		return nil, e
	}
	return c, nil
}

// catalogWriter stores what a catalog edit changed within a transaction of the store.
type catalogWriter struct{ txn state.Txn }

func idKey(id catalog.ID) []byte { return binary.BigEndian.AppendUint32(nil, uint32(id)) }

// Put stores a definition.
func (w catalogWriter) Put(id catalog.ID, def []byte) { w.txn.Put(state.Catalog, 0, idKey(id), def) }

// Delete forgets one.
func (w catalogWriter) Delete(id catalog.ID) { w.txn.Delete(state.Catalog, 0, idKey(id)) }

// Next stores the id allocator.
func (w catalogWriter) Next(id catalog.ID) { w.txn.Put(state.Meta, 0, nextKey, idKey(id)) }
