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
	results map[uint32]*history // what has changed a result, by its object; none: nothing since the store was opened
	shared  *sharedSnapshot     // taken since the last commit ended; nil: none was
}

func newCommits() *commits {
	return &commits{ended: map[uint64]struct{}{}, results: map[uint32]*history{}}
}

// begin numbers a commit that touches results.
func (c *commits) begin(results []*touched) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun++
	for _, t := range results {
		h := c.results[t.object]
		if h == nil {
			h = &history{}
			c.results[t.object] = h
		}
		h.add(c.begun, *t)
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
	h := c.results[object]
	if h == nil {
		return 0, true
	}
	return h.last, h.last <= stable
}

// since returns spans in which all lies that has changed in a result after a version.
func (c *commits) since(object uint32, version uint64) []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h := c.results[object]; h != nil {
		return h.since(version)
	}
	return nil
}

// Versioned is a Reader that knows of a result which commit left it as the reader shows it. Two readers that name one version see
// the same rows.
type Versioned interface {
	Version(object uint32) (version uint64, ok bool)
	// Since returns spans in which all keys lie whose rows may be others than in an earlier version.
	Since(object uint32, version uint64) []Span
}
