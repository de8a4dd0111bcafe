package pgwire

import (
	"testing"

	"wmsql/types"
)

// TestCopyHeaderMatch reads a table of the columns c and d: the answers are those of Postgres 15.
func TestCopyHeaderMatch(t *testing.T) {
	table := &types.Schema{Fields: []types.Field{{Name: "c", Type: types.Of(types.Text)}, {Name: "d", Type: types.Of(types.Int8)}}}
	for _, c := range []struct{ format, data, want string }{
		{"csv", "c,\"d\"\na,1\n", ""},
		{"text", "c\td\r\na\t1\r\n", ""},
		{"csv", "", ""},
		{"csv", "c,e\na,1\n", `column name mismatch in header line field 2: got "e", expected "d"`},
		{"csv", "d,c\n1,a\n", `column name mismatch in header line field 1: got "d", expected "c"`},
		{"text", "c\t\\N\n", `column name mismatch in header line field 2: got null value ("\N"), expected "d"`},
		{"csv", "c\na\n", "wrong number of fields in header line: got 1, expected 2"},
		{"csv", "c,d,e\na,1,2\n", "wrong number of fields in header line: got 3, expected 2"},
	} {
		spec, err := newCopySpec(table, CopyOptions{Format: c.format, Header: true, HeaderMatch: true}, types.UTC)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if _, err := readCopy(spec, []byte(c.data), 3); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s %q: got %q, want %q", c.format, c.data, got, c.want)
		}
	}
}
