package state

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// What is large is cut into parts of about one size, however its keys are spread; what is small stays whole.
func TestDivide(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 40 MB, from one goroutine")
	}
	s := open(t, "", Options{InMemory: true, Memory: 1}) // small memory tables, so that most is on disk
	defer s.Close()
	rng := rand.New(rand.NewPCG(1, 1))
	value := make([]byte, 1000)
	put := func(object uint32, rows int, key func(i int) []byte) {
		for i := 0; i < rows; i += 1000 {
			txn := s.Begin()
			for k := i; k < min(rows, i+1000); k++ {
				for b := 0; b < len(value); b += 8 {
					binary.LittleEndian.PutUint64(value[b:], rng.Uint64())
				}
				txn.Put(Result, object, key(k), value)
			}
			if err := txn.Commit(false); err != nil {
				t.Fatal(err)
			}
		}
	}
	const rows = 40_000
	put(1, 100, func(i int) []byte { return []byte{byte(i)} })
	put(2, rows, func(i int) []byte { // nine of ten in a small part of the keys
		if i%10 > 0 {
			i = rows*50 + i
		}
		return append([]byte("row "), binary.BigEndian.AppendUint32(nil, uint32(i)*100)...)
	})
	snap := s.Snapshot()
	defer snap.Close()
	divide := func(object uint32) [][]byte { return snap.(Divider).Divide(Result, object, nil, nil, 8) }
	if cuts := divide(1); cuts != nil {
		t.Errorf("100 rows are cut at %x", cuts)
	}
	if cuts := divide(3); cuts != nil {
		t.Errorf("nothing is cut at %x", cuts)
	}
	cuts := divide(2)
	if len(cuts) != 7 {
		t.Fatalf("%d cuts: %x", len(cuts), cuts)
	}
	var lo []byte
	for _, hi := range append(cuts, nil) {
		if hi != nil && bytes.Compare(lo, hi) >= 0 {
			t.Fatalf("%x does not lie behind %x", hi, lo)
		}
		n := 0
		if err := snap.Scan(Result, 2, lo, hi, func(_, _ []byte) bool { n++; return true }); err != nil {
			t.Fatal(err)
		}
		if n < rows/24 || n > rows/3 {
			t.Errorf("[%x, %x) has %d of %d rows", lo, hi, n, rows)
		}
		lo = hi
	}
}
