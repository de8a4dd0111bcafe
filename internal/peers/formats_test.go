//go:build peers

package peers

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// What goes over the wire is, byte by byte, what Postgres sends: where columns come from, all types in both formats and mixed, and how
// NUL bytes are refused.
func TestWireAsPostgres(t *testing.T) {
	dial := func(url string) *pgx.Conn {
		c, err := pgx.Connect(context.Background(), url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close(context.Background()) })
		return c
	}
	theirs, ours := dial(postgres(t)), dial(start(t).url())
	for _, c := range []struct {
		name string
		tell func(*testing.T, *pgx.Conn) []string
	}{{"origins", origins}, {"formats", formats}, {"NUL", nulBytes}} {
		t.Run(c.name, func(t *testing.T) {
			want, got := c.tell(t, theirs), c.tell(t, ours)
			if len(got) != len(want) {
				t.Fatalf("%d answers, want %d", len(got), len(want))
			}
			for k := range want {
				if got[k] != want[k] {
					t.Errorf("got  %s\nwant %s", got[k], want[k])
				}
			}
		})
	}
}

// formatValues are values of every type that clients send, as text.
var formatValues = []struct{ typ, text string }{
	{"bool", "t"}, {"int2", "-32768"}, {"int4", "2147483647"}, {"int8", "-9223372036854775808"}, {"float4", "1.5e-07"}, {"float8", "-Infinity"},
	{"float8", "0.1"}, {"numeric", "-120.00500"}, {"numeric", "NaN"}, {"numeric", "123456789012345678901234567890.5"}, {"numeric(10,2)", "1.005"},
	{"numeric", "0.000"}, {"text", "it's é"}, {"text", ""}, {"varchar(3)", "abcd"}, {"char(4)", "ab"}, {"\"char\"", "x"}, {"name", "nam"}, {"bytea", `\x00ff`},
	{"date", "2024-02-29"}, {"date", "infinity"}, {"date", "0044-03-15 BC"}, {"time", "23:59:59.999999"}, {"timestamp", "1999-12-31 24:00:00"},
	{"timestamptz", "2024-03-10 02:30:00.5+05:30"}, {"timestamptz", "-infinity"}, {"interval", "-1 mons +3 days -04:05:06.7"},
	{"uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"}, {"json", `{"a": [1, null]}`}, {"jsonb", `{"b": 1e2, "b": 2}`}, {"oid", "4294967295"},
	{"regtype", "int4"}, {"bool[]", "{t,f,NULL}"}, {"int2[]", "{1,2}"}, {"int4[]", "{1,NULL}"}, {"int8[]", "{-1,2}"}, {"float8[]", "{}"},
	{"numeric[]", "{1.10,NaN}"}, {"text[]", `{"a,b",NULL,"NULL",""}`}, {"varchar[]", "{a}"}, {"bytea[]", `{"\\x01"}`}, {"date[]", "{2024-01-01}"},
	{"time[]", "{00:00:00}"}, {"timestamp[]", "{2024-01-01 01:02:03}"}, {"timestamptz[]", "{infinity}"}, {"interval[]", "{1 day}"},
	{"uuid[]", "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}"}, {"jsonb[]", `{"{}"}`}, {"oid[]", "{1}"}, {"name[]", "{n}"}, {"timetz", "12:34:56.789-07:30:15"}, {"timetz(2)", "24:00:00+15:59:59"},
	{"timetz[]", "{00:00:00+00,NULL}"}, {"bit", "1"}, {"bit(9)", "101010101"}, {"varbit", ""}, {"varbit(12)", "11111111"}, {"bit(3)[]", "{101,000}"},
	{"varbit[]", "{1,NULL}"}, {"int2vector", "1 2"}, {"oidvector", "3"},
}

// formats sends each value as text and, as it came back, in binary beside it, and asks for both back in both formats.
func formats(t *testing.T, c *pgx.Conn) (out []string) {
	const text, binary = 0, 1
	run := func(sql string, values [][]byte, in, back []int16) string {
		r := c.PgConn().ExecParams(context.Background(), sql, values, nil, in, back).Read()
		if r.Err != nil {
			return codeOf(r.Err)
		}
		var row string
		for k, v := range r.Rows[0] {
			f := r.FieldDescriptions[k]
			row += fmt.Sprintf(" %d/%d/%d/%d:%q", f.DataTypeOID, f.DataTypeSize, f.TypeModifier, f.Format, v)
		}
		return row
	}
	for _, v := range formatValues {
		ask := "SELECT $1::" + v.typ
		r := c.PgConn().ExecParams(context.Background(), ask, [][]byte{[]byte(v.text)}, nil, []int16{text}, []int16{binary}).Read()
		if r.Err != nil {
			out = append(out, v.typ+" "+v.text+": "+codeOf(r.Err))
			continue
		}
		raw := r.Rows[0][0]
		sql := fmt.Sprintf("SELECT $1::%[1]s AS a, $2::%[1]s AS b, $3::%[1]s AS c, 'x' AS d", v.typ)
		values := [][]byte{[]byte(v.text), raw, nil}
		out = append(out, v.typ+" "+v.text+": "+run(sql, values, []int16{text, binary, binary}, []int16{binary, text, text, binary}),
			v.typ+" "+v.text+" the other way: "+run(sql, [][]byte{raw, []byte(v.text), nil}, []int16{binary, text, text}, []int16{text, binary, binary, text}))
		if len(raw) > 0 {
			out = append(out, v.typ+" cut short: "+run(ask, [][]byte{raw[:len(raw)-1]}, []int16{binary}, nil))
		}
		out = append(out, v.typ+" too long: "+run(ask, [][]byte{append(raw[:len(raw):len(raw)], 0)}, []int16{binary}, nil))
	}
	out = append(out, "formats of two of three: "+run("SELECT $1::int, $2::int, $3::int", [][]byte{nil, nil, nil}, []int16{0, 0}, nil),
		"no such format: "+run("SELECT $1::int", [][]byte{nil}, []int16{2}, nil), "no such result format: "+run("SELECT 1", nil, nil, []int16{7}),
		"result formats of two of three: "+run("SELECT 1, 2, 3", nil, nil, []int16{0, 1}))
	return out
}

// codeOf is an error as a client takes it: its code.
func codeOf(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return "ERROR " + e.Code
	}
	return err.Error()
}
