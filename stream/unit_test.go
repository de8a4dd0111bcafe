package stream

import (
	"testing"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/types"
)

// A column whose times all lie in 1970, or all beyond the year 9999, is named; one honest time clears it.
func TestWrongUnit(t *testing.T) {
	const seconds, honest = 1_772_366_400, 1_772_366_400_000_000
	for _, x := range []struct {
		values []int64
		nulls  []bool
		want   bool
	}{
		{[]int64{seconds, seconds * 1000}, nil, true},
		{[]int64{seconds, honest}, nil, false},
		{[]int64{honest * 1000}, nil, true},
		{[]int64{0, honest}, []bool{true, false}, false},
		{[]int64{0}, []bool{true}, false},
		{[]int64{int64(types.Infinity)}, nil, false},
		{[]int64{-1}, nil, false},
	} {
		b := &column.Batch{Schema: &types.Schema{Fields: []types.Field{{Name: "at", Type: types.Of(types.TimestampTZ)}}}, Rows: len(x.values),
			Cols: []column.Vector{&column.Of[int64]{T: types.Of(types.TimestampTZ), Values: x.values, Nulls: x.nulls}}}
		if name, _ := wrongUnit(b); (name == "at") != x.want {
			t.Errorf("%v: %q", x.values, name)
		}
	}
	unit := map[string]string{"timestamp_format": "epoch_millis"}
	if !guessesUnit(&catalog.Stream{Options: unit}) || guessesUnit(&catalog.Stream{}) || guessesUnit(&catalog.Stream{Options: unit, Watermark: &catalog.Watermark{}}) {
		t.Error("guessesUnit")
	}
}
