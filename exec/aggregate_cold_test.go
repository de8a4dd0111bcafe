package exec_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestStreamAggregate_Cold runs aggregates whose groups all, or nearly all, leave memory after every epoch, whose windows are divided and
// close shard by shard over several epochs, beside ones that keep everything: they put out the same rows, after a restart too.
func TestStreamAggregate_Cold(t *testing.T) {
	const tumble = "FROM TUMBLE(TABLE s, DESCRIPTOR(at), INTERVAL '5' MINUTE) GROUP BY window_start, window_end, k"
	const hop = "FROM HOP(TABLE s, DESCRIPTOR(at), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE) GROUP BY window_start, window_end, k"
	const sums = ", k, count(*), sum(x), min(x), string_agg(x::text, ',')"
	for _, c := range []struct{ name, mode, query string }{
		{"tumble", "append", "SELECT window_end" + sums + " " + tumble},
		{"tumble", "update", "SELECT window_end" + sums + " " + tumble},
		{"hop", "append", "SELECT window_end" + sums + " " + hop},
		{"hop", "update", "SELECT window_end" + sums + " " + hop},
		{"time", "append", "SELECT at" + sums + " FROM s GROUP BY at, k"},
		{"keys", "update", "SELECT 1" + sums + " FROM s GROUP BY k"},
		{"keys", "complete", "SELECT 1" + sums + " FROM s GROUP BY k"},
		{"chain", "append", `SELECT window_end, count(*), sum(n) FROM TUMBLE(TABLE (
			SELECT window_time, k, count(*) AS n FROM TUMBLE(TABLE s, DESCRIPTOR(at), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, window_time, k
			), DESCRIPTOR(window_time), INTERVAL '5' MINUTE) GROUP BY window_start, window_end`},
	} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s/%s/%d", c.name, c.mode, seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 4))
				hot, cold := aggregateWorld(t, c.mode, c.query, 0), aggregateWorld(t, c.mode, c.query, []int64{1, 20000, 4000}[seed])
				var want, got []string
				for epoch := 0; epoch < 60 || cold.query.Held(); epoch++ {
					rows := map[string]string{"s/0": ""}
					if epoch < 60 { // later ones only put out what was held back
						rows["s/0"] = aggregateRows(r, epoch)
					}
					want, got = append(want, step(t, hot, rows)...), append(got, step(t, cold, rows)...)
					if c.mode != "append" && !slices.Equal(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got))) {
						t.Fatalf("epoch %d: %s", epoch, difference(want, got))
					}
					want, got = trim(c.mode, want), trim(c.mode, got)
					if r.IntN(10) == 0 {
						if err := cold.restart(); err != nil {
							t.Fatal(err)
						}
					}
				}
				slices.Sort(want)
				slices.Sort(got)
				if !slices.Equal(want, got) {
					t.Fatal(difference(want, got))
				}
				h, l := hot.query.Stats()[0], cold.query.Stats()[0]
				if l.RowsTotal < h.RowsTotal || c.mode != "append" && l.RowsTotal > h.RowsTotal {
					t.Fatalf("kept with little memory %d, with enough %d", l.RowsTotal, h.RowsTotal)
				}
			})
		}
	}
}

// difference tells which rows are missing and which are too many.
func difference(want, got []string) string {
	n := map[string]int{}
	for _, r := range want {
		n[r]++
	}
	for _, r := range got {
		n[r]--
	}
	var out []string
	for r, k := range n {
		if k != 0 {
			out = append(out, fmt.Sprintf("%+d  %s", -k, r))
		}
	}
	slices.Sort(out)
	return fmt.Sprintf("with little memory rows are missing (-) or too many (+):\n%s", strings.Join(out, "\n"))
}

// trim forgets what was compared.
func trim(mode string, rows []string) []string {
	if mode == "append" {
		return rows
	}
	return rows[:0]
}

func step(t *testing.T, w *world, rows map[string]string) []string {
	out, err := w.run(rows)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func aggregateWorld(t *testing.T, mode, query string, memory int64) *world {
	w := newWorld(t, 4096, 1, false)
	w.memory = memory
	if err := w.createStream("CREATE STREAM s (k TEXT, x INT, at TIMESTAMPTZ, WATERMARK FOR at AS at - INTERVAL '10' MINUTE)"); err != nil {
		t.Fatal(err)
	}
	if err := w.createView(mode, query, 0); err != nil {
		t.Fatal(err)
	}
	return w
}

// aggregateRows is up to forty rows of some key, now and then NULL, within a quarter of an hour before an epoch's minute. Now and then no
// row comes for a while, so that several windows close at once.
func aggregateRows(r *rand.Rand, epoch int) string {
	var b strings.Builder
	if epoch/10%2 == 1 && epoch%10 < 8 {
		return ""
	}
	for range r.IntN(40) {
		key := fmt.Sprintf("key %d", r.IntN(100))
		if r.IntN(15) == 0 {
			key = ""
		}
		second := 3600 + epoch*60 - r.IntN(900)
		fmt.Fprintf(&b, "%s | %d | %02d:%02d:%02d\n", key, r.IntN(1000), second/3600, second/60%60, second%60)
	}
	return b.String()
}
