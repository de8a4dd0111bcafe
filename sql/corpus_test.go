package sql

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wmsql/sqlerr"
)

// userQueries returns the lines of testdata/parse/user.sql: queries as users and dashboards write
// them.
func userQueries(t testing.TB) []string {
	b, err := os.ReadFile("../testdata/parse/user.sql")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}

// corpus returns every text of the goldens and the user queries.
func corpus(t testing.TB) []string {
	texts := userQueries(t)
	for _, dir := range []string{"parse", "traps"} {
		paths, err := filepath.Glob("../testdata/" + dir + "/*.txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, inputs(string(b))...)
		}
	}
	return texts
}

// inputs returns the statements of a golden file; an expression becomes a query.
func inputs(file string) (texts []string) {
	var verb string
	var input []string
	for line := range strings.Lines(file) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "parse" || line == "transcribe" || line == "expr":
			verb, input = line, nil
		case line == "----":
			if verb == "expr" {
				for _, x := range input {
					texts = append(texts, "SELECT "+x)
				}
			} else if verb != "" {
				texts = append(texts, strings.Join(input, "\n"))
			}
			verb = ""
		default:
			input = append(input, line)
		}
	}
	return texts
}

// TestUserQueries holds that all user queries but one are read: 'a' 'b' on one line is an error in Postgres too.
func TestUserQueries(t *testing.T) {
	refused := map[string]sqlerr.Code{
		"SELECT 'a' 'b'": sqlerr.SyntaxError,
	}
	for _, q := range userQueries(t) {
		_, err := Parse(q)
		var code sqlerr.Code
		if err != nil {
			code = sqlerr.From(err).Code
		}
		if code != refused[q] {
			t.Errorf("%s: %v", q, err)
		}
	}
}

// TestFormat_Stable holds that the canonical spelling is read as the tree that it came from.
func TestFormat_Stable(t *testing.T) {
	for _, text := range corpus(t) {
		checkStable(t, text)
	}
}

func checkStable(t *testing.T, text string) {
	all, err := Parse(text)
	if err != nil {
		return
	}
	for _, p := range all {
		once := Format(p.Stmt)
		if strings.HasSuffix(once, "SET ...") || strings.Contains(once, "-- unsupported") || strings.Contains(once, "UPDATE SET ... RETURNING") {
			continue
		}
		again, err := Parse(once)
		if err != nil {
			t.Errorf("%s\n  is written %s\n  which is not read: %v at %d", text, once, err, sqlerr.From(err).Pos)
			continue
		}
		if twice := Format(again[0].Stmt); twice != once {
			t.Errorf("%s\n  is written %s\n  and read as %s", text, once, twice)
		}
	}
}
