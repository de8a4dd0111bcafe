package exec_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wmsql/column"
	"wmsql/exec"
	"wmsql/state"
	"wmsql/types"
)

// cached are queries that workers share out once the columns they read are cached.
var cached = []string{
	"SELECT g, count(*), sum(n), min(v) FROM t GROUP BY g",
	"SELECT n, count(*) FROM t GROUP BY n",
	"SELECT n - 100000, g, max(id) FROM t WHERE id > 10 GROUP BY 1, 2",
	"SELECT count(*), sum(id), count(n) FROM t",
	"SELECT a.g, count(*), sum(b.n) FROM t a JOIN t b ON a.n = b.id GROUP BY a.g",
	"SELECT a.g, count(*), sum(b.id) FROM t a LEFT JOIN (SELECT * FROM t WHERE id % 3 = 0) b ON a.v = b.v GROUP BY a.g",
	"SELECT g, count(*) FROM t WHERE n IN (SELECT id FROM t WHERE g > 50) GROUP BY g",
	"SELECT g, avg(n::float8) FROM t GROUP BY g",
	"SELECT * FROM t ORDER BY id",
	"SELECT DISTINCT g FROM t",
}

// TestCache runs queries often enough that their columns are cached, by one worker and by three, with little memory and with much, between
// changes: the rows are those of a query without a cache.
func TestCache(t *testing.T) {
	w := spillWorld(t, state.Options{InMemory: true})
	for round := range 3 {
		for _, query := range cached {
			w.cache, w.workers, w.memory = nil, 1, 0
			want, err := w.selectRows(query)
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(want)
			w.cache = exec.NewCache(1 << 30)
			for i := range 5 {
				w.workers, w.memory = 1+i%2*2, []int64{0, 64 << 10}[i/3]
				got, err := w.selectRows(query)
				if err != nil {
					t.Fatal(err)
				}
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Errorf("round %d, run %d: %s: %d rows, want %d", round, i, query, len(got), len(want))
				}
			}
		}
		w.insert(fmt.Sprint(-1 - round))
	}
}

// TestCache_Change keeps one cache through changes of the table, and more tables than fit in another.
func TestCache_Change(t *testing.T) {
	w := spillWorld(t, state.Options{InMemory: true})
	w.cache = exec.NewCache(300_000) // one column of 20,000 numbers, and not two
	want := 20000
	for i := range 12 {
		for _, col := range []string{"id", "g"} {
			got, err := w.selectRows("SELECT count(" + col + ") FROM t")
			if err != nil || got[0] != fmt.Sprint(want) {
				t.Fatalf("run %d: %q, want %d, %v", i, got, want, err)
			}
		}
		if i%4 == 3 {
			w.insert(fmt.Sprint(-1 - i))
			want++
		}
	}
}

// insert adds a row to t.
func (w *world) insert(id string) {
	table := w.tables["t"]
	schema := &types.Schema{}
	for _, c := range table.Columns {
		schema.Fields = append(schema.Fields, types.Field{Name: c.Name, Type: c.Type})
	}
	b, err := readRows(schema, id+" | more | 7 | 8\n")
	if err != nil {
		w.t.Fatal(err)
	}
	txn := w.store.Begin()
	tw, err := exec.NewTableWriter(table, nil, schema, w.store, txn)
	if err == nil {
		_, err = tw.Insert(&column.Batch{Schema: b.Schema, Cols: b.Cols, Rows: b.Rows}, exec.OnConflict{})
	}
	if err == nil {
		err = txn.Commit(false)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestCache_Parts changes rows here and there: scans read the blocks anew in which they lie, and no others.
func TestCache_Parts(t *testing.T) {
	w := spillWorld(t, state.Options{InMemory: true})
	cache := exec.NewCache(1 << 30)
	rng := rand.New(rand.NewPCG(1, 1))
	const query = "SELECT sum(id), count(*), sum(g), max(v) FROM t"
	const some = "all keys, cached columns but where rows have changed"
	for round := range 60 {
		w.cache, w.workers = cache, 1+round%3
		got, err := w.selectRows(query)
		if err != nil {
			t.Fatal(err)
		}
		if how := w.scanned[0].How; round > 0 && how != some {
			t.Errorf("round %d reads %s", round, how)
		}
		again, err := w.selectRows("SELECT id FROM t")
		if err != nil {
			t.Fatal(err)
		}
		if how := w.scanned[0].How; how != "all keys, cached columns" {
			t.Errorf("round %d reads %s", round, how)
		}
		w.cache = nil
		want, err := w.selectRows(query)
		if err != nil {
			t.Fatal(err)
		}
		ids, err := w.selectRows("SELECT id FROM t")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) || !slices.Equal(again, ids) {
			t.Fatalf("round %d: %q, want %q; %d rows, want %d", round, got, want, len(again), len(ids))
		}
		switch round % 4 {
		case 0:
			w.insert(fmt.Sprint(-1 - round))
		case 1:
			w.insert(fmt.Sprint(1_000_000 + round))
		case 2:
			w.remove(rng.IntN(len(ids)), 1)
		case 3:
			w.remove(rng.IntN(len(ids)-200), 200) // more than are noted one by one
		}
	}
}

// remove deletes rows of t, from the n-th on.
func (w *world) remove(n, count int) {
	var keys [][]byte
	id := uint32(w.tables["t"].ID)
	err := w.store.Scan(state.Result, id, []byte{1}, []byte{2}, func(k, _ []byte) bool {
		keys = append(keys, slices.Clone(k))
		return len(keys) < n+count
	})
	if err != nil {
		w.t.Fatal(err)
	}
	txn := w.store.Begin()
	for _, k := range keys[n:] {
		txn.Delete(state.Result, id, k)
	}
	if err := txn.Commit(false); err != nil {
		w.t.Fatal(err)
	}
}
