package state

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"

	"wmsql/sqlerr"
)

// Store is the open Pebble store. It is a Reader of what is committed now. Any goroutine may use it.
type Store struct {
	reader
	db      *pebble.DB
	dir     string
	space   *spaceFS
	log     *logger
	lock    *pebble.Lock
	temp    *TempFiles
	commits *commits
	version string        // of the program
	format  atomic.Uint32 // that the store has

	mu     sync.Mutex
	failed error // sticky: a commit whose fate is unknown
}

// Begin starts a transaction.
func (s *Store) Begin() Txn { return &txn{store: s, batch: s.db.NewBatch()} }

// Temp makes temporary files, which are gone after a crash too.
func (s *Store) Temp() *TempFiles { return s.temp }

// Sync makes everything committed so far durable.
func (s *Store) Sync() error {
	if err := s.Writable(); err != nil {
		return err
	}
	return s.guard(func() error { return s.db.LogData(nil, pebble.Sync) })
}

// DiskBytes estimates the bytes of an object on disk: 0 without a key of it, else the blocks that its keys lie in. What is still in
// memory tables does not count.
func (s *Store) DiskBytes(sp Space, object uint32) int64 {
	from, to := span(sp, object, nil, nil)
	if !s.holds(from, to) {
		return 0
	}
	n, err := s.db.EstimateDiskUsage(from, to)
	if err != nil {
		return 0
	}
	return int64(n)
}

// holds reports whether a key lies in [from, to).
func (s *Store) holds(from, to []byte) bool {
	it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: to})
	if err != nil {
		return false
	}
	found := it.First()
	return it.Close() == nil && found
}

// Writable says why nothing can be written now: the disk is full (53100), which passes when space is made, or an
// earlier write failed (58030), which only a restart mends.
func (s *Store) Writable() error {
	s.mu.Lock()
	failed := s.failed
	s.mu.Unlock()
	if failed != nil {
		return failed
	}
	if s.space.full() {
		return diskFull(s.dir)
	}
	return nil
}

// StopWaiting makes the writes that wait for space on a full disk fail: for a server that is about to end.
func (s *Store) StopWaiting() { s.space.stop() }

// Close closes the store.
func (s *Store) Close() error {
	s.space.stop()
	s.commits.end(s.commits.begin(nil)) // closes the shared snapshot
	var err error
	if s.writeFailed() {
		// Pebble cannot finish its commit queue after a failed write; what was acknowledged is on disk. The directory
		// stays locked until the process ends, for Pebble's goroutines are still there.
		return s.lock.Close()
	}
	if e := s.guard(func() error { err = s.db.Close(); return nil }); e != nil {
		return e
	}
	return classify(errors.Join(err, s.lock.Close()), s.dir)
}

func (s *Store) writeFailed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed != nil
}

// guard runs a write and keeps the store from being written again after one whose fate is unknown.
func (s *Store) guard(write func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(fatal)
			if !ok {
				panic(r)
			}
			err = f.err
		}
		if err == nil {
			return
		}
		err = classify(err, s.dir)
		s.mu.Lock()
		if s.failed == nil {
			s.failed = afterFailure(err, s.dir)
			s.log.warn("the store cannot be written any more", "dir", s.dir, "error", err)
		}
		s.mu.Unlock()
	}()
	return write()
}

// afterFailure is what later writes are told.
func afterFailure(err error, dir string) error {
	var e *sqlerr.Error
	code := sqlerr.IOError
	if errors.As(err, &e) {
		code = e.Code
	}
	return &sqlerr.Error{
		Code: code, Msg: "data directory \"" + dir + "\" cannot be written since an earlier error: " + err.Error(),
		Hint: "Mend the disk and start the server again: what was acknowledged is kept.", Cause: err,
	}
}
