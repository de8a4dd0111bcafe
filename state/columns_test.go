package state

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// columnsObject is the result that the laws of stored columns change.
const columnsObject = 7

// changeRows commits random changes of rows, of what says how they are to be read, or of all.
func changeRows(s *Store, rng *rand.Rand) error {
	tx := s.Begin()
	row := func() []byte { return []byte{1, byte(rng.IntN(256))} }
	value := []byte{byte(rng.IntN(256)), byte(rng.IntN(256))}
	switch kind := rng.IntN(40); {
	case kind == 0:
		tx.Put(Result, columnsObject, []byte{0}, value)
	case kind == 1:
		tx.DeleteRange(Result, columnsObject, nil, nil)
	case kind < 4: // more than are noted one by one
		for range 100 {
			tx.Put(Result, columnsObject, row(), value)
		}
	case kind < 7:
		lo := row()
		tx.DeleteRange(Result, columnsObject, lo, []byte{1, lo[1] | 15})
	default:
		for range 1 + rng.IntN(3) {
			if rng.IntN(4) == 0 {
				tx.Delete(Result, columnsObject, row())
			} else {
				tx.Put(Result, columnsObject, row(), value)
			}
		}
	}
	if rng.IntN(20) == 0 {
		tx.Abort()
		return nil
	}
	return tx.Commit(rng.IntN(4) == 0)
}

// rowsOf is what a reader sees in a span, and how it is to be read.
func rowsOf(r Reader, span Span) ([]byte, int, error) {
	out, err := r.Get(Result, columnsObject, []byte{0})
	n := 0
	if err == nil {
		err = r.Scan(Result, columnsObject, span.Lo, span.Hi, func(k, v []byte) bool {
			out, n = append(append(out, k...), v...), n+1
			return true
		})
	}
	return out, n, err
}

// scanned is a snapshot of which columns are made: its version is asked for when it is new.
type scanned struct {
	Snapshot
	version uint64
	known   bool
}

func beginScan(s *Store) scanned {
	snap := s.Snapshot()
	version, known := snap.(Versioned).Version(columnsObject)
	return scanned{snap, version, known}
}

// storeRows stores blocks of what a snapshot shows, some of them with bounds that others have had.
func storeRows(s *Store, snap scanned, rng *rand.Rand) (bool, error) {
	if !snap.known {
		return false, nil
	}
	var blocks []ColumnBlock
	for at := rng.IntN(128); at < 256 && len(blocks) < 20; {
		to := at + 1 + rng.IntN(64)
		if rng.IntN(3) > 0 { // bounds that come again
			to = at&^31 + 32
		}
		b := ColumnBlock{Span: Span{Lo: []byte{1, byte(at)}, Hi: []byte{1, byte(to)}}}
		if to >= 256 {
			b.Hi = []byte{2}
		}
		data, n, err := rowsOf(snap, b.Span)
		if err != nil {
			return false, err
		}
		b.Rows = n
		for _, number := range []int{1, 5, 300} {
			if rng.IntN(2) == 0 {
				b.Cols = append(b.Cols, BlockColumn{Number: number, Type: "rows", Data: data})
			}
		}
		blocks = append(blocks, b)
		at = to + rng.IntN(2)*rng.IntN(40)
	}
	return s.StoreColumns(columnsObject, snap.version, blocks)
}

// checkColumns fails unless every block of a snapshot is of the rows that the snapshot shows. It returns how many there are.
func checkColumns(snap Snapshot) (int, error) {
	blocks, err := ReadColumnBlocks(snap, columnsObject, nil, nil)
	for i, b := range blocks {
		want, n, err := rowsOf(snap, b.Span)
		if err != nil {
			return 0, err
		}
		if b.Rows != n {
			return 0, errors.New("a block tells of other rows than there are")
		}
		if i > 0 && bytes.Compare(blocks[i-1].Hi, b.Lo) > 0 {
			return 0, errors.New("two blocks have rows in common")
		}
		for _, c := range b.Cols {
			got, err := ReadBlockColumn(snap, columnsObject, c.Number, b.Lo)
			if err != nil {
				return 0, err
			}
			if !bytes.Equal(got, want) {
				return 0, errors.New("a stored column is not that of its rows")
			}
		}
	}
	return len(blocks), err
}

// TestColumns_Law changes rows and stores columns at random, of older snapshots too, and cuts the power: what a snapshot shows of columns is
// what it shows of rows.
func TestColumns_Law(t *testing.T) {
	seen := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 1))
		mem := vfs.NewCrashableMem()
		s, err := Open("data", Options{FS: mem, Memory: 12 << 20})
		if err != nil {
			t.Fatal(err)
		}
		old := beginScan(s)
		for range 150 {
			snap := beginScan(s)
			var err error
			switch rng.IntN(8) {
			case 0:
				_, err = storeRows(s, snap, rng)
			case 1:
				_, err = storeRows(s, old, rng)
			case 2:
				old, snap = snap, old
			case 3:
				if rng.IntN(10) > 0 {
					break
				}
				err = errors.Join(snap.Close(), old.Close())
				if rng.IntN(2) == 0 {
					err = errors.Join(err, s.Flush())
				}
				mem = mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(3) * 50, RNG: rng})
				if err = errors.Join(err, s.Close()); err == nil {
					s, err = Open("data", Options{FS: mem, Memory: 12 << 20})
				}
				if err != nil {
					t.Fatal(err)
				}
				old, snap = beginScan(s), beginScan(s)
			default:
				err = changeRows(s, rng)
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			now := beginScan(s)
			for _, r := range []scanned{snap, old, now} {
				n, err := checkColumns(r)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				seen += n
			}
			if err := errors.Join(snap.Close(), now.Close()); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(old.Close(), s.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if seen < 1000 {
		t.Errorf("only %d blocks were seen", seen)
	}
}

// TestColumns_AtOnce has several change rows, store columns and look at them at the same time.
func TestColumns_AtOnce(t *testing.T) {
	s := open(t, "", Options{InMemory: true})
	var wg sync.WaitGroup
	var mu sync.Mutex
	var failed error
	stored, seen := 0, 0
	for worker := range uint64(4) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(worker, 2))
			for range 1500 {
				snap := beginScan(s)
				for range rng.IntN(3) {
					if err := changeRows(s, rng); err != nil {
						t.Error(err)
					}
				}
				n, err := checkColumns(snap)
				ok := false
				if rng.IntN(2) == 0 {
					var e error
					ok, e = storeRows(s, snap, rng)
					err = errors.Join(err, e)
				}
				err = errors.Join(err, snap.Close())
				mu.Lock()
				seen += n
				if ok {
					stored++
				}
				failed = errors.Join(failed, err)
				bad := failed != nil
				mu.Unlock()
				if bad {
					return
				}
			}
		})
	}
	wg.Wait()
	if failed != nil {
		t.Fatal(failed)
	}
	if stored < 20 || seen < 100 {
		t.Errorf("blocks were stored %d times and seen %d times", stored, seen)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestColumns_Begun has commits that have begun and cannot be seen: others that follow delete the same blocks, and none are stored.
func TestColumns_Begun(t *testing.T) {
	c := newCommits()
	key := func(k byte) []byte { return []byte{1, k} }
	blocks := []ColumnBlock{{Span: Span{key(0), key(64)}}, {Span: Span{key(64), key(128)}}}
	if _, ok := c.beginStoring(1, 0, blocks); !ok {
		t.Fatal("blocks of no change are not stored")
	}
	c.endStoring(1, nil, blocks)
	touch := func(k byte) []*touched {
		changed := &touched{object: 1}
		changed.addKey(key(k))
		return []*touched{changed}
	}
	first := c.begin(touch(40))
	second := c.begin(touch(41))
	for i, b := range []begunCommit{first, second} {
		if len(b.stale) != 1 || len(b.stale[0].runs) != 1 || len(b.stale[0].runs[0]) != 1 {
			t.Errorf("commit %d deletes %v", i, b.stale)
		}
	}
	narrow := []ColumnBlock{{Span: Span{key(0), key(32)}}}
	if _, ok := c.beginStoring(1, 2, narrow); ok {
		t.Fatal("a block is stored while a commit deletes one that has the same rows")
	}
	c.end(second)
	c.end(first)
	if third := c.begin(touch(42)); third.stale != nil {
		t.Errorf("a commit deletes %v again", third.stale)
	} else {
		c.end(third)
	}
	if _, ok := c.beginStoring(1, 2, narrow); !ok {
		t.Error("a block is not stored though its rows have not changed")
	}
	c.endStoring(1, nil, narrow)
	if n := c.blocks; n != 2 || !c.hasBlocks(1) || c.hasBlocks(2) {
		t.Errorf("%d blocks", n)
	}
}
