//go:build peers

package peers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// load is a paced producer of clicks that remembers what it sent. Most rows are out of order inside the delay; of a thousand,
// one is an hour late and one is no JSON.
type load struct {
	counts   map[string]int64 // "minute|page" of the rows on time
	late     int64
	rejected int64
	sent     int64
}

const loadStart = 1767225600 // 2026-01-01 00:00:00 UTC, in seconds

// run sends rate events a second for as long as ctx lasts, in bursts of 10 ms, to the topic's four partitions.
func (l *load) run(ctx context.Context, k *topic, rate int, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	burst := rate / 100
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		<-tick.C
		for range burst {
			k.cl.Produce(context.Background(), &kgo.Record{Topic: k.name, Partition: int32(rnd.IntN(4)), Value: l.event(rnd)}, nil)
		}
	}
	if err := k.cl.Flush(context.Background()); err != nil {
		k.t.Error(err)
	}
}

// event makes the next record. Event time runs at 20 times the wall clock, so that windows close during the test.
func (l *load) event(rnd *rand.Rand) []byte {
	ms := int64(loadStart)*1000 + l.sent
	l.sent++
	page := "p" + strconv.Itoa(rnd.IntN(50))
	switch n := rnd.IntN(1000); {
	case n == 0 && l.sent > 200_000:
		l.late++
		ms -= 180_000
	case n == 1:
		l.rejected++
		return []byte(`{"page":"` + page + `","event_time":`)
	default:
		ms -= rnd.Int64N(5_000)
		l.counts[fmt.Sprintf("%d|%s", (ms/1000)/60*60, page)]++
	}
	t := time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
	return []byte(`{"page":"` + page + `","user_id":` + strconv.Itoa(rnd.IntN(1000)) + `,"event_time":"` + t + `","amount":1.5}`)
}

// Killed at random moments under load, the server loses nothing, doubles nothing and counts every row exactly once.
func TestKillUnderLoad(t *testing.T) {
	kills := 20
	if v := os.Getenv("WMSQL_KILLS"); v != "" {
		kills, _ = strconv.Atoi(v)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d, %d kills", seed, kills)
	rnd := rand.New(rand.NewPCG(seed, 2))
	s := start(t)
	k := newTopic(t, "clicks", 4)
	s.exec("CREATE STREAM clicks (page TEXT, user_id BIGINT, event_time TIMESTAMPTZ, amount DOUBLE PRECISION, WATERMARK FOR event_time AS event_time - INTERVAL '60 seconds') " + k.with("max_future_skew = 'off'"))
	for name, emit := range map[string]string{"up": "EMIT ON UPDATE", "ap": "EMIT ON WINDOW CLOSE"} {
		s.exec("CREATE MATERIALIZED VIEW " + name + ` AS SELECT window_start, page, count(*) AS n, sum(amount) AS s
FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '1 minute') GROUP BY window_start, window_end, page ` + emit)
	}
	l := &load{counts: map[string]int64{}}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { l.run(ctx, k, 20_000, seed); close(done) }()
	for i := range kills {
		time.Sleep(time.Duration(300+rnd.IntN(1500)) * time.Millisecond)
		s.end(syscall.SIGKILL)
		if i%4 == 3 {
			time.Sleep(500 * time.Millisecond) // let a backlog grow
		}
		s.run()
	}
	cancel()
	<-done
	s.exec("FLUSH")
	s.exec("SELECT wm_advance_watermark('clicks', 'infinity')")
	l.verify(t, s, "up")
	l.verify(t, s, "ap")
}

// verify compares a view with what was sent: late + counted + rejected = sent, and every window's count.
func (l *load) verify(t *testing.T, s *wmsql, view string) {
	t.Helper()
	want := map[string]int64{}
	counted := int64(0)
	for k, n := range l.counts {
		want[k], counted = n, counted+n
	}
	wrong := 0
	for _, line := range strings.Split(strings.TrimSpace(s.query("SELECT extract(epoch FROM window_start)::bigint, page, n, s FROM "+view)), "\n") {
		f := strings.Split(line, "|")
		if len(f) != 4 {
			t.Fatalf("%s: unexpected row %q", view, line)
		}
		key := f[0] + "|" + f[1]
		n, _ := strconv.ParseInt(f[2], 10, 64)
		sum, _ := strconv.ParseFloat(f[3], 64)
		if want[key] != n || sum != float64(n)*1.5 {
			if wrong++; wrong < 5 {
				t.Errorf("%s: %s has n=%d s=%v, sent %d", view, key, n, sum, want[key])
			}
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("%s: %d groups are missing", view, len(want))
	}
	s.want("SELECT rows_in, rows_late, rows_rejected FROM wm_catalog.queries WHERE name = '"+view+"'",
		fmt.Sprintf("%d|%d|%d", l.sent, l.late, l.rejected))
	if counted+l.late+l.rejected != l.sent {
		t.Errorf("the test is wrong: %d + %d + %d is not %d", counted, l.late, l.rejected, l.sent)
	}
}
