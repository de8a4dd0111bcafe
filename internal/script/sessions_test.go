package script

import (
	"strings"
	"testing"
)

// TestSessionsOverBudget opens more sessions than the memory takes: the view fails with the reason, nothing of the micro-batch is kept, and
// with more memory it goes on from there.
func TestSessionsOverBudget(t *testing.T) {
	e, err := New(Options{Memory: 256 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	const ddl = `CREATE STREAM s (k INT, at TIMESTAMPTZ, WATERMARK FOR at AS at - INTERVAL '1 minute');
		CREATE MATERIALIZED VIEW v AS SELECT k, window_start, window_end, count(*) AS n FROM SESSION(TABLE s PARTITION BY k, DESCRIPTOR(at), INTERVAL '1 minute')
		GROUP BY k, window_start, window_end;`
	const rows = "INSERT INTO s SELECT i, '2024-01-01 12:00+00' FROM generate_series(1, 20000) g(i)"
	if out := e.Exec(ddl + rows); strings.Contains(out, "ERROR") {
		t.Fatal(out)
	}
	if _, err := e.steps(1); err != nil {
		t.Fatal(err)
	}
	if got := e.one("SELECT state, sqlstate, epoch FROM wm_catalog.queries"); got != "failed | 53200 | 0" {
		t.Fatalf("with too little memory: %s", got)
	}
	e.opt.Memory = 256 << 20
	if err := e.Restart(); err != nil {
		t.Fatal(err)
	}
	if out, err := e.steps(untilIdle); err != nil || strings.Contains(out, "ERROR") {
		t.Fatal(out, err)
	}
	if got := e.one("SELECT count(*), sum(n) FROM v"); got != "20000 | 20000" {
		t.Errorf("with enough: %s", got)
	}
}
