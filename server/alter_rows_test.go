package server_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"wmsql/connector"
	"wmsql/internal/clock"
	"wmsql/server"
	"wmsql/state"
)

// Rows that ALTER TABLE has written anew are stored before the transaction ends, and are gone again if it is taken back or cut off.
func TestAlterTable_LeavesNothing(t *testing.T) {
	store, err := state.Open("data", state.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	begin := func() (*server.Server, func(string)) {
		srv, err := server.New(context.Background(), store, server.Config{Connectors: connector.Registry{}, Clock: clock.Real{}, Manual: true})
		if err != nil {
			t.Fatal(err)
		}
		return srv, (&live{t, srv}).runner()
	}
	srv, run := begin()
	run("CREATE TABLE t (a INT, b TEXT); INSERT INTO t SELECT n, 'b' FROM generate_series(1, 1000) AS n")
	stored := func() (n int) {
		err := store.Scan(state.Result, 16384, []byte{4}, []byte{5}, func(_, _ []byte) bool { n++; return true })
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	const rewrite = "ALTER TABLE t ALTER a TYPE BIGINT"
	run("BEGIN; " + rewrite)
	if stored() != 1000 {
		t.Errorf("%d rows are stored ahead of the commit", stored())
	}
	run("ROLLBACK")
	if stored() != 0 {
		t.Errorf("%d rows are left after ROLLBACK", stored())
	}
	run("BEGIN; SAVEPOINT s; " + rewrite + "; ROLLBACK TO s")
	if stored() != 0 {
		t.Errorf("%d rows are left after ROLLBACK TO", stored())
	}
	run("COMMIT; BEGIN; " + rewrite)
	if stored() != 1000 {
		t.Errorf("%d rows are stored ahead of the commit", stored())
	}
	again, run2 := begin() // as after a crash
	if stored() != 0 {
		t.Errorf("%d rows are left after a crash", stored())
	}
	run2(rewrite + "; ALTER TABLE t ALTER a TYPE NUMERIC")
	if stored() != 1000 {
		t.Errorf("%d rows are stored", stored())
	}
	for _, s := range []*server.Server{srv, again} {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Entries that CREATE INDEX has made are stored before the transaction ends, and are gone again if it is taken back or cut off.
func TestCreateIndex_LeavesNothing(t *testing.T) {
	store, err := state.Open("data", state.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	begin := func() (*server.Server, func(string), func(string, ...string) string) {
		srv, err := server.New(context.Background(), store, server.Config{Connectors: connector.Registry{}, Clock: clock.Real{}, Manual: true})
		if err != nil {
			t.Fatal(err)
		}
		l := &live{t, srv}
		return srv, l.runner(), l.session()
	}
	srv, run, ask := begin()
	run("CREATE TABLE t (a INT, b TEXT); INSERT INTO t SELECT n, 'b' FROM generate_series(1, 1000) AS n; CREATE INDEX kept ON t (a)")
	expect := func(when string, want int) {
		t.Helper()
		n := 0
		err := store.Scan(state.Result, 16384, []byte{3}, []byte{4}, func(_, _ []byte) bool { n++; return true })
		if err != nil {
			t.Fatal(err)
		}
		if n != want {
			t.Errorf("%s %d entries are stored, not %d", when, n, want)
		}
	}
	expect("at first", 1000)
	run("BEGIN; CREATE INDEX more ON t (b)")
	expect("ahead of the commit", 2000)
	run("ROLLBACK")
	expect("after ROLLBACK", 1000)
	run("BEGIN; SAVEPOINT s; CREATE INDEX more ON t (b); ROLLBACK TO s; COMMIT")
	expect("after ROLLBACK TO", 1000)
	if out := ask("CREATE UNIQUE INDEX one ON t (b)", "23505"); !strings.Contains(out, "Key (b)=(b) is duplicated.") {
		t.Error(out)
	}
	expect("after an error", 1000)
	run("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM t; CREATE INDEX more ON t (b)")
	expect("in a frozen transaction", 1000)
	run("ROLLBACK; BEGIN; CREATE INDEX more ON t (b)")
	expect("ahead of the commit", 2000)
	again, run2, _ := begin() // as after a crash
	expect("after a crash", 1000)
	run2("CREATE UNIQUE INDEX more ON t (a); REINDEX TABLE t")
	expect("in the end", 2000)
	for _, s := range []*server.Server{srv, again} {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// runner is a session that tolerates nothing.
func (l *live) runner() func(string) {
	run := l.session()
	return func(text string) { run(text) }
}

// A table is altered back and forth while others read and write it: every statement sees it before or after, and none fails.
func TestAlterTable_WhileOthersWork(t *testing.T) {
	const rounds, rows = 12, 60
	l := newLive(t)
	l.runner()("CREATE TABLE t (a INT, b TEXT)")
	var wg sync.WaitGroup
	wg.Go(func() {
		run := l.runner()
		for range rounds {
			run("ALTER TABLE t ADD COLUMN c INT NOT NULL DEFAULT 1")
			run("ALTER TABLE t ADD PRIMARY KEY (a), ALTER c TYPE TEXT")
			run("ALTER TABLE t DROP COLUMN c, DROP CONSTRAINT t_pkey")
		}
	})
	for w := range 2 {
		run := l.runner()
		wg.Go(func() {
			for i := range rows {
				run(fmt.Sprintf("INSERT INTO t (a, b) VALUES (%d, 'b')", w*rows+i))
			}
		})
	}
	wg.Go(func() {
		run := l.session()
		for range rows {
			if out := run("SELECT count(*) - sum(length(b)) FROM t"); out != "0\n" && out != "NULL\n" {
				t.Errorf("a SELECT gives %q", out)
			}
		}
	})
	wg.Wait()
	if out := l.session()("SELECT count(*), count(DISTINCT a) FROM t"); out != fmt.Sprintf("%d | %d\n", 2*rows, 2*rows) {
		t.Errorf("in the end there are %s", out)
	}
}
