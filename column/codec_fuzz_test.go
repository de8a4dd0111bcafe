package column

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wmsql/types"
)

// fuzzTypes are the types whose values the fuzz tests make, one of each layout and those with rules of their own.
var fuzzTypes = []types.Type{
	types.Of(types.Bool), types.Of(types.Int8), types.Of(types.Float8), types.Of(types.Numeric), types.Of(types.Interval),
	types.Of(types.Text), types.Of(types.BPChar), types.ArrayOf(types.Int4), types.ArrayOf(types.Text),
}

// datum makes a value of t from random numbers; small ones are frequent, so that values collide.
func datum(r *rand.Rand, t types.Type) any {
	if r.IntN(8) == 0 {
		return nil
	}
	if t.Array {
		out := make([]any, r.IntN(4))
		for k := range out {
			out[k] = datum(r, t.Elem())
		}
		return out
	}
	switch t.Layout() {
	case types.LayoutBool:
		return r.IntN(2) == 0
	case types.LayoutInt64:
		return number(r)
	case types.LayoutFloat64:
		return [...]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), float64(number(r)), r.NormFloat64()}[r.IntN(7)]
	case types.LayoutDecimal:
		d := types.NewDecimal(number(r), int32(r.IntN(12)))
		switch r.IntN(8) {
		case 0:
			return [...]types.Decimal{types.DecimalNaN, types.DecimalInf, types.DecimalNegInf}[r.IntN(3)]
		case 1:
			d, _ = d.Mul(types.NewDecimal(number(r), 3))
		}
		return d
	case types.LayoutInterval:
		return types.IntervalValue{Months: int32(r.IntN(5) - 2), Days: int32(r.IntN(90) - 45), Micros: number(r)}
	}
	b := make([]byte, r.IntN(5))
	for k := range b {
		b[k] = "\x00\x01a \xff"[r.IntN(5)]
	}
	return string(b)
}

// number is a whole number of any size, often near a power of two.
func number(r *rand.Rand) int64 {
	return int64(uint64(1)<<r.IntN(64))*int64(1-2*r.IntN(2)) + int64(r.IntN(5)-2)
}

// FuzzKeyCodec makes two rows of every type: their keys must be ordered as they are, none may begin the other, and a key
// must read back as an equal value.
func FuzzKeyCodec(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		for _, typ := range fuzzTypes {
			b := NewBuilder(typ, 2)
			b.AppendDatum(datum(r, typ))
			b.AppendDatum(datum(r, typ))
			v := b.Build()
			for _, desc := range []bool{false, true} {
				x, y := AppendKey(nil, v, 0, desc), AppendKey(nil, v, 1, desc)
				want := Compare(v, 0, v, 1)
				if desc {
					want = -want
				}
				if got := bytes.Compare(x, y); got != want {
					t.Fatalf("%s: %v and %v (desc %v) have the keys %x and %x", typ, Get(v, 0), Get(v, 1), desc, x, y)
				}
				if want != 0 && (bytes.HasPrefix(x, y) || bytes.HasPrefix(y, x)) {
					t.Fatalf("%s: one of the keys %x and %x begins the other", typ, x, y)
				}
				rest, err := DecodeKey(b, append(x, y...), desc)
				if err != nil || !bytes.Equal(rest, y) || Compare(b.View(), 0, v, 0) != 0 {
					t.Fatalf("%s: key %x of %v: %v, rest %x", typ, x, Get(v, 0), err, rest)
				}
				b.Reset()
			}
		}
	})
}

// FuzzStored makes a batch: the batch codec and the row codec must give it back, value for value.
func FuzzStored(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := &types.Schema{}
		for _, typ := range fuzzTypes {
			s.Fields = append(s.Fields, types.Field{Type: typ})
		}
		bs := NewBuilders(s, 0)
		rows := r.IntN(300)
		for range rows {
			for k, b := range bs {
				b.AppendDatum(datum(r, fuzzTypes[k]))
			}
		}
		want := BuildBatch(s, bs)
		lo := r.IntN(rows + 1)
		part := want.Slice(lo, rows) // vectors that do not begin at 0
		got, err := DecodeBatch(s, AppendBatch([]byte("before"), part)[6:], nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range part.Cols {
			if !Storable(fuzzTypes[k]) {
				continue
			}
			one, err := ReadStored(fuzzTypes[k], part.Rows, AppendStored(nil, v))
			if err != nil {
				t.Fatalf("%s: %v", fuzzTypes[k], err)
			}
			for i := range part.Rows {
				if one.IsNull(i) != v.IsNull(i) || !v.IsNull(i) && Compare(one, i, v, i) != 0 {
					t.Fatalf("%s: row %d is %v and not %v", fuzzTypes[k], i, Get(one, i), Get(v, i))
				}
			}
		}
		for i := range part.Rows {
			data := AppendRow(nil, part.Cols, i)
			rest, err := DecodeRow(bs, append(data, 'x'))
			if err != nil || string(rest) != "x" {
				t.Fatalf("row %d: %v, rest %q", i, err, rest)
			}
			for k, v := range part.Cols {
				a, b, c := fmt.Sprint(Get(v, i)), fmt.Sprint(Get(got.Cols[k], i)), fmt.Sprint(Get(bs[k].View(), i))
				if a != b || a != c {
					t.Fatalf("%s row %d: %s became %s in a batch, %s in a row", v.Type(), i, a, b, c)
				}
			}
		}
	})
}

// FuzzDamaged decodes any bytes: an error or a value, never a panic.
func FuzzDamaged(f *testing.F) {
	for _, v := range samples() {
		f.Add(AppendRow(nil, []Vector{v}, 0))
		f.Add(AppendKey(nil, v, 0, false))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, typ := range fuzzTypes {
			b := NewBuilder(typ, 1)
			if _, err := DecodeRow([]Builder{b}, data); err != nil && b.Len() != 0 {
				t.Fatalf("%s: an error left a row", typ)
			}
			b.Reset()
			if _, err := DecodeKey(b, data, false); err != nil && b.Len() != 0 {
				t.Fatalf("%s: an error left a key", typ)
			}
			b.Reset()
			_ = AppendFromBinary(b, data)
			_ = b.AppendText(data, types.UTC)
			// A batch with a right checksum around damaged columns.
			s := &types.Schema{Fields: []types.Field{{Type: typ}}}
			body := binary.LittleEndian.AppendUint32([]byte{batchVersion, 0, 3, 0, 0, 0, 1, 0, 0, 0}, uint32(len(data)))
			_, _ = DecodeBatch(s, appendChecksum(append(body, data...), 0), nil)
		}
	})
}

// Every damaged byte of a stored batch is noticed.
func TestBatch_Damage(t *testing.T) {
	v := samples()[4]
	s := &types.Schema{Fields: []types.Field{{Type: v.Type()}}}
	data := AppendBatch(nil, &Batch{Schema: s, Cols: []Vector{v}, Rows: v.Len()})
	for k := range data {
		data[k] ^= 0x10
		if _, err := DecodeBatch(s, data, nil); err == nil {
			t.Errorf("byte %d can change unseen", k)
		}
		data[k] ^= 0x10
	}
	for n := range data {
		if _, err := DecodeBatch(s, data[:n], nil); err == nil {
			t.Errorf("%d bytes of %d pass for the whole", n, len(data))
		}
	}
}

// Columns that are not wanted are not decoded.
func TestBatch_Want(t *testing.T) {
	all := samples()
	s, b := &types.Schema{}, &Batch{Rows: 3, Ops: []Op{Insert, Delete, UpdateAfter}}
	for _, v := range all {
		s.Fields = append(s.Fields, types.Field{Type: v.Type()})
		b.Cols = append(b.Cols, v.Slice(0, 3))
	}
	got, err := DecodeBatch(s, AppendBatch(nil, b), []int{1, 4})
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range got.Cols {
		if (v != nil) != (k == 1 || k == 4) {
			t.Errorf("column %d: %v", k, v)
		}
	}
	if !slices.Equal(got.Ops, b.Ops) {
		t.Errorf("ops %v", got.Ops)
	}
}

// clicks is a batch as streams have it.
func clicks(n int) *Batch {
	s := &types.Schema{Fields: []types.Field{{Type: types.Of(types.TimestampTZ)}, {Type: types.Of(types.Text)}, {Type: types.Of(types.Int8)}, {Type: types.Of(types.Text)}}}
	bs := NewBuilders(s, n)
	for i := range n {
		bs[0].AppendDatum(int64(1772366400_000000 + i*997))
		bs[1].AppendDatum(fmt.Sprintf("/page/%d", i*i%40))
		bs[2].AppendDatum(int64(i * 7919 % 100000))
		bs[3].AppendDatum(fmt.Sprintf("user-%d", i*7919))
	}
	return BuildBatch(s, bs)
}

func BenchmarkAppendBatch(b *testing.B) {
	batch := clicks(MaxRows)
	var dst []byte
	for b.Loop() {
		dst = AppendBatch(dst[:0], batch)
	}
	b.ReportMetric(float64(b.N)*MaxRows/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64(len(dst))/MaxRows, "bytes/row")
}

func BenchmarkDecodeBatch(b *testing.B) {
	batch := clicks(MaxRows)
	data := AppendBatch(nil, batch)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeBatch(batch.Schema, data, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*MaxRows/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkReadStored(b *testing.B) {
	ints := NewFixedBuilder[int64](types.Of(types.Int4), MaxRows)
	for i := range MaxRows {
		ints.Append(int64(i * 7919 % 1000))
	}
	data := AppendStored(nil, ints.View())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadStored(ints.Type(), MaxRows, data); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/MaxRows, "ns/row")
}

func BenchmarkAppendKey(b *testing.B) {
	batch := clicks(MaxRows)
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = dst[:0]
		for i := range batch.Rows {
			for _, v := range batch.Cols {
				dst = AppendKey(dst, v, i, false)
			}
		}
	}
	b.ReportMetric(float64(b.N)*MaxRows/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkRow(b *testing.B) {
	batch := clicks(MaxRows)
	bs := NewBuilders(batch.Schema, MaxRows)
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		for _, c := range bs {
			c.Reset()
		}
		for i := range batch.Rows {
			dst = AppendRow(dst[:0], batch.Cols, i)
			if _, err := DecodeRow(bs, dst); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*MaxRows/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkParseTimestampTZ(b *testing.B) {
	bs := NewBuilder(types.Of(types.TimestampTZ), MaxRows)
	text := []byte("2026-03-01T12:00:00.123456Z")
	b.ReportAllocs()
	for b.Loop() {
		bs.Reset()
		for range MaxRows {
			if err := bs.AppendText(text, types.UTC); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*MaxRows/b.Elapsed().Seconds(), "rows/s")
}
