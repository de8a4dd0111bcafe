package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"wmsql/sqlerr"
)

// epochKeys is how many keys each epoch of the tests rewrites: a torn one shows as different epochs in them.
const epochKeys = 20

func putEpoch(s *Store, n int, sync bool) error {
	tx := s.Begin()
	for k := range epochKeys {
		v := binary.BigEndian.AppendUint64(nil, uint64(n))
		tx.Put(Operator, 1, []byte{byte(k)}, append(v, strings.Repeat("x", (n*7+k)%90)...))
	}
	return tx.Commit(sync)
}

// epochOf returns which epoch the store holds, 0 for none, and fails when it holds parts of several.
func epochOf(s *Store) (int, error) {
	seen := map[uint64]int{}
	err := s.Scan(Operator, 1, nil, nil, func(_, v []byte) bool {
		seen[binary.BigEndian.Uint64(v)]++
		return true
	})
	if err != nil || len(seen) == 0 {
		return 0, err
	}
	for n, count := range seen {
		if len(seen) > 1 || count != epochKeys {
			return 0, fmt.Errorf("a torn epoch: %v", seen)
		}
		return int(n), nil
	}
	return 0, nil
}

func TestCrash_UnsyncedDataLost(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		mem := vfs.NewCrashableMem()
		s, err := Open("data", Options{FS: mem, Memory: 12 << 20})
		if err != nil {
			t.Fatal(err)
		}
		last, durable := 1+rng.IntN(30), 0
		for n := 1; n <= last; n++ {
			sync := rng.IntN(4) == 0
			if err := putEpoch(s, n, sync); err != nil {
				t.Fatal(err)
			}
			if sync {
				durable = n
			}
			if rng.IntN(20) == 0 {
				_ = s.db.Flush()
			}
		}
		clone := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: []int{0, 50, 100}[seed%3], RNG: rng})
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := Open("data", Options{FS: clone, Memory: 12 << 20})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got, err := epochOf(again)
		if err != nil || got < durable || got > last {
			t.Fatalf("seed %d: epoch %d of %d..%d, %v", seed, got, durable, last, err)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// killed makes a store with some epochs and returns its directory as a kill -9 leaves it.
func killed(t *testing.T, epochs int) string {
	t.Helper()
	dir, copyTo := t.TempDir(), t.TempDir()
	s := open(t, dir, Options{})
	for n := 1; n <= epochs; n++ {
		if err := putEpoch(s, n, true); err != nil {
			t.Fatal(err)
		}
	}
	copyDir(t, dir, copyTo)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return copyTo
}

func copyDir(t *testing.T, from, to string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(to, e.Name()), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func newestLog(t *testing.T, dir string) string {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(dir, "*.log"))
	if err != nil || len(logs) == 0 {
		t.Fatal("no log", err)
	}
	slices.Sort(logs)
	return logs[len(logs)-1]
}

// used returns the length of the log without the zeros that are allocated ahead.
func used(data []byte) int {
	n := len(data)
	for n > 0 && data[n-1] == 0 {
		n--
	}
	return n
}

func TestCrash_TornLog(t *testing.T) {
	src := killed(t, 40)
	older := 0
	for _, cut := range []int{1, 2, 3, 7, 50, 200, 511, 1000, 2047, 4096} {
		dir := t.TempDir()
		copyDir(t, src, dir)
		log := newestLog(t, dir)
		data, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(log, int64(max(0, used(data)-cut))); err != nil {
			t.Fatal(err)
		}
		s, err := Open(dir, Options{})
		if err != nil {
			t.Errorf("cut %d: %v", cut, err)
			continue
		}
		n, err := epochOf(s)
		if err != nil {
			t.Errorf("cut %d: %v", cut, err)
		}
		if n < 40 {
			older++
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if older < 8 {
		t.Errorf("only %d cuts lost an epoch: the test cut nothing", older)
	}
}

// One flipped bit gives the right answer or XX001, never another answer. In the log's last record a flip cannot be told
// from a torn write: the epoch before it may come back.
func TestCrash_BitFlips(t *testing.T) {
	const epochs = 40
	src := killed(t, epochs)
	entries, err := os.ReadDir(src)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var refused, right int
	for _, e := range entries {
		if e.Name() == "LOCK" || strings.HasPrefix(e.Name(), "OPTIONS") {
			continue
		}
		for range 60 {
			dir := t.TempDir()
			copyDir(t, src, dir)
			name := filepath.Join(dir, e.Name())
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			n := used(data)
			if n == 0 {
				break
			}
			data[rng.IntN(n)] ^= 1 << rng.IntN(8)
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Open(dir, Options{})
			if err == nil {
				var got int
				if got, err = epochOf(s); err == nil && got < epochs-1 {
					t.Errorf("%s: silently back at epoch %d of %d", e.Name(), got, epochs)
				}
				_ = s.Close()
			}
			switch {
			case err == nil:
				right++
			case code(err) == sqlerr.DataCorrupted || code(err) == sqlerr.FeatureNotSupported:
				refused++
			default:
				t.Errorf("%s: code %q: %v", e.Name(), code(err), err)
			}
		}
	}
	if refused == 0 {
		t.Error("no flip was noticed: the test flips nothing that matters")
	}
	t.Logf("%d refused, %d without effect", refused, right)
}

func TestDiskFull_WaitsAndGoesOn(t *testing.T) {
	disk := NewFullableDisk()
	s := open(t, "data", Options{FS: disk})
	if err := putEpoch(s, 1, true); err != nil {
		t.Fatal(err)
	}
	disk.Fill(true)
	first := make(chan error, 1)
	go func() { first <- putEpoch(s, 2, true) }()
	for s.Writable() == nil {
		time.Sleep(time.Millisecond)
	}
	if err := putEpoch(s, 3, true); code(err) != sqlerr.DiskFull || !strings.Contains(err.Error(), "data") {
		t.Errorf("while full: %v", err)
	}
	if n, err := epochOf(s); err != nil || n < 1 {
		t.Errorf("reading while full: %d, %v", n, err)
	}
	disk.Fill(false)
	if err := <-first; err != nil {
		t.Errorf("the writer that waited: %v", err)
	}
	if err := putEpoch(s, 4, true); err != nil {
		t.Errorf("with space again: %v", err)
	}
	if n, err := epochOf(s); err != nil || n != 4 {
		t.Errorf("epoch %d, %v", n, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// A server whose disk is full can be ended, and starts again with what was acknowledged.
func TestDiskFull_StopWaiting(t *testing.T) {
	mem := vfs.NewCrashableMem()
	disk := &FullableDisk{FS: mem}
	s := open(t, "data", Options{FS: disk})
	if err := putEpoch(s, 1, true); err != nil {
		t.Fatal(err)
	}
	disk.Fill(true)
	waits := make(chan error, 1)
	go func() { waits <- putEpoch(s, 2, true) }()
	for s.Writable() == nil {
		time.Sleep(time.Millisecond)
	}
	s.StopWaiting()
	if err := <-waits; code(err) != sqlerr.DiskFull {
		t.Errorf("got %v", err)
	}
	if err := putEpoch(s, 3, true); code(err) != sqlerr.DiskFull {
		t.Errorf("afterwards: got %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	s = open(t, "data", Options{FS: mem.CrashClone(vfs.CrashCloneCfg{})})
	if n, err := epochOf(s); err != nil || n != 1 {
		t.Errorf("epoch %d, %v", n, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestDiskFull_AtOpen(t *testing.T) {
	disk := NewFullableDisk()
	if err := open(t, "data", Options{FS: disk}).Close(); err != nil {
		t.Fatal(err)
	}
	disk.Fill(true)
	if _, err := Open("data", Options{FS: disk}); code(err) != sqlerr.DiskFull {
		t.Errorf("got %q %v", code(err), err)
	}
	disk.Fill(false)
	if err := open(t, "data", Options{FS: disk}).Close(); err != nil {
		t.Fatal(err)
	}
}

// Sixteen writers that sync at once share their syncs.
func TestTxn_CommitNoWait(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	var wg sync.WaitGroup
	errs := make([]error, 16)
	for w := range errs {
		wg.Go(func() {
			for i := range 20 {
				tx := s.Begin()
				tx.Put(Log, uint32(w), []byte{byte(i)}, nil)
				wait, err := tx.CommitNoWait()
				if err == nil {
					err = wait()
				}
				errs[w] = errors.Join(errs[w], err)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	ids, err := s.Objects(Log)
	if err != nil || len(ids) != 16 {
		t.Errorf("%v, %v", ids, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// What a closed window held leaves the disk.
func TestStore_ClosedWindowsAreFreed(t *testing.T) {
	s := open(t, t.TempDir(), Options{Memory: 16 << 20})
	rng := rand.New(rand.NewPCG(3, 4))
	value := make([]byte, 1000)
	for window := range 20 {
		tx := s.Begin()
		for k := range 1000 {
			for i := range value {
				value[i] = byte(rng.Uint32())
			}
			tx.Put(Operator, 1, []byte{byte(window), byte(k >> 8), byte(k)}, value)
		}
		if window >= 2 {
			tx.DeleteRange(Operator, 1, []byte{byte(window - 2)}, []byte{byte(window - 1)})
		}
		if err := errors.Join(tx.Commit(false), s.db.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	deadline := time.Now().Add(10 * time.Second)
	for s.DiskBytes(Operator, 1) > 6<<20 && time.Now().Before(deadline) {
		time.Sleep(20 * time.Millisecond)
	}
	if n := s.DiskBytes(Operator, 1); n > 6<<20 || n == 0 {
		t.Errorf("%d bytes on disk for two live windows of 1 MB", n)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
