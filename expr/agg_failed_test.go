package expr

import (
	"testing"

	"wmsql/column"
	"wmsql/types"
)

// TestFailedSlot overflows one of two slots: it alone fails, whatever comes to it later, wherever it is moved, and when it is merged or stored
// and read again; emptied it is sound.
func TestFailedSlot(t *testing.T) {
	float := types.Of(types.Float8)
	agg, err := NewAggregate("sum", []Expr{&Column{Name: "x", T: float}}, false, false, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	fresh := func() Accumulator {
		a := NewAccumulator(agg, &Context{Format: types.UTC})
		a.Resize(3)
		return a
	}
	add := func(a Accumulator, slots []int32, values ...float64) {
		t.Helper()
		if err := a.Add(slots, nil, []column.Vector{&column.Of[float64]{T: float, Values: values}}); err != nil {
			t.Fatal(err)
		}
	}
	value := func(a Accumulator, slot int32) string {
		b := column.NewBuilder(float, 1)
		if err := a.Result(b, []int32{slot}); err != nil {
			return err.Error()
		}
		if v := b.Build(); !v.IsNull(0) {
			return string(column.AppendText(nil, v, 0, types.UTC))
		}
		return "NULL"
	}
	is := func(what string, a Accumulator, want ...string) {
		t.Helper()
		for slot, w := range want {
			if got := value(a, int32(slot)); got != w {
				t.Errorf("%s: slot %d is %s, want %s", what, slot, got, w)
			}
		}
	}
	const over = "value out of range: overflow"
	a := fresh()
	add(a, []int32{0, 1, 0, 1, 0, 1}, 1e308, 1, 1e308, 2, -1e308, 3)
	is("added", a, over, "6", "NULL")
	if err := a.Result(column.NewBuilder(float, 2), []int32{1, 0}); err == nil {
		t.Error("the result of both slots is no error")
	}
	add(a, []int32{0, 1}, 5, 4)
	is("added to", a, over, "10", "NULL")

	stored := fresh()
	for slot := range int32(3) {
		rest, err := stored.Decode(slot, append(a.Encode(nil, slot), 'x'))
		if err != nil || string(rest) != "x" {
			t.Errorf("decoding slot %d leaves %q, %v", slot, rest, err)
		}
	}
	is("stored", stored, over, "10", "NULL")

	merged := fresh()
	add(merged, []int32{0, 1, 2}, 1, 1, 1)
	if err := merged.Merge([]int32{0, 1}, a, []int32{0, 1}); err != nil {
		t.Fatal(err)
	}
	is("merged", merged, over, "11", "1")
	high := fresh()
	add(high, []int32{2}, 1e308)
	for range 2 {
		if err := merged.Merge([]int32{2}, high, []int32{2}); err != nil {
			t.Fatal(err)
		}
	}
	is("merged until it overflows", merged, over, "11", over)

	a.Move(2, 0)
	is("moved", a, "NULL", "10", over)
	a.Move(2, 1)
	is("moved over", a, "NULL", "NULL", "10")
	stored.Reset(0)
	add(stored, []int32{0}, 7)
	is("emptied", stored, "7", "10", "NULL")
}
