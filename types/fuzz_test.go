package types_test

import (
	"strings"
	"testing"

	"wmsql/column"
	"wmsql/types"
)

// FuzzText reads any text as a value of every kind: an error or a value, never a panic, and a value's text must read back as
// an equal value.
func FuzzText(f *testing.F) {
	for _, s := range []string{
		"2026-03-01T12:00:00.123456789+05:30", "Mar 1, 2026 3:04 PM America/New_York", "20260301T040506 PST", "J2451187.5", "infinity", "44-03-15 BC", "1.5 hours ago",
		"P1Y2M3DT4H5M6.7S", "1-2 3 4:05:06", `{"a":[1,2.5e3,"\ud83d\ude00"],"b":null}`, `{1,NULL,"a\"b"}`, `\x00ff`, `a\001`, "-1.5e-3", "NaN", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "true",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsRune(strings.ToLower(s), 'n') && strings.Contains(strings.ToLower(s), "now") {
			return // it means another time at each reading
		}
		for k := range types.Any {
			if k >= types.RegClass && k <= types.RegRole {
				continue // names need a catalog
			}
			for _, typ := range []types.Type{types.Of(k), types.ArrayOf(k)} {
				b := column.NewBuilder(typ, 2)
				if b.AppendText([]byte(s), types.UTC) != nil {
					if b.Len() != 0 {
						t.Fatalf("%s: an error left a row", typ)
					}
					continue
				}
				text := column.AppendText(nil, b.View(), 0, types.UTC)
				if typ.Kind == types.Char && len(text) == 0 {
					continue
				}
				if err := b.AppendText(text, types.UTC); err != nil {
					t.Fatalf("%s: %q is written as %q, which is %v", typ, s, text, err)
				}
				v := b.View()
				if column.Compare(v, 0, v, 1) != 0 {
					t.Fatalf("%s: %q is written as %q, which reads as %q", typ, s, text, column.AppendText(nil, v, 1, types.UTC))
				}
			}
		}
	})
}
