package server_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"wmsql/state"
)

// The disk fills up under a running query, again and again: the query is shown as failed with 53100, its directory and what to do, its result can be
// read, and once there is space it has every page once, though nobody repaired anything.
func TestDiskFull_QueriesGoOn(t *testing.T) {
	disk := state.NewFullableDisk()
	l := newLiveOver(t, state.Options{FS: disk})
	main, writer := l.session(), l.session()
	main(`CREATE STREAM clicks (page TEXT, event_time TIMESTAMPTZ, WATERMARK FOR event_time AS event_time - INTERVAL '10' MINUTE);
CREATE MATERIALIZED VIEW pages AS SELECT window_start, page, count(*) AS n FROM TUMBLE(clicks, event_time, INTERVAL '1' DAY)
GROUP BY window_start, window_end, page EMIT ON WINDOW CLOSE;
CREATE MATERIALIZED VIEW running AS SELECT count(*) AS n FROM clicks`)
	const rounds, each = 5, 200
	send := func(round int) {
		var rows []string
		for i := range each {
			rows = append(rows, fmt.Sprintf("('p%d', '2026-03-01 12:00Z')", round*each+i))
		}
		// Either it waits for space, or it is refused, for the disk is known to be full, and nothing of it is there.
		for strings.Contains(writer("INSERT INTO clicks VALUES "+strings.Join(rows, ", "), "53100"), "ERROR:") {
			time.Sleep(time.Millisecond)
		}
	}
	for round := range rounds {
		disk.Fill(true)
		acknowledged := make(chan struct{})
		go func() { defer close(acknowledged); send(round) }()
		l.until(main, "SELECT state, sqlstate, error LIKE '%\"data\"%no space left%', hint LIKE 'Free some space%' FROM wm_catalog.queries",
			"failed | 53100 | t | t\nfailed | 53100 | t | t\n")
		if got := main("TABLE running"); round > 0 && got != fmt.Sprintln(round*each) {
			t.Errorf("while the disk is full %d pages are %s", round*each, got)
		}
		disk.Fill(false)
		<-acknowledged
		l.until(main, "SELECT DISTINCT state FROM wm_catalog.queries", "running\n")
		main("FLUSH")
	}
	writer("INSERT INTO clicks VALUES ('z', '2026-03-04 12:00Z')")
	main("FLUSH")
	if got, want := main("SELECT count(*), count(DISTINCT page), sum(n), min(n), max(n) FROM pages; SELECT n FROM running; SELECT DISTINCT state FROM wm_catalog.queries"),
		fmt.Sprintf("%[1]d | %[1]d | %[1]d | 1 | 1\n%[2]d\nrunning\n", rounds*each, rounds*each+1); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// until runs a query until it gives want.
func (l *live) until(run func(string, ...string) string, query, want string) {
	l.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		got := run(query)
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			l.t.Fatalf("%s\ngives\n%swant\n%s", query, got, want)
		}
	}
}
