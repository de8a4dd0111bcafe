package exec_test

import (
	"fmt"
	"strings"
	"testing"

	"wmsql/sqlerr"
)

// TestBudget gives every operator that holds rows more of them than its memory allows: the statement fails with 53200, and a LIMIT
// that needs few of them does not.
func TestBudget(t *testing.T) {
	w := newWorld(t, 4096, 1, false)
	var rows strings.Builder
	for i := range 60000 {
		fmt.Fprintf(&rows, "%d | some text of row number %d\n", i, i)
	}
	if err := w.createTable("CREATE TABLE t (id INT PRIMARY KEY, v TEXT)", rows.String()); err != nil {
		t.Fatal(err)
	}
	w.memory = 1 << 20
	for query, ok := range map[string]bool{
		"SELECT * FROM t ORDER BY v":                                                           false,
		"SELECT * FROM t ORDER BY v LIMIT 5":                                                   true,
		"SELECT count(*) FROM (SELECT DISTINCT v FROM t) x":                                    false,
		"SELECT count(*) FROM t a JOIN t b ON a.v = b.v":                                       false,
		"SELECT max(v), max(r) FROM (SELECT row_number() OVER (ORDER BY id) AS r, v FROM t) x": false,
		"SELECT count(*), max(v) FROM t":                                                       true,
	} {
		_, err := w.selectRows(query)
		switch {
		case ok && err != nil:
			t.Errorf("%s: %v", query, err)
		case !ok && (err == nil || sqlerr.From(err).Code != sqlerr.OutOfMemory):
			t.Errorf("%s: got %v, want 53200", query, err)
		}
	}
}
