package column

import (
	"encoding/binary"

	"wmsql/types"
)

// Layout is how the rows of a stored relation are to be read: a row says which of the columns that its relation ever had it has. A column
// added later costs no row anything.
type Layout struct {
	Types   []types.Type // of all columns that there ever were; a row has the first n of them
	Base    int          // n for a row that does not tell: those of rowVersion
	Missing []Vector     // by column, of one row: what a row without the column has for it; nil, or beyond the end: NULL
}

// wideVersion is the first byte of a row that tells how many columns it has.
const wideVersion byte = 2

// AppendRow appends row i of cols, all columns of the layout, in the row codec's form.
func (l *Layout) AppendRow(dst []byte, cols []Vector, i int) []byte {
	if len(l.Types) == l.Base {
		return AppendRow(dst, cols, i)
	}
	dst = binary.AppendUvarint(append(dst, wideVersion), uint64(len(cols)))
	return appendFields(dst, cols, i)
}

// Decode appends those columns of one row for which there is a builder.
func (l *Layout) Decode(bs []Builder, data []byte) error {
	r, width := reader{}, l.Base
	switch {
	case len(data) > 0 && data[0] == rowVersion:
		r.data = data[1:]
	case len(data) > 0 && data[0] == wideVersion:
		r.data = data[1:]
		n, ok := r.uvarint()
		if !ok || n > uint64(len(l.Types)) {
			return badRow()
		}
		width = int(n)
	default:
		_, err := DecodeRow(nil, data)
		return err
	}
	bitmap, ok := r.take((width + 7) / 8)
	if !ok {
		return badRow()
	}
	for c, b := range bs {
		if c >= width {
			l.appendMissing(b, c)
			continue
		}
		null := bitmap[c/8]&(1<<(c%8)) != 0
		switch {
		case null && b != nil:
			b.AppendNull()
		case null:
		case b != nil:
			ok = r.value(b)
		default:
			ok = r.skip(l.Types[c])
		}
		if !ok {
			return badRow()
		}
	}
	return nil
}

// appendMissing appends what a row that is older than column c has for it.
func (l *Layout) appendMissing(b Builder, c int) {
	switch {
	case b == nil:
	case c < len(l.Missing) && l.Missing[c] != nil:
		b.AppendFrom(l.Missing[c], 0)
	default:
		b.AppendNull()
	}
}
