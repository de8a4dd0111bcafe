//go:build peers

package peers

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// NOTIFY reaches the sessions that listen when its transaction commits: at once where they are idle, after their own transaction otherwise.
func TestNotify(t *testing.T) {
	s := start(t)
	listener, other := s.connect(), s.connect()
	run := func(text string) {
		t.Helper()
		if _, err := other.Exec(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	hear := func() string {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		n, err := listener.WaitForNotification(ctx)
		if err != nil {
			return err.Error()
		}
		if n.PID != other.PgConn().PID() {
			t.Errorf("it comes from session %d, not %d", n.PID, other.PgConn().PID())
		}
		return n.Channel + ": " + n.Payload
	}
	want := func(want string) {
		t.Helper()
		if got := hear(); got != want {
			t.Errorf("heard %q, want %q", got, want)
		}
	}
	if _, err := listener.Exec(t.Context(), "LISTEN jobs; LISTEN Done"); err != nil {
		t.Fatal(err)
	}

	run("NOTIFY jobs, 'one'")
	want("jobs: one")
	run("NOTIFY elsewhere, 'never'")
	run("BEGIN; NOTIFY jobs, 'never'; ROLLBACK")
	run("BEGIN; NOTIFY jobs, 'two'; SAVEPOINT a; NOTIFY jobs, 'never'; ROLLBACK TO a; NOTIFY jobs, 'two'")
	run("NOTIFY done")
	run("COMMIT")
	want("jobs: two")
	want("done: ")
	if _, err := other.Exec(t.Context(), "SELECT pg_notify($1, $2)", "jobs", "three"); err != nil {
		t.Fatal(err)
	}
	want("jobs: three")

	// In a block nothing is heard before its end, and then not what the session does not listen to any more.
	if _, err := listener.Exec(t.Context(), "BEGIN"); err != nil {
		t.Fatal(err)
	}
	run("NOTIFY done, 'four'; NOTIFY jobs, 'never'")
	var one int
	if err := listener.QueryRow(t.Context(), "SELECT 1").Scan(&one); err != nil {
		t.Fatal(err)
	}
	if _, err := listener.Exec(t.Context(), "UNLISTEN jobs; COMMIT"); err != nil {
		t.Fatal(err)
	}
	want("done: four")
	run("NOTIFY jobs, 'never'; NOTIFY done, 'five'")
	want("done: five")

	for text, code := range map[string]string{
		"SELECT pg_notify('', 'x')":                                 "22023",
		"SELECT pg_notify('jobs', repeat('x', 8000))":               "22023",
		"SELECT pg_notify(repeat('x', 64), 'x')":                    "22023",
		"SELECT pg_notify('jobs', NULL), pg_notify('jobs', 'x', 1)": "42883",
	} {
		_, err := other.Exec(t.Context(), text)
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != code {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A session that says nothing for too long is ended, in a transaction and outside of one; one that works is not.
func TestIdleTimeouts(t *testing.T) {
	s := start(t)
	for _, x := range []struct{ set, code string }{
		{"SET idle_session_timeout = '300ms'", "57P05"},
		{"SET idle_in_transaction_session_timeout = '300ms'; BEGIN", "25P03"},
	} {
		c := s.connect()
		if _, err := c.Exec(t.Context(), x.set); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Exec(t.Context(), "SELECT pg_sleep(1)"); err != nil {
			t.Errorf("a session that works: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		_, err := c.WaitForNotification(ctx)
		cancel()
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != x.code || e.Severity != "FATAL" || !strings.Contains(e.Message, "terminating connection due to idle") {
			t.Errorf("%s: %v", x.set, err)
		}
	}
}
