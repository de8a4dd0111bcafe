//go:build peers

package peers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"wmsql/internal/script"
)

// differs begins a comment above a directive of testdata/dialect for which Postgres prints something else, and says why.
const differs = "# Postgres differs: "

// TestDialectAsPostgres runs the scripts of testdata/dialect on a real Postgres: rows, tags, notices, codes and words of errors are what the
// scripts expect of wmsql. Details, hints and places are not compared, nor the order of rows where none is asked for.
func TestDialectAsPostgres(t *testing.T) {
	url := postgres(t)
	paths, err := filepath.Glob("../../testdata/dialect/*.txt")
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			file, err := script.Parse(filepath.Base(path), string(text), script.NewVerbs())
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(text), "\n")
			pg := connectPrinter(t, url)
			for _, d := range file.Directives {
				if d.Verb != "sql" {
					continue
				}
				got, want := pg.exec(d.Input), comparable(d.Want)
				if !strings.Contains(strings.ToUpper(d.Input), "ORDER BY") {
					slices.Sort(got)
					slices.Sort(want)
				}
				same := slices.Equal(got, want)
				if explained := above(lines, d.Line); same == explained {
					t.Errorf("line %d, explained as a difference: %t\n%s\nPostgres:\n%s\nwmsql:\n%s", d.Line, explained, d.Input, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
		})
	}
}

// above reports whether a comment right above line n, from 1, explains a difference.
func above(lines []string, n int) bool {
	for i := n - 2; i >= 0 && strings.HasPrefix(lines[i], "#"); i-- {
		if strings.HasPrefix(lines[i], differs) {
			return true
		}
	}
	return false
}

// notCompared are the lines of details, which may have several, hints and places.
var notCompared = regexp.MustCompile(`^(DETAIL:|HINT:|LINE |drop cascades to |(view|materialized view) .* depends on )`)

// comparable are the lines of what was printed without details, hints and places.
func comparable(printed string) (out []string) {
	place := false
	for line := range strings.Lines(printed) {
		line = strings.TrimRight(line, "\n ")
		skip := place || notCompared.MatchString(line)
		if place = strings.HasPrefix(line, "LINE "); !skip {
			out = append(out, line)
		}
	}
	return out
}

// empty takes away what the script before has made.
const empty = `SET client_min_messages = warning;
DO $$ DECLARE s text; BEGIN
	FOR s IN SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' LOOP
		EXECUTE format('DROP SCHEMA %I CASCADE', s);
	END LOOP;
END $$;
CREATE SCHEMA public;
RESET client_min_messages`

// printer prints what a Postgres server answers as the scripts do.
type printer struct {
	conn *pgconn.PgConn
	out  strings.Builder
}

// connectPrinter connects to a database that is empty.
func connectPrinter(t *testing.T, url string) *printer {
	p := &printer{}
	cfg, err := pgconn.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	cfg.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
		fmt.Fprintf(&p.out, "%s:  %s: %s\n", n.Severity, n.Code, n.Message)
	}
	if p.conn, err = pgconn.ConnectConfig(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.conn.Close(context.Background()) })
	if out := p.exec(empty); !slices.Equal(out, []string{"SET", "DO", "CREATE SCHEMA", "RESET"}) {
		t.Fatal(out)
	}
	return p
}

// exec runs a text as a simple query and returns the lines that it prints.
func (p *printer) exec(text string) []string {
	p.out.Reset()
	all := p.conn.Exec(context.Background(), text)
	for all.NextResult() {
		r := all.ResultReader()
		for r.NextRow() {
			for i, v := range r.Values() {
				if i > 0 {
					p.out.WriteString(" | ")
				}
				if v == nil {
					p.out.WriteString("NULL")
				}
				p.out.Write(v)
			}
			p.out.WriteByte('\n')
		}
		if tag, err := r.Close(); err == nil && r.FieldDescriptions() == nil {
			fmt.Fprintln(&p.out, tag)
		}
	}
	var e *pgconn.PgError
	if err := all.Close(); errors.As(err, &e) {
		fmt.Fprintf(&p.out, "ERROR:  %s: %s\n", e.Code, e.Message)
	} else if err != nil {
		fmt.Fprintln(&p.out, err)
	}
	return comparable(p.out.String())
}
