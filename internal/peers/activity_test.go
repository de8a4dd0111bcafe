//go:build peers

package peers

import (
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// pg_stat_activity shows the sessions there are and what they do; a session can cancel another's statement and end another session.
func TestActivity(t *testing.T) {
	s := start(t)
	look, other := s.connect(), s.connect()
	for _, text := range []string{"SET application_name = 'reporting'", "BEGIN", "SELECT 1"} {
		if _, err := other.Exec(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	pid := other.PgConn().PID()
	type row struct {
		app, state, query string
		inTx              bool
	}
	see := func() (r row) {
		err := look.QueryRow(t.Context(), `SELECT application_name, state, query, xact_start IS NOT NULL FROM pg_stat_activity
			WHERE pid = $1 AND usename = 'wmsql' AND datname = current_database() AND client_port > 0 AND backend_start <= query_start`, pid).Scan(&r.app, &r.state, &r.query, &r.inTx)
		if err != nil {
			t.Error(err)
		}
		return r
	}
	if r, want := see(), (row{"reporting", "idle in transaction", "SELECT 1", true}); r != want {
		t.Errorf("a session in a block is shown as %+v", r)
	}
	if _, err := other.Exec(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
	if r, want := see(), (row{"reporting", "idle", "COMMIT", false}); r != want {
		t.Errorf("a session between transactions is shown as %+v", r)
	}

	const long = "SELECT count(*) FROM generate_series(1, 5000000) AS a, generate_series(1, 5000000) AS b WHERE a = b + 1 OR a < b"
	for _, x := range []struct{ by, code string }{{"pg_cancel_backend", "57014"}, {"pg_terminate_backend", "57P01"}} {
		failed := make(chan error, 1)
		go func() {
			_, err := other.Exec(t.Context(), long)
			failed <- err
		}()
		eventually(t, 10*time.Second, func() string {
			if r := see(); r.state != "active" || r.query != long {
				return "the running statement is not shown"
			}
			return ""
		})
		var done bool
		if err := look.QueryRow(t.Context(), "SELECT "+x.by+"($1)", pid).Scan(&done); err != nil || !done {
			t.Errorf("%s: %v, %v", x.by, done, err)
		}
		var e *pgconn.PgError
		if err := <-failed; !errors.As(err, &e) || e.Code != x.code {
			t.Errorf("%s ends the statement with %v", x.by, err)
		}
	}
	eventually(t, 10*time.Second, func() string {
		var n int
		if err := look.QueryRow(t.Context(), "SELECT count(*) FROM pg_stat_activity WHERE pid = $1", pid).Scan(&n); err != nil || n != 0 {
			return "a session that ended is still shown"
		}
		return ""
	})
	s.want("SELECT pg_cancel_backend(99999)", "f")
}
