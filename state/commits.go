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

	columns map[uint32]blockIndex // the stored blocks of results' columns, by object
	blocks  int                   // so many
	stored  sync.Cond             // nobody stores blocks of some object any more
}

func newCommits() *commits {
	c := &commits{ended: map[uint64]struct{}{}, results: map[uint32]*history{}, columns: map[uint32]blockIndex{}}
	c.stored.L = &c.mu
	return c
}

// begunCommit is a commit that cannot be seen yet.
type begunCommit struct {
	number  uint64
	results []*touched
	stale   []staleBlocks // that it has to delete
}

// staleBlocks are blocks of an object whose rows change.
type staleBlocks struct {
	object uint32
	runs   []blockRun
}

// begin numbers a commit that touches results.
func (c *commits) begin(results []*touched) begunCommit {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waitStored(results)
	c.begun++
	b := begunCommit{number: c.begun, results: results}
	for _, t := range results {
		h := c.history(t.object)
		h.add(c.begun, *t)
		h.open++
		if runs := c.columns[t.object].touched(t.spans); runs != nil {
			b.stale = append(b.stale, staleBlocks{t.object, runs})
		}
	}
	return b
}

func (c *commits) history(object uint32) *history {
	h := c.results[object]
	if h == nil {
		h = &history{}
		c.results[object] = h
	}
	return h
}

// end says that a commit can be seen, or never will.
func (c *commits) end(b begunCommit) {
	c.mu.Lock()
	c.count++
	for _, t := range b.results {
		c.results[t.object].open--
	}
	for _, s := range b.stale {
		c.setIndex(s.object, c.columns[s.object].remove(s.runs))
	}
	c.ended[b.number] = struct{}{}
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
