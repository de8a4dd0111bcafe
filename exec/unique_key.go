package exec

import (
	"encoding/binary"

	"wmsql/catalog"
	"wmsql/column"
)

// uniqueKey is columns whose values no two rows of a table share. Rows with a NULL among them are not compared, as in Postgres (NULLS
// DISTINCT).
type uniqueKey struct {
	Name    string // of the constraint
	Columns []int  // ordinals
	Primary bool   // rows lie under it; the others have entries: see result.go
	number  uint16
}

// uniqueKeys lists a table's keys, the primary one first.
func uniqueKeys(t *catalog.Table) []uniqueKey {
	var out []uniqueKey
	if len(t.PrimaryKey) > 0 {
		out = append(out, uniqueKey{Name: t.PrimaryKeyName(), Columns: t.PrimaryKey, Primary: true})
	}
	for n, u := range t.Unique {
		out = append(out, uniqueKey{Name: u.Name, Columns: u.Columns, number: uint16(n)})
	}
	return out
}

// appendEntry appends the key of the entry that row i has; false if it has none.
func (k *uniqueKey) appendEntry(dst []byte, cols []column.Vector, i int) ([]byte, bool) {
	if k.Primary {
		return dst, false
	}
	dst = binary.BigEndian.AppendUint16(append(dst, uniqueEntry), k.number)
	for _, c := range k.Columns {
		if cols[c].IsNull(i) {
			return dst, false
		}
		dst = column.AppendKey(dst, cols[c], i, false)
	}
	return dst, true
}
