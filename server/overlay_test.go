package server

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"wmsql/state"
)

// A transaction's changes over a store read as the store reads once they are committed, whatever the order of puts,
// deletes and deletions of ranges.
func TestOverlayReadsAsCommitted(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		store, err := state.Open("", state.Options{InMemory: true})
		if err != nil {
			t.Fatal(err)
		}
		base := newOverlay()
		scramble(rng, base, 30)
		commitOverlay(t, store, base)
		o := newOverlay()
		scramble(rng, o, 20)
		kept := dump(t, o.reader(store))
		n := len(o.ops)
		scramble(rng, o, 10)
		all := dump(t, o.reader(store))
		undone := o.first(n)
		if got := dump(t, undone.reader(store)); got != kept {
			t.Fatalf("seed %d: after the rollback\n%swant\n%s", seed, got, kept)
		}
		commitOverlay(t, store, o)
		if got := dump(t, store); got != all {
			t.Fatalf("seed %d: committed\n%sread before\n%s", seed, got, all)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func key(rng *rand.Rand) []byte {
	return []byte{byte('a' + rng.IntN(6)), byte('a' + rng.IntN(2))}[:1+rng.IntN(2)]
}

// scramble makes n changes of two objects.
func scramble(rng *rand.Rand, o *overlay, n int) {
	for range n {
		object := uint32(1 + rng.IntN(2))
		switch rng.IntN(6) {
		case 0:
			o.Delete(state.Result, object, key(rng))
		case 1:
			lo, hi := key(rng), key(rng)
			if string(lo) > string(hi) {
				lo, hi = hi, lo
			}
			if rng.IntN(3) == 0 {
				hi = nil
			}
			o.DeleteRange(state.Result, object, lo, hi)
		default:
			o.Put(state.Result, object, key(rng), []byte(strings.Repeat("v", rng.IntN(3))))
		}
	}
}

func commitOverlay(t *testing.T, s *state.Store, o *overlay) {
	t.Helper()
	txn := s.Begin()
	o.apply(txn)
	if err := txn.Commit(true); err != nil {
		t.Fatal(err)
	}
}

// dump reads everything in every way there is, and checks that they agree.
func dump(t *testing.T, r state.Reader) string {
	t.Helper()
	var out strings.Builder
	for object := range uint32(4) {
		var keys []string
		err := r.Scan(state.Result, object, nil, nil, func(k, v []byte) bool {
			keys = append(keys, string(k))
			fmt.Fprintf(&out, "%d %s=%s\n", object, k, v)
			if got, err := r.Get(state.Result, object, k); err != nil || got == nil || string(got) != string(v) {
				t.Errorf("Get(%s) = %q, %v", k, got, err)
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		it, err := r.Iter(state.Result, object, []byte("b"), []byte("e"), true)
		if err != nil {
			t.Fatal(err)
		}
		var back []string
		for it.Next() {
			back = append(back, string(it.Key()))
		}
		if err := it.Close(); err != nil {
			t.Fatal(err)
		}
		slices.Reverse(back)
		keys = slices.DeleteFunc(keys, func(k string) bool { return k < "b" || k >= "e" })
		if !slices.Equal(keys, back) {
			t.Errorf("backward %v, forward %v", back, keys)
		}
	}
	return out.String()
}
