package state

import (
	"encoding/binary"
	"fmt"
	"testing"
)

// crowd commits every one of n keys so many times; the last epoch deletes each seventh.
func crowd(tb testing.TB, s *Store, n, versions int) {
	tb.Helper()
	for v := range versions {
		tx := s.Begin()
		for k := range n {
			key := binary.BigEndian.AppendUint32(nil, uint32(k))
			if v == versions-1 && k%7 == 0 {
				tx.Delete(Result, 1, key)
			} else {
				tx.Put(Result, 1, key, fmt.Appendf(nil, "%d of %d", v, k))
			}
		}
		if err := tx.Commit(false); err != nil {
			tb.Fatal(err)
		}
	}
}

func TestIterator_CrowdedKeysAreAllSeen(t *testing.T) {
	s := memory(t)
	const n, versions = 4000, 60
	crowd(t, s, n, versions)
	it, err := s.Iter(Result, 1, nil, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	seen, sought := 0, false
	for k := range n {
		if k%7 == 0 {
			continue
		}
		if !it.Next() {
			t.Fatalf("the walk ends before key %d", k)
		}
		if got := binary.BigEndian.Uint32(it.Key()); got != uint32(k) {
			t.Fatalf("key %d instead of %d", got, k)
		}
		want := fmt.Sprintf("%d of %d", versions-1, k)
		if string(it.Value()) != want {
			t.Fatalf("value %q instead of %q", it.Value(), want)
		}
		sought = sought || it.(*iterator).seeks
		seen++
	}
	if it.Next() {
		t.Fatalf("a key after the last: %x", it.Key())
	}
	if !sought {
		t.Error("old versions were walked through to the end")
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkIterator(b *testing.B) {
	for _, versions := range []int{1, 10, 300} {
		b.Run(fmt.Sprintf("versions=%d", versions), func(b *testing.B) {
			s, err := Open("", Options{InMemory: true})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			const n = 2000
			crowd(b, s, n, versions)
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Scan(Result, 1, nil, nil, func(_, _ []byte) bool { return true }); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/key")
		})
	}
}
