package exec_test

import (
	"slices"
	"testing"

	"wmsql/exec"
	"wmsql/state"
)

// divided is a snapshot that has even small relations read in pieces.
type divided struct {
	state.Snapshot
	cuts int // between pieces
}

// Version is the snapshot's.
func (d divided) Version(object uint32) (uint64, bool) {
	return d.Snapshot.(state.Versioned).Version(object)
}

// Since is the snapshot's.
func (d divided) Since(object uint32, version uint64) []state.Span {
	return d.Snapshot.(state.Versioned).Since(object, version)
}

// Divide cuts at every so many keys.
func (d divided) Divide(s state.Space, object uint32, lo, hi []byte, n int) (cuts [][]byte) {
	var keys [][]byte
	if err := d.Scan(s, object, lo, hi, func(k, _ []byte) bool { keys = append(keys, slices.Clone(k)); return true }); err != nil {
		panic(err)
	}
	for i := 1; i < min(n, d.cuts+1) && len(keys) > 0; i++ {
		if at := keys[len(keys)*i/(d.cuts+1)]; len(cuts) == 0 || string(at) != string(cuts[len(cuts)-1]) {
			cuts = append(cuts, at)
		}
	}
	return cuts
}

// TestPieces has workers read a relation in pieces and keep its columns: the rows are those that one reads, and in key order afterwards.
func TestPieces(t *testing.T) {
	w := spillWorld(t, state.Options{InMemory: true})
	queries := append([]string{
		"SELECT count(*) FROM t WHERE id > 500 AND id < 900",
		"SELECT count(*) FROM t WHERE id = 700",
		"SELECT count(*) FROM t WHERE id = 700000",
		"SELECT count(id) FROM t",
		"SELECT id FROM t",
	}, cached...)
	for _, cuts := range []int{1, 2, 7} {
		w.cache = exec.NewCache(1 << 30)
		w.reader = func(s state.Snapshot) state.Reader { return divided{s, cuts} }
		for _, query := range queries {
			w.workers = 3
			got, err := w.selectRows(query)
			if err != nil {
				t.Fatal(err)
			}
			again, err := w.selectRows(query)
			if err != nil {
				t.Fatal(err)
			}
			cache, reader := w.cache, w.reader
			w.cache, w.reader, w.workers = nil, nil, 1
			want, err := w.selectRows(query)
			if err != nil {
				t.Fatal(err)
			}
			w.cache, w.reader = cache, reader
			if query != "SELECT id FROM t" {
				for _, rows := range [][]string{got, again, want} {
					slices.Sort(rows)
				}
			}
			if !slices.Equal(got, want) || !slices.Equal(again, want) {
				t.Errorf("%d cuts: %s: %d rows, then %d, want %d", cuts, query, len(got), len(again), len(want))
			}
		}
	}
}
