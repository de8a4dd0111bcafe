package column

import (
	"encoding/binary"
	"math"

	"wmsql/sqlerr"
	"wmsql/types"
)

// rowVersion is the first byte of the row codec's form.
const rowVersion byte = 1

// AppendRow appends the row codec's form of row i of cols: a null bitmap, then the values. It is
// shorter than the key form and keeps no order. Its first byte is the format version.
func AppendRow(dst []byte, cols []Vector, i int) []byte {
	dst = append(dst, rowVersion)
	return appendFields(dst, cols, i)
}

// appendFields writes the bitmap, one bit a column, lowest first, and the values that are not NULL.
func appendFields(dst []byte, cols []Vector, i int) []byte {
	bitmap := len(dst)
	for range (len(cols) + 7) / 8 {
		dst = append(dst, 0)
	}
	for c, v := range cols {
		if v.IsNull(i) {
			dst[bitmap+c/8] |= 1 << (c % 8)
			continue
		}
		dst = appendValue(dst, v, i)
	}
	return dst
}

func appendValue(dst []byte, v Vector, i int) []byte {
	switch v := v.(type) {
	case *Of[int64]:
		return binary.AppendVarint(dst, v.Values[i])
	case *Bytes:
		b := v.Value(i)
		return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
	case *Of[bool]:
		if v.Values[i] {
			return append(dst, 1)
		}
		return append(dst, 0)
	case *Of[float64]:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.Values[i]))
	case *Of[types.Decimal]:
		return v.Values[i].AppendCompact(dst)
	case *Of[types.IntervalValue]:
		iv := v.Values[i]
		dst = binary.AppendVarint(dst, int64(iv.Months))
		dst = binary.AppendVarint(dst, int64(iv.Days))
		return binary.AppendVarint(dst, iv.Micros)
	case *List:
		lo, hi := v.Offsets[i], v.Offsets[i+1]
		dst = binary.AppendUvarint(dst, uint64(hi-lo))
		if s := v.Shape(i); s != nil { // before the first element, instead of the byte that says whether it is NULL
			dst = types.AppendShape(append(dst, shapeFlag), s)
		}
		for e := lo; e < hi; e++ {
			if v.Elems.IsNull(int(e)) {
				dst = append(dst, 1)
				continue
			}
			dst = appendValue(append(dst, 0), v.Elems, int(e))
		}
		return dst
	case *Record:
		dst = binary.AppendUvarint(dst, uint64(len(v.Fields)))
		for _, f := range v.Fields {
			dst = appendType(dst, f.Type())
		}
		return appendFields(dst, v.Fields, i)
	}
	panic("column: unknown vector")
}

// appendType writes a type by its OID, which Postgres never changes, and its modifier.
func appendType(dst []byte, t types.Type) []byte {
	dst = binary.AppendUvarint(dst, uint64(t.OID()))
	return binary.AppendVarint(dst, int64(t.Mod))
}

// DecodeRow appends one row to the builders and returns the rest of data.
func DecodeRow(bs []Builder, data []byte) (rest []byte, err error) {
	if len(data) == 0 {
		return nil, badRow()
	}
	if data[0] != rowVersion {
		return nil, sqlerr.Newf(sqlerr.DataCorrupted, "stored row has the unknown version %d", data[0])
	}
	r := reader{data: data[1:]}
	n := 0
	if len(bs) > 0 {
		n = bs[0].Len()
	}
	if !r.fields(bs) {
		for _, b := range bs {
			if b.Len() > n {
				b.Truncate(n)
			}
		}
		return nil, badRow()
	}
	return r.data, nil
}

// skip takes a value of type t without looking at it.
func (r *reader) skip(t types.Type) bool {
	var ok bool
	switch t.Layout() {
	case types.LayoutInt64:
		_, ok = r.varint()
	case types.LayoutBytes:
		var n int
		if n, ok = r.count(); ok {
			_, ok = r.take(n)
		}
	case types.LayoutBool:
		_, ok = r.take(1)
	case types.LayoutFloat64:
		_, ok = r.take(8)
	default:
		ok = r.value(NewBuilder(t, 1))
	}
	return ok
}

func badRow() error {
	return sqlerr.Newf(sqlerr.DataCorrupted, "stored row is damaged")
}

// reader takes values from the front of data. Its methods report false when data is damaged.
type reader struct{ data []byte }

func (r *reader) take(n int) ([]byte, bool) {
	if n < 0 || n > len(r.data) {
		return nil, false
	}
	out := r.data[:n:n]
	r.data = r.data[n:]
	return out, true
}

func (r *reader) uvarint() (uint64, bool) {
	n, size := binary.Uvarint(r.data)
	if size <= 0 {
		return 0, false
	}
	r.data = r.data[size:]
	return n, true
}

func (r *reader) varint() (int64, bool) {
	n, size := binary.Varint(r.data)
	if size <= 0 {
		return 0, false
	}
	r.data = r.data[size:]
	return n, true
}

// count reads a number of things of which each takes at least one byte.
func (r *reader) count() (int, bool) {
	n, ok := r.uvarint()
	if !ok || n > uint64(len(r.data)) {
		return 0, false
	}
	return int(n), true
}

func (r *reader) fields(bs []Builder) bool {
	bitmap, ok := r.take((len(bs) + 7) / 8)
	if !ok {
		return false
	}
	for c, b := range bs {
		if bitmap[c/8]&(1<<(c%8)) != 0 {
			b.AppendNull()
		} else if !r.value(b) {
			return false
		}
	}
	return true
}

func (r *reader) value(b Builder) bool {
	switch b := b.(type) {
	case *FixedBuilder[int64]:
		n, ok := r.varint()
		b.Append(n)
		return ok
	case *BytesBuilder:
		n, ok := r.count()
		if !ok {
			return false
		}
		data, ok := r.take(n)
		b.Append(data)
		return ok
	case *FixedBuilder[bool]:
		data, ok := r.take(1)
		b.Append(ok && data[0] == 1)
		return ok
	case *FixedBuilder[float64]:
		data, ok := r.take(8)
		if ok {
			b.Append(math.Float64frombits(binary.LittleEndian.Uint64(data)))
		}
		return ok
	case *FixedBuilder[types.Decimal]:
		d, rest, ok := types.DecimalOfCompact(r.data)
		r.data = rest
		b.Append(d)
		return ok
	case *FixedBuilder[types.IntervalValue]:
		months, ok1 := r.varint()
		days, ok2 := r.varint()
		micros, ok3 := r.varint()
		b.Append(types.IntervalValue{Months: int32(months), Days: int32(days), Micros: micros})
		return ok1 && ok2 && ok3
	case *ListBuilder:
		return r.list(b)
	case *RecordBuilder:
		return r.record(b)
	}
	panic("column: unknown builder")
}

func (r *reader) list(b *ListBuilder) bool {
	n, ok := r.count()
	if !ok {
		return false
	}
	before := b.elems.Len()
	var shape *types.ArrayShape
	if n > 0 && r.data[0] == shapeFlag {
		if shape, r.data, ok = types.ReadShape(r.data[1:], n); !ok {
			return false
		}
	}
	for range n {
		null, ok := r.take(1)
		if ok && null[0] == 1 {
			b.elems.AppendNull()
		} else if !ok || !r.value(b.elems) {
			b.elems.Truncate(before)
			return false
		}
	}
	b.EndShaped(shape)
	return true
}

// shapeFlag stands before the shape of an array, where it has one.
const shapeFlag byte = 2

func (r *reader) record(b *RecordBuilder) bool {
	ts, ok := r.types()
	if !ok {
		return false
	}
	if !b.known {
		b.define(ts, 1)
	}
	if len(ts) != len(b.fields) || !r.fields(b.fields) {
		for _, f := range b.fields {
			if f.Len() > b.rows {
				f.Truncate(b.rows)
			}
		}
		return false
	}
	b.EndRow()
	return true
}

func (r *reader) types() ([]types.Type, bool) {
	n, ok := r.count()
	if !ok {
		return nil, false
	}
	out := make([]types.Type, n)
	for i := range out {
		oid, ok1 := r.uvarint()
		mod, ok2 := r.varint()
		t, ok3 := types.ByOID(uint32(oid))
		if !ok1 || !ok2 || !ok3 {
			return nil, false
		}
		t.Mod = int32(mod)
		out[i] = t
	}
	return out, true
}
