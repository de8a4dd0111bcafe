package script

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// columnChanges are statements that change a table t (id INT PRIMARY KEY, g INT, v TEXT) whose columns are stored. %d are random ids.
var columnChanges = []string{
	"UPDATE t SET g = g + 1 WHERE id = %d",
	"UPDATE t SET v = v || 'x' WHERE id BETWEEN %[1]d AND %[1]d + 300",
	"UPDATE t SET id = id + 100000 WHERE id = %d",
	"DELETE FROM t WHERE id = %d",
	"DELETE FROM t WHERE id BETWEEN %[1]d AND %[1]d + 5000",
	"INSERT INTO t (id, g, v) VALUES (-%[1]d, %[1]d, NULL) ON CONFLICT (id) DO UPDATE SET g = t.g - 1",
	"INSERT INTO t (id, g, v) SELECT i, i %% 7, 'again ' || i FROM generate_series(%[1]d, %[1]d + 700) i ON CONFLICT DO NOTHING",
	"BEGIN; UPDATE t SET g = 5 WHERE id = %[1]d; SELECT sum(g), count(v) FROM t; ROLLBACK",
	"BEGIN; SELECT sum(g) FROM t; DELETE FROM t WHERE id > %[1]d; SELECT sum(g), count(*) FROM t; ROLLBACK",
	"BEGIN; UPDATE t SET g = -1 WHERE id < 40; SELECT count(g) FROM t; COMMIT",
	"ALTER TABLE t ADD COLUMN c%d INT DEFAULT 3",
	"ALTER TABLE t ADD COLUMN c%d TEXT",
	"ALTER TABLE t DROP COLUMN v; ALTER TABLE t ADD COLUMN v VARCHAR(30) DEFAULT 'new'",
	"ALTER TABLE t ALTER COLUMN v TYPE VARCHAR(60)",
	"ALTER TABLE t ALTER COLUMN v TYPE TEXT",
	"ALTER TABLE t ALTER COLUMN g TYPE BIGINT",
	"ALTER TABLE t ALTER COLUMN g TYPE INT USING g + 1",
	"CREATE INDEX ON t (g)",
	"TRUNCATE t; INSERT INTO t (id, g, v) SELECT i, i, NULL FROM generate_series(1, 9000) i",
	"DROP TABLE t; CREATE TABLE t (id INT PRIMARY KEY, v TEXT, g INT); INSERT INTO t SELECT i, 'anew', i FROM generate_series(1, 6000) i",
	"VACUUM t",
}

// TestStoredColumns_Law changes a table at random, with SELECTs, restarts and power cuts in between: a SELECT of all rows, which reads stored
// columns, has the rows that one of a range of keys has, which reads rows.
func TestStoredColumns_Law(t *testing.T) {
	stored := 0
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 1))
		e, err := New(Options{Workers: 1 + int(seed)%3})
		if err != nil {
			t.Fatal(err)
		}
		run := func(text string) {
			t.Helper()
			if out := e.Exec(text); strings.Contains(out, "ERROR") && !strings.Contains(out, "already exists") {
				t.Fatalf("seed %d: %s: %s", seed, text, out)
			}
		}
		run("CREATE TABLE t (id INT PRIMARY KEY, g INT, v TEXT); INSERT INTO t SELECT i, i % 100, CASE WHEN i % 3 > 0 THEN 'text of ' || i END FROM generate_series(1, 20000) i")
		for range 50 {
			switch kind := rng.IntN(10); {
			case kind < 5:
				text := columnChanges[rng.IntN(len(columnChanges))]
				if strings.Contains(text, "%") {
					text = fmt.Sprintf(text, rng.IntN(20000))
				}
				run(text)
			case kind < 6:
				err = e.Restart()
			case kind < 7:
				after := e.fs.PowerCut(rng.IntN(3)*50, rng)
				if err = e.Close(); err == nil {
					e.fs = after
					err = e.open()
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, cols := range [][]string{{"id"}, {"g", "v"}, {"*"}}[rng.IntN(3):] {
				list := strings.Join(cols, ", ")
				text := "SELECT " + list + " FROM t"
				if strings.Contains(e.Exec("EXPLAIN ANALYZE "+text), "stored columns") {
					stored++
				}
				got, want := e.Exec(text), e.Exec(text+" WHERE id > -1000000")
				if e.opt.Workers > 1 {
					got, want = e.Exec(text+" ORDER BY id"), e.Exec(text+" WHERE id > -1000000 ORDER BY id")
				}
				if got != want {
					t.Fatalf("seed %d: %s: %d bytes of rows and not %d", seed, text, len(got), len(want))
				}
			}
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if stored < 10 {
		t.Errorf("stored columns were read %d times", stored)
	}
}
