package exec

import (
	"bytes"
	"encoding/binary"

	"wmsql/catalog"
	"wmsql/column"
)

// storedIndex is a way to the rows of a table beside their key: entries of the Result space whose values are keys of rows. An entry's
// own key is the index's prefix and the values of its columns, and behind them, where several rows may have them, the row's key.
// The header of the table names its indexes, so that a reader of a snapshot sees exactly those whose entries are there.
type storedIndex struct {
	prefix  []byte // behind what all keys of the table's generation begin with
	columns []int  // ordinals of stored columns
}

// constraintPrefix begins the entries of the unique key in a slot, in which rows with a NULL have none.
func constraintPrefix(slot uint16) []byte {
	return binary.BigEndian.AppendUint16([]byte{uniqueEntry}, slot)
}

// indexPrefix begins the entries of an index that CREATE INDEX made. Every row has one.
func indexPrefix(id catalog.ID) []byte {
	return binary.BigEndian.AppendUint32([]byte{indexEntry}, uint32(id))
}

// storedIndexes lists the ways to the rows of t that have entries.
func storedIndexes(t *catalog.Table, indexes []*catalog.Index) []storedIndex {
	var out []storedIndex
	at := places(t)
	add := func(prefix []byte, cols []int) {
		x := storedIndex{prefix: prefix}
		for _, c := range cols {
			x.columns = append(x.columns, at[c])
		}
		out = append(out, x)
	}
	for n, u := range t.Unique {
		add(constraintPrefix(u.Slot(n)), u.Columns)
	}
	for _, x := range indexes {
		add(indexPrefix(x.ID), x.Ordinals())
	}
	return out
}

// whole reports that a row with a NULL in a column has no entry, so that only values of all columns find what there is.
func (x *storedIndex) whole() bool { return x.prefix[0] == uniqueEntry }

func appendIndexes(dst []byte, all []storedIndex) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(all)))
	for _, x := range all {
		dst = binary.AppendUvarint(dst, uint64(len(x.prefix)))
		dst = appendOrdinals(append(dst, x.prefix...), x.columns)
	}
	return dst
}

func (d *decoder) indexes() (out []storedIndex) {
	for n := d.uvarint(); n > 0 && d.err == nil; n-- {
		x := storedIndex{prefix: bytes.Clone(d.bytes(d.uvarint()))}
		x.columns = d.ordinals()
		if d.err == nil && (len(x.prefix) == 0 || len(x.columns) == 0) {
			d.err = damaged("table header")
		}
		out = append(out, x)
	}
	return out
}

// tableIndex is an index as a writer of a table keeps it.
type tableIndex struct {
	name    string // of the index or constraint
	columns []int  // ordinals
	primary bool   // the rows themselves lie under it: it has no entries
	unique  bool   // no two rows share its values; rows with a NULL among them are not compared, as in Postgres (NULLS DISTINCT)
	partial bool   // rows with a NULL have no entry
	prefix  []byte
}

// tableIndexes lists the indexes of a table: its primary key, its other unique keys, then those of CREATE INDEX.
func tableIndexes(t *catalog.Table, indexes []*catalog.Index) []tableIndex {
	var out []tableIndex
	if len(t.PrimaryKey) > 0 {
		out = append(out, tableIndex{name: t.PrimaryKeyName(), columns: t.PrimaryKey, primary: true, unique: true})
	}
	for n, u := range t.Unique {
		out = append(out, tableIndex{name: u.Name, columns: u.Columns, unique: true, partial: true, prefix: constraintPrefix(u.Slot(n))})
	}
	for _, x := range indexes {
		out = append(out, tableIndex{name: x.Name, columns: x.Ordinals(), unique: x.Unique, prefix: indexPrefix(x.ID)})
	}
	return out
}

// appendEntry appends to dst, which holds what all keys of the table's generation begin with, the rest of the key of the entry that row i,
// which lies under rowKey, has; has is false if it has none. alone says that no other row may have it.
func (x *tableIndex) appendEntry(dst []byte, cols []column.Vector, i int, rowKey []byte) (entry []byte, has, alone bool) {
	if x.primary {
		return dst, false, false
	}
	alone = x.unique
	dst = append(dst, x.prefix...)
	for _, c := range x.columns {
		if cols[c].IsNull(i) {
			if x.partial {
				return dst, false, false
			}
			alone = false
		}
		dst = column.AppendKey(dst, cols[c], i, false)
	}
	if !alone {
		dst = append(dst, rowKey...)
	}
	return dst, true, alone
}
