//go:build peers

package peers

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// nulBytes tries to bring a NUL byte into a text by every way there is.
func nulBytes(t *testing.T, c *pgx.Conn) (out []string) {
	ctx := context.Background()
	if _, err := c.PgConn().Exec(ctx, "CREATE TABLE nul (a TEXT, b JSONB)").ReadAll(); err != nil {
		t.Fatal(err)
	}
	say := func(what string, err error) {
		fault := "taken"
		if err != nil {
			fault = codeOf(err)
		}
		out = append(out, what+": "+fault)
	}
	for _, typ := range []string{"text", "varchar", "char(3)", "name", "json", "jsonb", "int", "text[]", "uuid", "date"} {
		for format, name := range []string{"text", "binary"} {
			for _, value := range []string{"a\x00b", "\x00"} {
				if format == 1 && (typ == "int" || typ == "text[]" || typ == "uuid" || typ == "date") {
					continue
				}
				if format == 1 && typ == "jsonb" {
					value = "\x01\"" + value + "\""
				}
				r := c.PgConn().ExecParams(ctx, "SELECT $1::"+typ, [][]byte{[]byte(value)}, nil, []int16{int16(format)}, nil).Read()
				say(typ+" parameter in "+name, r.Err)
			}
		}
	}
	elements := "\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x19\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x01\x00"
	say("text[] parameter in binary", c.PgConn().ExecParams(ctx, "SELECT $1::text[]", [][]byte{[]byte(elements)}, nil, []int16{1}, nil).Read().Err)
	for _, sql := range []string{
		`SELECT E'a\000b'`, `SELECT E'\x00'`, `SELECT E'\u0000'`, `SELECT U&'\0000'`, `SELECT chr(0)`, `SELECT '"\u0000"'::jsonb`, `SELECT '"\u0000"'::json`,
		`SELECT ('"\u0000"'::json) #>> '{}'`, `SELECT convert_from('\x6100', 'UTF8')`, `SELECT '\x00'::bytea::text`, `SELECT encode('\x00', 'escape')`,
		`SELECT E'\\000'::bytea`, `SELECT U&"\0000"`,
	} {
		_, err := c.PgConn().Exec(ctx, sql).ReadAll()
		say(sql, err)
	}
	for _, data := range []struct{ how, text string }{
		{"", "a\x00b\t{}\n"}, {"", "a\\000b\t{}\n"}, {"", "a\\x00b\t{}\n"}, {"", "a\t\"\\\\u0000\"\n"}, {"csv", "a\x00b,{}\n"}, {"csv", "\"\x00\",{}\n"},
		{"binary", "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x03a\x00b\xff\xff\xff\xff\xff\xff"},
		{"binary", "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\xff\xff\xff\xff\x00\x00\x00\x04\x01\"\x00\"\xff\xff"},
	} {
		sql := "COPY nul FROM STDIN"
		if data.how != "" {
			sql += " (FORMAT " + data.how + ")"
		}
		_, err := c.PgConn().CopyFrom(ctx, strings.NewReader(data.text), sql)
		say(sql+" of "+strings.ToValidUTF8(data.text, "?"), err)
	}
	return out
}
