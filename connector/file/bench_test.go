package file

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

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

// BenchmarkFileJSON reads click events of 155 bytes from 10 files. cpu-s/M is CPU seconds a million events.
func BenchmarkFileJSON(b *testing.B) {
	const n = 500_000
	dir := b.TempDir()
	for f := range 10 {
		var text strings.Builder
		for i := f * n / 10; i < (f+1)*n/10; i++ {
			at := base.Add(time.Duration(i) * time.Millisecond)
			fmt.Fprintf(&text, `{"event_id":"e%010d","user_id":%d,"page":"/page/%04d","event_time":"%s","amount":%d.%02d,"ref":"https://example.org/r/%04d"}`+"\n",
				i, i*7919%100000, i%1000, at.Format("2006-01-02T15:04:05.000Z"), i%100, i%97, i%1000)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%04d.json", f)), []byte(text.String()), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	readAll(b, connector.Spec{Schema: clicks, Read: []int{0, 1, 2, 3}, EventTime: 2, Delay: 10 * time.Second, Options: map[string]string{"path": dir}}, n)
}

// BenchmarkParquet reads four columns of a Parquet file.
func BenchmarkParquet(b *testing.B) {
	const n = 500_000
	dir := b.TempDir()
	rows := make([]record, n)
	for i := range rows {
		rows[i] = parquetRecord(i)
	}
	writeParquet(b, dir, "a.parquet", rows)
	s := &types.Schema{Fields: []types.Field{
		{Name: "i", Type: types.Of(types.Int8)}, {Name: "page", Type: types.Of(types.Text)}, {Name: "ts", Type: types.Of(types.TimestampTZ)}, {Name: "f", Type: types.Of(types.Float8)},
	}}
	readAll(b, connector.Spec{Schema: s, Read: []int{0, 1, 2, 3}, EventTime: 2, Delay: 10 * time.Second, Options: map[string]string{"path": dir, "format": "parquet"}}, n)
}

func readAll(b *testing.B, spec connector.Spec, n int) {
	b.ReportAllocs()
	start := cpuSeconds()
	sum := int64(0)
	for b.Loop() {
		src, err := Driver("/").Open(b.Context(), spec, "")
		if err != nil {
			b.Fatal(err)
		}
		for rows := 0; rows < n; {
			if err := src.Wait(b.Context()); err != nil {
				b.Fatal(err)
			}
			if err := src.Begin(connector.Bounds{Rows: 100_000}); err != nil {
				b.Fatal(err)
			}
			for {
				batch, err := src.Next(b.Context())
				if err != nil {
					b.Fatal(err)
				}
				if batch == nil {
					break
				}
				rows += batch.Rows
				sum += batch.Cols[2].(*column.Of[int64]).Values[0]
				src.Recycle(batch)
			}
		}
		src.Close()
	}
	b.ReportMetric((cpuSeconds()-start)/float64(b.N)/float64(n)*1e6, "cpu-s/M")
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// cpuSeconds is the CPU time of the process.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
