//go:build peers

package peers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// follower keeps what a subscription to counts(page, n) tells: how often each row is there.
type follower struct {
	rows  map[string]int64
	epoch int64 // read to its end
	began bool
}

func newFollower() *follower { return &follower{rows: map[string]int64{}} }

// follow reads changes by the extended protocol until stop says so, or an error ends the subscription; a micro-batch whose end was not told
// leaves no trace.
func (f *follower) follow(ctx context.Context, c *pgx.Conn, stop func() bool) error {
	text := "SUBSCRIBE counts WITH (PROGRESS)"
	if f.began {
		text += fmt.Sprintf(" AS OF %d", f.epoch)
	}
	rows, err := c.Query(ctx, text)
	if err != nil {
		return err
	}
	defer rows.Close()
	pending := map[string]int64{}
	for rows.Next() {
		var epoch int64
		var progressed bool
		var diff, n *int64
		var page *string
		if err := rows.Scan(&epoch, &progressed, &diff, &page, &n); err != nil {
			return err
		}
		if !progressed {
			pending[fmt.Sprintf("%s=%d", *page, *n)] += *diff
			continue
		}
		for k, d := range pending {
			if f.rows[k] += d; f.rows[k] == 0 {
				delete(f.rows, k)
			}
		}
		clear(pending)
		f.epoch, f.began = epoch, true
		if stop() {
			return nil
		}
	}
	return rows.Err()
}

// standing is what counts holds, as a follower keeps it.
func standing(s *wmsql) map[string]int64 {
	out := map[string]int64{}
	for _, line := range strings.Fields(s.query("SELECT page || '=' || n FROM counts")) {
		out[line] = 1
	}
	return out
}

const counts = `CREATE STREAM clicks (page TEXT);
CREATE MATERIALIZED VIEW counts AS SELECT page, count(*) AS n FROM clicks GROUP BY page WITH (state_ttl = '1 day')`

// A reader that keeps what SUBSCRIBE tells holds the view, also when the server is killed under it and it goes on AS OF what it has read.
func TestSubscribe_Killed(t *testing.T) {
	s := start(t)
	s.exec(counts)
	f, rnd := newFollower(), rand.New(rand.NewPCG(1, 2))
	for round := range 5 {
		c, err := pgx.Connect(t.Context(), s.url())
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- f.follow(t.Context(), c, func() bool { return false }) }()
		for range 10 + rnd.IntN(30) {
			s.exec(fmt.Sprintf("INSERT INTO clicks SELECT 'p' || (i * %d) %% 50 FROM generate_series(1, 100) AS i", 1+rnd.IntN(40)))
		}
		s.end(syscall.SIGKILL)
		if err := <-ended; err == nil {
			t.Fatalf("round %d: the subscription ended without an error", round)
		}
		c.Close(t.Context())
		s.run()
	}
	s.exec("FLUSH")
	want := standing(s)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := f.follow(ctx, s.connect(), func() bool { return maps.Equal(f.rows, want) }); err != nil {
		t.Fatalf("the reader holds %v after micro-batch %d, the view %v: %v", f.rows, f.epoch, want, err)
	}
}

// Cancel ends a subscription and leaves the connection usable; DROP and a shutdown end it with their reasons; a client that goes away leaves
// nothing behind.
func TestSubscribe_Ends(t *testing.T) {
	s := start(t)
	s.exec(counts)
	code := func(err error) string {
		var e *pgconn.PgError
		if errors.As(err, &e) {
			return e.Code
		}
		return fmt.Sprint(err)
	}
	begin := func(text string) (*pgx.Conn, chan error) {
		c := s.connect()
		ended := make(chan error, 1)
		go func() {
			_, err := c.PgConn().Exec(context.Background(), text).ReadAll()
			ended <- err
		}()
		eventually(t, 10*time.Second, func() string {
			if got := s.query(fmt.Sprintf("SELECT state FROM pg_stat_activity WHERE pid = %d", c.PgConn().PID())); strings.TrimSpace(got) != "active" {
				return "the subscription does not run"
			}
			return ""
		})
		return c, ended
	}

	c, ended := begin("SUBSCRIBE counts")
	if err := c.PgConn().CancelRequest(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := code(<-ended); got != "57014" {
		t.Errorf("cancelled: %s", got)
	}
	var one int
	if err := c.QueryRow(t.Context(), "SELECT 1").Scan(&one); err != nil {
		t.Error(err)
	}

	c, _ = begin("COPY (SUBSCRIBE counts) TO STDOUT")
	pid := c.PgConn().PID()
	c.PgConn().Conn().Close()
	eventually(t, 10*time.Second, func() string {
		return strings.TrimSpace(s.query(fmt.Sprintf("SELECT 'the session is still there' FROM pg_stat_activity WHERE pid = %d", pid)))
	})

	_, ended = begin("SUBSCRIBE counts WITH (SNAPSHOT = false)")
	s.exec("DROP MATERIALIZED VIEW counts")
	if got := code(<-ended); got != "55000" {
		t.Errorf("dropped: %s", got)
	}

	s.exec("CREATE MATERIALIZED VIEW counts AS SELECT page FROM clicks EMIT ON WINDOW CLOSE")
	_, ended = begin("SUBSCRIBE counts")
	s.end(syscall.SIGTERM)
	if got := code(<-ended); got != "57P01" {
		t.Errorf("shut down: %s", got)
	}
}

// A row limit stops a subscription where it is, also in the middle of a micro-batch; the rows reach the client before the portal waits.
func TestSubscribe_Pages(t *testing.T) {
	s := start(t)
	s.exec("CREATE STREAM numbers (n INT); CREATE MATERIALIZED VIEW all_of AS SELECT n FROM numbers EMIT ON WINDOW CLOSE")
	s.exec("INSERT INTO numbers VALUES (1), (2), (3)")
	s.exec("FLUSH")
	c, _ := login(t, s.addr())
	c.t = t
	epoch := strings.TrimSpace(s.query("SELECT max(epoch) FROM wm_catalog.query_progress")) // the first may have come before the rows
	c.expect(strings.ReplaceAll("C(BEGIN) Z(T) 1 2 T(wm_epoch,wm_diff,n) D(E,1,1) D(E,1,2) s Z(T) D(E,1,3) s Z(T) 3 Z(T) C(COMMIT) Z(I)", "E,", epoch+","),
		query("BEGIN"), parse("", "SUBSCRIBE all_of"), bind("p", ""), describePortal("p"), execute("p", 2), syncMsg, execute("p", 1), syncMsg,
		closePortal("p"), syncMsg, query("COMMIT"))
}
