package exec

import (
	"encoding/binary"
	"hash/maphash"

	"wmsql/column"
	"wmsql/types"
)

// keySet is encoded keys one after the other: key i is data[ends[i-1]:ends[i]]. Values that Postgres
// calls equal have equal bytes, NULL equals NULL.
type keySet struct {
	data   []byte
	ends   []uint32
	hashes []uint32
}

func (k *keySet) key(i int) []byte {
	if i == 0 {
		return k.data[:k.ends[0]]
	}
	return k.data[k.ends[i-1]:k.ends[i]]
}

func (k *keySet) reset() { k.data, k.ends, k.hashes = k.data[:0], k.ends[:0], k.hashes[:0] }

// keyForm is how one column's values are encoded.
type keyForm uint8

const (
	formWord  keyForm = iota // 8 bytes
	formBytes                // length and bytes
	formOrder                // the order-preserving key
)

// The first byte of a word.
const (
	wordNull  = 0
	wordValue = 1
)

// keyLayout is how keys of some columns are encoded.
type keyLayout struct {
	types []types.Type
	forms []keyForm
	// lossy are the positions of the columns of which the encoding loses something that Postgres shows: the scale of a
	// numeric, also in a jsonb, blanks of a char(n).
	lossy []int
}

func newKeyLayout(ts []types.Type) *keyLayout {
	l := &keyLayout{types: ts}
	for i, t := range ts {
		f := formOrder
		switch t.Layout() {
		case types.LayoutInt64:
			f = formWord
		case types.LayoutBytes:
			if t.Kind != types.BPChar && t.Kind != types.JSONB {
				f = formBytes
			}
		}
		if f == formOrder && t.Layout() != types.LayoutBool {
			l.lossy = append(l.lossy, i)
		}
		l.forms = append(l.forms, f)
	}
	return l
}

// seed is of the hash of keys; hashes are never stored.
var seed = maphash.MakeSeed()

// encode replaces k by the keys of the rows of cols, which are parallel to the layout.
func (l *keyLayout) encode(k *keySet, cols []column.Vector, rows int) {
	k.reset()
	if len(cols) == 1 {
		if v, ok := cols[0].(*column.Bytes); ok && l.forms[0] == formBytes {
			encodeText(k, v, rows)
			return
		}
	}
	for i := range rows {
		start := len(k.data)
		for c, v := range cols {
			k.data = appendPart(k.data, l.forms[c], v, i)
		}
		k.ends = append(k.ends, uint32(len(k.data)))
		k.hashes = append(k.hashes, uint32(maphash.Bytes(seed, k.data[start:])))
	}
}

// encodeText is encode for a single column of text.
func encodeText(k *keySet, v *column.Bytes, rows int) {
	for i := range rows {
		start := len(k.data)
		if v.Nulls != nil && v.Nulls[i] {
			k.data = append(k.data, 0)
		} else {
			b := v.Data[v.Offsets[i]:v.Offsets[i+1]]
			if len(b) < 127 {
				k.data = append(k.data, byte(len(b)+1))
			} else {
				k.data = binary.AppendUvarint(k.data, uint64(len(b)+1))
			}
			k.data = append(k.data, b...)
		}
		k.ends = append(k.ends, uint32(len(k.data)))
		k.hashes = append(k.hashes, uint32(maphash.Bytes(seed, k.data[start:])))
	}
}

func appendPart(dst []byte, f keyForm, v column.Vector, i int) []byte {
	switch f {
	case formWord:
		w := v.(*column.Of[int64])
		if w.Nulls != nil && w.Nulls[i] {
			return append(dst, wordNull)
		}
		return binary.LittleEndian.AppendUint64(append(dst, wordValue), uint64(w.Values[i]))
	case formBytes:
		b := v.(*column.Bytes)
		if b.Nulls != nil && b.Nulls[i] {
			return append(dst, 0)
		}
		x := b.Value(i)
		dst = binary.AppendUvarint(dst, uint64(len(x)+1))
		return append(dst, x...)
	}
	return column.AppendKey(dst, v, i, false)
}

// decode appends the values of one key to the builders (nil: skip), one a column.
func (l *keyLayout) decode(bs []column.Builder, key []byte) error {
	var err error
	for c, f := range l.forms {
		if key, err = decodePart(f, bs[c], l.types[c], key); err != nil {
			return err
		}
	}
	return nil
}

func decodePart(f keyForm, b column.Builder, t types.Type, key []byte) ([]byte, error) {
	switch f {
	case formWord:
		if len(key) > 0 && key[0] == wordNull {
			b.AppendNull()
			return key[1:], nil
		}
		if len(key) < 9 {
			return nil, damaged("group key")
		}
		b.(*column.FixedBuilder[int64]).Append(int64(binary.LittleEndian.Uint64(key[1:])))
		return key[9:], nil
	case formBytes:
		n, k := binary.Uvarint(key)
		if k <= 0 || n > uint64(len(key)-k)+1 {
			return nil, damaged("group key")
		}
		if n == 0 {
			b.AppendNull()
			return key[k:], nil
		}
		b.(*column.BytesBuilder).Append(key[k : k+int(n)-1])
		return key[k+int(n)-1:], nil
	}
	return column.DecodeKey(b, key, false)
}
