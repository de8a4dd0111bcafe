package stream

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/connector"
	"wmsql/internal/clock"
	"wmsql/state"
	"wmsql/types"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func testStore(t *testing.T) *state.Store {
	t.Helper()
	s, err := state.Open("", state.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func testLog(t *testing.T, s *state.Store) (*Log, *clock.Fake) {
	t.Helper()
	c := clock.NewFake(noon)
	l, err := OpenLog(s, c)
	if err != nil {
		t.Fatal(err)
	}
	return l, c
}

var pageSchema = &types.Schema{Fields: []types.Field{{Name: "v", Type: types.Of(types.Int8)}, {Name: "page", Type: types.Of(types.Text)}}}

// pages are rows (lo, "p<lo>") up to hi.
func pages(lo, hi int64) *column.Batch {
	bs := column.NewBuilders(pageSchema, 16)
	for v := lo; v <= hi; v++ {
		bs[0].AppendDatum(v)
		bs[1].AppendDatum(fmt.Sprintf("p%d", v))
	}
	return column.BuildBatch(pageSchema, bs)
}

func appendRows(t *testing.T, l *Log, stream catalog.ID, lo, hi int64) {
	t.Helper()
	if err := l.Commit(l.store.Begin(), []Append{{stream, pageSchema, pages(lo, hi)}}); err != nil {
		t.Fatal(err)
	}
}

func logSpec(read ...int) connector.Spec {
	return connector.Spec{Stream: "clicks", Schema: pageSchema, Read: read, EventTime: -1}
}

func openSource(t *testing.T, l *Log, stream catalog.ID, from connector.Offset, read ...int) connector.Source {
	t.Helper()
	s, err := l.Source(logSpec(read...), stream, from)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// drain reads an epoch; it returns the values of the first column, batch by batch.
func drain(t *testing.T, s connector.Source, b connector.Bounds) string {
	t.Helper()
	if err := s.Begin(b); err != nil {
		t.Fatal(err)
	}
	var out []string
	for {
		b, err := s.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			return strings.Join(out, " | ")
		}
		lo, hi := column.Get(b.Cols[0], 0), column.Get(b.Cols[0], b.Rows-1)
		out = append(out, fmt.Sprintf("%v-%v", lo, hi))
	}
}

func TestLog_SmallTransactionsComeTogether(t *testing.T) {
	l, _ := testLog(t, testStore(t))
	for v := range int64(10) {
		appendRows(t, l, 1, v, v)
	}
	s := openSource(t, l, 1, "", 0)
	if got := drain(t, s, connector.Bounds{}); got != "0-9" {
		t.Errorf("got %s", got)
	}
	if s.Offset() != "10" {
		t.Errorf("offset %s", s.Offset())
	}
	if got := drain(t, s, connector.Bounds{}); got != "" {
		t.Errorf("again: %s", got)
	}
}

func TestLog_ATransactionIsNeverSplit(t *testing.T) {
	l, _ := testLog(t, testStore(t))
	appendRows(t, l, 1, 1, 3)
	appendRows(t, l, 1, 4, 10003)
	appendRows(t, l, 1, 10004, 10004)
	s := openSource(t, l, 1, "", 0)
	for _, want := range []string{"1-3", "4-4099 | 4100-8195 | 8196-10003", "10004-10004", ""} {
		if got := drain(t, s, connector.Bounds{Rows: 1}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestLog_OnlyWantedColumns(t *testing.T) {
	l, c := testLog(t, testStore(t))
	appendRows(t, l, 1, 7, 8)
	c.Move(time.Second)
	appendRows(t, l, 1, 9, 9)
	s := openSource(t, l, 1, "", 1)
	if err := s.Begin(connector.Bounds{}); err != nil {
		t.Fatal(err)
	}
	b, err := s.Next(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Cols) != 1 || b.Schema.Fields[0].Name != "page" || column.Get(b.Cols[0], 2) != "p9" {
		t.Errorf("got %v", b.Schema)
	}
	at := noon.UnixMicro()
	if fmt.Sprint(b.Arrivals) != fmt.Sprint([]int64{at, at, at + 1e6}) {
		t.Errorf("arrivals %v", b.Arrivals)
	}
}

func TestLog_RestartAndStart(t *testing.T) {
	store := testStore(t)
	l, c := testLog(t, store)
	appendRows(t, l, 1, 1, 2)
	c.Move(time.Hour)
	appendRows(t, l, 1, 3, 4)
	l, _ = testLog(t, store)
	appendRows(t, l, 1, 5, 6)
	for _, tc := range []struct{ start, from, want string }{
		{"", "", "1-6"},
		{"earliest", "", "1-6"},
		{"latest", "", ""},
		{"2026-03-01 12:30:00", "", "3-6"},
		{"latest", "2", "5-6"}, // a stored offset wins
	} {
		spec := logSpec(0)
		spec.Options = map[string]string{"start": tc.start}
		if tc.start == "" {
			spec.Options = nil
		}
		s, err := l.Source(spec, 1, connector.Offset(tc.from))
		if err != nil {
			t.Fatal(err)
		}
		if got := drain(t, s, connector.Bounds{}); got != tc.want {
			t.Errorf("start %q from %q: got %q, want %q", tc.start, tc.from, got, tc.want)
		}
	}
	spec := logSpec(0)
	spec.Options = map[string]string{"start": "yesterday evening"}
	if _, err := l.Source(spec, 1, ""); err == nil {
		t.Error("a bad start was taken")
	}
}

// The commit number does not go back when everything was trimmed: stored offsets would miss what comes.
func TestLog_TrimKeepsCounting(t *testing.T) {
	store := testStore(t)
	l, c := testLog(t, store)
	appendRows(t, l, 1, 1, 2)
	appendRows(t, l, 1, 3, 4)
	c.Move(8 * 24 * time.Hour)
	if err := l.Trim(1, c.Now().Add(-7*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	l, _ = testLog(t, store)
	appendRows(t, l, 1, 5, 5)
	s := openSource(t, l, 1, "2", 0)
	if got := drain(t, s, connector.Bounds{}); got != "5-5" {
		t.Errorf("got %s", got)
	}
}

func TestLog_TrimWaitsForQueries(t *testing.T) {
	store := testStore(t)
	l, c := testLog(t, store)
	for v := int64(1); v <= 3; v++ {
		appendRows(t, l, 1, v, v)
	}
	txn := store.Begin()
	p := &position{Version: positionVersion, Epoch: 1, Scans: []scanPosition{{Stream: 1, Offset: "1"}}}
	if err := errors.Join(p.put(txn, 50), txn.Commit(false)); err != nil {
		t.Fatal(err)
	}
	c.Move(time.Hour)
	if err := l.Trim(1, c.Now()); err != nil {
		t.Fatal(err)
	}
	if got := drain(t, openSource(t, l, 1, Earliest, 0), connector.Bounds{}); got != "2-3" {
		t.Errorf("got %s", got)
	}
}

func TestLog_WaitAndLag(t *testing.T) {
	l, _ := testLog(t, testStore(t))
	s := openSource(t, l, 1, "", 0)
	found := make(chan error)
	go func() { found <- s.Wait(context.Background()) }()
	appendRows(t, l, 2, 1, 1) // another stream
	select {
	case <-found:
		t.Error("woken by another stream")
	case <-time.After(20 * time.Millisecond):
	}
	appendRows(t, l, 1, 1, 5)
	if err := <-found; err != nil {
		t.Fatal(err)
	}
	if lag := s.Status()[0].Lag; lag != 5 {
		t.Errorf("lag %d", lag)
	}
	end, err := s.End(context.Background())
	if err != nil || s.Reached(s.Offset(), end) {
		t.Errorf("reached %s before reading, %v", end, err)
	}
	drain(t, s, connector.Bounds{})
	if lag := s.Status()[0].Lag; lag != 0 || !s.Reached(s.Offset(), end) {
		t.Errorf("lag %d at %s of %s", lag, s.Offset(), end)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestLog_CutOfTwoStreams(t *testing.T) {
	l, _ := testLog(t, testStore(t))
	appendRows(t, l, 1, 1, 10)
	appendRows(t, l, 2, 1, 10)
	if err := l.Commit(l.store.Begin(), []Append{{1, pageSchema, pages(11, 20)}, {2, pageSchema, pages(11, 20)}}); err != nil {
		t.Fatal(err)
	}
	appendRows(t, l, 1, 21, 21)
	for rows, want := range map[int64]int64{1: 1, 10: 1, 11: 2, 20: 2, 21: 3, 40: 3, 41: 4, 1000: 4} {
		cut, err := l.cut([]readAt{{1, 0}, {2, 0}}, rows)
		if err != nil || cut != want {
			t.Errorf("%d rows: cut %d, want %d, %v", rows, cut, want, err)
		}
	}
}

// Sixteen sessions insert at once: every row once, each session's rows in its order, and in a crash nothing acknowledged is lost.
func TestLog_ConcurrentInserters(t *testing.T) {
	mem := state.NewDisk()
	store, err := state.Open("d", state.Options{FS: mem})
	if err != nil {
		t.Fatal(err)
	}
	l, _ := testLog(t, store)
	const sessions, each = 16, 50
	var wg sync.WaitGroup
	errs := make([]error, sessions)
	for w := range int64(sessions) {
		wg.Go(func() {
			for i := range int64(each) {
				v := w*1000 + i
				errs[w] = errors.Join(errs[w], l.Commit(store.Begin(), []Append{{1, pageSchema, pages(v, v)}}))
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	clone := mem.PowerCut(0, rand.New(rand.NewPCG(1, 1)))
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if store, err = state.Open("d", state.Options{FS: clone}); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	l, _ = testLog(t, store)
	if l.Head() != sessions*each {
		t.Errorf("head %d", l.Head())
	}
	s := openSource(t, l, 1, "", 0)
	if err := s.Begin(connector.Bounds{}); err != nil {
		t.Fatal(err)
	}
	next := [sessions]int64{}
	for {
		b, err := s.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if b == nil {
			break
		}
		for i := range b.Rows {
			v := column.Get(b.Cols[0], i).(int64)
			if w := v / 1000; next[w] != v%1000 {
				t.Fatalf("session %d: row %d, want %d", w, v%1000, next[w])
			} else {
				next[w]++
			}
		}
	}
	for w, n := range next {
		if n != each {
			t.Errorf("session %d: %d rows", w, n)
		}
	}
}

// TestLog_SyncsToldInAnyOrder: a reader that sees the head sees all that was committed before it, whichever of the syncs was told first.
func TestLog_SyncsToldInAnyOrder(t *testing.T) {
	l, _ := testLog(t, testStore(t))
	appendRows(t, l, 1, 1, 1)
	s := openSource(t, l, 1, "", 0, 1)
	if got := drain(t, s, connector.Bounds{}); got != "1-1" {
		t.Fatalf("got %q", got)
	}
	var commits [2]int64
	for i, stream := range []catalog.ID{1, 2} {
		chunks, err := encodeChunks([]Append{{stream, pageSchema, pages(2, 2)}})
		if err != nil {
			t.Fatal(err)
		}
		commit, wait, err := l.apply(l.store.Begin(), chunks)
		if err == nil {
			err = wait()
		}
		if err != nil {
			t.Fatal(err)
		}
		commits[i] = commit
	}
	l.publish(commits[1])
	got := drain(t, s, connector.Bounds{})
	l.publish(commits[0])
	if got += drain(t, s, connector.Bounds{}); got != "2-2" {
		t.Fatalf("got %q, want the row of the commit that was told of last", got)
	}
}
