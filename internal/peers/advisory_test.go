//go:build peers

package peers

import (
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Advisory locks keep sessions apart, as migration tools rely on: one waits for the other, for its end, or not at all; two that wait for
// each other are told.
func TestAdvisoryLocks(t *testing.T) {
	s := start(t)
	one, two := s.connect(), s.connect()
	ask := func(text string, args ...any) (ok bool) {
		t.Helper()
		if err := two.QueryRow(t.Context(), text, args...).Scan(&ok); err != nil {
			t.Error(err)
		}
		return ok
	}
	do := func(text string) {
		t.Helper()
		if _, err := one.Exec(t.Context(), text); err != nil {
			t.Error(err)
		}
	}
	do("SELECT pg_advisory_lock(7)")
	if ask("SELECT pg_try_advisory_lock(7)") || ask("SELECT pg_try_advisory_lock_shared(7)") || !ask("SELECT pg_try_advisory_lock(0, 7)") {
		t.Error("a lock that another session holds is given, or another is not")
	}
	if _, err := two.Exec(t.Context(), "SET lock_timeout = 50; SELECT pg_advisory_lock(7)"); code(err) != "55P03" {
		t.Errorf("a wait behind lock_timeout ends with %v", err)
	}
	if _, err := two.Exec(t.Context(), "SET lock_timeout = 0"); err != nil {
		t.Fatal(err)
	}

	got := make(chan error, 1)
	wait := func(text string) {
		go func() {
			_, err := two.Exec(t.Context(), text)
			got <- err
		}()
		eventually(t, 10*time.Second, func() string {
			var n int
			if err := one.QueryRow(t.Context(), "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_blocking_pids(pid) = ARRAY[pg_backend_pid()]").Scan(&n); err != nil || n != 1 {
				return "the session that waits is not shown"
			}
			return ""
		})
	}
	wait("SELECT pg_advisory_lock(7)")
	do("SELECT pg_advisory_unlock(7)")
	if err := <-got; err != nil {
		t.Errorf("the session that waited was not given the lock: %v", err)
	}

	do("BEGIN; SELECT pg_advisory_xact_lock(8)")
	wait("SELECT pg_advisory_lock(8)")
	if _, err := one.Exec(t.Context(), "SELECT pg_advisory_lock(7)"); code(err) != "40P01" {
		t.Errorf("who would close a ring of waiting sessions gets %v", err)
	}
	do("ROLLBACK")
	if err := <-got; err != nil {
		t.Errorf("a lock of a transaction did not end with it: %v", err)
	}
	if err := two.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	do("SELECT pg_advisory_lock(7), pg_advisory_lock(8)") // a session's locks end with it
}

// code is the SQLSTATE of an error of the server's.
func code(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
