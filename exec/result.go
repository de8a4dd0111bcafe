package exec

import (
	"encoding/binary"

	"wmsql/column"
	"wmsql/state"
	"wmsql/types"
)

// A relation's rows lie in the Result space under its id:
//
//	0x00             header: version, types of the columns, ordinals of the key
//	0x01 key         a row in the row codec, under the order-preserving key of its key columns
//	0x01 number      a row of a relation without a key: 8 bytes, ever growing
//	0x02 n key       the key of the row that has these values of the n-th unique key (2 bytes) beside the primary one
//	0x03 id ...      the key of a row that the index with this id (4 bytes) leads to: see stored_index.go
//
// So a scan is in key order, and a reader needs nothing but the store to understand the rows.
const (
	resultHeader  byte = 0
	resultRow     byte = 1
	uniqueEntry   byte = 2
	indexEntry    byte = 3
	resultVersion      = 1
	indexVersion       = 2 // of a header that tells of indexes
)

// firstRow is the key before all rows, afterRows the one after them.
var (
	headerKey = []byte{resultHeader}
	firstRow  = []byte{resultRow}
	afterRows = []byte{resultRow + 1}
)

// relation is what a header says.
type relation struct {
	types   []types.Type
	key     []int // ordinals of key columns; those of hidden columns are not below len(types)
	indexes []storedIndex
}

func (r *relation) encode() []byte {
	v := []byte{resultVersion}
	if len(r.indexes) > 0 {
		v[0] = indexVersion
	}
	v = binary.AppendUvarint(v, uint64(len(r.types)))
	for _, t := range r.types {
		array := byte(0)
		if t.Array {
			array = 1
		}
		v = binary.AppendUvarint(v, uint64(t.OID()))
		v = append(v, byte(t.Kind), array)
		v = binary.AppendVarint(v, int64(t.Mod))
	}
	v = appendOrdinals(v, r.key)
	if len(r.indexes) > 0 {
		v = appendIndexes(v, r.indexes)
	}
	return v
}

func appendOrdinals(dst []byte, ords []int) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(ords)))
	for _, o := range ords {
		dst = binary.AppendUvarint(dst, uint64(o))
	}
	return dst
}

func (d *decoder) ordinals() (out []int) {
	for n := d.uvarint(); n > 0 && d.err == nil; n-- {
		out = append(out, int(d.uvarint()))
	}
	return out
}

// readRelation reads the header of a relation, nil if it has none: no row was ever written.
func readRelation(r state.Reader, id uint32) (*relation, error) {
	v, err := r.Get(state.Result, id, headerKey)
	if err != nil || v == nil {
		return nil, err
	}
	d := decoder{data: v}
	version := d.byte()
	if version != resultVersion && version != indexVersion {
		return nil, damaged("table header")
	}
	rel := &relation{}
	for n := d.uvarint(); n > 0 && d.err == nil; n-- {
		oid := d.uvarint()
		t, known := types.ByOID(uint32(oid)) // the kind's number is free to change
		_, array := d.byte(), d.byte() == 1
		t.Mod = int32(d.varint())
		if d.err == nil && (!known || t.Array != array) {
			return nil, damaged("table header")
		}
		rel.types = append(rel.types, t)
	}
	rel.key = d.ordinals()
	if version == indexVersion {
		rel.indexes = d.indexes()
	}
	return rel, d.err
}

// appendRowKey appends the key of row i by its key columns.
func appendRowKey(dst []byte, cols []column.Vector, key []int, i int) []byte {
	dst = append(dst, resultRow)
	for _, k := range key {
		dst = column.AppendKey(dst, cols[k], i, false)
	}
	return dst
}

// appendRowNumber appends the key of a row without key columns.
func appendRowNumber(dst []byte, n uint64) []byte {
	return binary.BigEndian.AppendUint64(append(dst, resultRow), n)
}

// lastRowNumber returns the number of the newest row of a relation without a key, 0 if there is none.
func lastRowNumber(r state.Reader, id uint32) (uint64, error) {
	it, err := r.Iter(state.Result, id, firstRow, afterRows, true)
	if err != nil {
		return 0, err
	}
	var n uint64
	if it.Next() {
		if k := it.Key(); len(k) == 9 {
			n = binary.BigEndian.Uint64(k[1:])
		}
	}
	return n, it.Close()
}

func schemaTypes(s *types.Schema) []types.Type {
	out := make([]types.Type, len(s.Fields))
	for i, f := range s.Fields {
		out[i] = f.Type
	}
	return out
}
