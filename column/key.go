package column

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"

	"wmsql/sqlerr"
	"wmsql/types"
)

// The key codec's first bytes. A whole number has its own first bytes between keyValue and keyNull
// (see appendIntKey); every other value begins with keyValue.
const (
	keyValue byte = 0x01
	keyNull  byte = 0xff // after every value, as Postgres sorts

	keyElem byte = 0x02 // before an element of an array
	keyEnd  byte = 0x01 // after the last one: a shorter array sorts first

	// keyShape is after the last element of an array that has a shape, which follows. In Postgres it would sort before a longer array, for
	// which keys of version 1 have no room.
	keyShape byte = 0x03
)

// AppendKey appends row i of v in an encoding whose byte order is the order of values: NULL sorts after
// every value (Postgres's order), and the encoding of a row is never a prefix of another row's. With desc the order is reversed.
// Values that are equal in Postgres have one key: 1.0 and 1.00, -0 and 0, '1 mon' and '30 days', 'a' and 'a ' of char(n),
// [1.0] and [1] of jsonb.
func AppendKey(dst []byte, v Vector, i int, desc bool) []byte {
	start := len(dst)
	dst = appendKey(dst, v, i)
	if desc {
		invert(dst[start:])
	}
	return dst
}

func invert(b []byte) {
	for k := range b {
		b[k] = ^b[k]
	}
}

func appendKey(dst []byte, v Vector, i int) []byte {
	if v.IsNull(i) {
		return append(dst, keyNull)
	}
	switch v := v.(type) {
	case *Of[int64]:
		return appendIntKey(dst, v.Values[i])
	case *Bytes:
		b := v.Value(i)
		if v.T.Kind == types.JSONB {
			return types.AppendJSONBKey(append(dst, keyValue), b)
		}
		if v.T.Kind == types.BPChar {
			b = bytes.TrimRight(b, " ")
		}
		return appendBytesKey(append(dst, keyValue), b)
	case *Of[bool]:
		if v.Values[i] {
			return append(dst, keyValue, 1)
		}
		return append(dst, keyValue, 0)
	case *Of[float64]:
		return binary.BigEndian.AppendUint64(append(dst, keyValue), floatKey(v.Values[i]))
	case *Of[types.Decimal]:
		return v.Values[i].AppendKey(append(dst, keyValue))
	case *Of[types.IntervalValue]:
		return v.Values[i].AppendKey(append(dst, keyValue))
	case *List:
		dst = append(dst, keyValue)
		for e := v.Offsets[i]; e < v.Offsets[i+1]; e++ {
			dst = appendKey(append(dst, keyElem), v.Elems, int(e))
		}
		if s := v.Shape(i); s != nil {
			return types.AppendShape(append(dst, keyShape), s)
		}
		return append(dst, keyEnd)
	case *Record:
		dst = append(dst, keyValue)
		for _, f := range v.Fields {
			dst = appendKey(dst, f, i)
		}
		return dst
	}
	panic("column: unknown vector")
}

// appendIntKey writes n in 1 to 9 bytes. The first byte is 0x08 to 0x0f for a negative number of 8 to 1
// bytes, 0x10+n for n below 112, and 0x81 to 0x88 for one of 1 to 8 bytes.
func appendIntKey(dst []byte, n int64) []byte {
	if n >= 0 && n < 112 {
		return append(dst, 0x10+byte(n))
	}
	u, tag := uint64(n), byte(0x80)
	var size int
	if n < 0 {
		size = max(1, (bits.Len64(^u)+7)/8)
		tag = byte(0x10 - size)
	} else {
		size = (bits.Len64(u) + 7) / 8
		tag += byte(size)
	}
	var buf [9]byte
	binary.BigEndian.PutUint64(buf[1:], u)
	buf[8-size] = tag
	return append(dst, buf[8-size:]...)
}

func floatKey(x float64) uint64 {
	if x == 0 {
		x = 0 // -0 equals 0
	}
	if x != x {
		return math.MaxUint64 // NaN is the largest
	}
	u := math.Float64bits(x)
	if u>>63 == 1 {
		return ^u
	}
	return u | 1<<63
}

// appendBytesKey writes b with 0x00 as 0x00 0xff, and 0x00 0x01 at the end.
func appendBytesKey(dst, b []byte) []byte {
	for {
		k := bytes.IndexByte(b, 0)
		if k < 0 {
			dst = append(dst, b...)
			return append(dst, 0, 1)
		}
		dst = append(dst, b[:k]...)
		dst = append(dst, 0, 0xff)
		b = b[k+1:]
	}
}

// DecodeKey reads one value of b's type from key, appends it and returns the rest of key. Of values that have one key
// (see AppendKey) it gives one: a decimal without zeros at the end, unless the type's modifier says its scale.
func DecodeKey(b Builder, key []byte, desc bool) (rest []byte, err error) {
	if !desc {
		return decodeKey(b, key)
	}
	var buf [256]byte // most keys fit: no allocation
	flipped := append(buf[:0], key...)
	invert(flipped)
	r, err := decodeKey(b, flipped)
	if err != nil {
		return nil, err
	}
	return key[len(key)-len(r):], nil
}

func badKey() error {
	return sqlerr.Newf(sqlerr.DataCorrupted, "stored key is damaged")
}

func decodeKey(b Builder, key []byte) ([]byte, error) {
	if len(key) == 0 {
		return nil, badKey()
	}
	tag := key[0]
	if tag == keyNull {
		b.AppendNull()
		return key[1:], nil
	}
	if ints, ok := b.(*FixedBuilder[int64]); ok {
		n, rest, ok := decodeIntKey(key)
		if !ok {
			return nil, badKey()
		}
		ints.Append(n)
		return rest, nil
	}
	if tag != keyValue {
		return nil, badKey()
	}
	return decodeKeyValue(b, key[1:])
}

func decodeKeyValue(b Builder, key []byte) ([]byte, error) {
	switch b := b.(type) {
	case *BytesBuilder:
		if b.t.Kind == types.JSONB {
			text, rest, ok := types.JSONBOfKey(nil, key)
			if !ok {
				return nil, badKey()
			}
			b.Append(text)
			return rest, nil
		}
		return decodeBytesKey(b, key)
	case *FixedBuilder[bool]:
		if len(key) < 1 {
			return nil, badKey()
		}
		b.Append(key[0] == 1)
		return key[1:], nil
	case *FixedBuilder[float64]:
		if len(key) < 8 {
			return nil, badKey()
		}
		b.Append(floatOfKey(binary.BigEndian.Uint64(key)))
		return key[8:], nil
	case *FixedBuilder[types.Decimal]:
		d, rest, ok := types.DecimalOfKey(key)
		if !ok {
			return nil, badKey()
		}
		if scaled, err := d.WithMod(b.t.Mod); err == nil {
			d = scaled
		}
		b.Append(d)
		return rest, nil
	case *FixedBuilder[types.IntervalValue]:
		iv, rest, ok := types.IntervalOfKey(key)
		if !ok {
			return nil, badKey()
		}
		b.Append(iv)
		return rest, nil
	case *ListBuilder:
		return decodeListKey(b, key)
	case *RecordBuilder:
		return decodeRecordKey(b, key)
	}
	panic("column: unknown builder")
}

func decodeIntKey(key []byte) (n int64, rest []byte, ok bool) {
	tag := key[0]
	var size int
	var u uint64
	switch {
	case tag >= 0x10 && tag < 0x80:
		return int64(tag - 0x10), key[1:], true
	case tag >= 0x08 && tag < 0x10:
		size, u = int(0x10-tag), math.MaxUint64
	case tag > 0x80 && tag <= 0x88:
		size = int(tag - 0x80)
	default:
		return 0, nil, false
	}
	if len(key) < 1+size {
		return 0, nil, false
	}
	for _, c := range key[1 : 1+size] {
		u = u<<8 | uint64(c)
	}
	return int64(u), key[1+size:], true
}

func floatOfKey(u uint64) float64 {
	switch {
	case u == math.MaxUint64:
		return math.NaN()
	case u>>63 == 1:
		return math.Float64frombits(u &^ (1 << 63))
	}
	return math.Float64frombits(^u)
}

func decodeBytesKey(b *BytesBuilder, key []byte) ([]byte, error) {
	data := b.data
	for {
		k := bytes.IndexByte(key, 0)
		if k < 0 || k+1 >= len(key) {
			return nil, badKey()
		}
		data = append(data, key[:k]...)
		mark := key[k+1]
		key = key[k+2:]
		if mark == 1 {
			b.data = data
			b.endRow(false)
			return key, nil
		}
		data = append(data, 0)
	}
}

func decodeListKey(b *ListBuilder, key []byte) ([]byte, error) {
	before := b.elems.Len()
	for len(key) > 0 {
		mark := key[0]
		key = key[1:]
		switch mark {
		case keyEnd:
			b.endRow(false)
			return key, nil
		case keyShape:
			if shape, rest, ok := types.ReadShape(key, b.elems.Len()-before); ok {
				b.EndShaped(shape)
				return rest, nil
			}
			b.elems.Truncate(before)
			return nil, badKey()
		}
		rest, err := decodeKey(b.elems, key)
		if err != nil {
			break
		}
		key = rest
	}
	b.elems.Truncate(before)
	return nil, badKey()
}

func decodeRecordKey(b *RecordBuilder, key []byte) ([]byte, error) {
	if !b.known {
		return nil, sqlerr.Unsupported("reading an anonymous record back from a key")
	}
	for k, f := range b.fields {
		rest, err := decodeKey(f, key)
		if err != nil {
			for _, g := range b.fields[:k] {
				g.Truncate(b.rows)
			}
			return nil, err
		}
		key = rest
	}
	b.EndRow()
	return key, nil
}
