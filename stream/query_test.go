package stream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"wmsql/connector"
	"wmsql/internal/failpoint"
	"wmsql/sqlerr"
	"wmsql/types"
)

func TestQuery_FirstEpochRunsWithoutRows(t *testing.T) {
	r := newRig(t, numbers(1, "n", "memory"))
	q := r.start()
	p, err := q.Step(context.Background())
	if err != nil || p.Epoch != 1 || r.result() != "0/0 " {
		t.Errorf("epoch %d, result %q, %v", p.Epoch, r.result(), err)
	}
	if p, err = q.Step(context.Background()); err != nil || p.Epoch != 0 {
		t.Errorf("an epoch with nothing to do: %d, %v", p.Epoch, err)
	}
}

func TestQuery_RestartGoesOn(t *testing.T) {
	r := newRig(t, numbers(1, "n", "memory"))
	r.rows = 4
	r.start()
	for v := int64(1); v <= 10; v++ {
		r.mem.add(v)
		r.settle()
		if err := r.q.Close(); err != nil {
			t.Fatal(err)
		}
		r.start()
	}
	if got := r.result(); got != "55/10 " {
		t.Errorf("got %s", got)
	}
	st := r.q.Status()
	if st.RowsIn != 10 || st.State != Running || r.q.Last().Epoch != st.Epoch {
		t.Errorf("status %+v, last %d", st, r.q.Last().Epoch)
	}
}

// A kill at any place of any epoch gives the same result as none, and the counters still add up.
func TestQuery_CrashSweep(t *testing.T) {
	killed := errors.New("killed")
	for _, point := range failpoint.All() {
		for _, at := range []int{1, 2, 3} {
			t.Run(fmt.Sprintf("%s/%d", point, at), func(t *testing.T) {
				r := newRig(t, numbers(1, "n", "memory"), numbers(2, "log", ""))
				r.rows = 7
				hits := 0
				r.fail.Arm(point, func() error {
					if hits++; hits == at {
						return killed
					}
					return nil
				})
				r.start()
				for v := int64(1); v <= 20; v++ {
					r.mem.add(v)
					appendRows(t, r.log, 2, v, v)
				}
				crashed := false
				for range 100 {
					time.Sleep(time.Millisecond) // so that some epochs are synced and some are not
					p, err := r.q.Step(context.Background())
					switch {
					case errors.Is(err, killed):
						crashed = true
						r.start()
					case err != nil:
						t.Fatal(err)
					case p.Epoch != 0:
						continue
					}
					if err == nil {
						break
					}
				}
				if got := r.result(); got != "210/20 210/20 " {
					t.Errorf("got %s", got)
				}
				if st := r.q.Status(); st.RowsIn != 40 {
					t.Errorf("rows in %d", st.RowsIn)
				}
				if !crashed && point != failpoint.Synced && point != failpoint.Released {
					t.Error("the place was never passed")
				}
			})
		}
	}
}

// A Step that failed can be followed by another on the same Query.
func TestQuery_FailedStepIsRepeated(t *testing.T) {
	for _, point := range failpoint.All() {
		r := newRig(t, numbers(1, "n", "memory"))
		r.start()
		r.mem.add(1, 2, 3, 4)
		hits := 0
		r.fail.Arm(point, func() error {
			if hits++; hits == 1 {
				return errors.New("boom")
			}
			return nil
		})
		_, err := r.q.Step(context.Background())
		if err == nil || r.q.Status().State != Failed {
			t.Errorf("%s: no failure", point)
		}
		r.settle()
		if got := r.result(); got != "10/4 " || r.q.Status().RowsIn != 4 || r.q.Status().State != Running {
			t.Errorf("%s: got %s, %+v", point, got, r.q.Status())
		}
	}
}

// What the plan does not pull is read all the same: an epoch ends at its bounds.
func TestQuery_UnreadRowsArePassed(t *testing.T) {
	r := newRig(t, numbers(1, "n", "memory"))
	r.limit = true
	r.start()
	r.mem.add(1, 2, 3, 4, 5, 6, 7)
	r.settle()
	if st := r.q.Status(); st.RowsIn != 7 || r.q.pos.Scans[0].Offset != "7" {
		t.Errorf("%+v at %s", st, r.q.pos.Scans[0].Offset)
	}
	if lent := r.q.scans[0].src.(*memorySource).lent; lent != 0 {
		t.Errorf("%d batches were not given back", lent)
	}
}

// A transaction that writes to two streams is in one epoch, however small the bound.
func TestQuery_TransactionsOverTwoStreams(t *testing.T) {
	r := newRig(t, numbers(1, "a", ""), numbers(2, "b", ""))
	r.rows = 2
	r.start()
	for v := int64(1); v <= 9; v++ {
		if v%3 == 0 {
			appendRows(t, r.log, 1, v*100, v*100+2)
		}
		txn := []Append{{1, pageSchema, pages(v, v)}, {2, pageSchema, pages(v, v)}}
		if err := r.log.Commit(r.store.Begin(), txn); err != nil {
			t.Fatal(err)
		}
	}
	epochs, extra := 0, []int64{0, 3, 6, 9}
	for {
		p, err := r.q.Step(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if p.Epoch == 0 {
			break
		}
		epochs++
		root := r.q.ex.Root.(*sums)
		if more := root.rows[0] - root.rows[1]; more != extra[root.rows[1]/3] && more != extra[min(3, (root.rows[1]+1)/3)] {
			t.Errorf("epoch %d saw %v rows of the streams", p.Epoch, root.rows)
		}
	}
	if epochs < 6 {
		t.Errorf("only %d epochs: the bound was not tested", epochs)
	}
	if got := r.result(); !strings.HasSuffix(got, "45/9 ") {
		t.Errorf("got %s", got)
	}
}

func TestQuery_OtherPlanIsRefused(t *testing.T) {
	r := newRig(t, numbers(1, "n", "memory"))
	r.start()
	r.settle()
	cfg := r.config()
	cfg.Plan.Fingerprint = "f2"
	_, err := New(context.Background(), cfg)
	e := sqlerr.From(err)
	if e.Code != sqlerr.ObjectNotReady || !strings.Contains(e.Msg, `"r"`) || !strings.Contains(e.Hint, "drop") {
		t.Errorf("got %v", err)
	}
	r.streams[0].ID = 9
	if _, err := New(context.Background(), r.config()); sqlerr.From(err).Code != sqlerr.ObjectNotReady {
		t.Errorf("another stream: got %v", err)
	}
}

func TestQuery_OnErrorFail(t *testing.T) {
	r := newRig(t, numbers(1, "n", "memory"))
	r.streams[0].Options["on_error"] = "fail"
	r.start()
	r.settle()
	r.mem.add(1, 2, -1, 4)
	_, err := r.q.Step(context.Background())
	if err == nil || !strings.Contains(err.Error(), "partition 0, offset 2") || !strings.Contains(sqlerr.From(err).Hint, "on_error = 'reject'") {
		t.Fatalf("got %v", err)
	}
	st := r.q.Status()
	if st.State != Failed || !errors.Is(st.Err, err) || st.RowsIn != 0 {
		t.Errorf("%+v", st)
	}
	if err := r.q.Close(); err != nil {
		t.Fatal(err)
	}
	r.streams[0].Options["on_error"] = "reject"
	r.start()
	r.settle()
	if st := r.q.Status(); r.result() != "7/3 " || st.RowsIn != 4 || st.RowsRejected != 1 {
		t.Errorf("result %s, %+v", r.result(), st)
	}
}

func TestQuery_SourceThatCannotBeReached(t *testing.T) {
	lost := sqlerr.Newf(sqlerr.ConnectionFailure, "no broker")
	r := newRig(t, numbers(1, "n", "memory"))
	r.mem.failOnce(lost)
	r.start() // a query starts all the same
	if st := r.q.Status(); st.State != Failed || !errors.Is(st.Err, lost) {
		t.Errorf("%+v", st)
	}
	r.mem.add(5)
	r.settle()
	if st := r.q.Status(); st.State != Running || r.result() != "5/1 " {
		t.Errorf("%+v %s", st, r.result())
	}
	r.mem.failOnce(sqlerr.Newf(sqlerr.InvalidParameterValue, "no such topic"))
	if _, err := New(context.Background(), r.config()); err == nil {
		t.Error("an error that stays was taken for one that passes")
	}
}

// running runs a query in the background until the test ends.
func (r *rig) running() {
	r.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.q.Run(ctx) }()
	r.t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			r.t.Error(err)
		}
		if err := r.q.Close(); err != nil {
			r.t.Error(err)
		}
	})
}

func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestQuery_Flush(t *testing.T) {
	r := newRig(t, numbers(1, "n", "memory"), numbers(2, "log", ""))
	r.start()
	r.running()
	for v := int64(1); v <= 5; v++ {
		if v%2 == 0 {
			r.mem.add(v)
		} else {
			appendRows(t, r.log, 2, v, v)
		}
		if err := r.q.Flush(soon(t)); err != nil {
			t.Fatal(err)
		}
		if want := []string{"", "0/0 1/1 ", "2/1 1/1 ", "2/1 4/2 ", "6/2 4/2 ", "6/2 9/3 "}[v]; r.result() != want {
			t.Errorf("after %d: got %s, want %s", v, r.result(), want)
		}
	}
	appendRows(t, r.log, 7, 1, 1) // rows of a stream that the query does not read
	if err := r.q.Flush(soon(t)); err != nil {
		t.Error(err)
	}
}

func TestQuery_FlushTellsWhyNot(t *testing.T) {
	r := newRig(t, numbers(1, "n", "memory"))
	r.streams[0].Options["on_error"] = "fail"
	r.start()
	r.running()
	if err := r.q.Flush(soon(t)); err != nil {
		t.Fatal(err)
	}
	r.q.Pause()
	r.mem.add(1)
	if err := r.q.Flush(soon(t)); sqlerr.From(err).Code != sqlerr.ObjectNotReady || r.q.Status().State != Paused {
		t.Errorf("paused: %v, %s", err, r.q.Status().State)
	}
	r.q.Resume()
	if err := r.q.Flush(soon(t)); err != nil || r.result() != "1/1 " {
		t.Errorf("resumed: %v, %s", err, r.result())
	}
}

func TestQuery_AdvanceRunsAnEpoch(t *testing.T) {
	r := newRig(t, numbers(1, "n", "memory"))
	r.start()
	r.running()
	r.mem.add(1, 2)
	if err := r.q.Advance(soon(t), 1, types.Infinity); err != nil {
		t.Fatal(err)
	}
	if got := r.result(); got != "3/2 " {
		t.Errorf("rows that were there come before the watermark: got %s", got)
	}
	before := r.q.Status().Epoch
	if err := r.q.Advance(soon(t), 1, types.Infinity); err != nil || r.q.Status().Epoch != before+1 {
		t.Errorf("epoch %d after %d, %v", r.q.Status().Epoch, before, err)
	}
	if err := r.q.Advance(soon(t), 99, types.Infinity); err != nil || r.q.Status().Epoch != before+1 {
		t.Errorf("another stream's watermark: %v", err)
	}
}

// A connection that is lost for a while stops nothing for good.
func TestQuery_RunTriesAgain(t *testing.T) {
	r := newRig(t, numbers(1, "n", "memory"))
	r.start()
	r.running()
	r.mem.failOnce(sqlerr.Newf(sqlerr.ConnectionFailure, "connection lost"))
	r.mem.add(1, 2, 3)
	deadline := time.Now().Add(10 * time.Second)
	for r.result() != "6/3 " && time.Now().Before(deadline) {
		time.Sleep(5 * time.Millisecond)
	}
	if st := r.q.Status(); r.result() != "6/3 " || st.State != Running || st.RowsIn != 3 {
		t.Errorf("%s %+v", r.result(), st)
	}
}

func TestQuery_RunEndsAtAnErrorThatStays(t *testing.T) {
	r := newRig(t, numbers(1, "n", "memory"))
	r.start()
	r.mem.failOnce(sqlerr.Newf(sqlerr.DataCorrupted, "offset 10 is gone"))
	if err := r.q.Run(soon(t)); sqlerr.From(err).Code != sqlerr.DataCorrupted {
		t.Errorf("got %v", err)
	}
	if st := r.q.Status(); st.State != Failed {
		t.Errorf("%+v", st)
	}
	if err := r.q.Flush(soon(t)); sqlerr.From(err).Code != sqlerr.DataCorrupted || !strings.Contains(err.Error(), `"r" has failed`) {
		t.Errorf("flush: %v", err)
	}
	r.mem.add(1)
	r.running() // again, as after a mend
	deadline := time.Now().Add(10 * time.Second)
	for r.result() != "1/1 " && time.Now().Before(deadline) {
		time.Sleep(5 * time.Millisecond)
	}
	if got := r.result(); got != "1/1 " {
		t.Errorf("got %s", got)
	}
}

func TestQuery_ReleaseComesAfterTheSync(t *testing.T) {
	r := newRig(t, numbers(1, "n", "memory"))
	r.start()
	r.settle() // synced: the first for a while
	r.mem.add(1, 2)
	if p, err := r.q.Step(context.Background()); err != nil || p.Epoch != 2 {
		t.Fatal(p.Epoch, err)
	}
	src := r.q.scans[0].src.(*memorySource)
	if r.q.unsynced == (src.released == "2") {
		t.Errorf("released %q, unsynced %v", src.released, r.q.unsynced)
	}
	if err := r.q.syncNow(); err != nil || src.released != "2" {
		t.Errorf("released %q, %v", src.released, err)
	}
}

func TestQuery_ProgressIsKept(t *testing.T) {
	r := newRig(t, numbers(1, "n", "memory"))
	r.start()
	const epochs = progressKept + 2*progressTrim
	for v := range int64(epochs) {
		r.mem.add(v)
		if _, err := r.q.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	var first, last Progress
	n := 0
	if err := ScanProgress(r.store, viewID, func(p *Progress) bool {
		if n == 0 {
			first = *p
		}
		last = *p
		n++
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if n < progressKept || n > progressKept+progressTrim || first.Epoch != epochs-int64(n)+1 || last.Epoch != epochs {
		t.Errorf("%d rows, %d to %d", n, first.Epoch, last.Epoch)
	}
	if last.RowsIn != 1 || last.Sources[0].Start != "1199" || last.Sources[0].End != "1200" || last.Start != types.MicroTime(noon.UnixMicro()) {
		t.Errorf("%+v", last)
	}
}

func TestBatchSize(t *testing.T) {
	b := newBatchSize(100_000, time.Second, 800)
	if b.rows != firstRows {
		t.Fatal(b.rows)
	}
	b.after(10, time.Millisecond, 10, false) // a trickle changes nothing
	if b.rows != firstRows {
		t.Errorf("after a trickle: %d", b.rows)
	}
	b.after(b.rows, 10*time.Millisecond, 10, false)
	b.after(b.rows, 10*time.Millisecond, 10, false)
	if b.rows != 100_000 {
		t.Errorf("on a backlog: %d", b.rows)
	}
	b.after(b.rows, 4*time.Second, 10, false)
	if b.rows != 25_000 {
		t.Errorf("slow: %d", b.rows)
	}
	b.after(b.rows, time.Hour, 10, false)
	if b.rows != minRows {
		t.Errorf("very slow: %d", b.rows)
	}
	b.rows = 40_000
	b.after(b.rows, 4*time.Second, 10, true)
	if b.rows != 40_000 {
		t.Errorf("slow for what it read back: %d", b.rows)
	}
	b.after(b.rows, 10*time.Millisecond, 400, true)
	if b.rows != 10_000 {
		t.Errorf("writing much: %d", b.rows)
	}
	if b := newBatchSize(3, 0, 0); b.rows != 3 {
		t.Errorf("max_batch_rows = 3: %d", b.rows)
	}
}

func TestSourceSpec(t *testing.T) {
	s := numbers(1, "clicks", "memory")
	s.Columns = append(s.Columns[:1:1], s.Columns[0], s.Columns[1])
	s.Columns[1].Name, s.Columns[1].Generated = "et", `to_timestamp("page" || 'v', 'YYYY')`
	s.Watermark = watermarkOn(1)
	spec, err := SourceSpec(s, []int{2, 0}, nil)
	if err != nil || fmt.Sprint(spec.Read) != "[1 0]" || spec.EventTime != 1 || spec.Delay != 31*24*time.Hour+time.Minute {
		t.Errorf("%+v, %v", spec, err)
	}
	if _, err := SourceSpec(s, []int{1}, nil); err == nil {
		t.Error("a computed column was read from the source")
	}
	if spec, err = SourceSpec(s, nil, nil); err != nil || fmt.Sprint(spec.Read) != "[0 1]" {
		t.Errorf("all: %+v, %v", spec, err)
	}
	var _ connector.Source = (*logSource)(nil)
}
