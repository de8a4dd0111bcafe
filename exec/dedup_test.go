package exec_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"wmsql/column"
	"wmsql/types"
)

// clicksAt is rows of clicks at seconds after midnight of 2024-01-01; a row's n is its place.
func clicksAt(rows []clickAt) *column.Batch {
	b := pages(0, len(rows), 0)
	page, at := column.NewBytesBuilder(types.Of(types.Text), 0), column.NewFixedBuilder[int64](types.Of(types.TimestampTZ), 0)
	for _, r := range rows {
		page.AppendString(r.page)
		at.Append(int64(clockOf("2024-01-01 00:00")) + r.second*1e6)
	}
	b.Cols[0], b.Cols[2] = page.Build(), at.Build()
	return b
}

type clickAt struct {
	page   string
	second int64
}

// naiveDedup is DISTINCT ON by definition: delay is the watermark's, in seconds, kept how long a key outlives its first row, and
// key what is compared.
type naiveDedup struct {
	delay, kept int64
	key         func(clickAt) string
	expires     map[string]int64
	mark        int64
}

func (d *naiveDedup) step(rows []clickAt) (out []string) {
	late, newest := d.mark, d.mark+d.delay
	for i, r := range rows {
		newest = max(newest, r.second)
		if r.second <= late {
			continue
		}
		if _, ok := d.expires[d.key(r)]; ok {
			continue
		}
		d.expires[d.key(r)] = r.second + d.kept
		out = append(out, fmt.Sprint(r.page, " | ", i))
	}
	d.mark = max(d.mark, newest-d.delay)
	for k, t := range d.expires {
		if t <= d.mark {
			delete(d.expires, k)
		}
	}
	return out
}

// TestDedup_Definition compares both forms with their definition over random rows, with little memory and with restarts.
func TestDedup_Definition(t *testing.T) {
	for _, c := range []struct {
		query string
		kept  int64
		key   func(clickAt) string
	}{
		{"SELECT DISTINCT ON (page, event_time) page, n FROM clicks", 0, func(r clickAt) string { return fmt.Sprint(r) }},
		{"SELECT DISTINCT ON (page) WITHIN WATERMARK page, n FROM clicks", 3600, func(r clickAt) string { return r.page }},
	} {
		for seed := range int64(12) {
			rnd := rand.New(rand.NewSource(seed))
			w := continuous(t, "append", c.query)
			if w.memory = []int64{0, 20 << 10, 1}[seed%3]; w.restart() != nil {
				t.Fatal("no restart")
			}
			model := &naiveDedup{delay: 3600, kept: c.kept, key: c.key, expires: map[string]int64{}, mark: -1e9}
			for epoch := range int64(40) {
				rows := make([]clickAt, rnd.Intn(200))
				for i := range rows {
					rows[i] = clickAt{fmt.Sprint("p", rnd.Intn(300)), 1e5 + epoch*400 + rnd.Int63n(2000)/100*100 - rnd.Int63n(2)*rnd.Int63n(5000)}
				}
				want := model.step(rows)
				got := w.step(t, clicksAt(rows))
				for i := range got {
					parts := strings.Split(got[i], " | ")
					got[i] = strings.Join(parts[:2], " | ")
				}
				slices.Sort(want)
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Fatalf("%s, seed %d, epoch %d:\ngot  %v\nwant %v", c.query, seed, epoch, got, want)
				}
				s := w.query.Stats()[0]
				if s.RowsTotal != int64(len(model.expires)) {
					t.Fatalf("%s, seed %d, epoch %d: %d keys in state, want %d", c.query, seed, epoch, s.RowsTotal, len(model.expires))
				}
				if seed%2 == 1 && rnd.Intn(4) == 0 {
					if err := w.restart(); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}

// TestDedup_MemoryOfAKey bounds what a key costs: a page of 10 characters and its time.
func TestDedup_MemoryOfAKey(t *testing.T) {
	for _, query := range []string{"SELECT DISTINCT ON (page, event_time) page, n FROM clicks", "SELECT DISTINCT ON (page) WITHIN WATERMARK page, n FROM clicks"} {
		w := continuous(t, "append", query)
		const keys = 200_000
		for lo := 0; lo < keys; lo += 4000 {
			w.step(t, pages(lo, lo+4000, lo/10_000))
		}
		s := w.query.Stats()[0]
		if s.RowsTotal != keys || s.StateBytes > 150*keys {
			t.Errorf("%s: %d keys in %d bytes, want %d in at most 150 each", query, s.RowsTotal, s.StateBytes, keys)
		}
	}
}

// TestDedup_ByTime compares the last, and the first, row by the event time with its definition, over random rows, with little memory,
// restarts and so many epochs that old chunks are replaced.
func TestDedup_ByTime(t *testing.T) {
	for _, order := range []string{"", " DESC"} {
		w := continuous(t, "update", "SELECT page, n FROM (SELECT *, row_number() OVER (PARTITION BY page ORDER BY event_time"+order+") AS rn FROM clicks) c WHERE rn = 1")
		w.memory = 1
		rnd := rand.New(rand.NewSource(1))
		got, want, best := map[string]string{}, map[string]string{}, map[string]int64{}
		for epoch := range 120 {
			if rnd.Intn(8) == 0 {
				if err := w.restart(); err != nil {
					t.Fatal(err)
				}
			}
			rows := make([]clickAt, rnd.Intn(40))
			for i := range rows {
				r := clickAt{fmt.Sprint("p", rnd.Intn(50)), rnd.Int63n(80_000)}
				rows[i] = r
				if at, ok := best[r.page]; !ok || order == "" && r.second < at || order != "" && r.second > at {
					best[r.page], want[r.page] = r.second, fmt.Sprint(r.page, " | ", i)
				}
			}
			for _, row := range inOrder(w.step(t, clicksAt(rows))) {
				page, _, _ := strings.Cut(row, " | ")
				got[page] = row
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("epoch %d:\ngot  %v\nwant %v", epoch, got, want)
			}
		}
	}
}

// inOrder sorts rows by their n, which is their place in the epoch.
func inOrder(rows []string) []string {
	slices.SortStableFunc(rows, func(a, b string) int {
		var x, y int
		_, n1, _ := strings.Cut(a, " | ")
		_, n2, _ := strings.Cut(b, " | ")
		fmt.Sscan(n1, &x)
		fmt.Sscan(n2, &y)
		return x - y
	})
	return rows
}
