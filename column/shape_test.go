package column

import (
	"testing"

	"wmsql/types"
)

// An array of any shape comes back from each of its forms as it was.
func TestShapes(t *testing.T) {
	typ := types.ArrayOf(types.Int4)
	for _, text := range []string{"{1,2,3}", "{{1,2},{3,NULL}}", "[0:2]={1,2,3}", "[2:3][-1:0]={{1,2},{3,4}}", "{{{1}}}", "{}"} {
		b := NewListBuilder(typ, 1)
		if err := b.AppendText([]byte(text), types.UTC); err != nil {
			t.Fatal(err)
		}
		b.AppendNull()
		if err := b.AppendText([]byte("{7}"), types.UTC); err != nil {
			t.Fatal(err)
		}
		v := b.Build()
		again := map[string]func(b Builder) error{
			"binary": func(b Builder) error { return AppendFromBinary(b, AppendBinary(nil, v, 0)) },
			"row":    func(b Builder) error { _, err := DecodeRow([]Builder{b}, AppendRow(nil, []Vector{v}, 0)); return err },
			"key":    func(b Builder) error { _, err := decodeKey(b, AppendKey(nil, v, 0, false)); return err },
			"datum":  func(b Builder) error { b.AppendDatum(Get(v, 0)); return nil },
			"vector": func(b Builder) error { b.AppendVector(v); b.Truncate(1); return nil },
			"taken":  func(b Builder) error { b.AppendFrom(v.Take([]int32{2, 0}).Slice(1, 2), 0); return nil },
		}
		for how, copyTo := range again {
			out := NewBuilder(typ, 1)
			if err := copyTo(out); err != nil {
				t.Fatalf("%s as %s: %v", text, how, err)
			}
			w := out.View()
			if got := string(AppendText(nil, w, 0, types.UTC)); got != text || w.Len() != 1 {
				t.Errorf("%s as %s: %s", text, how, got)
			}
			if Compare(v, 0, w, 0) != 0 {
				t.Errorf("%s as %s is not equal to itself", text, how)
			}
		}
	}
}
