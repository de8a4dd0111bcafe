package server

import (
	"fmt"
	"strings"
	"testing"

	"wmsql/pgwire"
)

// filledBy prepares a text and returns its template's answer to it, nil if it was planned as it is.
func (d *driver) filledBy(text string) *filled {
	d.t.Helper()
	st, err := d.prepare(text)
	if err != nil {
		return nil
	}
	return st.(*statement).filled
}

// The third text of a shape is not planned, if its constants are nothing but values that columns of tables are compared with.
func TestTemplate_Shapes(t *testing.T) {
	d := newDriver(t)
	d.exec("CREATE TABLE t (a INT PRIMARY KEY, b TEXT, at TIMESTAMPTZ)")
	for _, c := range []struct {
		text   string // %d stands for another number each time
		filled bool
		values int // that it is filled with
	}{
		{"SELECT b FROM t WHERE a = %d", true, 1},
		{"SELECT b FROM t WHERE a = -%d", true, 1},
		{"SELECT b FROM t WHERE a BETWEEN %d AND 7 AND b = 'x%[1]d'", true, 3},
		{"SELECT b FROM t WHERE a > %d ORDER BY 1 LIMIT 10;", true, 1},
		{"SELECT b FROM t WHERE a > %d -- %[1]d", true, 1},
		{"SELECT x.b FROM t x JOIN t y ON x.a = y.a WHERE y.a = %d AND x.b = 'x%[1]d'", true, 2},
		{"SELECT 1, 'x' FROM t -- %d", true, 0},
		{"SELECT b FROM t WHERE at > '2026-01-01 00:00:%02d'", false, 0}, // the time zone matters
		{"SELECT b FROM t WHERE at > '2026-01-01 00:00:%02d+00'", true, 1},
		{"SELECT * FROM (SELECT b, row_number() OVER (ORDER BY a) AS n FROM t) x WHERE n <= %d", false, 0}, // the three first are found faster than all
		{"UPDATE t SET b = 'x%d' WHERE a = %[1]d", true, 2},
		{"UPDATE t SET a = a + 1 WHERE a = %d", true, 1},
		{"DELETE FROM t WHERE a = %d", true, 1},
		{"INSERT INTO t VALUES (%d)", false, 0},
		{"WITH w AS (DELETE FROM t WHERE a = %d RETURNING b) SELECT * FROM w", false, 0},
		{"SELECT g FROM generate_series(1, 3) g WHERE g = %d", false, 0},
		{"SELECT b FROM t WHERE a = %d; SELECT 1", false, 0},
		{"EXPLAIN SELECT b FROM t WHERE a = %d", false, 0},
		{"SELECT b FROM t WHERE a = %d AND b = '" + strings.Repeat("x", recentTextMax) + "'", false, 0},
		{"SELECT b FROM t WHERE a IN (0" + strings.Repeat(", 1", 80) + ") AND a = %d", false, 0},
	} {
		var got *filled
		for i := range 3 {
			got = d.filledBy(fmt.Sprintf(c.text, i))
		}
		if (got != nil) != c.filled {
			t.Errorf("%.100s: a template answers: %t", c.text, got != nil)
			continue
		}
		values := 0
		if got != nil {
			for _, v := range got.values {
				if v != nil {
					values++
				}
			}
		}
		if values != c.values {
			t.Errorf("%.100s: %d values, want %d", c.text, values, c.values)
		}
	}
}

// A template answers what its text would if it was planned, whatever has changed.
func TestTemplate_Conditions(t *testing.T) {
	d := newDriver(t)
	d.exec("CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1), (2)")
	for _, step := range []struct{ change, one, two string }{
		{"SELECT 1", "a 1", "a 2"},
		{"DROP TABLE t; CREATE TABLE t (a INT PRIMARY KEY, b INT); INSERT INTO t VALUES (1, 2), (2, 3)", "a b 1 2", "a b 2 3"},
		{"CREATE SCHEMA other; CREATE TABLE other.t (a TEXT PRIMARY KEY, c TEXT); INSERT INTO other.t VALUES ('1', 'other'); SET search_path = other, public", "42883", "42883"},
		{"DROP TABLE other.t; CREATE TABLE other.t (a NUMERIC); INSERT INTO other.t VALUES (1.0), (2)", "a 1.0", "a 2"},
		{"CREATE TEMP TABLE t (z TEXT, a BIGINT); INSERT INTO t VALUES ('mine', 1)", "z a mine 1", "z a"},
		{"DISCARD TEMP", "a 1.0", "a 2"},
		{"RESET search_path", "a b 1 2", "a b 2 3"},
		{"BEGIN; ALTER TABLE t RENAME COLUMN b TO bb", "a bb 1 2", "a bb 2 3"},
		{"ROLLBACK", "a b 1 2", "a b 2 3"},
		{"BEGIN; SET LOCAL search_path = other", "a 1.0", "a 2"},
		{"COMMIT", "a b 1 2", "a b 2 3"},
		{"ALTER TABLE t DROP COLUMN b", "a 1", "a 2"},
		{"DROP TABLE t", "42P01", "42P01"},
		{"CREATE VIEW t AS SELECT 1 AS a, 'view' AS v", "a v 1 view", "a v"},
	} {
		d.exec(step.change)
		for range 3 {
			if got := d.ask("SELECT * FROM t WHERE a = 1"); got != step.one {
				t.Errorf("after %s: %q, want %q", step.change, got, step.one)
			}
			if got := d.ask("SELECT * FROM t WHERE a = 2"); got != step.two {
				t.Errorf("after %s: %q, want %q", step.change, got, step.two)
			}
		}
	}
}

// newFilled is a session in which a template answers the statement SELECT * FROM t WHERE a = 1.
func newFilled(t *testing.T) (*driver, pgwire.Statement) {
	t.Helper()
	d := newDriver(t)
	d.exec("CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1), (2)")
	for range 3 {
		d.ask("SELECT * FROM t WHERE a = 2")
	}
	st, err := d.prepare("SELECT * FROM t WHERE a = 1")
	if err != nil || st.(*statement).filled == nil {
		t.Fatalf("no template: %v", err)
	}
	return d, st
}

// Whoever prepared a text that a template answers keeps its columns, and reads the rows of now.
func TestTemplate_Prepared(t *testing.T) {
	d, st := newFilled(t)
	if len(st.Params()) != 0 || st.(*statement).text != "SELECT * FROM t WHERE a = 1" {
		t.Errorf("the client is told of %d parameters, others of the text %s", len(st.Params()), st.(*statement).text)
	}
	for _, step := range []struct{ change, want string }{
		{"SELECT 1", "a 1"},
		{"SET TimeZone = 'Europe/Berlin'", "a 1"},
		{"DROP TABLE t; CREATE TABLE t (a INT PRIMARY KEY, b INT); INSERT INTO t VALUES (1, 2)", "0A000"},
		{"DROP TABLE t; CREATE TABLE t (a INT)", "a"},
		{"DROP TABLE t", "42P01"},
		{"CREATE TABLE t (a INT); INSERT INTO t VALUES (1)", "a 1"},
	} {
		d.exec(step.change)
		for range 2 {
			if got := d.run(st); got != step.want {
				t.Errorf("after %s: %q, want %q", step.change, got, step.want)
			}
		}
	}
}

// EXPLAIN of a prepared statement that a template answers shows the statement, and runs it.
func TestTemplate_Explained(t *testing.T) {
	d, st := newFilled(t)
	d.s.statements["mine"] = &pgwire.Prepared{Statement: st}
	for _, text := range []string{"EXPLAIN EXECUTE mine", "EXPLAIN (ANALYZE, TIMING OFF) EXECUTE mine"} {
		if got := d.ask(text); !strings.Contains(got, "Filter a = 1") {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := d.ask("EXECUTE mine"); got != "a 1" {
		t.Errorf("after EXPLAIN: %s", got)
	}
}

// What a session remembers is bounded.
func TestTemplate_Bound(t *testing.T) {
	d := newDriver(t)
	d.exec("CREATE TABLE t (a INT PRIMARY KEY)")
	for i := range 3 * templatesMax {
		for range 3 {
			d.ask(fmt.Sprintf("SELECT a AS c%d FROM t WHERE a = %d", i, i))
			d.ask(fmt.Sprintf("SELECT a FROM t WHERE a = %d LIMIT %d", i, i))
		}
		made := 0
		for _, sh := range d.s.templates.shapes {
			made += len(sh.made)
		}
		if len(d.s.templates.shapes) > templatesMax || made > templatesMax+1 {
			t.Fatalf("%d shapes with %d templates are remembered", len(d.s.templates.shapes), made)
		}
	}
	d.exec("DISCARD ALL")
	if len(d.s.templates.shapes) > 0 {
		t.Error("DISCARD ALL leaves templates")
	}
	d.exec("SET plan_cache_mode = force_custom_plan")
	for range 3 {
		if d.filledBy("SELECT a FROM t WHERE a = 1") != nil {
			t.Error("plan_cache_mode is not heard")
		}
	}
}
