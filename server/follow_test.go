package server_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// Views over a view are made, restarted and dropped while rows stream in: whenever a FLUSH is through, each says what a SELECT over the view below
// says, so that none missed a change or took one twice.
func TestFollow_WhileRowsCome(t *testing.T) {
	const writers, rounds = 3, 30
	l := newLive(t)
	main := l.session()
	main(`CREATE STREAM a (k INT, n INT, ts TIMESTAMPTZ, WATERMARK FOR ts AS ts - INTERVAL '1 hour');
CREATE MATERIALIZED VIEW by_key WITH (unbounded_state = 'allow') AS SELECT k, count(*) AS n, max(n) AS most FROM a GROUP BY k HAVING count(*) % 5 <> 4;
CREATE MATERIALIZED VIEW first WITH (unbounded_state = 'allow') AS SELECT n, count(*) AS keys, min(k) AS k, sum(most) AS most FROM by_key GROUP BY n;
CREATE MATERIALIZED VIEW second AS SELECT count(*) AS kinds, sum(n * keys) AS rows, max(k) AS k, sum(most) AS most FROM first`)
	var wg sync.WaitGroup
	for w := range writers {
		run := l.session()
		wg.Go(func() {
			for i := range rounds {
				var rows []string
				for k := range 20 {
					rows = append(rows, fmt.Sprintf("(%d, %d, '2024-01-01')", (i*k+w)%17, i*20+k))
				}
				run("INSERT INTO a VALUES " + strings.Join(rows, ", "))
			}
		})
	}
	define := l.session()
	wg.Go(func() {
		for range rounds / 3 {
			define("CREATE MATERIALIZED VIEW third AS SELECT count(*) AS kinds, sum(n * keys) AS rows, max(k) AS k, sum(most) AS most FROM first")
			define("ALTER MATERIALIZED VIEW first SET (max_batch_rows = '50')")
			define("FLUSH")
			define("DROP MATERIALIZED VIEW third")
		}
	})
	wg.Wait()
	main("CREATE MATERIALIZED VIEW third AS SELECT count(*) AS kinds, sum(n * keys) AS rows, max(k) AS k, sum(most) AS most FROM first; FLUSH")
	want := main(`SELECT count(*), sum(n * keys), max(k), sum(most) FROM (
SELECT n, count(*) AS keys, min(k) AS k, sum(most) AS most FROM by_key GROUP BY n) x`)
	for _, v := range []string{"second", "third"} {
		if got := main("SELECT * FROM " + v); got != want {
			t.Errorf("%s: got %swant %s", v, got, want)
		}
	}
	if got := main("SELECT sum(n) FROM by_key"); got == "NULL\n" {
		t.Error("nothing was counted")
	}
}
