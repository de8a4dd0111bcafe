package sql

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wmsql/sqlerr"

	"github.com/jackc/pgx/v5/pgconn"
)

// connectOracle connects to the Postgres that WMSQL_ORACLE names, a throw-away one: it gets a
// type with every operator.
func connectOracle(t *testing.T) *pgconn.PgConn {
	dsn := os.Getenv("WMSQL_ORACLE")
	if dsn == "" {
		t.Skip("WMSQL_ORACLE names no Postgres")
	}
	c, err := pgconn.Connect(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return c
}

// ask runs a query and returns its output, or its error.
func ask(c *pgconn.PgConn, query string) (string, *pgconn.PgError) {
	results, err := c.Exec(context.Background(), query).ReadAll()
	if err != nil {
		var refused *pgconn.PgError
		if !errors.As(err, &refused) {
			return "", &pgconn.PgError{Message: err.Error()}
		}
		return "", refused
	}
	var b strings.Builder
	for _, r := range results {
		for _, row := range r.Rows {
			for _, v := range row {
				b.Write(v)
				b.WriteByte('\n')
			}
		}
	}
	return b.String(), nil
}

// TestOracleExpressions asks a real Postgres about random expressions: it must refuse what we
// refuse, at the same place in the same words, and mean the same by the rest, which is seen by its
// plan for our fully parenthesised spelling.
func TestOracleExpressions(t *testing.T) {
	c := connectOracle(t)
	setupOracle(t, c)
	r := rand.New(rand.NewSource(1))
	refused := 0
	for range 20_000 {
		text := randomExpr(r, 1+r.Intn(6))
		query := "EXPLAIN (VERBOSE, COSTS OFF) SELECT " + text + " FROM t"
		want, pgErr := ask(c, query)
		x, err := ParseExpr(text)
		offset := strings.Index(query, text)
		if err != nil {
			refused++
			e := sqlerr.From(err)
			switch {
			case pgErr == nil:
				t.Errorf("%s\n  we refuse: %s at %d", text, e.Msg, e.Pos)
			case pgErr.Message != e.Msg && !strings.HasSuffix(e.Msg, "end of input") || int(pgErr.Position) != e.Pos+offset && !strings.HasSuffix(e.Msg, "end of input"):
				t.Errorf("%s\n  we: %s at %d\n  postgres: %s at %d", text, e.Msg, e.Pos, pgErr.Message, int(pgErr.Position)-offset)
			}
			continue
		}
		if pgErr != nil && pgErr.Code == "42601" {
			t.Errorf("%s\n  postgres refuses: %s at %d", text, pgErr.Message, int(pgErr.Position)-offset)
			continue
		}
		got, gotErr := ask(c, "EXPLAIN (VERBOSE, COSTS OFF) SELECT "+Format(x)+" FROM t")
		if got != want || (pgErr == nil) != (gotErr == nil) || pgErr != nil && pgErr.Message != gotErr.Message {
			t.Errorf("%s\n  we read: %s\n  postgres: %s%v\n  ours:     %s%v", text, Format(x), want, pgErr, got, gotErr)
		}
	}
	t.Logf("%d refused", refused)
}

// randomExpr returns an expression of n operators without parentheses, seldom a wrong one.
func randomExpr(r *rand.Rand, n int) string {
	pick := func(words string) string {
		list := strings.Split(words, ";")
		return list[r.Intn(len(list))]
	}
	operand := func() string {
		s := ""
		for r.Intn(6) == 0 {
			s += pick("- ;+ ;~ ;@ ;NOT ;!! ;NOT ;operator(public.~) ")
		}
		s += pick("a;b;c;a;b;c;d;(a);('a'::u);(SELECT b);CASE WHEN d THEN a END;f1(a)")
		for r.Intn(8) == 0 {
			s += pick("::u;::bool")
		}
		return s
	}
	s := operand()
	for range n {
		switch r.Intn(8) {
		case 0, 1, 2:
			s += " " + pick("+;-;*;/;%;^;<;>;=;<=;>=;<>;||;~;&;|;#;->;@>;!~;<<;?;operator(public.+)") + " " + operand()
		case 3:
			s += " " + pick("AND;OR;AND;OR;IS DISTINCT FROM;IS NOT DISTINCT FROM;AT TIME ZONE") + " " + operand()
		case 4:
			s += " " + pick("IS NULL;IS NOT NULL;IS TRUE;IS NOT FALSE;IS UNKNOWN;ISNULL;NOTNULL;::u;::bool")
		case 5:
			s += " " + pick("LIKE;NOT LIKE;ILIKE") + " " + operand() + pick(";;; ESCAPE "+operand())
		case 6:
			s += " " + pick("IN;NOT IN") + " (" + operand() + ", " + operand() + ")"
		case 7:
			s += " " + pick("BETWEEN;NOT BETWEEN;BETWEEN SYMMETRIC") + " " + operand() + pick(";; + "+operand()+"; IS NULL; < "+operand()) + " AND " + operand()
		}
	}
	return s
}

// setupOracle makes a type u on which every operator is defined, so that any tree has a plan.
func setupOracle(t *testing.T, c *pgconn.PgConn) {
	script := `
		SET client_min_messages = error;
		DROP SCHEMA public CASCADE; CREATE SCHEMA public;
		CREATE TYPE u AS ENUM ('a');
		CREATE FUNCTION f2(u, u) RETURNS u LANGUAGE plpgsql IMMUTABLE AS 'begin return $1; end';
		CREATE FUNCTION f1(u) RETURNS u LANGUAGE plpgsql IMMUTABLE AS 'begin return $1; end';
		CREATE FUNCTION fb(u, u) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'begin return true; end';
		CREATE FUNCTION u2b(u) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS 'begin return true; end';
		CREATE FUNCTION b2u(bool) RETURNS u LANGUAGE plpgsql IMMUTABLE AS 'begin return ''a''; end';
		CREATE FUNCTION timezone(u, u) RETURNS u LANGUAGE plpgsql IMMUTABLE AS 'begin return $1; end';
		CREATE FUNCTION like_escape(u, u) RETURNS u LANGUAGE plpgsql IMMUTABLE AS 'begin return $1; end';
		CREATE CAST (u AS bool) WITH FUNCTION u2b(u) AS IMPLICIT;
		CREATE CAST (bool AS u) WITH FUNCTION b2u(bool) AS IMPLICIT;
		CREATE TABLE t (a u, b u, c u, d bool);
	`
	for _, op := range strings.Fields("+ - * / % ^ < > <= >= || ~ & | # -> @> !~ << ~~ !~~ ~~* ?") {
		script += fmt.Sprintf("CREATE OPERATOR %s (leftarg = u, rightarg = u, function = f2);", op)
	}
	for _, op := range strings.Fields("+ - ~ @ !!") {
		script += fmt.Sprintf("CREATE OPERATOR %s (rightarg = u, function = f1);", op)
	}
	for _, op := range strings.Fields("= <>") {
		script += fmt.Sprintf("CREATE OPERATOR %s (leftarg = u, rightarg = u, function = fb);", op)
	}
	if _, err := ask(c, script); err != nil {
		t.Fatal(err)
	}
}

// TestOracleViews makes views of the queries of Postgres's own catalogs, once as they are and once as
// we write them: Postgres must show both in the same way.
func TestOracleViews(t *testing.T) {
	c := connectOracle(t)
	paths, err := filepath.Glob("/usr/share/postgresql/*/*_*.sql")
	if err != nil || len(paths) == 0 {
		t.Skip("no catalog scripts here")
	}
	same := 0
	for _, path := range paths {
		if base := filepath.Base(path); base != "information_schema.sql" && base != "system_views.sql" {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all, err := Parse(string(text))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, p := range all {
			v, ok := p.Stmt.(*CreateView)
			if !ok {
				continue
			}
			want, pgErr := viewOf(c, v.Text)
			if pgErr != nil {
				continue
			}
			got, pgErr := viewOf(c, Format(v.Query))
			if got != want {
				t.Errorf("%s\n  is to Postgres\n%s\n  and as we write it %v\n%s", v.Text, want, pgErr, got)
			}
			same++
		}
	}
	t.Logf("%d views", same)
	if same < 50 {
		t.Errorf("only %d views", same)
	}
}

// viewOf returns how Postgres shows a view of the query.
func viewOf(c *pgconn.PgConn, query string) (string, *pgconn.PgError) {
	defer ask(c, "ROLLBACK")
	return ask(c, "BEGIN; SET LOCAL search_path = information_schema, pg_catalog, public; CREATE TEMP VIEW oracle AS "+query+"; SELECT pg_get_viewdef('oracle')")
}
