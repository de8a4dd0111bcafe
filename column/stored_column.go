package column

import (
	"wmsql/sqlerr"
	"wmsql/types"
)

// storedVersion is the first byte of a column that is stored on its own.
const storedVersion byte = 1

// Storable reports whether columns of a type can be stored on their own: not arrays, whose shapes a column does not keep, nor records.
func Storable(t types.Type) bool {
	l := t.Layout()
	return l != types.LayoutList && l != types.LayoutRecord
}

// AppendStored appends a form of a column for the store, of which its reader has to know type and length. It is a version byte and the body that a
// column has in a stored batch; the store has checksums.
func AppendStored(dst []byte, v Vector) []byte {
	return appendColumn(append(dst, storedVersion), v)
}

// ReadStored reads what AppendStored wrote: n rows of type t. The vector shares no memory with data.
func ReadStored(t types.Type, n int, data []byte) (Vector, error) {
	if len(data) == 0 || data[0] != storedVersion {
		return nil, badColumn()
	}
	r := reader{data: data[1:]}
	v, ok := r.vector(t, n)
	if !ok || len(r.data) > 0 {
		return nil, badColumn()
	}
	return v, nil
}

func badColumn() error {
	return sqlerr.Newf(sqlerr.DataCorrupted, "stored column is damaged")
}
