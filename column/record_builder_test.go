package column

import (
	"testing"

	"wmsql/types"
)

// Records whose fields nobody has told, for all are NULL, stand before and behind such as have fields.
func TestRecordBuilder_UnknownFields(t *testing.T) {
	nulls := Const(types.Of(types.Record), nil, 2)
	rows := NewRecordBuilder([]types.Type{types.Of(types.Int4)}, 1)
	rows.AppendDatum([]any{int64(7)})
	known := rows.Build()
	for _, parts := range [][]Vector{{nulls, known}, {known, nulls}, {nulls, known, nulls}} {
		all, each := NewRecordBuilder(nil, 0), NewRecordBuilder(nil, 0)
		for _, p := range parts {
			all.AppendVector(p)
			for i := range p.Len() {
				each.AppendFrom(p, i)
			}
		}
		for _, b := range []*RecordBuilder{all, each} {
			out := b.Build().(*Record)
			seen := 0
			for i := range out.Rows {
				if !out.IsNull(i) && out.Fields[0].(*Of[int64]).Values[i] == 7 {
					seen++
				}
			}
			if seen != 1 || len(out.Fields) != 1 || out.Fields[0].Len() != out.Rows {
				t.Errorf("%d parts: %d rows, %d fields, the row is there %d times", len(parts), out.Rows, len(out.Fields), seen)
			}
		}
	}
}
