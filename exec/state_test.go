package exec_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"wmsql/column"
	"wmsql/exec"
	"wmsql/state"
	"wmsql/types"
)

// step runs one epoch over batches of clicks and returns what came out.
func (w *world) step(t testing.TB, batches ...*column.Batch) []string {
	t.Helper()
	scan := w.query.Feeds[0].Scan
	w.query.Feeds[0].Set(func(context.Context) (*exec.Input, error) {
		if len(batches) == 0 {
			return nil, nil
		}
		b := &column.Batch{Schema: scan.Schem, Rows: batches[0].Rows}
		for _, o := range scan.Ords {
			b.Cols = append(b.Cols, batches[0].Cols[o])
		}
		batches = batches[1:]
		return &exec.Input{Batch: b, Arrival: w.now}, nil
	}, nil)
	w.epoch++
	txn := w.store.Begin()
	rows, err := drain(w.query, &exec.Epoch{ID: w.epoch, Query: uint32(w.view.ID), Now: w.now, Txn: txn})
	if err == nil {
		err = txn.Commit(false)
	}
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// pages is one row for each page from lo to hi, all at minute of 2024-01-01.
func pages(lo, hi, minute int) *column.Batch {
	s := &types.Schema{Fields: []types.Field{
		{Name: "page", Type: types.Of(types.Text)}, {Name: "n", Type: types.Of(types.Int8)}, {Name: "event_time", Type: types.Of(types.TimestampTZ)}}}
	page, n, at := column.NewBytesBuilder(s.Fields[0].Type, 0), column.NewFixedBuilder[int64](s.Fields[1].Type, 0), column.NewFixedBuilder[int64](s.Fields[2].Type, 0)
	for i := lo; i < hi; i++ {
		page.AppendString(fmt.Sprintf("/page/%d", i))
		n.Append(int64(i))
		at.Append(int64(clockOf("2024-01-01 00:00")) + int64(minute)*60e6)
	}
	return &column.Batch{Schema: s, Cols: []column.Vector{page.Build(), n.Build(), at.Build()}, Rows: hi - lo}
}

func continuous(t testing.TB, mode, query string) *world {
	w := newWorld(t, 4096, 1, false)
	if err := w.createStream("CREATE STREAM clicks (page TEXT, n BIGINT, event_time TIMESTAMPTZ, WATERMARK FOR event_time AS event_time - INTERVAL '60' MINUTE)"); err != nil {
		t.Fatal(err)
	}
	if err := w.createView(mode, query, 0); err != nil {
		t.Fatal(err)
	}
	return w
}

const pageCounts = "SELECT window_start, window_end, page, count(*), sum(n) FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, page"

// TestStreamAggregate_ColdWindows runs with far less memory than the groups take: windows leave memory and are
// read back, when rows come for them and when they close, and nothing of them is lost.
func TestStreamAggregate_ColdWindows(t *testing.T) {
	for _, memory := range []int64{0, 64 << 10} {
		w := continuous(t, "append", pageCounts)
		w.memory = memory
		if err := w.restart(); err != nil {
			t.Fatal(err)
		}
		for round := range 3 {
			for minute := 0; minute < 60; minute += 10 {
				w.step(t, pages(0, 2000, minute+round))
			}
		}
		if bytes := w.query.Stats()[0].StateBytes; memory > 0 && bytes > memory {
			t.Errorf("%d bytes of groups in memory, the budget is %d", bytes, memory)
		}
		if n := w.query.Stats()[0].RowsTotal; n < 12000 || memory == 0 && n > 12000 {
			t.Errorf("memory %d: %d groups in state, want 12000", memory, n)
		}
		rows := w.step(t, pages(0, 1, 200))
		for w.query.Held() {
			rows = append(rows, w.step(t)...)
		}
		if len(rows) != 12000 {
			t.Fatalf("memory %d: %d rows came out, want 12000", memory, len(rows))
		}
		slices.Sort(rows)
		for _, r := range rows[:1] {
			if want := "00:00 | 00:10 | /page/0 | 3 | 0"; r != want {
				t.Errorf("memory %d: got %q, want %q", memory, r, want)
			}
		}
	}
}

// stored counts the keys and bytes of the operators' state.
func (w *world) stored(t testing.TB) (keys, bytes int) {
	t.Helper()
	err := w.store.Scan(state.Operator, uint32(w.view.ID), nil, nil, func(k, v []byte) bool {
		keys, bytes = keys+1, bytes+len(k)+len(v)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys, bytes
}

// TestStreamAggregate_Chunks checks that what is stored for a window does not grow with the number of epochs, and that a closed
// window leaves nothing behind.
func TestStreamAggregate_Chunks(t *testing.T) {
	w := continuous(t, "update", pageCounts)
	var most int
	for range 200 {
		w.step(t, pages(0, 500, 5))
		if keys, _ := w.stored(t); keys > most {
			most = keys
		}
	}
	if most > 40 {
		t.Errorf("%d keys were stored for one window of 500 groups", most)
	}
	w.step(t, pages(0, 1, 500))
	if keys, _ := w.stored(t); keys != 3 { // the watermark, the header, the one open window
		t.Errorf("%d keys are left, want 3", keys)
	}
}

// TestStreamAggregate_BytesPerGroup holds the memory of a group with count and sum, and a 12-byte key, under 150 bytes.
func TestStreamAggregate_BytesPerGroup(t *testing.T) {
	w := continuous(t, "append", pageCounts)
	const groups = 200_000
	for lo := 0; lo < groups; lo += 4096 {
		w.step(t, pages(lo, min(lo+4096, groups), 5))
	}
	s := w.query.Stats()[0]
	if per := s.StateBytes / s.RowsTotal; per > 150 {
		t.Errorf("a group takes %d bytes in memory", per)
	}
	if _, bytes := w.stored(t); bytes/groups > 60 {
		t.Errorf("a group takes %d bytes in the store", bytes/groups)
	}
}

// TestStreamAggregate_KeyedShards checks groups that are never freed: they are cut into shards, and all come back after a restart.
func TestStreamAggregate_KeyedShards(t *testing.T) {
	w := continuous(t, "update", "SELECT page, count(*), sum(n) FROM clicks GROUP BY page")
	for range 40 {
		w.step(t, pages(0, 1000, 5))
	}
	if err := w.restart(); err != nil {
		t.Fatal(err)
	}
	rows := w.step(t, pages(7, 8, 5))
	if len(rows) != 1 || rows[0] != "/page/7 | 41 | 287" {
		t.Errorf("got %q", rows)
	}
	if n := w.query.Stats()[0].RowsTotal; n != 1000 {
		t.Errorf("%d groups after the restart, want 1000", n)
	}
}
