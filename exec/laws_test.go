package exec_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wmsql/column"
	"wmsql/exec"
	"wmsql/types"
)

// lawQueries are queries whose result does not depend on how the rows come, as long as none is late.
var lawQueries = []string{
	"SELECT window_start, window_end, page, count(*), sum(n), avg(n) FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, page",
	"SELECT window_end, count(n), min(n), max(page) FROM HOP(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '5' MINUTE, INTERVAL '15' MINUTE) GROUP BY window_start, window_end",
	"SELECT window_start, window_end, page, count(DISTINCT n), count(*) FILTER (WHERE n > 3) FROM HOP(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE) GROUP BY window_start, window_end, page",
	"SELECT window_start, window_end, n, count(*) FROM HOP(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '3' MINUTE, INTERVAL '10' MINUTE) GROUP BY window_start, window_end, n",
	"SELECT window_start, window_end, count(*) FROM CUMULATE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '2' MINUTE, INTERVAL '6' MINUTE) GROUP BY window_start, window_end",
	"SELECT event_time, page, count(*) FROM clicks GROUP BY event_time, page",
	"SELECT date_trunc('hour', event_time) AS h, page, sum(n) FROM clicks WHERE n IS NOT NULL GROUP BY 1, page",
	"SELECT window_start, window_end, page, string_agg(n::text, ',' ORDER BY n) FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '30' MINUTE) GROUP BY window_start, window_end, page",
	"SELECT window_start, window_end, page, count(*), sum(n), count(DISTINCT n), string_agg(n::text, ',' ORDER BY n) FROM SESSION(TABLE clicks PARTITION BY page, DESCRIPTOR(event_time), INTERVAL '2' MINUTE) GROUP BY window_start, window_end, page",
	"SELECT session_window.start, session_window.end, n / 3 AS third, count(*) FILTER (WHERE n > 1), max(page) FROM clicks WHERE n < 8 GROUP BY session_window(event_time, '90 seconds'), n / 3",
	"SELECT window_start, window_end, count(*), min(n) FROM SESSION(TABLE (SELECT * FROM clicks WHERE n = 3), DESCRIPTOR(event_time), INTERVAL '3' MINUTE) GROUP BY window_start, window_end",
	"SELECT session_window.start, session_window.end, page, count(n) FROM clicks GROUP BY session_window(event_time, (n - 2) * INTERVAL '1 minute'), page",
	"SELECT window_start, window_end, page, sum(n) FROM HOP(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '7' MINUTE, INTERVAL '30' MINUTE, time_zone => 'Asia/Kathmandu') GROUP BY window_start, window_end, page",
	"SELECT window_start, window_end, count(*) FROM HOP(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '1' MONTH, INTERVAL '3' MONTH) GROUP BY window_start, window_end",
}

// randomClicks are rows of three hours around 1970, so that windows before it occur; some values are NULL.
func randomClicks(r *rand.Rand, rows int) *column.Batch {
	s := pages(0, 0, 0).Schema
	page, n, at := column.NewBytesBuilder(s.Fields[0].Type, 0), column.NewFixedBuilder[int64](s.Fields[1].Type, 0), column.NewFixedBuilder[int64](s.Fields[2].Type, 0)
	for range rows {
		if r.IntN(20) == 0 {
			page.AppendNull()
		} else {
			page.AppendString(fmt.Sprint("p", r.IntN(6)))
		}
		if r.IntN(10) == 0 {
			n.AppendNull()
		} else {
			n.Append(r.Int64N(9))
		}
		at.Append((r.Int64N(180) - 90) * 60e6)
	}
	return &column.Batch{Schema: s, Cols: []column.Vector{page.Build(), n.Build(), at.Build()}, Rows: rows}
}

// inBatch is the query's result over all rows at once.
func (w *world) inBatch(t *testing.T, query string, all *column.Batch) []string {
	p, _, err := w.planOf(query, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	q, err := exec.Build(p, &exec.Env{Expr: w.context(), Reader: w.store})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Root.Close()
	scan, done := q.Feeds[0].Scan, false
	q.Feeds[0].Set(func(context.Context) (*exec.Input, error) {
		if done {
			return nil, nil
		}
		done = true
		b := &column.Batch{Schema: scan.Schem, Rows: all.Rows}
		for _, o := range scan.Ords {
			b.Cols = append(b.Cols, all.Cols[o])
		}
		return &exec.Input{Batch: b}, nil
	}, nil)
	rows, err := drain(q, &exec.Epoch{ID: 1, Now: w.now})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(rows)
	return rows
}

// TestStreamEqualsBatch cuts random rows into random epochs and batches, with restarts, several workers and little memory, and wants the
// result that the same query has over all rows at once.
func TestStreamEqualsBatch(t *testing.T) {
	for k, query := range lawQueries {
		for _, mode := range []string{"append", "update", "complete"} {
			t.Run(fmt.Sprintf("query=%d/mode=%s", k, mode), func(t *testing.T) {
				for seed := range uint64(6) {
					lawRun(t, query, mode, seed)
				}
			})
		}
	}
}

func lawRun(t *testing.T, query, mode string, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 7))
	w := newWorld(t, 4096, 1+r.IntN(3), false)
	if w.memory = []int64{0, 4096}[r.IntN(2)]; strings.Contains(strings.ToUpper(query), "SESSION") {
		w.memory = 0 // all open sessions are in memory
	}
	if err := w.createStream("CREATE STREAM clicks (page TEXT, n BIGINT, event_time TIMESTAMPTZ, WATERMARK FOR event_time AS event_time - INTERVAL '3' HOUR) WITH (max_future_skew = 'off')"); err != nil {
		t.Fatal(err)
	}
	if err := w.createView(mode, query, 0); err != nil {
		t.Fatal(err)
	}
	all := randomClicks(r, 400)
	for from := 0; from < all.Rows; {
		var bs []*column.Batch
		for range r.IntN(4) {
			to := min(from+r.IntN(60), all.Rows)
			bs = append(bs, all.Slice(from, to))
			from = to
		}
		if r.IntN(3) == 0 {
			if err := w.restart(); err != nil {
				t.Fatal(err)
			}
		}
		w.step(t, bs...)
	}
	w.query.Advance(uint32(w.streams["clicks"].ID), types.Infinity)
	w.step(t)
	for w.query.Held() {
		w.step(t)
	}
	if s := w.query.Stats()[0]; s.RowsTotal != 0 && mode != "complete" {
		t.Errorf("seed %d: %d groups are left at the end", seed, s.RowsTotal)
	}
	got, err := w.selectRows("SELECT * FROM r")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	if want := w.inBatch(t, query, all); !slices.Equal(got, want) {
		t.Errorf("seed %d: the stream gave\n%q\nall at once gives\n%q", seed, got, want)
	}
}
