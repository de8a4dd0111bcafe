package server_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"wmsql/connector"
	"wmsql/internal/clock"
	"wmsql/internal/script"
	"wmsql/pgwire"
	"wmsql/server"
	"wmsql/state"
)

// live is a server whose queries run by themselves.
type live struct {
	t   *testing.T
	srv *server.Server
}

func newLive(t *testing.T) *live {
	t.Helper()
	return newLiveOver(t, state.Options{InMemory: true})
}

func newLiveOver(t *testing.T, o state.Options) *live {
	t.Helper()
	store, err := state.Open("data", o)
	if err != nil {
		t.Fatal(err)
	}
	srv, err := server.New(context.Background(), store, server.Config{Connectors: connector.Registry{}, Clock: clock.Real{}})
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
	return &live{t, srv}
}

// session returns what runs statements in a session of their own; an error of any but the tolerated kind fails the test.
func (l *live) session() func(text string, tolerated ...string) string {
	s, err := l.srv.Session(pgwire.Startup{User: "wmsql"})
	if err != nil {
		l.t.Fatal(err)
	}
	return func(text string, tolerated ...string) string {
		var out strings.Builder
		script.Run(context.Background(), s, text, &out)
		if i := strings.Index(out.String(), "ERROR:"); i >= 0 {
			for _, ok := range tolerated {
				if strings.Contains(out.String()[i:], ok) {
					return out.String()
				}
			}
			l.t.Errorf("%s\n%s", text, out.String())
		}
		return out.String()
	}
}

// Sessions write, read and define at the same time: every committed row counts once in every query, also in those that are
// created meanwhile, and a transaction over two streams is seen whole.
func TestConcurrentSessions(t *testing.T) {
	const writers, rounds = 4, 25
	l := newLive(t)
	main := l.session()
	main(`CREATE STREAM a (n INT, ts TIMESTAMPTZ, WATERMARK FOR ts AS ts - INTERVAL '1 hour');
CREATE STREAM b (n INT, ts TIMESTAMPTZ, WATERMARK FOR ts AS ts - INTERVAL '1 hour');
CREATE TABLE t (id INT PRIMARY KEY);
CREATE MATERIALIZED VIEW va AS SELECT count(*) AS n, sum(n) AS s FROM a;
CREATE MATERIALIZED VIEW both_streams AS SELECT count(*) AS n, sum(n) AS s FROM (SELECT n FROM a UNION ALL SELECT -n FROM b) x`)
	var wg sync.WaitGroup
	for w := range writers {
		run := l.session()
		wg.Go(func() {
			for i := range rounds {
				n := w*rounds + i + 1
				run(fmt.Sprintf(`BEGIN; INSERT INTO a VALUES (%[1]d, '2024-01-01'); INSERT INTO b VALUES (%[1]d, '2024-01-01');
INSERT INTO t VALUES (%[1]d); COMMIT`, n))
				run(fmt.Sprintf("INSERT INTO t VALUES (%d)", n), "23505")
			}
		})
	}
	read, define := l.session(), l.session()
	wg.Go(func() {
		for range rounds {
			if out := read("SELECT s FROM both_streams"); out != "0\n" && out != "NULL\n" {
				t.Errorf("a transaction was seen in part: %s", out)
			}
			read("SELECT count(*) FROM t, va; SELECT * FROM wm_catalog.queries; SELECT count(*) FROM a")
			read("FLUSH")
		}
	})
	wg.Go(func() {
		for range rounds / 5 {
			define("CREATE MATERIALIZED VIEW vb AS SELECT count(*) AS n, sum(n) AS s FROM b")
			define("ALTER STREAM a SET (max_batch_rows = '7')")
			define("FLUSH; SELECT * FROM vb")
			define("DROP MATERIALIZED VIEW vb")
		}
	})
	wg.Wait()
	const all = writers * rounds
	want := fmt.Sprintf("FLUSH\n%[1]d | %[2]d\n%[3]d | 0\n%[1]d\n", all, all*(all+1)/2, 2*all)
	if got := main("FLUSH; SELECT * FROM va; SELECT * FROM both_streams; SELECT count(*) FROM t"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// lock_timeout bounds the wait for the one writer as it stands when the wait begins, whether the transaction began before it was set or not.
func TestLockTimeout(t *testing.T) {
	l := newLive(t)
	one, two := l.session(), l.session()
	one("CREATE TABLE t (k INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 1)")
	one("BEGIN; UPDATE t SET v = 2")
	for _, text := range []string{
		"SET lock_timeout = '1ms'; UPDATE t SET v = 3",
		"BEGIN; SET LOCAL lock_timeout = '1ms'; UPDATE t SET v = 3; ROLLBACK",
	} {
		if out := two(text, "55P03"); !strings.Contains(out, "55P03") {
			t.Errorf("%s waited:\n%s", text, out)
		}
		two("ROLLBACK; RESET lock_timeout")
	}
	one("COMMIT")
	two("UPDATE t SET v = v + 1")
}
