//go:build peers

package peers

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Two million groups pass through 512 MiB: state lies on disk, memory is bounded by settings, closed windows are freed,
// and a large result is read without being built in memory.
func TestMillionsOfGroups(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	s := start(t, "--memory", "300MiB")
	k := newTopic(t, "clicks", 1)
	s.exec("CREATE STREAM clicks (page TEXT, event_time TIMESTAMPTZ, WATERMARK FOR event_time AS event_time - INTERVAL '2 hours') " + k.with(""))
	s.exec(`CREATE MATERIALIZED VIEW r AS SELECT window_start, page, count(*) AS n FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '10 minutes')
GROUP BY window_start, window_end, page EMIT ON WINDOW CLOSE`)
	peak := watchMemory(t, s)
	base := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	send := func(page string, at time.Time) {
		k.cl.Produce(context.Background(), &kgo.Record{Topic: k.name, Value: fmt.Appendf(nil, `{"page":%q,"event_time":%q}`, page, at.Format(time.RFC3339))}, nil)
	}
	const rows = 2_000_000
	for i := range rows {
		send("k"+strconv.Itoa(i), base.Add(time.Duration(i%3600)*time.Second))
	}
	send("z", base.Add(4*time.Hour))
	if err := k.cl.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.exec("FLUSH")
	s.want("SELECT to_char(window_start, 'HH24:MI'), count(*), sum(n) FROM r GROUP BY 1 ORDER BY 1", `00:00|333600|333600
		00:10|333600|333600
		00:20|333600|333600
		00:30|333200|333200
		00:40|333000|333000
		00:50|333000|333000`)
	s.want("SELECT rows_late FROM wm_catalog.queries WHERE name = 'r'", "0")
	s.want("SELECT num_rows_total FROM wm_catalog.state_operators WHERE view = 'r'", "1")
	if n := readByCursor(t, s, "SELECT page FROM r", 10_000); n != rows {
		t.Errorf("the cursor gave %d rows, want %d", n, rows)
	}
	if mib := peak() >> 20; mib > 512 {
		t.Errorf("the server took %d MiB at its peak", mib)
	} else {
		t.Logf("peak %d MiB", mib)
	}
}

func readByCursor(t *testing.T, s *wmsql, query string, fetch int) int {
	t.Helper()
	ctx := context.Background()
	tx, err := s.connect().Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(ctx)
	if _, err := tx.Exec(ctx, "DECLARE c CURSOR FOR "+query); err != nil {
		t.Fatal(err)
	}
	total := 0
	for {
		rows, err := tx.Query(ctx, fmt.Sprintf("FETCH FORWARD %d FROM c", fetch))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for rows.Next() {
			n++
		}
		if rows.Err() != nil {
			t.Fatal(rows.Err())
		}
		if n == 0 {
			return total
		}
		total += n
	}
}

// watchMemory returns a function that tells the server's greatest resident set in bytes.
func watchMemory(t *testing.T, s *wmsql) func() int64 {
	t.Helper()
	status := fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid)
	return func() int64 {
		b, err := os.ReadFile(status)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(b), "\n") {
			if v, ok := strings.CutPrefix(line, "VmHWM:"); ok {
				kib, _ := strconv.ParseInt(strings.Fields(v)[0], 10, 64)
				return kib << 10
			}
		}
		t.Fatalf("%s has no VmHWM", status)
		return 0
	}
}
