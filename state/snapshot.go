package state

import (
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
)

// sharedSnapshot is one snapshot of Pebble for all who read between two commits: it costs as much as a read of one row.
type sharedSnapshot struct {
	snap   *pebble.Snapshot
	stable uint64       // commits up to this one are in it
	users  atomic.Int64 // 0: closed
}

func (s *sharedSnapshot) release() error {
	if s.users.Add(-1) > 0 {
		return nil
	}
	return readError(s.snap.Close())
}

// snapshot is a Snapshot: one user's share.
type snapshot struct {
	reader
	db      *pebble.DB
	commits *commits
	shared  *sharedSnapshot // nil once closed
}

// Snapshot reads as of now, whatever is written meanwhile.
func (s *Store) Snapshot() Snapshot {
	shared := s.commits.share(s.db)
	return &snapshot{reader: reader{shared.snap}, db: s.db, commits: s.commits, shared: shared}
}

// share returns the snapshot that was taken since the last commit ended, else a new one.
func (c *commits) share(db *pebble.DB) *sharedSnapshot {
	c.mu.Lock()
	if c.shared != nil {
		c.shared.users.Add(1)
		defer c.mu.Unlock()
		return c.shared
	}
	out := &sharedSnapshot{stable: c.stable}
	count := c.count
	c.mu.Unlock()
	out.snap = db.NewSnapshot()
	out.users.Add(1)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count == count && c.shared == nil { // no commit ended meanwhile that it may lack
		out.users.Add(1)
		c.shared = out
	}
	return out
}

// Version is which commit left a result as the snapshot shows it.
func (s *snapshot) Version(object uint32) (uint64, bool) {
	return s.commits.version(object, s.shared.stable)
}

// Since returns spans in which all lies that has changed since an earlier version.
func (s *snapshot) Since(object uint32, version uint64) []Span {
	return s.commits.since(object, version)
}

// Close lets the store forget what only the snapshot still saw.
func (s *snapshot) Close() error {
	if s.shared == nil {
		return nil
	}
	shared := s.shared
	s.shared = nil
	return shared.release()
}
