package stream

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"wmsql/connector"
	"wmsql/internal/clock"
	"wmsql/state"
)

func diskLog(b *testing.B) *Log {
	b.Helper()
	s, err := state.Open(b.TempDir(), state.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	l, err := OpenLog(s, clock.Real{})
	if err != nil {
		b.Fatal(err)
	}
	return l
}

// BenchmarkLog_Commit is an INSERT of one row, synced.
func BenchmarkLog_Commit(b *testing.B) {
	for _, sessions := range []int{1, 4, 16} {
		b.Run(fmt.Sprintf("sessions=%d", sessions), func(b *testing.B) {
			l, row := diskLog(b), pages(1, 1)
			var wg sync.WaitGroup
			b.ResetTimer()
			for range sessions {
				wg.Go(func() {
					for range b.N / sessions {
						if err := l.Commit(l.store.Begin(), []Append{{1, pageSchema, row}}); err != nil {
							b.Error(err)
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commits/s")
		})
	}
}

// BenchmarkLog_Read reads a column of a log that was written in transactions of so many rows.
func BenchmarkLog_Read(b *testing.B) {
	for _, rows := range []int64{1, 100, 4096} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			l, batch := diskLog(b), pages(1, rows)
			const total = 200_000
			for n := int64(0); n < min(total, 20_000*rows); n += rows {
				txn := l.store.Begin()
				if n%(50*rows) != 0 { // few syncs: only reading is measured
					chunks, _ := encodeChunks([]Append{{1, pageSchema, batch}})
					commit, wait, err := l.apply(txn, chunks)
					if err != nil {
						b.Fatal(err)
					}
					defer func() { _ = wait() }()
					l.publish(commit)
					continue
				}
				if err := l.Commit(txn, []Append{{1, pageSchema, batch}}); err != nil {
					b.Fatal(err)
				}
			}
			b.ResetTimer()
			read := 0
			for b.Loop() {
				s, err := l.Source(logSpec(0), 1, "")
				if err != nil {
					b.Fatal(err)
				}
				if err := s.Begin(connector.Bounds{}); err != nil {
					b.Fatal(err)
				}
				for {
					x, err := s.Next(context.Background())
					if err != nil {
						b.Fatal(err)
					}
					if x == nil {
						break
					}
					read += x.Rows
				}
				_ = s.Close()
			}
			b.ReportMetric(float64(read)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// BenchmarkQuery_Epoch is what an epoch costs beside its operators.
func BenchmarkQuery_Epoch(b *testing.B) {
	l := diskLog(b)
	r := &rig{t: &testing.T{}, store: l.store, log: l, mem: newMemory()}
	r.streams = append(r.streams, numbers(1, "n", "memory"))
	q, err := New(context.Background(), r.config())
	if err != nil {
		b.Fatal(err)
	}
	r.q = q
	b.ReportAllocs()
	for b.Loop() {
		r.mem.add(1)
		if _, err := q.Step(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
