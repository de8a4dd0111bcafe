package exec_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"wmsql/sqlerr"
	"wmsql/state"
)

// spillWorld has a table of 20,000 rows: id, a text of its own, a group that half of the rows share, a number that every 7th row lacks.
func spillWorld(t *testing.T, o state.Options) *world {
	w := newWorldOn(t, o)
	var rows strings.Builder
	for i := range 20000 {
		group := i % 100
		if i%2 == 0 {
			group = 0
		}
		n := fmt.Sprint(i * 7919 % 20011)
		if i%7 == 0 {
			n = ""
		}
		fmt.Fprintf(&rows, "%d | text of row %d | %d | %s\n", i, i, group, n)
	}
	if err := w.createTable("CREATE TABLE t (id INT PRIMARY KEY, v TEXT, g INT, n INT)", rows.String()); err != nil {
		t.Fatal(err)
	}
	w.spills = true
	return w
}

// spilling are queries of which each makes the operator that it names write more than fits in 64 KiB.
var spilling = []struct{ operator, query string }{
	{"Sort", "SELECT * FROM t ORDER BY n DESC NULLS FIRST, id"},
	{"TopN", "SELECT * FROM t ORDER BY n LIMIT 15000 OFFSET 10"},
	{"Distinct", "SELECT DISTINCT v, n FROM t"},
	{"Distinct", "SELECT DISTINCT ON (n) n, id FROM t"},
	{"Distinct", "SELECT v FROM t UNION SELECT v FROM t"},
	{"Aggregate", "SELECT v, count(*), max(n) FROM t GROUP BY v"},
	{"Aggregate", "SELECT n::numeric / 10, count(*), array_agg(id ORDER BY v) FROM t WHERE n > 0 GROUP BY 1"},
	{"Aggregate", "SELECT g, n, count(DISTINCT id % 10) FROM t GROUP BY GROUPING SETS ((g, n), (g), ())"},
	{"HashJoin", "SELECT a.id, b.id FROM t a JOIN t b ON a.v = b.v"},
	{"HashJoin", "SELECT a.id, b.n FROM t a LEFT JOIN t b ON a.n = b.id AND b.g > 0"},
	{"HashJoin", "SELECT a.id, b.id FROM t a FULL JOIN t b ON a.n = b.n AND a.g = 1"},
	{"HashJoin", "SELECT id FROM t WHERE n IN (SELECT id FROM t)"},
	{"HashJoin", "SELECT id FROM t a WHERE NOT EXISTS (SELECT 1 FROM t b WHERE b.n = a.id)"},
	// Half of the right rows have one key: no division makes that part smaller.
	{"HashJoin", "SELECT a.id, b.id FROM (SELECT * FROM t WHERE id % 1000 = 0) a JOIN t b ON a.g = b.g"},
	{"HashJoin", "SELECT a.id, b.id FROM (SELECT * FROM t WHERE id % 1000 = 3) a FULL JOIN (SELECT * FROM t WHERE g = 0) b ON a.g = b.g AND b.id < 3000"},
	// Without keys.
	{"NestedLoopJoin", "SELECT a.id, b.id FROM (SELECT * FROM t WHERE id < 5) a LEFT JOIN t b ON a.id > b.id - 3"},
	{"Intersect", "SELECT v, n FROM t INTERSECT SELECT v, n FROM t WHERE id % 3 = 0"},
	{"Intersect", "SELECT g, n FROM t INTERSECT ALL SELECT g, n FROM t WHERE id % 3 = 0"},
	{"Except", "SELECT v FROM t EXCEPT SELECT v FROM t WHERE id % 3 = 0"},
	{"Except", "SELECT g, v FROM t EXCEPT ALL SELECT g, v FROM t WHERE id % 3 = 0"},
	{"Window", "SELECT id, row_number() OVER (PARTITION BY g % 1000, n % 500 ORDER BY id), sum(n) OVER (PARTITION BY g % 1000, n % 500) FROM t"},
}

// TestSpill runs them without a limit and with 64 KiB: the same rows come, the operator wrote to disk, and no file is left.
func TestSpill(t *testing.T) {
	w := spillWorld(t, state.Options{InMemory: true})
	for _, c := range spilling {
		t.Run(c.query, func(t *testing.T) {
			w.memory = 0
			want, err := w.selectRows(c.query)
			if err != nil {
				t.Fatal(err)
			}
			w.memory = 64 << 10
			got, err := w.selectRows(c.query)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(c.query, "FROM t ORDER BY") {
				slices.Sort(want)
				slices.Sort(got)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d rows, want %d", len(got), len(want))
			}
			var titles []string
			for _, s := range w.spilled {
				titles = append(titles, fmt.Sprintf("%s (%d bytes, %d files)", s.Title, s.Bytes, s.Files))
			}
			if !slices.ContainsFunc(titles, func(s string) bool { return strings.Contains(s, c.operator) }) {
				t.Errorf("written by %q only", titles)
			}
			noFiles(t, w)
		})
	}
}

func noFiles(t *testing.T, w *world) {
	t.Helper()
	if names, err := w.store.Temp().Names(); err != nil || len(names) > 0 {
		t.Errorf("left: %q, %v", names, err)
	}
}

// TestSpill_DiskFull has no space when rows are to be written: 53100, and no file is left.
func TestSpill_DiskFull(t *testing.T) {
	disk := state.NewFullableDisk()
	w := spillWorld(t, state.Options{FS: disk})
	w.memory = 64 << 10
	for _, c := range spilling {
		disk.Fill(true)
		_, err := w.selectRows(c.query)
		disk.Fill(false)
		if err == nil || sqlerr.From(err).Code != sqlerr.DiskFull {
			t.Errorf("%s: %v", c.query, err)
		}
		noFiles(t, w)
	}
}

// TestSpill_Impossible needs more memory at once than there is, whatever is written: one group.
func TestSpill_Impossible(t *testing.T) {
	w := spillWorld(t, state.Options{InMemory: true})
	w.memory = 64 << 10
	for _, query := range []string{
		"SELECT array_agg(v) FROM t",
		"SELECT g, array_agg(v) FROM t GROUP BY g",
	} {
		_, err := w.selectRows(query)
		if err == nil || sqlerr.From(err).Code != sqlerr.OutOfMemory {
			t.Errorf("%s: %v", query, err)
		}
		noFiles(t, w)
	}
}
