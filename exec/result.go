package exec

import (
	"encoding/binary"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// A relation's rows lie in the Result space under its id:
//
//	0x00             header: version, types of the columns, ordinals of the key; from version 2 on what ALTER TABLE has changed
//	0x01 key         a row in the row codec, under the order-preserving key of its key columns
//	0x01 number      a row of a relation without a key: 8 bytes, ever growing
//	0x02 n key       the key of the row that has these values of the n-th unique key (2 bytes) beside the primary one
//	0x03 id ...      the key of a row that the index with this id (4 bytes) leads to: see stored_index.go
//	0x04 g ...       rows and entries of a table that ALTER TABLE has written anew, as above: the header says which g (4 bytes) counts
//
// So a scan is in key order, and a reader needs nothing but the store to understand the rows.
const (
	resultHeader   byte = 0
	resultRow      byte = 1
	uniqueEntry    byte = 2
	indexEntry     byte = 3
	generation     byte = 4
	resultVersion       = 1
	indexVersion        = 2 // of a header that tells of indexes
	alteredVersion      = 3 // and of what ALTER TABLE has changed
)

// firstRow is the key before all rows, afterRows the one after them.
var (
	headerKey = []byte{resultHeader}
	firstRow  = []byte{resultRow}
	afterRows = []byte{resultRow + 1}
)

// relation is what a header says. Columns are counted as they are stored: those that were dropped have their place.
type relation struct {
	column.Layout
	key        []int // ordinals of key columns; those of hidden columns are not below len(Types)
	indexes    []storedIndex
	shape      uint32 // the catalog's count of what has changed the stored form (catalog.Object.Shape)
	generation uint32 // of the rows; 0: never written anew
}

// planned refuses to read rows for a plan of before, or of after, an ALTER TABLE that changed how they are stored (40001): who can makes
// the plan anew.
func (r *relation) planned(o *catalog.Object) error {
	if r.shape == o.Shape {
		return nil
	}
	return sqlerr.Newf(sqlerr.SerializationFailure, "could not serialize access due to concurrent ALTER TABLE of %q", o.Name).
		WithHint("Begin the transaction again.")
}

// newRelation is a relation whose rows have the columns ts.
func newRelation(ts []types.Type, key []int) *relation {
	return &relation{Layout: column.Layout{Types: ts, Base: len(ts)}, key: key}
}

// rows is the key before all rows, and what a row's key begins with.
func (r *relation) rows() []byte { return append(r.before(), resultRow) }

// before is what all keys of the relation's generation begin with.
func (r *relation) before() []byte {
	if r.generation == 0 {
		return nil
	}
	return binary.BigEndian.AppendUint32([]byte{generation}, r.generation)
}

func (r *relation) encode() []byte {
	version := byte(resultVersion)
	altered := r.shape != 0 || r.generation != 0 || r.Base != len(r.Types)
	switch {
	case altered:
		version = alteredVersion
	case len(r.indexes) > 0:
		version = indexVersion
	}
	v := binary.AppendUvarint([]byte{version}, uint64(len(r.Types)))
	for _, t := range r.Types {
		array := byte(0)
		if t.Array {
			array = 1
		}
		v = binary.AppendUvarint(v, uint64(t.OID()))
		v = append(v, byte(t.Kind), array)
		v = binary.AppendVarint(v, int64(t.Mod))
	}
	v = appendOrdinals(v, r.key)
	if version != resultVersion {
		v = appendIndexes(v, r.indexes)
	}
	if altered {
		v = r.appendAltered(v)
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

// appendAltered appends what only an altered table has: its counts, and the values that older rows have for added columns.
func (r *relation) appendAltered(v []byte) []byte {
	v = binary.AppendUvarint(v, uint64(r.shape))
	v = binary.AppendUvarint(v, uint64(r.generation))
	v = binary.AppendUvarint(v, uint64(r.Base))
	for c := r.Base; c < len(r.Types); c++ {
		if c >= len(r.Missing) || r.Missing[c] == nil {
			v = append(v, 0)
			continue
		}
		one := column.AppendRow(nil, r.Missing[c:c+1], 0)
		v = append(binary.AppendUvarint(append(v, 1), uint64(len(one))), one...)
	}
	return v
}

// readAltered reads it.
func (r *relation) readAltered(d *decoder) error {
	r.shape, r.generation, r.Base = uint32(d.uvarint()), uint32(d.uvarint()), int(d.uvarint())
	if d.err != nil || r.Base > len(r.Types) {
		return damaged("table header")
	}
	r.Missing = make([]column.Vector, len(r.Types))
	for c := r.Base; c < len(r.Types); c++ {
		if d.byte() == 0 {
			continue
		}
		b := column.NewBuilder(r.Types[c], 1)
		if _, err := column.DecodeRow([]column.Builder{b}, d.bytes(d.uvarint())); err != nil {
			return err
		}
		r.Missing[c] = b.Build()
	}
	return d.err
}

// readRelation reads the header of a relation, nil if it has none: no row was ever written.
func readRelation(r state.Reader, id uint32) (*relation, error) {
	v, err := r.Get(state.Result, id, headerKey)
	if err != nil || v == nil {
		return nil, err
	}
	d := decoder{data: v}
	version := d.byte()
	if version != resultVersion && version != indexVersion && version != alteredVersion {
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
		rel.Types = append(rel.Types, t)
	}
	rel.key = d.ordinals()
	if version != resultVersion {
		rel.indexes = d.indexes()
	}
	rel.Base = len(rel.Types)
	if version == alteredVersion && d.err == nil {
		return rel, rel.readAltered(&d)
	}
	return rel, d.err
}

// appendRowKey appends to prefix, which the keys of a relation's rows begin with, the key columns of row i.
func appendRowKey(prefix []byte, cols []column.Vector, key []int, i int) []byte {
	dst := prefix
	for _, k := range key {
		dst = column.AppendKey(dst, cols[k], i, false)
	}
	return dst
}

// appendRowNumber appends to prefix the number of a row without key columns.
func appendRowNumber(prefix []byte, n uint64) []byte {
	return binary.BigEndian.AppendUint64(prefix, n)
}

// lastRowNumber returns the number of the newest row of a relation without a key, 0 if there is none. The keys of its rows begin with
// prefix.
func lastRowNumber(r state.Reader, id uint32, prefix []byte) (uint64, error) {
	it, err := r.Iter(state.Result, id, prefix, successor(prefix), true)
	if err != nil {
		return 0, err
	}
	var n uint64
	if it.Next() {
		if k := it.Key(); len(k) == len(prefix)+8 {
			n = binary.BigEndian.Uint64(k[len(prefix):])
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
