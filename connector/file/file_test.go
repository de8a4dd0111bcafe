package file

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"wmsql/column"
	"wmsql/connector"
	"wmsql/sqlerr"
	"wmsql/types"
)

var schema = &types.Schema{Fields: []types.Field{
	{Name: "i", Type: types.Of(types.Int8)},
	{Name: "page", Type: types.Of(types.Text)},
	{Name: "ts", Type: types.Of(types.TimestampTZ)},
}}

func specOf(path string, options ...string) connector.Spec {
	o := map[string]string{"connector": "file", "path": path}
	for i := 0; i < len(options); i += 2 {
		o[options[i]] = options[i+1]
	}
	return connector.Spec{Stream: "s", Schema: schema, Read: []int{0, 2}, EventTime: 2, Delay: 10 * time.Second, Options: o}
}

// row is what the tests look at.
type row struct {
	i, ts int64
	split int
}

// reader reads a source as the engine does.
type reader struct {
	t        *testing.T
	src      connector.Source
	rejected []connector.Rejected
}

func openAt(t *testing.T, spec connector.Spec, from connector.Offset) *reader {
	t.Helper()
	d := Driver("/")
	if err := d.Check(t.Context(), spec); err != nil {
		t.Fatal(err)
	}
	src, err := d.Open(t.Context(), spec, from)
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{t: t, src: src}
	t.Cleanup(func() { src.Close() })
	return r
}

// epoch reads one epoch of at most rows.
func (r *reader) epoch(rows int64) (out []row, err error) {
	if err := r.src.Begin(connector.Bounds{Rows: rows}); err != nil {
		r.t.Fatal(err)
	}
	for {
		b, err := r.src.Next(r.t.Context())
		if err != nil {
			return out, err
		}
		if b == nil {
			r.rejected = append(r.rejected, r.src.Rejected()...)
			return out, nil
		}
		i, ts := b.Cols[0].(*column.Of[int64]), b.Cols[1].(*column.Of[int64])
		if i.Len() != b.Rows || ts.Len() != b.Rows || b.Rows > column.MaxRows {
			r.t.Fatalf("a batch of %d rows has columns of %d and %d", b.Rows, i.Len(), ts.Len())
		}
		for k := range b.Rows {
			out = append(out, row{i.Values[k], ts.Values[k], b.Split})
		}
		r.src.Recycle(b)
	}
}

// until reads epochs until n rows are there, and no more for a moment.
func (r *reader) until(n int, rows int64) (out []row) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 20*time.Second)
	defer cancel()
	for len(out) < n {
		if err := r.src.Wait(ctx); err != nil {
			r.t.Fatalf("%d of %d rows, then %v", len(out), n, err)
		}
		more, err := r.epoch(rows)
		if err != nil {
			r.t.Fatal(err)
		}
		out = append(out, more...)
	}
	if len(out) > n {
		r.t.Fatalf("%d rows, want %d", len(out), n)
	}
	return out
}

func (r *reader) fails(code sqlerr.Code, part string) {
	r.t.Helper()
	for range 100 {
		if _, err := r.epoch(0); err != nil {
			var e *sqlerr.Error
			if !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Msg, part) {
				r.t.Fatalf("error %v, want %s with %q", err, code, part)
			}
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	r.t.Fatal("no error")
}

var base = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func line(i int, at time.Duration) string {
	return fmt.Sprintf(`{"i":%d,"page":"/p%d","ts":"%s"}`, i, i%10, base.Add(at).Format(time.RFC3339Nano)) + "\n"
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.WriteFile(p+".tmp", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(p+".tmp", p); err != nil {
		t.Fatal(err)
	}
	return p
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

func numbers(rows []row) []int64 {
	out := make([]int64, len(rows))
	for k, r := range rows {
		out[k] = r.i
	}
	slices.Sort(out)
	return out
}

func wantNumbers(t *testing.T, rows []row, n int) {
	t.Helper()
	for k, i := range numbers(rows) {
		if i != int64(k) {
			t.Fatalf("row %d is missing or doubled", k)
		}
	}
	if len(rows) != n {
		t.Fatalf("%d rows, want %d", len(rows), n)
	}
}

// TestFile_Grows: complete lines are read as they come; new files are found; a last JSON object needs no line end.
func TestFile_Grows(t *testing.T) {
	dir := t.TempDir()
	a := write(t, dir, "a.json", line(0, 0)+line(1, 0)+`{"i":2,"ts":"2026-01`)
	r := openAt(t, specOf(dir), "")
	rows := r.until(2, 0)
	appendTo(t, a, `-01"}`)
	rows = append(rows, r.until(1, 0)...)
	appendTo(t, a, "\n\n"+line(3, 0))
	write(t, dir, "b.json", line(4, 0))
	rows = append(rows, r.until(2, 0)...)
	wantNumbers(t, rows, 5)
	end, err := r.src.End(t.Context())
	if err != nil || !r.src.Reached(r.src.Offset(), end) {
		t.Fatalf("offset %s, end %s, %v", r.src.Offset(), end, err)
	}
	appendTo(t, a, line(5, 0))
	if end, _ = r.src.End(t.Context()); r.src.Reached(r.src.Offset(), end) {
		t.Fatal("reached an end that is not read")
	}
}

// TestFile_Restart reads with a restart after every epoch of 7 rows: nothing is lost or doubled, and rejected records come once.
func TestFile_Restart(t *testing.T) {
	for _, ext := range []string{"json", "json.gz", "json.zst"} {
		t.Run(ext, func(t *testing.T) {
			dir := t.TempDir()
			n := 0
			for f := range 3 {
				var text strings.Builder
				for k := range 40 {
					text.WriteString(line(n, time.Duration(k)*time.Second))
					n++
					if k%10 == 5 {
						text.WriteString(`{"i":"bad"}` + "\n")
					}
				}
				write(t, dir, fmt.Sprintf("f%d.%s", f, ext), compress(t, ext, text.String()))
			}
			var rows []row
			var rejected []connector.Rejected
			at := connector.Offset("")
			for len(rows) < n {
				r := openAt(t, specOf(dir), at)
				if err := r.src.Wait(t.Context()); err != nil {
					t.Fatal(err)
				}
				got, err := r.epoch(7)
				if err != nil {
					t.Fatal(err)
				}
				if len(got) > 7 {
					t.Fatalf("an epoch of %d rows", len(got))
				}
				rows = append(rows, got...)
				rejected = append(rejected, r.rejected...)
				at = r.src.Offset()
				r.src.Close()
			}
			wantNumbers(t, rows, n)
			if len(rejected) != 12 || !strings.Contains(rejected[0].Reason, "wants bigint") || rejected[0].Split != filepath.Join(dir, "f0."+ext) {
				t.Fatalf("%d rejected: %+v", len(rejected), rejected)
			}
		})
	}
}

func compress(t *testing.T, ext, text string) string {
	var b bytes.Buffer
	switch filepath.Ext(ext) {
	case ".gz":
		w := gzip.NewWriter(&b)
		w.Write([]byte(text))
		w.Close()
	case ".zst":
		w, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
		w.Close()
	default:
		return text
	}
	return b.String()
}

// TestFile_Even reads files of unequal density that lie side by side in time: no row comes more than the delay behind
// one that came before it.
func TestFile_Even(t *testing.T) {
	dir := t.TempDir()
	n := 0
	for f, count := range []int{20000, 500, 3, 8000} {
		var text strings.Builder
		r := rand.New(rand.NewPCG(1, uint64(f)))
		for k := range count {
			at := time.Duration(k) * time.Hour / time.Duration(count)
			text.WriteString(line(n, at-time.Duration(r.IntN(2000))*time.Millisecond))
			n++
		}
		write(t, dir, fmt.Sprintf("f%d.json", f), text.String())
	}
	rows := openAt(t, specOf(dir), "").until(n, 1000)
	wantNumbers(t, rows, n)
	newest := int64(0)
	for _, r := range rows {
		if newest-r.ts > (10 * time.Second).Microseconds() {
			t.Fatalf("row %d of file %d comes %v behind", r.i, r.split, time.Duration(newest-r.ts)*time.Microsecond)
		}
		newest = max(newest, r.ts)
	}
}

// TestFile_NoEventTime: without an event time files are read one after the other.
func TestFile_NoEventTime(t *testing.T) {
	dir := t.TempDir()
	n := 0
	for f := range 5 {
		var text strings.Builder
		for range 2000 {
			text.WriteString(line(n, 0))
			n++
		}
		write(t, dir, fmt.Sprintf("f%d.json", f), text.String())
	}
	spec := specOf(dir)
	spec.EventTime = -1
	for k, r := range openAt(t, spec, "").until(n, 0) {
		if r.i != int64(k) {
			t.Fatalf("row %d comes as number %d", r.i, k)
		}
	}
}

func TestFile_CSV(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.csv", "ts,page,i\n2026-01-01,\"a\nb\",0\n2026-01-01,x,one\n2026-01-01,x,1\n")
	write(t, dir, "b.csv", "i,ts\r\n2,2026-01-01\r\n")
	r := openAt(t, specOf(dir, "format", "csv", "header", "true"), "")
	wantNumbers(t, r.until(3, 0), 3)
	if len(r.rejected) != 1 || string(r.rejected[0].Record) != "2026-01-01,x,one" || r.rejected[0].Offset != "29" {
		t.Fatalf("%+v", r.rejected)
	}
}

func TestFile_LongRecord(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.json", line(0, 0)+`{"page":"`+strings.Repeat("x", 10<<20)+`","i":1}`+"\n"+`{"page":"`+strings.Repeat("x", maxRecordBytes)+"\"}\n"+line(2, 0))
	r := openAt(t, specOf(dir), "")
	wantNumbers(t, r.until(3, 0), 3)
	if len(r.rejected) != 1 || r.rejected[0].Reason != tooLong || len(r.rejected[0].Record) != connector.MaxRejectedBytes {
		t.Fatalf("%d rejected", len(r.rejected))
	}
}

func TestFile_Truncated(t *testing.T) {
	dir := t.TempDir()
	p := write(t, dir, "a.json", line(0, 0)+line(1, 0))
	r := openAt(t, specOf(dir), "")
	r.until(2, 0)
	if err := os.Truncate(p, 10); err != nil {
		t.Fatal(err)
	}
	r.fails(sqlerr.IOError, "became shorter")
}

func TestFile_Vanished(t *testing.T) {
	dir := t.TempDir()
	p := write(t, dir, "a.json", line(0, 0)+line(1, 0)+`{"i":2`)
	r := openAt(t, specOf(dir), "")
	r.until(2, 0)
	os.Remove(p)
	r.fails(sqlerr.UndefinedFile, "a.json")
}

// TestFile_Rotated: a file that was read to its end may go.
func TestFile_Rotated(t *testing.T) {
	dir := t.TempDir()
	p := write(t, dir, "a.json", line(0, 0))
	r := openAt(t, specOf(filepath.Join(dir, "*.json")), "")
	r.until(1, 0)
	os.Remove(p)
	time.Sleep(2 * listEvery)
	write(t, dir, "b.json", line(1, 0))
	r.until(1, 0)
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.json", "")
	write(t, dir, "no.parquet", "this is no Parquet file")
	for _, c := range []struct {
		root string
		spec connector.Spec
		want string
	}{
		{"/", specOf(dir), ""},
		{dir, specOf("a.json"), ""},
		{dir, specOf(dir), ""},
		{"", specOf(dir), `42501: this server reads no files / Start it with --file-root and the folder below which streams may read.`},
		{"/", specOf(dir, "pth", "x"), `22023: unrecognized option "pth" / Perhaps you meant the option "path".`},
		{"/", specOf(""), `22023: option "path" is missing / Add path = '/data/clicks' to the WITH clause.`},
		{"/", specOf(dir, "format", "jsn"), `22023: invalid value for option "format": "jsn" / Perhaps you meant 'json'. Available values: json, csv, parquet.`},
		{"/", specOf(dir, "delimiter", ";"), `22023: option "delimiter" is for format = 'csv' only / Leave it out, or set format = 'csv'.`},
		{"/", specOf("/no/such/file"), `58P01: could not open file "/no/such/file": no such file or folder / The path is one on the server's machine. Make the folder first when files are to come later.`},
		{dir, specOf("/etc/passwd"), `42501: path "/etc/passwd" is outside the server's file root / Files below ` + dir + ` may be read; the server's option --file-root says so.`},
		{dir, specOf("../x"), `42501: path "../x" is outside the server's file root / Files below ` + dir + ` may be read; the server's option --file-root says so.`},
		{"/", specOf(filepath.Join(dir, "no.parquet")), `58030: file "` + filepath.Join(dir, "no.parquet") + `" is no Parquet file`},
	} {
		got := ""
		if err := Driver(c.root).Check(t.Context(), c.spec); err != nil {
			e := sqlerr.From(err)
			got = string(e.Code) + ": " + e.Msg + " / " + e.Hint
		}
		if got != c.want && !(c.want != "" && strings.HasPrefix(got, c.want)) {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
