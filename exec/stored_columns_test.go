package exec_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wmsql/exec"
	"wmsql/state"
)

// TestStoredColumns changes rows here and there and reads the table with nothing in memory, as after a start, or with less memory than its
// columns take, by one worker or several: the columns that were stored are read, and the rows where they have changed.
func TestStoredColumns(t *testing.T) {
	w := spillWorld(t, state.Options{InMemory: true})
	w.reader = func(s state.Snapshot) state.Reader { return divided{s, 3} }
	rng := rand.New(rand.NewPCG(1, 1))
	queries := []string{"SELECT sum(id), count(*), sum(g), max(v) FROM t", "SELECT n, g FROM t ORDER BY id", "SELECT id FROM t"}
	read := func(round int, query string, limit int64) string {
		t.Helper()
		w.cache, w.workers = exec.NewCache(limit), 1+round%3
		w.cache.StoreIn(w.store, 1)
		got, err := w.selectRows(query)
		if err != nil {
			t.Fatal(err)
		}
		how := w.scanned[0].How
		w.cache, w.workers = nil, 1
		want, err := w.selectRows(query)
		if err != nil {
			t.Fatal(err)
		}
		if query == "SELECT id FROM t" {
			slices.Sort(got)
			slices.Sort(want)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: %s: %d rows, want %d", round, query, len(got), len(want))
		}
		return how
	}
	const all, some, rows = "all keys, stored columns", "all keys, stored columns but where rows have changed", "all keys"
	for round := range 40 {
		limit := []int64{1 << 30, 50_000}[round%2]
		for i, query := range queries {
			want := some
			if round == 0 {
				want = rows
			}
			if round == 0 && i == 2 || round > 0 && i > 0 {
				want = all // the first has read the changed rows
			}
			if i == 1 && round > 0 {
				want = some // but not n
			}
			if how := read(round, query, limit); how != want {
				t.Errorf("round %d: %s reads %s, want %s", round, query, how, want)
			}
			if how := read(round, query, limit); how != all {
				t.Errorf("round %d: %s, again, reads %s", round, query, how)
			}
		}
		switch round % 4 {
		case 0:
			w.insert(fmt.Sprint(-1 - round))
		case 1:
			w.insert(fmt.Sprint(1_000_000 + round))
		case 2:
			w.remove(rng.IntN(15000), 1)
		case 3:
			w.remove(rng.IntN(15000), 200) // more than are noted one by one
		}
	}
}

// TestStoredColumns_Small leaves small relations alone.
func TestStoredColumns_Small(t *testing.T) {
	w := spillWorld(t, state.Options{InMemory: true})
	w.cache = exec.NewCache(1 << 30)
	w.cache.StoreIn(w.store, 0)
	for range 2 {
		if _, err := w.selectRows("SELECT * FROM t"); err != nil {
			t.Fatal(err)
		}
	}
	if w.store.HasColumns(uint32(w.tables["t"].ID)) {
		t.Error("the columns of 20,000 rows are stored")
	}
}

// TestStoredColumns_DiskFull has no space for columns: the rows come all the same.
func TestStoredColumns_DiskFull(t *testing.T) {
	disk := state.NewFullableDisk()
	w := spillWorld(t, state.Options{FS: disk})
	w.cache = exec.NewCache(1 << 30)
	w.cache.StoreIn(w.store, 1)
	disk.Fill(true)
	got, err := w.selectRows("SELECT count(id) FROM t")
	disk.Fill(false)
	if err != nil || got[0] != "20000" {
		t.Errorf("%q, %v", got, err)
	}
}
