package column

import (
	"math"
	"testing"

	"wmsql/types"
)

// samples holds a few rows of every layout, NULLs among them.
func samples() []Vector {
	dec := func(s string) any {
		d, err := types.ParseDecimal(s)
		if err != nil {
			panic(err)
		}
		return d
	}
	mk := func(t types.Type, ds ...any) Vector {
		b := NewBuilder(t, len(ds))
		for _, d := range ds {
			b.AppendDatum(d)
		}
		return b.Build()
	}
	return []Vector{
		mk(types.Of(types.Bool), false, true, nil),
		mk(types.Of(types.Int8), int64(math.MinInt64), int64(-300), int64(-256), int64(-255), int64(-1), int64(0), int64(111), int64(112), int64(255), int64(256), int64(math.MaxInt64), nil),
		mk(types.Of(types.Float8), math.Inf(-1), -1.5, 0.0, 1e-300, 2.0, math.Inf(1), nil),
		mk(types.Of(types.Numeric), dec("-Infinity"), dec("-123456789012345678901234567890.5"), dec("-10"), dec("-1.5"), dec("-0.001"), dec("0"), dec("0.0001"), dec("0.01"), dec("1"), dec("1.01"), dec("9.99"), dec("10"), dec("1e40"), dec("Infinity"), dec("NaN"), nil),
		mk(types.Of(types.Text), "", "\x00", "a", "a\x00", "a\x00b", "ab", "b", nil),
		mk(types.Of(types.Interval), types.IntervalValue{Months: -1}, types.IntervalValue{Micros: -5}, types.IntervalValue{}, types.IntervalValue{Days: 29}, types.IntervalValue{Months: 1}, types.IntervalValue{Months: 12, Days: 5, Micros: 7}, nil),
		mk(types.ArrayOf(types.Int4), []any{}, []any{int64(1)}, []any{int64(1), int64(2)}, []any{int64(1), nil}, []any{int64(2)}, nil),
	}
}

func TestKeyOrder(t *testing.T) {
	for _, v := range samples() {
		for _, desc := range []bool{false, true} {
			var prev []byte
			for i := range v.Len() {
				k := AppendKey(nil, v, i, desc)
				if i > 0 {
					less := string(prev) < string(k)
					if less == desc {
						t.Errorf("%s row %d desc=%v: key %x after %x", v.Type(), i, desc, k, prev)
					}
					if Compare(v, i-1, v, i) >= 0 {
						t.Errorf("%s: row %d is not below row %d", v.Type(), i-1, i)
					}
				}
				prev = k
				b := NewBuilder(v.Type(), 1)
				rest, err := DecodeKey(b, append(k, 'x'), desc)
				if err != nil || string(rest) != "x" {
					t.Fatalf("%s row %d: rest %q, error %v", v.Type(), i, rest, err)
				}
				if Compare(b.View(), 0, v, i) != 0 {
					t.Errorf("%s row %d desc=%v: decoded %v, want %v", v.Type(), i, desc, Get(b.View(), 0), Get(v, i))
				}
			}
		}
	}
}

func TestRowAndBatch(t *testing.T) {
	for _, v := range samples() {
		s := &types.Schema{Fields: []types.Field{{Name: "x", Type: v.Type()}}}
		data := AppendBatch(nil, &Batch{Schema: s, Cols: []Vector{v}, Rows: v.Len()})
		got, err := DecodeBatch(s, data, nil)
		if err != nil {
			t.Fatalf("%s: %v", v.Type(), err)
		}
		for i := range v.Len() {
			row := AppendRow(nil, []Vector{v}, i)
			b := NewBuilder(v.Type(), 1)
			if rest, err := DecodeRow([]Builder{b}, row); err != nil || len(rest) != 0 {
				t.Fatalf("%s row %d: %v", v.Type(), i, err)
			}
			for _, g := range []struct {
				v Vector
				i int
			}{{b.View(), 0}, {got.Cols[0], i}} {
				if Compare(g.v, g.i, v, i) != 0 {
					t.Errorf("%s row %d: %v, want %v", v.Type(), i, Get(g.v, g.i), Get(v, i))
				}
			}
		}
	}
}
