package column

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"wmsql/sqlerr"
	"wmsql/types"
)

// A stored batch is, numbers little endian:
//
//	version 1 byte | flags 1 byte (1: ops follow the header) | rows u32 | columns u32
//	ops, a byte a row
//	a column: its length u32, then its body (see appendColumn)
//	CRC-32C of all before, u32
const (
	batchVersion byte = 1
	flagOps      byte = 1
	batchHeader       = 10
)

// castagnoli is the table of CRC-32C, which amd64 and arm64 compute in hardware.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendBatch appends a columnar form of the whole batch (schema not included): versioned, with a checksum.
func AppendBatch(dst []byte, b *Batch) []byte {
	start := len(dst)
	var flags byte
	if b.Ops != nil {
		flags = flagOps
	}
	dst = append(dst, batchVersion, flags)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(b.Rows))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(b.Cols)))
	for _, op := range b.Ops {
		dst = append(dst, byte(op))
	}
	for _, v := range b.Cols {
		at := len(dst)
		dst = append(dst, 0, 0, 0, 0)
		dst = appendColumn(dst, v)
		binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	}
	return appendChecksum(dst, start)
}

// appendChecksum appends the checksum of dst[start:].
func appendChecksum(dst []byte, start int) []byte {
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

// DecodeBatch reads what AppendBatch wrote. want lists the ordinals to read, nil for all; columns that are not wanted are
// skipped and nil in the result. Columns that s has more, at its end, are NULL: they were added later.
func DecodeBatch(s *types.Schema, data []byte, want []int) (*Batch, error) {
	if len(data) < batchHeader+4 {
		return nil, badBatch("it is cut short")
	}
	if data[0] != batchVersion {
		return nil, badBatch("its version is unknown")
	}
	body := data[:len(data)-4]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(data[len(body):]) {
		return nil, badBatch("its checksum is wrong")
	}
	rows, cols := int(binary.LittleEndian.Uint32(data[2:])), int(binary.LittleEndian.Uint32(data[6:]))
	if cols > len(s.Fields) {
		return nil, badBatch("it has more columns than its schema")
	}
	out := &Batch{Schema: s, Cols: make([]Vector, len(s.Fields)), Rows: rows}
	r := reader{data: body[batchHeader:]}
	if data[1]&flagOps != 0 && !r.ops(out) {
		return nil, badBatch("its ops are damaged")
	}
	wanted := wantedColumns(want, len(s.Fields))
	for c := range cols {
		col, ok := r.column()
		if !ok {
			return nil, badBatch("a column is cut short")
		}
		if !wanted[c] {
			continue
		}
		if out.Cols[c], ok = col.vector(s.Fields[c].Type, rows); !ok {
			return nil, badBatch("a column is damaged")
		}
	}
	for c := cols; c < len(s.Fields); c++ {
		if wanted[c] {
			out.Cols[c] = nulls(s.Fields[c].Type, rows)
		}
	}
	return out, nil
}

// nulls is n NULLs: a column that was added after the batch was written.
func nulls(t types.Type, n int) Vector {
	b := NewBuilder(t, n)
	for range n {
		b.AppendNull()
	}
	return b.View()
}

func badBatch(why string) error {
	return sqlerr.Newf(sqlerr.DataCorrupted, "stored batch is damaged: %s", why)
}

func wantedColumns(want []int, n int) []bool {
	out := make([]bool, n)
	for c := range out {
		out[c] = want == nil
	}
	for _, c := range want {
		out[c] = true
	}
	return out
}

func (r *reader) ops(b *Batch) bool {
	raw, ok := r.take(b.Rows)
	if !ok {
		return false
	}
	b.Ops = make([]Op, b.Rows)
	for i, op := range raw {
		b.Ops[i] = Op(op)
	}
	return true
}

func (r *reader) column() (reader, bool) {
	size, ok := r.take(4)
	if !ok {
		return reader{}, false
	}
	body, ok := r.take(int(binary.LittleEndian.Uint32(size)))
	return reader{data: body}, ok
}

// appendColumn writes a null section (0, or 1 and a bitmap) and the values of all rows.
func appendColumn(dst []byte, v Vector) []byte {
	dst = appendBits(dst, v.NullMask())
	switch v := v.(type) {
	case *Of[int64]:
		return appendInts(dst, v.Values)
	case *Bytes:
		return appendStrings(dst, v)
	case *Of[bool]:
		return appendBits(dst, v.Values)
	case *Of[float64]:
		for _, x := range v.Values {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(x))
		}
		return dst
	case *Of[types.Decimal]:
		for _, d := range v.Values {
			dst = d.AppendCompact(dst)
		}
		return dst
	case *Of[types.IntervalValue]:
		for _, iv := range v.Values {
			dst = binary.AppendVarint(dst, int64(iv.Months))
			dst = binary.AppendVarint(dst, int64(iv.Days))
			dst = binary.AppendVarint(dst, iv.Micros)
		}
		return dst
	case *List:
		dst = appendLengths(dst, v.Offsets)
		return appendColumn(dst, v.Elems.Slice(int(v.Offsets[0]), int(v.Offsets[v.Len()])))
	case *Record:
		dst = binary.AppendUvarint(dst, uint64(len(v.Fields)))
		for _, f := range v.Fields {
			dst = appendType(dst, f.Type())
		}
		for _, f := range v.Fields {
			dst = appendColumn(dst, f)
		}
		return dst
	}
	panic("column: unknown vector")
}

// appendBits writes 0 when bits is nil, else 1 and a bitmap, lowest bit first.
func appendBits(dst []byte, flags []bool) []byte {
	if flags == nil {
		return append(dst, 0)
	}
	dst = append(dst, 1)
	at := len(dst)
	dst = append(dst, make([]byte, (len(flags)+7)/8)...)
	for i, f := range flags {
		if f {
			dst[at+i/8] |= 1 << (i % 8)
		}
	}
	return dst
}

func (r *reader) bits(n int) ([]bool, bool) {
	mark, ok := r.take(1)
	if !ok || mark[0] == 0 {
		return nil, ok
	}
	raw, ok := r.take((n + 7) / 8)
	if !ok {
		return nil, false
	}
	out := make([]bool, n)
	for i := range out {
		out[i] = raw[i/8]&(1<<(i%8)) != 0
	}
	return out, true
}

func (r *reader) vector(t types.Type, n int) (Vector, bool) {
	nulls, ok := r.bits(n)
	if !ok {
		return nil, false
	}
	switch t.Layout() {
	case types.LayoutInt64:
		values, ok := r.ints(n)
		return &Of[int64]{T: t, Values: values, Nulls: nulls}, ok
	case types.LayoutBool:
		values, ok := r.bits(n)
		if values == nil {
			values = make([]bool, n)
		}
		return &Of[bool]{T: t, Values: values, Nulls: nulls}, ok
	case types.LayoutFloat64:
		values, ok := r.floats(n)
		return &Of[float64]{T: t, Values: values, Nulls: nulls}, ok
	case types.LayoutDecimal:
		values, ok := r.decimals(n)
		return &Of[types.Decimal]{T: t, Values: values, Nulls: nulls}, ok
	case types.LayoutInterval:
		values, ok := r.intervals(n)
		return &Of[types.IntervalValue]{T: t, Values: values, Nulls: nulls}, ok
	case types.LayoutList:
		offsets, ok := r.lengths(n)
		if !ok {
			return nil, false
		}
		elems, ok := r.vector(ElemType(t), int(offsets[n]))
		return &List{T: t, Offsets: offsets, Elems: elems, Nulls: nulls}, ok
	case types.LayoutRecord:
		return r.recordVector(n, nulls)
	}
	out, ok := r.strings(n)
	if !ok {
		return nil, false
	}
	out.T, out.Nulls = t, nulls
	return out, true
}

func (r *reader) floats(n int) ([]float64, bool) {
	raw, ok := r.take(8 * n)
	if !ok {
		return nil, false
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return out, true
}

func (r *reader) decimals(n int) ([]types.Decimal, bool) {
	if n > len(r.data) {
		return nil, false
	}
	out := make([]types.Decimal, n)
	for i := range out {
		d, rest, ok := types.DecimalOfCompact(r.data)
		if !ok {
			return nil, false
		}
		out[i], r.data = d, rest
	}
	return out, true
}

func (r *reader) intervals(n int) ([]types.IntervalValue, bool) {
	if n > len(r.data) {
		return nil, false
	}
	out := make([]types.IntervalValue, n)
	for i := range out {
		months, ok1 := r.varint()
		days, ok2 := r.varint()
		micros, ok3 := r.varint()
		if !ok1 || !ok2 || !ok3 {
			return nil, false
		}
		out[i] = types.IntervalValue{Months: int32(months), Days: int32(days), Micros: micros}
	}
	return out, true
}

func (r *reader) recordVector(n int, nulls []bool) (Vector, bool) {
	ts, ok := r.types()
	if !ok {
		return nil, false
	}
	out := &Record{T: types.Of(types.Record), Rows: n, Fields: make([]Vector, len(ts)), Nulls: nulls}
	for f, t := range ts {
		if out.Fields[f], ok = r.vector(t, n); !ok {
			return nil, false
		}
	}
	return out, true
}
