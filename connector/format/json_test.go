package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"wmsql/column"
	"wmsql/types"
)

var clicks = &types.Schema{Fields: []types.Field{
	{Name: "event_id", Type: types.Of(types.Text)},
	{Name: "user_id", Type: types.Of(types.Int8)},
	{Name: "page", Type: types.Of(types.Text)},
	{Name: "event_time", Type: types.Of(types.TimestampTZ)},
	{Name: "amount", Type: types.Of(types.Float8)},
}}

func clicksShape(t testing.TB, read ...int) *Shape {
	s, err := NewShape(Config{Schema: clicks, Read: read, EventTime: 3})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// clickRecords are events of about 250 bytes; 4 of their fields are read.
func clickRecords(n int) [][]byte {
	out := make([][]byte, n)
	for i := range out {
		out[i] = fmt.Appendf(nil, `{"event_id":"e%010d","user_id":%d,"page":"/page/%04d","event_time":"2026-01-01T%02d:%02d:%02d.%03dZ","amount":%d.%02d,"ref":"https://example.org/r/%04d","agent":"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36","ip":"10.%d.%d.7"}`,
			i, i*7919%100000, i%1000, i/3600%24, i/60%60, i%60, i%1000, i%100, i%97, i%1000, i%200, i%250)
	}
	return out
}

func BenchmarkJSON(b *testing.B) {
	recs := clickRecords(4096)
	size := 0
	for _, r := range recs {
		size += len(r)
	}
	shape := clicksShape(b, 1, 2, 3, 4)
	d, rows := NewJSON(shape), NewRows(shape, 4096)
	b.ReportAllocs()
	b.SetBytes(int64(size))
	for b.Loop() {
		rows.Reset()
		for _, r := range recs {
			if reason := d.Decode(rows, r); reason != "" {
				b.Fatal(reason)
			}
		}
	}
	ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(len(recs))
	b.ReportMetric(ns, "ns/row")
	b.ReportMetric(1e9/ns, "rows/s")
}

// TestJSON_NoAllocation holds the decoder to its promise.
func TestJSON_NoAllocation(t *testing.T) {
	recs := clickRecords(1000)
	shape := clicksShape(t, 1, 2, 3, 4)
	d, rows := NewJSON(shape), NewRows(shape, 1000)
	run := func() {
		rows.Reset()
		for _, r := range recs {
			d.Decode(rows, r)
		}
	}
	run()
	if n := testing.AllocsPerRun(10, run); n > 0 {
		t.Errorf("%v allocations in 1,000 rows", n)
	}
	if rows.N != 1000 {
		t.Errorf("%d rows", rows.N)
	}
}

// TestJSON_Poison reads a row, a poisonous record, a row, for each kind: two rows and a reason come out.
func TestJSON_Poison(t *testing.T) {
	good := clickRecords(1)[0]
	deep := `{"x":` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000) + `}`
	big := `{"page":"` + strings.Repeat("x", 10<<20) + `"`
	for name, poison := range map[string]string{
		"empty": "", "null": "null", "array": "[1,2]", "text": "hello", "deep": deep, "too big and cut": big, "utf8": "{\"page\":\"\xff\"}",
		"nan": `{"amount":NaN}`, "far year": `{"event_time":"300000-01-01T00:00:00Z"}`, "wrong type": `{"user_id":"x"}`,
		"two objects": `{}{}`, "control": "{\"page\":\"\x01\"}", "late fault": string(good[:len(good)-1]) + `,"user_id":[1]}`,
	} {
		shape := clicksShape(t, 1, 2, 3, 4)
		d, rows := NewJSON(shape), NewRows(shape, 4)
		d.Decode(rows, good)
		if reason := d.Decode(rows, []byte(poison)); reason == "" {
			t.Errorf("%s: accepted", name)
		} else if len(reason) > 200 {
			t.Errorf("%s: the reason is %d bytes long", name, len(reason))
		}
		if reason := d.Decode(rows, good); reason != "" {
			t.Errorf("%s: the record after it: %s", name, reason)
		}
		b := rows.Batch()
		for c, v := range b.Cols {
			if v.Len() != 2 {
				t.Errorf("%s: column %d has %d rows", name, c, v.Len())
			}
			if v.IsNull(1) || column.Compare(v, 0, v, 1) != 0 {
				t.Errorf("%s: column %d differs after it", name, c)
			}
		}
	}
}

// FuzzJSON compares what is accepted with encoding/json: an object, valid, in UTF-8, of fields this stream takes.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{"a":1}`, `{"a": [1, 2.5e-3, "x\u00e9", {"b": null}], "c": true}`, ` {} `, `{"a":"\ud83d\ude00"}`, `{"a":1,}`, `{"a" :-0.0E+5}`,
		`[1]`, `"x"`, `{"a":"abcdefgh\\"}`, "{\"a\":\"\x1f\"}", `{"abcdefghijklmnop":"abcdefghijklmnopqrstuvwxyz\"0123456789"}`, `{"a":0123}`, "{\"é\":\"é\xc3\"}",
	} {
		f.Add([]byte(s))
	}
	shape, err := NewShape(Config{Schema: &types.Schema{Fields: []types.Field{{Name: "j", Type: types.Of(types.JSON)}}}, Read: []int{0}, EventTime: -1})
	if err != nil {
		f.Fatal(err)
	}
	d, rows := NewJSON(shape), NewRows(shape, 1)
	f.Fuzz(func(t *testing.T, rec []byte) {
		rows.Reset()
		reason := d.Decode(rows, rec)
		want := json.Valid(rec) && utf8.Valid(rec) && bytes.HasPrefix(bytes.TrimLeft(rec, " \t\r\n"), []byte("{"))
		if reason != "" && strings.HasPrefix(reason, "nested deeper") {
			return
		}
		if (reason == "") != want {
			t.Fatalf("%q: reason %q, encoding/json says %v", rec, reason, want)
		}
		if CompleteJSON(rec) != (json.Valid(rec) && bytes.HasPrefix(bytes.TrimLeft(rec, " \t\r\n"), []byte("{"))) {
			t.Fatalf("%q: CompleteJSON says %v", rec, !want)
		}
	})
}

// FuzzJSONText compares decoded text and numbers with encoding/json's.
func FuzzJSONText(f *testing.F) {
	f.Add([]byte(`{"page":"a\nb","user_id":12,"amount":1.25}`))
	f.Add([]byte(`{"page":"\ud83d\ude00 é","user_id":-1e2,"amount":1e22}`))
	shape, err := NewShape(Config{Schema: clicks, Read: []int{1, 2, 4}, EventTime: -1})
	if err != nil {
		f.Fatal(err)
	}
	d, rows := NewJSON(shape), NewRows(shape, 1)
	f.Fuzz(func(t *testing.T, rec []byte) {
		rows.Reset()
		if d.Decode(rows, rec) != "" {
			return
		}
		var want map[string]any
		dec := json.NewDecoder(bytes.NewReader(rec))
		dec.UseNumber()
		if err := dec.Decode(&want); err != nil {
			t.Fatalf("%q: %v", rec, err)
		}
		b := rows.Batch()
		if s, ok := want["page"].(string); ok && column.Get(b.Cols[1], 0) != s {
			t.Fatalf("%q: page %q", rec, column.Get(b.Cols[1], 0))
		}
		if n, ok := want["amount"].(json.Number); ok {
			if x, _ := n.Float64(); column.Get(b.Cols[2], 0) != x {
				t.Fatalf("%q: amount %v, want %v", rec, column.Get(b.Cols[2], 0), x)
			}
		}
		if n, ok := want["user_id"].(json.Number); ok {
			if x, err := n.Int64(); err == nil && column.Get(b.Cols[0], 0) != x {
				t.Fatalf("%q: user_id %v, want %v", rec, column.Get(b.Cols[0], 0), x)
			}
		}
	})
}
