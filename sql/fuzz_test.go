package sql

import (
	"strings"
	"testing"

	"wmsql/sqlerr"
)

// FuzzParse holds that no text makes the parser fail, that every error points into the text, and that
// what is read is written and read again as the same.
func FuzzParse(f *testing.F) {
	for _, q := range corpus(f) {
		f.Add(q)
	}
	f.Add("CREATE STREAM s (a int, WATERMARK FOR a AS a - INTERVAL '1' DAY) WITH (x = 'y'); SELECT E'\\x41', U&'\\0041', $$x$$")
	f.Add("INSERT INTO t VALUES (1, DEFAULT) RETURNING a; COPY t FROM STDIN CSV; FETCH 5 FROM c; SET a = b, 'c'")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := Parse(text)
		if err == nil {
			checkStable(t, text)
			return
		}
		e := sqlerr.From(err)
		if e.Code == sqlerr.Internal {
			t.Fatalf("%q: %v", text, e)
		}
		if e.Pos < 0 || e.Pos > len(text)+1 {
			t.Fatalf("%q: error at %d of %d: %v", text, e.Pos, len(text), e)
		}
	})
}

// TestNesting holds that depth is refused with a clear error before it can hurt.
func TestNesting(t *testing.T) {
	repeat := func(open, inner, shut string, n int) string {
		return "SELECT " + strings.Repeat(open, n) + inner + strings.Repeat(shut, n)
	}
	for name, text := range map[string]string{
		"parentheses": repeat("(", "1", ")", 5000),
		"calls":       repeat("f(", "1", ")", 5000),
		"subqueries":  repeat("(SELECT ", "1", ")", 5000),
		"arrays":      "SELECT ARRAY" + repeat("[", "1", "]", 5000)[len("SELECT "):],
		"signs":       repeat("- ", "1", "", 5000),
		"not":         repeat("NOT ", "a", "", 5000),
		"operators":   repeat("1 + ", "1", "", 50_000),
		"casts":       repeat("", "1", "::int", 50_000),
		"open":        strings.Repeat("(", 3_000_000),
		"tables":      "SELECT FROM a" + repeat("", "", ", b", 50_000)[len("SELECT "):],
		"joins":       "SELECT FROM a" + repeat("", "", " JOIN b", 5000)[len("SELECT "):],
		"unions":      "SELECT 1" + repeat("", "", " UNION SELECT 1", 50_000)[len("SELECT "):],
	} {
		_, err := Parse(text)
		if err == nil || sqlerr.From(err).Code != sqlerr.StatementTooComplex {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range map[string]string{
		"parentheses": repeat("(", "1", ")", 90),
		"operators":   repeat("a = 1 OR ", "true", "", 5000),
		"list":        "SELECT 1 IN (0" + repeat("", "", ", 1", 50_000)[len("SELECT "):] + ")",
	} {
		if _, err := Parse(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for name, q := range map[string]string{
		"query=user": "SELECT page, count(*) FILTER (WHERE amount > 10) AS n FROM clicks c JOIN users u ON u.id = c.user_id WHERE page LIKE '/p%' AND amount BETWEEN 1 AND 10 GROUP BY page ORDER BY n DESC LIMIT 10",
		"query=one":  "SELECT 1",
		"query=rows": "INSERT INTO t VALUES (1, 'a', now(), 1.5)" + strings.Repeat(", (2, 'b', DEFAULT, -1.5)", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
