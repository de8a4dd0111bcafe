package stream

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"wmsql/internal/failpoint"
	"wmsql/state"
)

// The machine loses power at a random place of a random epoch and with it all, half or none of what was not synced. The
// rows of the internal stream were acknowledged; the other source reads again from the offsets that came back. Every row
// counts once, and the counters agree with the result.
func TestQuery_PowerCut(t *testing.T) {
	cut := errors.New("power cut")
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 7))
		mem := state.NewDisk()
		r := newRig(t, numbers(1, "n", "memory"), numbers(2, "log", ""))
		r.rows = 1 + rng.Int64N(6)
		open := func(fs state.Disk) {
			s, err := state.Open("d", state.Options{FS: fs})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			r.store = s
			r.log, _ = testLog(t, s)
			r.start()
		}
		open(mem)
		points := failpoint.All()
		for round := range 3 {
			lo := int64(round*10 + 1)
			for v := lo; v < lo+10; v++ {
				r.mem.add(v)
			}
			appendRows(t, r.log, 2, lo, lo+3)
			appendRows(t, r.log, 2, lo+4, lo+9)
			left := rng.IntN(12)
			r.fail.Arm(points[rng.IntN(len(points))], func() error {
				if left--; left < 0 {
					return cut
				}
				return nil
			})
			for range 6 {
				time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond / 4)
				if _, err := r.q.Step(context.Background()); err != nil {
					break
				}
			}
			for _, p := range points {
				r.fail.Arm(p, nil)
			}
			clone := mem.PowerCut([]int{0, 50, 100}[rng.IntN(3)], rng)
			if err := r.store.Close(); err != nil {
				t.Fatal(err)
			}
			mem = clone
			open(mem)
			root := fmt.Sprintf("%d", r.q.Status().RowsIn)
			if sum := storedRows(t, r); root != sum {
				t.Fatalf("seed %d: %s rows counted, %s in the result", seed, root, sum)
			}
		}
		r.settle()
		if got := r.result(); got != "465/30 465/30 " {
			t.Fatalf("seed %d: got %s", seed, got)
		}
		if in := r.q.Status().RowsIn; in != 60 {
			t.Fatalf("seed %d: rows in %d", seed, in)
		}
		if err := r.store.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// storedRows is the number of rows that the stored results say they come from.
func storedRows(t *testing.T, r *rig) string {
	t.Helper()
	var a, b, x, y int64
	if _, err := fmt.Sscanf(r.result(), "%d/%d %d/%d", &x, &a, &y, &b); err != nil && r.result() != "" {
		t.Fatal(err)
	}
	return fmt.Sprint(a + b)
}
