package exec_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestStreamJoin_Cold runs joins whose rows all, or nearly all, leave memory after every epoch beside ones that keep them: each epoch
// puts out the same rows and keeps as many, after a restart too.
func TestStreamJoin_Cold(t *testing.T) {
	for _, kind := range []string{"JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN"} {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s/%d", kind, seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 3))
				hot, cold := joinWorld(t, kind, 0), joinWorld(t, kind, []int64{1, 6000}[seed%2])
				for epoch := range 60 {
					rows := map[string]string{"imp/0": joinRows(r, epoch), "clk/1": joinRows(r, epoch)}
					want, err := hot.run(rows)
					if err != nil {
						t.Fatal(err)
					}
					got, err := cold.run(rows)
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got, want) {
						t.Fatalf("epoch %d: with little memory\n%s\nwith enough\n%s", epoch, strings.Join(got, "\n"), strings.Join(want, "\n"))
					}
					h, c := hot.query.Stats()[0], cold.query.Stats()[0]
					if h.RowsTotal != c.RowsTotal || h.RowsUpdated != c.RowsUpdated || h.RowsRemoved != c.RowsRemoved {
						t.Fatalf("epoch %d: kept, updated, removed with little memory %d %d %d, with enough %d %d %d",
							epoch, c.RowsTotal, c.RowsUpdated, c.RowsRemoved, h.RowsTotal, h.RowsUpdated, h.RowsRemoved)
					}
					if c.StateBytes > cold.memory {
						t.Fatalf("epoch %d: %d bytes of rows in memory, the budget is %d", epoch, c.StateBytes, cold.memory)
					}
					if r.IntN(10) == 0 {
						if err := cold.restart(); err != nil {
							t.Fatal(err)
						}
					}
				}
			})
		}
	}
}

func joinWorld(t *testing.T, kind string, memory int64) *world {
	w := newWorld(t, 4096, 1, false)
	w.memory = memory
	for _, s := range []string{
		"CREATE STREAM imp (ad INT, it TIMESTAMPTZ, WATERMARK FOR it AS it - INTERVAL '10' MINUTE)",
		"CREATE STREAM clk (cad INT, ct TIMESTAMPTZ, WATERMARK FOR ct AS ct - INTERVAL '10' MINUTE)"} {
		if err := w.createStream(s); err != nil {
			t.Fatal(err)
		}
	}
	columns := "ad, it, cad, ct"
	if strings.Contains(kind, "SEMI") || strings.Contains(kind, "ANTI") {
		columns = "ad, it"
	}
	if err := w.createView("append", "SELECT "+columns+" FROM imp "+kind+" clk ON ad = cad AND ct BETWEEN it AND it + INTERVAL '5' MINUTE", 0); err != nil {
		t.Fatal(err)
	}
	return w
}

// joinRows is up to forty rows of some key, now and then NULL, within a quarter of an hour before an epoch's minute.
func joinRows(r *rand.Rand, epoch int) string {
	var b strings.Builder
	for range r.IntN(40) {
		key := fmt.Sprint(r.IntN(12))
		if r.IntN(15) == 0 {
			key = ""
		}
		second := 3600 + epoch*60 - r.IntN(900)
		fmt.Fprintf(&b, "%s | %02d:%02d:%02d\n", key, second/3600, second/60%60, second%60)
	}
	return b.String()
}
