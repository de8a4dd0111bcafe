package exec_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wmsql/physicalplan"
	"wmsql/state"
)

// mergeJoins are conditions, and what kind of join they are for: the sides come in the order of their keys. With %s in the place of a key
// they become hash joins.
var mergeJoins = []string{
	"SELECT p.a, p.v, m.b, m.v FROM p JOIN m ON p.a = %s",
	"SELECT p.a, p.v, m.b, m.v FROM p LEFT JOIN m ON p.a = %s AND m.v > p.v",
	"SELECT p.a, p.v, m.b, m.v FROM p RIGHT JOIN m ON p.a = %s",
	"SELECT p.a, p.v, m.b, m.v FROM p FULL JOIN m ON p.a = %s AND (m.b + p.v) %% 3 = 0",
	"SELECT m.b, p.v FROM m LEFT JOIN p ON %s = p.a",
	"SELECT p.a FROM p WHERE EXISTS (SELECT 1 FROM m WHERE %s = p.a AND m.v > 5)",
	"SELECT p.a FROM p WHERE NOT EXISTS (SELECT 1 FROM m WHERE %s = p.a)",
	"SELECT m.b FROM m WHERE NOT EXISTS (SELECT 1 FROM p WHERE %s = p.a)",
	"SELECT x.a, m.b FROM (SELECT a, v AS w FROM p WHERE v < 3) x JOIN m ON x.a = %s AND x.w = m.v",
	"SELECT x.n, y.b FROM (SELECT b AS n, a AS k FROM m) x JOIN m y ON x.k = %[2]s AND x.n = y.b",
}

// TestMergeJoin compares joins of sides in the order of their keys with joins that hold one side: of keys with gaps, of one key with more
// rows than a batch, and with one side empty or short.
func TestMergeJoin(t *testing.T) {
	for _, size := range []struct{ p, m int }{{9000, 12000}, {3, 5000}, {5000, 2}, {0, 5}, {5, 0}} {
		w := newWorldOn(t, state.Options{InMemory: true})
		r := rand.New(rand.NewPCG(1, uint64(size.p)))
		var p, m strings.Builder
		for i := range size.p {
			fmt.Fprintf(&p, "%d | %d\n", i*3, r.IntN(10))
		}
		for i := range size.m {
			a := r.IntN(30000)
			if i > 3000 && i < 9000 {
				a = 12000
			}
			fmt.Fprintf(&m, "%d | %d | %d\n", a, i, r.IntN(10))
		}
		for _, err := range []error{w.createTable("CREATE TABLE p (a INT PRIMARY KEY, v INT)", p.String()),
			w.createTable("CREATE TABLE m (a INT, b INT, v INT, PRIMARY KEY (a, b))", m.String())} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, q := range mergeJoins {
			var rows [2][]string
			for i, keys := range [][]any{{"m.a", "y.a"}, {"m.a + 0", "y.a + 0"}} {
				query := fmt.Sprintf(strings.ReplaceAll(q, "%s", "%[1]s")+"%.0[1]s%.0[2]s", keys...)
				plan, _, err := w.planOf(query, nil, 0)
				if err != nil {
					t.Fatal(query, err)
				}
				if merges := strings.Contains(physicalplan.Format(plan), "MergeJoin"); merges != (i == 0) {
					t.Errorf("%s:\n%s", query, physicalplan.Format(plan))
				}
				if rows[i], err = w.selectRows(query); err != nil {
					t.Fatal(query, err)
				}
				slices.Sort(rows[i])
			}
			if !slices.Equal(rows[0], rows[1]) {
				t.Errorf("%v, %s: %d rows, a hash join has %d", size, q, len(rows[0]), len(rows[1]))
			}
		}
	}
}
