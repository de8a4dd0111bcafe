package exec_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"

	"wmsql/column"
	"wmsql/exec"
	"wmsql/types"
)

// clicks makes batches of page, amount and event time: rows a minute of event time, two minutes of disorder.
func clicks(batches, pages int) []*column.Batch {
	s := &types.Schema{Fields: []types.Field{
		{Name: "page", Type: types.Of(types.Text)}, {Name: "n", Type: types.Of(types.Int8)}, {Name: "event_time", Type: types.Of(types.TimestampTZ)}}}
	r := rand.New(rand.NewPCG(1, 2))
	var out []*column.Batch
	at := int64(1_704_067_200_000_000)
	for range batches {
		page, n, et := column.NewBytesBuilder(s.Fields[0].Type, column.MaxRows), column.NewFixedBuilder[int64](s.Fields[1].Type, column.MaxRows), column.NewFixedBuilder[int64](s.Fields[2].Type, column.MaxRows)
		for range column.MaxRows {
			at += 1000
			page.AppendString(fmt.Sprintf("/page/%d", r.IntN(pages)))
			n.Append(r.Int64N(100))
			et.Append(at - r.Int64N(120e6))
		}
		out = append(out, &column.Batch{Schema: s, Cols: []column.Vector{page.Build(), n.Build(), et.Build()}, Rows: column.MaxRows})
	}
	return out
}

const clickStream = "CREATE STREAM clicks (page TEXT, n BIGINT, event_time TIMESTAMPTZ, WATERMARK FOR event_time AS event_time - INTERVAL '2' MINUTE)"

// run measures a continuous query over clicks, 64 batches an epoch.
func benchmarkQuery(b *testing.B, mode, query string, pages, workers int) {
	w := newWorld(b, 0, workers, false)
	if err := w.createStream(clickStream); err != nil {
		b.Fatal(err)
	}
	if err := w.createView(mode, query, 0); err != nil {
		b.Fatal(err)
	}
	const perEpoch = 64
	data := clicks(256, pages)
	span := int64(256 * column.MaxRows * 1000)
	scan := w.query.Feeds[0].Scan
	b.ReportAllocs()
	start := cpuTime()
	rows, next, shift := 0, 0, int64(0)
	for b.Loop() {
		left := perEpoch
		w.query.Feeds[0].Set(func(context.Context) (*exec.Input, error) {
			if left == 0 {
				return nil, nil
			}
			left--
			if next == len(data) {
				next, shift = 0, shift+span
			}
			batch := *data[next]
			next++
			if shift > 0 {
				et := append([]int64{}, batch.Cols[2].(*column.Of[int64]).Values...)
				for i := range et {
					et[i] += shift
				}
				batch.Cols = []column.Vector{batch.Cols[0], batch.Cols[1], &column.Of[int64]{T: batch.Cols[2].Type(), Values: et}}
			}
			read := make([]column.Vector, len(scan.Ords))
			for k, o := range scan.Ords {
				read[k] = batch.Cols[o]
			}
			batch.Schema, batch.Cols = scan.Schem, read
			return &exec.Input{Batch: &batch, Arrival: types.MicroTime(1_904_067_200_000_000)}, nil
		}, nil)
		w.epoch++
		txn := w.store.Begin()
		e := &exec.Epoch{ID: w.epoch, Query: uint32(w.view.ID), Now: w.now, Txn: txn}
		ctx := context.Background()
		if err := w.query.Root.Begin(ctx, e); err != nil {
			b.Fatal(err)
		}
		for {
			out, err := w.query.Root.Next(ctx)
			if err != nil {
				b.Fatal(err)
			}
			if out == nil {
				break
			}
		}
		if err := txn.Commit(false); err != nil {
			b.Fatal(err)
		}
		rows += perEpoch * column.MaxRows
	}
	b.ReportMetric(float64(cpuTime()-start)/float64(rows), "cpu-ns/row")
}

// cpuTime is the processor time of the process in ns: a busy machine does not change it much.
func cpuTime() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// BenchmarkTumble is watermark, window and aggregate over rows that lie decoded in memory.
func BenchmarkTumble(b *testing.B) {
	const q = "SELECT window_start, window_end, page, count(*), sum(n) FROM TUMBLE(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, page"
	for _, mode := range []string{"append", "update"} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("mode=%s/workers=%d", mode, workers), func(b *testing.B) { benchmarkQuery(b, mode, q, 1000, workers) })
		}
	}
}

// BenchmarkHop is ten windows a row.
func BenchmarkHop(b *testing.B) {
	benchmarkQuery(b, "append", "SELECT window_start, window_end, page, count(*) FROM HOP(TABLE clicks, DESCRIPTOR(event_time), INTERVAL '1' MINUTE, INTERVAL '10' MINUTE) GROUP BY window_start, window_end, page", 1000, 1)
}

// BenchmarkKeyed is groups that are never freed.
func BenchmarkKeyed(b *testing.B) {
	benchmarkQuery(b, "update", "SELECT page, count(*), sum(n) FROM clicks GROUP BY page", 100000, 1)
}

// BenchmarkSession is sessions of many keys, of which most are short.
func BenchmarkSession(b *testing.B) {
	benchmarkQuery(b, "append", "SELECT window_start, window_end, page, count(*), sum(n) FROM SESSION(TABLE clicks PARTITION BY page, DESCRIPTOR(event_time), INTERVAL '2' SECOND) GROUP BY window_start, window_end, page", 100000, 1)
}
