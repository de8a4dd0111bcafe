package column

import (
	"bytes"
	"encoding/binary"
	"math"
	"unicode/utf8"

	"wmsql/sqlerr"
	"wmsql/types"
)

// jsonbVersion leads the binary forms of jsonb and jsonpath.
const jsonbVersion byte = 1

// AppendBinary appends the Postgres binary form of row i of v, which is not NULL, without its length word.
func AppendBinary(dst []byte, v Vector, i int) []byte {
	switch v := v.(type) {
	case *Of[int64]:
		return types.AppendInt64Binary(dst, v.Values[i], v.T.Kind)
	case *Bytes:
		switch v.T.Kind {
		case types.JSONB, types.JSONPathKind:
			dst = append(dst, jsonbVersion)
		case types.Bit, types.VarBit:
			return types.AppendBitsBinary(dst, v.Value(i))
		}
		return append(dst, v.Value(i)...)
	case *Of[bool]:
		if v.Values[i] {
			return append(dst, 1)
		}
		return append(dst, 0)
	case *Of[float64]:
		if v.T.Kind == types.Float4 {
			return binary.BigEndian.AppendUint32(dst, math.Float32bits(float32(v.Values[i])))
		}
		return binary.BigEndian.AppendUint64(dst, math.Float64bits(v.Values[i]))
	case *Of[types.Decimal]:
		return v.Values[i].AppendBinary(dst)
	case *Of[types.IntervalValue]:
		iv := v.Values[i]
		dst = binary.BigEndian.AppendUint64(dst, uint64(iv.Micros))
		dst = binary.BigEndian.AppendUint32(dst, uint32(iv.Days))
		return binary.BigEndian.AppendUint32(dst, uint32(iv.Months))
	case *List:
		return appendListBinary(dst, v, i)
	case *Record:
		dst = binary.BigEndian.AppendUint32(dst, uint32(len(v.Fields)))
		for _, f := range v.Fields {
			dst = binary.BigEndian.AppendUint32(dst, f.Type().OID())
			dst = AppendSized(dst, f, i)
		}
		return dst
	}
	panic("column: unknown vector")
}

// AppendSized appends a length word and the binary form of row i of v, or the word -1 for NULL.
func AppendSized(dst []byte, v Vector, i int) []byte {
	if v.IsNull(i) {
		return append(dst, 0xff, 0xff, 0xff, 0xff)
	}
	at := len(dst)
	dst = AppendBinary(append(dst, 0, 0, 0, 0), v, i)
	binary.BigEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}

// appendListBinary writes the number of dimensions, a flag for NULLs, the element type, then length and lower bound of each dimension, and the
// elements.
func appendListBinary(dst []byte, v *List, i int) []byte {
	lo, hi := int(v.Offsets[i]), int(v.Offsets[i+1])
	dims := v.Shape(i).DimsOf(hi - lo)
	if !v.T.Array {
		dims = []types.ArrayDim{{Len: int32(hi - lo), Low: 0}} // int2vector and oidvector count from 0
	}
	hasNull := uint32(0)
	for e := lo; e < hi; e++ {
		if v.Elems.IsNull(e) {
			hasNull = 1
			break
		}
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(dims)))
	dst = binary.BigEndian.AppendUint32(dst, hasNull)
	dst = binary.BigEndian.AppendUint32(dst, v.Elems.Type().OID())
	for _, d := range dims {
		dst = binary.BigEndian.AppendUint32(dst, uint32(d.Len))
		dst = binary.BigEndian.AppendUint32(dst, uint32(d.Low))
	}
	for e := lo; e < hi; e++ {
		dst = AppendSized(dst, v.Elems, e)
	}
	return dst
}

// AppendFromBinary appends to b the value whose Postgres binary form is data. Nothing is appended on an error.
func AppendFromBinary(b Builder, data []byte) error {
	switch b := b.(type) {
	case *FixedBuilder[int64]:
		n, err := types.Int64OfBinary(data, b.t.Kind)
		if err == nil {
			b.Append(n)
		}
		return err
	case *BytesBuilder:
		return appendBytesFromBinary(b, data)
	case *FixedBuilder[bool]:
		err := types.CheckBinary(len(data), 1)
		if err == nil {
			b.Append(data[0] != 0)
		}
		return err
	case *FixedBuilder[float64]:
		return appendFloatFromBinary(b, data)
	case *FixedBuilder[types.Decimal]:
		return appendDecimalFromBinary(b, data)
	case *FixedBuilder[types.IntervalValue]:
		if err := types.CheckBinary(len(data), 16); err != nil {
			return err
		}
		b.Append(types.IntervalValue{
			Micros: int64(binary.BigEndian.Uint64(data)),
			Days:   int32(binary.BigEndian.Uint32(data[8:])),
			Months: int32(binary.BigEndian.Uint32(data[12:])),
		})
		return nil
	case *ListBuilder:
		return appendListFromBinary(b, data)
	case *RecordBuilder:
		return sqlerr.Newf(sqlerr.FeatureNotSupported, "input of anonymous composite types is not implemented")
	}
	panic("column: unknown builder")
}

// appendDecimalFromBinary reads a header of eight bytes, which begins with the number of digits, and digits of two bytes each.
func appendDecimalFromBinary(b *FixedBuilder[types.Decimal], data []byte) error {
	size := 8
	if len(data) >= size {
		size += 2 * int(binary.BigEndian.Uint16(data))
	}
	if err := types.CheckBinary(len(data), size); err != nil {
		return err
	}
	d, ok := types.DecimalOfBinary(data)
	if !ok {
		return sqlerr.Newf(sqlerr.InvalidBinary, "invalid external \"numeric\" value")
	}
	d, err := d.WithMod(b.t.Mod)
	if err == nil {
		b.Append(d)
	}
	return err
}

func appendFloatFromBinary(b *FixedBuilder[float64], data []byte) error {
	if err := types.CheckBinary(len(data), int(b.t.Kind.Info().Len)); err != nil {
		return err
	}
	if b.t.Kind == types.Float4 {
		b.Append(float64(math.Float32frombits(binary.BigEndian.Uint32(data))))
	} else {
		b.Append(math.Float64frombits(binary.BigEndian.Uint64(data)))
	}
	return nil
}

func appendBytesFromBinary(b *BytesBuilder, data []byte) error {
	switch b.t.Kind {
	case types.Bytea:
		b.Append(data)
		return nil
	case types.UUID:
		err := types.CheckBinary(len(data), 16)
		if err == nil {
			b.Append(data)
		}
		return err
	case types.Bit, types.VarBit:
		bits, err := types.AppendBitsOfBinary(b.Buffer(), data, b.t)
		if err == nil {
			b.EndValue(bits)
		}
		return err
	case types.Char:
		if err := types.CheckBinary(len(data), 1); err != nil {
			return err
		}
	case types.JSONB:
		if len(data) == 0 || data[0] != jsonbVersion {
			return sqlerr.Newf(sqlerr.InvalidBinary, "unsupported jsonb version number")
		}
		data = data[1:]
	case types.JSONPathKind:
		if len(data) == 0 || data[0] != jsonbVersion {
			return sqlerr.Newf(sqlerr.InvalidBinary, "unsupported jsonpath version number")
		}
		data = data[1:]
	}
	if err := CheckText(data); err != nil {
		return err
	}
	return b.AppendText(data, nil)
}

// CheckText refuses what no text may hold: bytes that are not UTF-8, and NUL (22021).
func CheckText(b []byte) error {
	if utf8.Valid(b) {
		if bytes.IndexByte(b, 0) >= 0 {
			return sqlerr.Newf(sqlerr.CharacterNotInRepertoire, "invalid byte sequence for encoding \"UTF8\": 0x00")
		}
		return nil
	}
	return badUTF8(b)
}

// badUTF8 names the first bytes that are no character, as many as the first of them announces.
func badUTF8(b []byte) error {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			break
		}
		if r == 0 {
			return sqlerr.Newf(sqlerr.CharacterNotInRepertoire, "invalid byte sequence for encoding \"UTF8\": 0x00")
		}
		b = b[size:]
	}
	announced := 1
	switch c := b[0]; {
	case c >= 0xf0 && c < 0xf8:
		announced = 4
	case c >= 0xe0 && c < 0xf0:
		announced = 3
	case c >= 0xc0 && c < 0xe0:
		announced = 2
	}
	e := sqlerr.Newf(sqlerr.CharacterNotInRepertoire, "invalid byte sequence for encoding \"UTF8\":")
	for _, c := range b[:min(announced, len(b))] {
		e.Msg += " 0x" + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15])
	}
	return e
}

func appendListFromBinary(b *ListBuilder, data []byte) error {
	if len(data) < 12 {
		return types.CheckBinary(len(data), 12)
	}
	dims, elem := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[8:])
	want := b.elems.Type().OID()
	if elem != want {
		return sqlerr.Newf(sqlerr.DatatypeMismatch, "binary data has array element type %d (%s) instead of expected %d (%s)",
			elem, typeName(elem), want, typeName(want))
	}
	shape, n, data, err := dimsFromBinary(b.t, dims, data[12:])
	if err != nil {
		return err
	}
	before := b.elems.Len()
	for range n {
		rest, err := appendSizedFromBinary(b.elems, data)
		if err != nil {
			b.elems.Truncate(before)
			return err
		}
		data = rest
	}
	if err := types.CheckBinary(len(data), 0); err != nil {
		b.elems.Truncate(before)
		return err
	}
	b.EndShaped(shape)
	return nil
}

// dimsFromBinary reads the dimensions of an array, how many elements they hold, and returns what is behind them.
func dimsFromBinary(t types.Type, count uint32, data []byte) (s *types.ArrayShape, n int64, rest []byte, err error) {
	if err := types.CheckDims(int(min(count, math.MaxInt16))); err != nil {
		return nil, 0, nil, err
	}
	if count == 0 {
		return nil, 0, data, nil
	}
	if len(data) < 8*int(count) {
		return nil, 0, nil, types.CheckBinary(len(data), 8*int(count))
	}
	n = 1
	dims := make([]types.ArrayDim, count)
	for i := range dims {
		dims[i] = types.ArrayDim{Len: int32(binary.BigEndian.Uint32(data[8*i:])), Low: int32(binary.BigEndian.Uint32(data[8*i+4:]))}
		if n *= int64(dims[i].Len); dims[i].Len < 0 || n > int64(len(data)/4) {
			return nil, 0, nil, types.CheckBinary(0, 1)
		}
	}
	if data = data[8*count:]; n > int64(len(data)/4) {
		return nil, 0, nil, types.CheckBinary(0, 1)
	}
	if !t.Array {
		return nil, n, data, nil
	}
	return types.ShapeOf(dims), n, data, nil
}

func typeName(oid uint32) string {
	t, ok := types.ByOID(oid)
	if !ok {
		return "???"
	}
	return t.String()
}

func appendSizedFromBinary(b Builder, data []byte) (rest []byte, err error) {
	if len(data) < 4 {
		return nil, types.CheckBinary(len(data), 4)
	}
	n := int32(binary.BigEndian.Uint32(data))
	data = data[4:]
	if n == -1 {
		b.AppendNull()
		return data, nil
	}
	if n < 0 || int(n) > len(data) {
		return nil, sqlerr.Newf(sqlerr.InvalidBinary, "insufficient data left in message")
	}
	return data[n:], AppendFromBinary(b, data[:n])
}
