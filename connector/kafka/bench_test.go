package kafka

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"wmsql/column"
	"wmsql/connector"
	"wmsql/types"
)

var clicks = &types.Schema{Fields: []types.Field{
	{Name: "user_id", Type: types.Of(types.Int8)},
	{Name: "page", Type: types.Of(types.Text)},
	{Name: "event_time", Type: types.Of(types.TimestampTZ)},
	{Name: "amount", Type: types.Of(types.Float8)},
}}

func click(i int, at time.Time) *kgo.Record {
	return &kgo.Record{Topic: "clicks", Partition: int32(i % 4), Value: fmt.Appendf(nil,
		`{"event_id":"e%010d","user_id":%d,"page":"/page/%04d","event_time":"%s","amount":%d.%02d,"ref":"https://example.org/r/%04d"}`,
		i, i*7919%100000, i%1000, at.UTC().Format("2006-01-02T15:04:05.000Z"), i%100, i%97, i%1000)}
}

// BenchmarkKafka reads click events of 155 bytes from 4 partitions. cpu-s/M is CPU seconds a million events, those of
// the broker in the same process included.
func BenchmarkKafka(b *testing.B) {
	const n = 400_000
	k := newBroker(b, 4)
	var sent atomic.Int64
	for i := range n {
		k.cl.Produce(b.Context(), click(i, base.Add(time.Duration(i)*time.Millisecond)), func(_ *kgo.Record, err error) {
			if err == nil {
				sent.Add(1)
			}
		})
	}
	if err := k.cl.Flush(b.Context()); err != nil || sent.Load() != n {
		b.Fatal(err, sent.Load())
	}
	spec := k.spec()
	spec.Schema, spec.Read, spec.EventTime = clicks, []int{0, 1, 2, 3}, 2
	b.ReportAllocs()
	start := cpuSeconds()
	for b.Loop() {
		src, err := Driver().Open(b.Context(), spec, "")
		if err != nil {
			b.Fatal(err)
		}
		for rows := 0; rows < n; {
			rows += drain(b, src, 100_000, nil)
		}
		src.Close()
	}
	b.ReportMetric((cpuSeconds()-start)/float64(b.N)/float64(n)*1e6, "cpu-s/M")
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// drain waits, reads one epoch, recycles its batches and returns the number of its rows.
func drain(b *testing.B, src connector.Source, rows int64, look func(*connector.Batch)) (n int) {
	if err := src.Wait(b.Context()); err != nil {
		b.Fatal(err)
	}
	if err := src.Begin(connector.Bounds{Rows: rows}); err != nil {
		b.Fatal(err)
	}
	for {
		batch, err := src.Next(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if batch == nil {
			return n
		}
		n += batch.Rows
		if look != nil {
			look(batch)
		}
		src.Recycle(batch)
	}
}

// BenchmarkKafkaLatency sends 20,000 events a second; p50-ms and p99-ms are from the event's creation to its batch.
func BenchmarkKafkaLatency(b *testing.B) {
	k := newBroker(b, 4)
	spec := k.spec()
	spec.Schema, spec.Read, spec.EventTime = clicks, []int{0, 1, 2, 3}, 2
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	src, err := Driver().Open(ctx, spec, "")
	if err != nil {
		b.Fatal(err)
	}
	defer src.Close()
	go func() {
		for i := 0; ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
			for range 100 {
				k.cl.Produce(ctx, click(i, time.Now()), nil)
				i++
			}
		}
	}()
	start := cpuSeconds()
	var ms []float64
	for b.Loop() {
		for rows := 0; rows < 20_000; {
			rows += drain(b, src, 0, func(batch *connector.Batch) {
				now := time.Now().UnixMicro()
				for _, t := range batch.Cols[2].(*column.Of[int64]).Values {
					ms = append(ms, float64(now-t)/1000)
				}
			})
		}
	}
	slices.Sort(ms)
	b.ReportMetric(ms[len(ms)/2], "p50-ms")
	b.ReportMetric(ms[len(ms)*99/100], "p99-ms")
	b.ReportMetric((cpuSeconds()-start)/b.Elapsed().Seconds(), "cpus")
}

// cpuSeconds is the CPU time of the process.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
