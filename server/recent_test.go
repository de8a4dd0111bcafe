package server

import (
	"context"
	"strings"
	"testing"
	"time"

	"wmsql/column"
	"wmsql/internal/clock"
	"wmsql/pgwire"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// driver speaks as a driver that names no statements: the same text is parsed anew for each execution.
type driver struct {
	t *testing.T
	s *Session
}

func newDriver(t *testing.T) *driver {
	t.Helper()
	store, err := state.Open("", state.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	srv, err := New(context.Background(), store, Config{Clock: clock.NewFake(time.Unix(0, 0)), Manual: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := srv.Close(); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	s, err := srv.Session(pgwire.Startup{User: "wmsql", Database: "wmsql"})
	if err != nil {
		t.Fatal(err)
	}
	return &driver{t, s}
}

func (d *driver) exec(text string) {
	d.t.Helper()
	if err := execSimple(d.s, text); err != nil {
		d.t.Fatalf("%s: %v", text, err)
	}
}

func (d *driver) prepare(text string, params ...types.Type) (pgwire.Statement, error) {
	list, err := d.s.Parse(text)
	if err != nil {
		return nil, err
	}
	return d.s.Prepare(context.Background(), list[0], params)
}

// run runs a statement with the number 1 for each parameter and prints its columns and rows, or the error's code.
func (d *driver) run(st pgwire.Statement) string {
	ctx := context.Background()
	var args []column.Vector
	for _, t := range st.Params() {
		b := column.NewBuilder(t, 1)
		if err := b.AppendText([]byte("1"), types.UTC); err != nil {
			d.t.Fatal(err)
		}
		args = append(args, b.Build())
	}
	var out []string
	res, err := st.Run(ctx, args)
	if err == nil {
		for _, f := range st.Schema().Fields {
			out = append(out, f.Name)
		}
		var rows []*column.Batch
		rows, err = collect(ctx, res)
		for _, b := range rows {
			for i := range b.Rows {
				for _, v := range b.Cols {
					out = append(out, string(column.AppendText(nil, v, i, d.s.Format())))
				}
			}
		}
		_ = res.Close()
	}
	if err2 := d.s.Sync(ctx, err); err == nil {
		err = err2
	}
	if err != nil {
		return string(sqlerr.From(err).Code)
	}
	return strings.Join(out, " ")
}

// ask parses and runs a text.
func (d *driver) ask(text string, params ...types.Type) string {
	st, err := d.prepare(text, params...)
	if err != nil {
		_ = d.s.Sync(context.Background(), err)
		return string(sqlerr.From(err).Code)
	}
	return d.run(st)
}

// A text that comes again is not planned again, and answers what it would if it was, whatever has changed.
func TestRecent(t *testing.T) {
	d := newDriver(t)
	d.exec("CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1)")
	const text = "SELECT * FROM t WHERE a = $1"
	first, err := d.prepare(text)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := d.prepare(text); again != first || err != nil {
		t.Errorf("the text was planned again: %v", err)
	}
	if one, err := d.prepare(text, types.Of(types.Int8)); one == first || err != nil || one.Params()[0].Kind != types.Int8 {
		t.Errorf("a parameter of another type was not heard: %v", err)
	}
	for _, step := range []struct{ change, want string }{
		{"SELECT 1", "a 1"},
		{"DROP TABLE t; CREATE TABLE t (a INT PRIMARY KEY, b INT); INSERT INTO t VALUES (1, 2)", "a b 1 2"},
		{"CREATE SCHEMA other; CREATE TABLE other.t (a INT PRIMARY KEY, c TEXT); INSERT INTO other.t VALUES (1, 'other'); SET search_path = other, public", "a c 1 other"},
		{"CREATE TEMP TABLE t (z TEXT, a INT); INSERT INTO t VALUES ('mine', 1)", "z a mine 1"},
		{"DISCARD TEMP", "a c 1 other"},
		{"RESET search_path", "a b 1 2"},
		{"BEGIN; ALTER TABLE t RENAME COLUMN b TO bb", "a bb 1 2"},
		{"ROLLBACK", "a b 1 2"},
		{"BEGIN; SET LOCAL search_path = other", "a c 1 other"},
		{"COMMIT", "a b 1 2"},
		{"DROP TABLE t", "42P01"},
		{"CREATE VIEW t AS SELECT 1 AS a, 'view' AS v", "a v 1 view"},
	} {
		d.exec(step.change)
		for range 2 {
			if got := d.ask(text); got != step.want {
				t.Errorf("after %s: %q, want %q", step.change, got, step.want)
			}
		}
	}
}

// The client of a prepared statement knows its parameters and columns, so they never change; Postgres 15 answers the same.
func TestPrepared_KeepsItsTypes(t *testing.T) {
	d := newDriver(t)
	d.exec("CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1)")
	star, err := d.prepare("SELECT * FROM t WHERE a = $1")
	if err != nil {
		t.Fatal(err)
	}
	column, err := d.prepare("SELECT a::text FROM t WHERE a = $1")
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ change, star, column string }{
		{"SELECT 1", "a 1", "a 1"},
		{"SET TimeZone = 'Europe/Berlin'", "a 1", "a 1"},
		{"DROP TABLE t; CREATE TABLE t (a INT PRIMARY KEY, b INT); INSERT INTO t VALUES (1, 2)", "0A000", "a 1"},
		{"DROP TABLE t; CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1)", "a 1", "a 1"},
		{"DROP TABLE t; CREATE TABLE t (a TEXT PRIMARY KEY)", "42883", "42883"},
		{"DROP TABLE t", "42P01", "42P01"},
		{"CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1)", "a 1", "a 1"},
	} {
		d.exec(step.change)
		for range 2 {
			if got := d.run(star); got != step.star {
				t.Errorf("after %s: %q, want %q", step.change, got, step.star)
			}
			if got := d.run(column); got != step.column {
				t.Errorf("after %s: %q, want %q", step.change, got, step.column)
			}
		}
	}
}

// What a session remembers is bounded.
func TestRecent_Bound(t *testing.T) {
	d := newDriver(t)
	for i := range 3 * recentMax {
		if got := d.ask("SELECT $1::int" + strings.Repeat(" ", i)); got != "int4 1" {
			t.Fatal(got)
		}
	}
	if got := d.ask("SELECT $1::int" + strings.Repeat(" ", recentTextMax)); got != "int4 1" || len(d.s.recent) > recentMax {
		t.Errorf("%s, and %d texts are remembered", got, len(d.s.recent))
	}
	for text := range d.s.recent {
		if len(text) > recentTextMax {
			t.Errorf("a text of %d bytes is remembered", len(text))
		}
	}
	d.exec("DISCARD ALL")
	if len(d.s.recent) > 0 {
		t.Error("DISCARD ALL leaves texts")
	}
}

// A time zone is part of what a text means.
func TestRecent_Zone(t *testing.T) {
	d := newDriver(t)
	const text = "SELECT '2026-07-01 00:00'::timestamptz AT TIME ZONE 'UTC' AS at WHERE $1 = 1"
	for _, step := range []struct{ change, want string }{
		{"SET TimeZone = 'UTC'", "at 2026-07-01 00:00:00"},
		{"SET TimeZone = 'Europe/Berlin'", "at 2026-06-30 22:00:00"},
	} {
		d.exec(step.change)
		if got := d.ask(text); got != step.want {
			t.Errorf("after %s: %q, want %q", step.change, got, step.want)
		}
	}
}

// The protocol prepares EXECUTE too. Statements that would execute one another without end are refused.
func TestPrepared_Circle(t *testing.T) {
	d := newDriver(t)
	name := func(name, text string) {
		t.Helper()
		st, err := d.prepare(text)
		if err != nil {
			t.Fatal(err)
		}
		d.s.statements[name] = &pgwire.Prepared{Statement: st}
	}
	name("b", "SELECT 1 AS n")
	name("a", "EXECUTE b")
	name("b", "EXECUTE a")
	if got := d.ask("EXECUTE b"); got != "n 1" {
		t.Errorf("b executes what a did: %s", got)
	}
	d.exec("CREATE TABLE t (x INT)") // a plans anew: it means the new b
	for _, text := range []string{"EXECUTE a", "EXECUTE b", "EXPLAIN EXECUTE a"} {
		if got := d.ask(text); got != "54001" && got != "0A000" {
			t.Errorf("%s: %s", text, got)
		}
	}
	name("c", "SELECT 1 AS n")
	for i := range executesMax + 1 {
		if i < executesMax {
			name("c", "EXECUTE c")
		} else if _, err := d.prepare("EXECUTE c"); err == nil {
			t.Error("statements that execute one another have no bound")
		}
	}
}
