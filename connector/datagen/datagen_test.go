package datagen

import (
	"slices"
	"strings"
	"testing"
	"time"

	"wmsql/column"
	"wmsql/connector"
	"wmsql/sqlerr"
	"wmsql/types"
)

var schema = &types.Schema{Fields: []types.Field{
	{Name: "event_id", Type: types.Of(types.Text)},
	{Name: "user_id", Type: types.Of(types.Int8)},
	{Name: "page", Type: types.Of(types.Text)},
	{Name: "amount", Type: types.Of(types.Float8)},
	{Name: "country", Type: types.Of(types.Text)},
	{Name: "ok", Type: types.Of(types.Bool)},
	{Name: "price", Type: types.Type{Kind: types.Numeric, Mod: 10<<16 | 2 + 4}},
	{Name: "u", Type: types.Of(types.UUID)},
	{Name: "j", Type: types.Of(types.JSONB)},
	{Name: "d", Type: types.Of(types.Date)},
	{Name: "x", Type: types.Of(types.Bytea)},
	{Name: "code", Type: types.Type{Kind: types.Varchar, Mod: 3 + 4}},
	{Name: "event_time", Type: types.Of(types.TimestampTZ)},
}}

const eventTime = 12

func specOf(options ...string) connector.Spec {
	o := map[string]string{"connector": "datagen", "start": "2026-01-01", "rows_per_second": "0", "fields.country.values": "DE, FR,US"}
	for i := 0; i < len(options); i += 2 {
		o[options[i]] = options[i+1]
	}
	s := connector.Spec{Schema: schema, EventTime: eventTime, Delay: 10 * time.Second, Options: o}
	for i := range schema.Fields {
		s.Read = append(s.Read, i)
	}
	return s
}

// lines reads rows in epochs of step, with a restart after each.
func lines(t *testing.T, spec connector.Spec, step int64) (out []string) {
	t.Helper()
	at := connector.Offset("")
	for {
		src, err := Driver().Open(t.Context(), spec, at)
		if err != nil {
			t.Fatal(err)
		}
		src.Begin(connector.Bounds{Rows: step})
		n := len(out)
		for {
			b, err := src.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if b == nil {
				break
			}
			for k := range b.Rows {
				var cells []string
				for _, c := range b.Cols {
					if c.IsNull(k) {
						t.Fatalf("a NULL in row %d", len(out))
					}
					cells = append(cells, string(column.AppendText(nil, c, k, types.UTC)))
				}
				out = append(out, strings.Join(cells, " | "))
			}
			src.Recycle(b)
		}
		if at = src.Offset(); n == len(out) {
			return out
		}
	}
}

// TestDatagen_Replay: a row is the same whenever and in whatever company it is made; the columns read do not matter.
func TestDatagen_Replay(t *testing.T) {
	spec := specOf("rows", "5000", "disorder", "5 seconds", "late", "0.01")
	a, b := lines(t, spec, 1<<40), lines(t, spec, 777)
	if len(a) != 5000 || len(b) != 5000 {
		t.Fatalf("%d and %d rows", len(a), len(b))
	}
	narrow := spec
	narrow.Read = []int{2, eventTime}
	c := lines(t, narrow, 1000)
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("row %d\n%s\n%s", i, a[i], b[i])
		}
		cells := strings.Split(a[i], " | ")
		if cells[2]+" | "+cells[eventTime] != c[i] {
			t.Fatalf("row %d\n%s\n%s", i, a[i], c[i])
		}
	}
	if other := lines(t, specOf("rows", "5000", "seed", "2"), 1<<40); other[17] == a[17] {
		t.Fatal("the seed changes nothing")
	}
}

// TestDatagen_Late: with a disorder and a share of late rows, about that share lies behind the newest by more than the delay.
func TestDatagen_Late(t *testing.T) {
	spec := specOf("rows", "100000", "disorder", "8 seconds", "late", "0.02", "step", "10 ms")
	spec.Read = []int{eventTime}
	src, err := Driver().Open(t.Context(), spec, "")
	if err != nil {
		t.Fatal(err)
	}
	src.Begin(connector.Bounds{})
	newest, late := int64(0), 0
	for {
		b, _ := src.Next(t.Context())
		if b == nil {
			break
		}
		for _, x := range b.Cols[0].(*column.Of[int64]).Values {
			if newest-x > 10e6 {
				late++
			}
			newest = max(newest, x)
		}
		src.Recycle(b)
	}
	if late < 1800 || late > 2200 {
		t.Fatalf("%d of 100000 rows are late", late)
	}
}

// TestDatagen_Pace: rows come by the clock, and FLUSH has an end to wait for.
func TestDatagen_Pace(t *testing.T) {
	now := time.Unix(1000, 0)
	spec := specOf("rows_per_second", "100", "start", "now")
	spec.Now = func() time.Time { return now }
	src, err := Driver().Open(t.Context(), spec, "")
	if err != nil {
		t.Fatal(err)
	}
	src.Begin(connector.Bounds{})
	if b, _ := src.Next(t.Context()); b != nil {
		t.Fatalf("%d rows at once", b.Rows)
	}
	now = now.Add(250 * time.Millisecond)
	end, _ := src.End(t.Context())
	if src.Reached(src.Offset(), end) {
		t.Fatal("the end is reached before the rows are read")
	}
	if b, _ := src.Next(t.Context()); b != nil {
		t.Fatalf("%d rows after the end of the epoch", b.Rows)
	}
	src.Begin(connector.Bounds{})
	b, _ := src.Next(t.Context())
	if b == nil || b.Rows != 25 || src.Offset() != `{"row":25,"start":1000000000}` || !src.Reached(src.Offset(), end) {
		t.Fatalf("%v, %s", b, src.Offset())
	}
	if got := b.Cols[eventTime].(*column.Of[int64]).Values[24]; got != 1000240000 {
		t.Fatalf("row 24 is of %d", got)
	}
}

func TestDatagen_Values(t *testing.T) {
	got := lines(t, specOf("rows", "2", "keys", "5", "fields.user_id.min", "100", "fields.user_id.max", "104", "fields.page.length", "4"), 10)
	for _, l := range got {
		c := strings.Split(l, " | ")
		if len(c[2]) != 4 || c[1] < "100" || c[1] > "104" || !slices.Contains([]string{"DE", "FR", "US"}, c[4]) || len(c[11]) != 3 || len(c[10]) != 18 {
			t.Errorf("%s", l)
		}
	}
	if !strings.HasPrefix(got[1], "e1 | ") || !strings.HasSuffix(got[1], "2026-01-01 00:00:00.001+00") {
		t.Errorf("%s", got[1])
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		spec connector.Spec
		want string
	}{
		{specOf(), ""},
		{specOf("rows_per_secnd", "1"), `22023: unrecognized option "rows_per_secnd" / Perhaps you meant the option "rows_per_second".`},
		{specOf("fields.pge.min", "1"), `22023: unrecognized option "fields.pge.min" / Perhaps you meant the option "fields.page.min".`},
		{specOf("late", "2"), `22023: invalid value for option "late": "2" / It is a number between 0 and 1.`},
		{specOf("disorder", "-1 s"), `22023: invalid value for option "disorder": "-1 s" / It is an interval of at least 0, such as '10 seconds'.`},
		{specOf("fields.user_id.values", "1,x"), `22023: option "fields.user_id.values": invalid input syntax for type bigint: "x" / `},
		{specOf("fields.page.kind", "randm"), `22023: invalid value for option "fields.page.kind": "randm" / Perhaps you meant 'random'. Available values: random, sequence.`},
	} {
		got := ""
		if err := Driver().Check(t.Context(), c.spec); err != nil {
			e := sqlerr.From(err)
			got = string(e.Code) + ": " + e.Msg + " / " + e.Hint
		}
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func BenchmarkDatagen(b *testing.B) {
	spec := specOf()
	spec.Read = []int{1, 2, 3, eventTime}
	src, err := Driver().Open(b.Context(), spec, "")
	if err != nil {
		b.Fatal(err)
	}
	src.Begin(connector.Bounds{})
	b.ReportAllocs()
	rows := 0
	for b.Loop() {
		batch, _ := src.Next(b.Context())
		rows += batch.Rows
		src.Recycle(batch)
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}
