package server_test

import (
	"strings"
	"testing"
)

// A transaction that reads one snapshot does not write over what others have changed since: in Postgres's words, and only for rows that have.
func TestChangesSinceTheSnapshot(t *testing.T) {
	l := newLive(t)
	other, mine := l.session(), l.session()
	other("CREATE TABLE account (id INT PRIMARY KEY, v INT); INSERT INTO account SELECT i, 10 FROM generate_series(1, 5) i")
	for _, c := range []struct{ theirs, change, fails string }{
		{"UPDATE account SET v = v + 100 WHERE id = 1", "UPDATE account SET v = v + 1 WHERE id = 1", "concurrent update"},
		{"UPDATE account SET v = v + 100 WHERE id = 1", "DELETE FROM account WHERE id = 1", "concurrent update"},
		{"DELETE FROM account WHERE id = 2", "UPDATE account SET v = v + 1 WHERE id <= 2", "concurrent delete"},
		{"INSERT INTO account VALUES (7, 1)", "INSERT INTO account VALUES (7, 2) ON CONFLICT (id) DO UPDATE SET v = excluded.v", "concurrent update"},
		{"INSERT INTO account VALUES (8, 1)", "INSERT INTO account VALUES (8, 2) ON CONFLICT DO NOTHING", "concurrent update"},
		{"UPDATE account SET v = v + 100 WHERE id = 3", "UPDATE account SET v = v + 1 WHERE id = 4", ""},
		{"UPDATE account SET v = v + 100 WHERE id = 3", "INSERT INTO account VALUES (9, 2) ON CONFLICT DO NOTHING", ""},
	} {
		mine("BEGIN ISOLATION LEVEL REPEATABLE READ; UPDATE account SET v = v + 1 WHERE id = 5; SELECT count(*) FROM account; ROLLBACK")
		mine("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM account")
		other(c.theirs)
		if c.fails == "" {
			mine(c.change + "; " + c.change + "; COMMIT")
			continue
		}
		if out := mine(c.change, "40001"); !strings.Contains(out, c.fails) {
			t.Errorf("%s after %s: %s", c.change, c.theirs, out)
		}
		mine("ROLLBACK")
	}
	if got := other("SELECT id, v FROM account ORDER BY id"); got != "1 | 210\n3 | 210\n4 | 12\n5 | 10\n7 | 1\n8 | 1\n9 | 2\n" {
		t.Error(got)
	}
}
