package column

import (
	"errors"
	"testing"

	"wmsql/types"
)

// Rows of before and after columns were added are read alike, NULLs and missing values too, and damaged ones are refused.
func TestLayout_Decode(t *testing.T) {
	ints := func(n int) (ts []types.Type) {
		for range n {
			ts = append(ts, types.Of(types.Int4))
		}
		return ts
	}
	cols := func(values ...any) (out []Vector) {
		for _, v := range values {
			out = append(out, Const(types.Of(types.Int4), v, 1))
		}
		return out
	}
	two := Layout{Types: ints(2), Base: 2}
	four := Layout{Types: ints(4), Base: 2, Missing: []Vector{nil, nil, cols(int64(7))[0]}}
	rows := []struct {
		data []byte
		want []any
	}{
		{two.AppendRow(nil, cols(int64(1), nil), 0), []any{int64(1), nil, int64(7), nil}},
		{two.AppendRow(nil, cols(nil, nil), 0), []any{nil, nil, int64(7), nil}},
		{four.AppendRow(nil, cols(int64(1), int64(2), int64(3), int64(4)), 0), []any{int64(1), int64(2), int64(3), int64(4)}},
		{four.AppendRow(nil, cols(nil, nil, nil, nil), 0), []any{nil, nil, nil, nil}},
	}
	for i, row := range rows {
		bs := []Builder{NewBuilder(four.Types[0], 1), nil, NewBuilder(four.Types[2], 1), NewBuilder(four.Types[3], 1)}
		if err := four.Decode(bs, row.data); err != nil {
			t.Errorf("row %d: %v", i, err)
			continue
		}
		for c, b := range bs {
			if b != nil && Get(b.View(), 0) != row.want[c] {
				t.Errorf("row %d has %v in column %d and not %v", i, Get(b.View(), 0), c, row.want[c])
			}
		}
		for _, b := range bs {
			if b != nil {
				b.Reset()
			}
		}
		d := NewRowDecoder(&four, bs)
		if err := errors.Join(d.Decode(row.data), d.Decode(row.data)); err != nil {
			t.Errorf("row %d: %v", i, err)
			continue
		}
		for c, b := range bs {
			if b != nil && (b.Len() != 2 || Get(b.View(), 1) != row.want[c]) {
				t.Errorf("row %d, read again, has %v in column %d and not %v", i, Get(b.View(), 1), c, row.want[c])
			}
		}
		if err := d.Decode(row.data[:1]); err == nil {
			t.Errorf("row %d is read by a decoder though it is cut off", i)
		}
		if err := four.Decode(bs, row.data[:1]); err == nil {
			t.Errorf("row %d is read though it is cut off", i)
		}
	}
	if err := two.Decode(nil, rows[2].data); err == nil {
		t.Error("a row of more columns than there are is read")
	}
}
