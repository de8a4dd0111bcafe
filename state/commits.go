package state

import "sync"

// commits numbers the store's commits, so that a reader can tell whether a result is the same as it was at another moment, and readers
// between two commits can share a snapshot.
//
// A commit has its number before it can be seen, and notes under it the results that it touches. A snapshot knows a number up to which
// all commits had ended when it was taken: a result whose last touch is not above it is, in the snapshot, as that commit left it.
type commits struct {
	mu      sync.Mutex
	begun   uint64              // number of the newest
	stable  uint64              // it and all before have ended
	ended   map[uint64]struct{} // those above stable that have
	count   uint64              // of those that have ended
	touched map[uint32]uint64   // newest commit that may have changed a result, by its object; none: not since the store was opened
	shared  *sharedSnapshot     // taken since the last commit ended; nil: none was
}

func newCommits() *commits {
	return &commits{ended: map[uint64]struct{}{}, touched: map[uint32]uint64{}}
}

// begin numbers a commit that touches results.
func (c *commits) begin(objects []uint32) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun++
	for _, o := range objects {
		c.touched[o] = c.begun
	}
	return c.begun
}

// end says that a commit can be seen, or never will.
func (c *commits) end(n uint64) {
	c.mu.Lock()
	c.count++
	c.ended[n] = struct{}{}
	for {
		if _, ok := c.ended[c.stable+1]; !ok {
			break
		}
		c.stable++
		delete(c.ended, c.stable)
	}
	old := c.shared
	c.shared = nil
	c.mu.Unlock()
	if old != nil {
		_ = old.release() // a read that failed said so already
	}
}

// version is the commit that left a result as the snapshot of stable shows it; false if that cannot be told.
func (c *commits) version(object uint32, stable uint64) (uint64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.touched[object]
	return n, n <= stable
}

// Versioned is a Reader that knows of a result which commit left it as the reader shows it. Two readers that name one version see
// the same rows.
type Versioned interface {
	Version(object uint32) (version uint64, ok bool)
}
