package script

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// overCalls are windows over a stream of which every row comes out in the end.
var overCalls = []string{
	"sum(n) OVER (PARTITION BY k ORDER BY at RANGE BETWEEN INTERVAL '40 seconds' PRECEDING AND CURRENT ROW)",
	"max(n) OVER (PARTITION BY k ORDER BY at RANGE BETWEEN INTERVAL '1 minute' PRECEDING AND INTERVAL '20 seconds' PRECEDING)",
	"string_agg(n::text, ',') OVER (PARTITION BY k ORDER BY at RANGE BETWEEN INTERVAL '5 seconds' PRECEDING AND CURRENT ROW EXCLUDE CURRENT ROW)",
	"array_agg(n) OVER (PARTITION BY k ORDER BY at ROWS 3 PRECEDING)",
	"avg(n) OVER (ORDER BY at ROWS BETWEEN 5 PRECEDING AND 1 PRECEDING)",
	"last_value(n) OVER (PARTITION BY k ORDER BY at RANGE BETWEEN CURRENT ROW AND CURRENT ROW)",
	"lag(n, 2, -7) OVER (PARTITION BY k ORDER BY at)",
	"lag(n) OVER (PARTITION BY k, n % 3 ORDER BY at)",
	"sum(n) OVER (PARTITION BY k ORDER BY at RANGE INTERVAL '30 seconds' PRECEDING) + lag(n, 4, 0) OVER (PARTITION BY k ORDER BY at)",
	"lead(n, 2) OVER (PARTITION BY k, w ORDER BY at)",
	"lead(n) OVER (PARTITION BY w ORDER BY at) - lag(n, 3) OVER (PARTITION BY w ORDER BY at)",
	"row_number() OVER (PARTITION BY k, w ORDER BY at)",
	"dense_rank() OVER (PARTITION BY w ORDER BY at)",
	"sum(n) OVER (PARTITION BY k, w ORDER BY at)",
	"count(n) FILTER (WHERE n > 3) OVER (PARTITION BY k ORDER BY at RANGE INTERVAL '50 seconds' PRECEDING)",
}

// TestOver compares functions OVER an event-time order with the same query over the rows at rest, which Postgres's rules give: random rows
// in random epochs, out of order within the delay, with restarts in between.
func TestOver(t *testing.T) {
	for seed := range uint64(len(overCalls)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { overCase(t, seed, overCalls[seed]) })
	}
}

func overCase(t *testing.T, seed uint64, call string) {
	e, err := New(Options{BatchRows: int(1 + seed%4)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	rnd := rand.New(rand.NewPCG(seed, 4))
	query := "SELECT n, at, w, k, " + call + " AS x FROM (SELECT *, window_end AS w FROM TUMBLE(s, at, INTERVAL '1 minute')) t"
	out := e.Exec("CREATE STREAM s (k TEXT, n INT, at TIMESTAMPTZ, WATERMARK FOR at AS at - INTERVAL '30 seconds');" +
		"CREATE MATERIALIZED VIEW v WITH (unbounded_state = 'allow') AS " + query + " EMIT ON WINDOW CLOSE")
	if strings.Contains(out, "ERROR") {
		t.Fatal(out)
	}
	now := 0
	for range 12 {
		var rows []string
		for range rnd.IntN(12) {
			now += rnd.IntN(9)
			at := max(0, now-rnd.IntN(25))
			rows = append(rows, fmt.Sprintf("%c %d 12:%02d:%02d", 'a'+rnd.IntN(3), rnd.IntN(10), at/60, at%60))
		}
		if len(rows) > 0 {
			if out, err := e.feed(&Directive{Args: []string{"s"}, Input: strings.Join(rows, "\n")}); out != "" || err != nil {
				t.Fatal(out, err)
			}
		}
		if _, err := e.steps(1 << 20); err != nil {
			t.Fatal(err)
		}
		if rnd.IntN(3) == 0 {
			if err := e.Restart(); err != nil {
				t.Fatal(err)
			}
		}
	}
	e.Exec("SELECT wm_advance_watermark('s', 'infinity')")
	if _, err := e.steps(1 << 20); err != nil {
		t.Fatal(err)
	}
	differ := e.Exec("(SELECT '+', * FROM v EXCEPT ALL SELECT '+', q.* FROM (" + query + ") q) UNION ALL " +
		"(SELECT '-', q.* FROM (" + query + ") q EXCEPT ALL SELECT '-', * FROM v) ORDER BY 3, 2")
	if strings.TrimSpace(differ) != "" {
		t.Fatalf("%s differs (+ streamed, - at rest):\n%s", query, differ)
	}
	if n := e.Exec("SELECT count(*) > 20 FROM v"); strings.TrimSpace(n) != "t" {
		t.Fatalf("too few rows came out: %s", n)
	}
}
