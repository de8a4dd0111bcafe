package file

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"

	"wmsql/column"
	"wmsql/connector"
	"wmsql/types"
)

// record has a column of each kind that files of others hold.
type record struct {
	I    int64            `parquet:"i"`
	Page *string          `parquet:"page,optional,dict"`
	TS   int64            `parquet:"ts,timestamp(millisecond)"`
	TSN  int64            `parquet:"tsn,timestamp(nanosecond)"`
	Old  deprecated.Int96 `parquet:"old"`
	F    float64          `parquet:"f"`
	G    *float32         `parquet:"g,optional"`
	B    bool             `parquet:"b"`
	D    int32            `parquet:"d,date"`
	N    int64            `parquet:"n,decimal(2:18)"`
	U    [16]byte         `parquet:"u,uuid"`
	Text string           `parquet:"text"`
	Nr   int64            `parquet:"nr"`
}

func writeParquet(t testing.TB, dir, name string, rows []record, options ...parquet.WriterOption) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "."+name))
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewGenericWriter[record](f, append(options, parquet.PageBufferSize(3000), parquet.MaxRowsPerRowGroup(1000))...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := os.Rename(filepath.Join(dir, "."+name), filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

func parquetRecord(i int) record {
	at := base.Add(time.Duration(i) * time.Second)
	r := record{I: int64(i), TS: at.UnixMilli(), TSN: at.UnixNano() + 1500, F: float64(i) / 4, B: i%2 == 0, D: int32(i), N: int64(i) * 5, Text: "2026-01-02", Nr: at.Unix()}
	r.Old = deprecated.Int96{0, 0, 2440588 + uint32(i)}
	if i%3 != 0 {
		page, g := fmt.Sprintf("/p%d", i%10), float32(i)/2
		r.Page, r.G = &page, &g
	}
	r.U[15] = byte(i)
	return r
}

// TestParquet_Types reads every physical type, over row groups and pages, into the column types it may become.
func TestParquet_Types(t *testing.T) {
	dir := t.TempDir()
	const n = 2500
	rows := make([]record, n)
	for i := range rows {
		rows[i] = parquetRecord(i)
	}
	writeParquet(t, dir, "a.parquet", rows)
	s := &types.Schema{Fields: []types.Field{
		{Name: "i", Type: types.Of(types.Int2)}, {Name: "page", Type: types.Of(types.Text)}, {Name: "ts", Type: types.Of(types.TimestampTZ)},
		{Name: "tsn", Type: types.Of(types.Timestamp)}, {Name: "old", Type: types.Of(types.TimestampTZ)}, {Name: "f", Type: types.Of(types.Float8)},
		{Name: "g", Type: types.Of(types.Float4)}, {Name: "b", Type: types.Of(types.Bool)}, {Name: "d", Type: types.Of(types.Date)},
		{Name: "n", Type: types.Of(types.Numeric)}, {Name: "u", Type: types.Of(types.UUID)}, {Name: "text", Type: types.Of(types.Date)},
		{Name: "nr", Type: types.Of(types.TimestampTZ)}, {Name: "none", Type: types.Of(types.Int4)},
	}}
	spec := connector.Spec{Schema: s, EventTime: 2, Delay: time.Hour, Options: map[string]string{"path": dir, "format": "parquet", "timestamp_format": "epoch_seconds"}}
	for i := range s.Fields {
		spec.Read = append(spec.Read, i)
	}
	src, err := Driver("/").Open(t.Context(), spec, "")
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	seen := 0
	for seen < n {
		if err := src.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := src.Begin(connector.Bounds{}); err != nil {
			t.Fatal(err)
		}
		b, err := src.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for k := 0; b != nil && k < b.Rows; k++ {
			if got, want := rowOf(b, k), wantRow(seen); got != want {
				t.Fatalf("row %d\ngot  %s\nwant %s", seen, got, want)
			}
			seen++
		}
	}
}

func rowOf(b *connector.Batch, k int) string {
	var cells []string
	for _, c := range b.Cols {
		if c.IsNull(k) {
			cells = append(cells, "NULL")
			continue
		}
		cells = append(cells, string(column.AppendText(nil, c, k, types.UTC)))
	}
	return strings.Join(cells, " | ")
}

func wantRow(i int) string {
	at := base.Add(time.Duration(i) * time.Second)
	page, g := "NULL", "NULL"
	if i%3 != 0 {
		page, g = fmt.Sprintf("/p%d", i%10), fmt.Sprint(float32(i)/2)
	}
	day := time.Unix(0, 0).UTC().AddDate(0, 0, i).Format("2006-01-02")
	return fmt.Sprintf("%d | %s | %s+00 | %s.000002 | %s 00:00:00+00 | %v | %s | %c | %s | %d.%02d | 00000000-0000-0000-0000-0000000000%02x | 2026-01-02 | %s+00 | NULL",
		i, page, at.Format("2006-01-02 15:04:05"), at.Format("2006-01-02 15:04:05"), day, float64(i)/4, g, "ft"[(i+1)%2], day, i*5/100, i*5%100, i%256, at.Format("2006-01-02 15:04:05"))
}

// TestParquet_Restart reads with a restart after every epoch of 300 rows; values out of range are rejected.
func TestParquet_Restart(t *testing.T) {
	dir := t.TempDir()
	var rows []record
	for i := range 2500 {
		rows = append(rows, parquetRecord(i))
		if i%500 == 7 {
			rows = append(rows, parquetRecord(40000))
		}
	}
	writeParquet(t, dir, "a.parquet", rows)
	spec := specOf(dir, "format", "parquet")
	spec.Schema = &types.Schema{Fields: []types.Field{{Name: "i", Type: types.Of(types.Int2)}, {Name: "page", Type: types.Of(types.Text)}, {Name: "ts", Type: types.Of(types.TimestampTZ)}}}
	var got []row
	rejected := 0
	at := connector.Offset("")
	for len(got) < 2500 {
		r := openAt(t, spec, at)
		if err := r.src.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		more, err := r.epoch(300)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, more...)
		rejected += len(r.rejected)
		at = r.src.Offset()
		if end, _ := r.src.End(t.Context()); r.src.Reached(at, end) != (len(got) == 2500) {
			t.Fatalf("reached the end after %d rows: %s", len(got), at)
		}
		r.src.Close()
	}
	wantNumbers(t, got, 2500)
	if rejected != 5 {
		t.Fatalf("%d rejected", rejected)
	}
}

// TestParquet_WrongType: a column that cannot be read as declared is refused at CREATE STREAM.
func TestParquet_WrongType(t *testing.T) {
	dir := t.TempDir()
	writeParquet(t, dir, "a.parquet", []record{parquetRecord(1)})
	spec := specOf(dir, "format", "parquet")
	spec.Schema = &types.Schema{Fields: []types.Field{{Name: "f", Type: types.Of(types.TimestampTZ)}}}
	spec.Read, spec.EventTime = []int{0}, 0
	err := Driver("/").Check(t.Context(), spec)
	want := `column "f" has type timestamp with time zone, but is DOUBLE in file "` + filepath.Join(dir, "a.parquet") + `"`
	if err == nil || err.Error() != want {
		t.Fatalf("got %v\nwant %s", err, want)
	}
}
