package server

import (
	"wmsql/catalog"
	"wmsql/exec"
	"wmsql/state"
)

// partMax is the bytes that are stored at a time: few enough to be in memory.
const partMax = 4 << 20

// parts is a transaction whose changes are stored in parts, before it is known whether they will count.
type parts struct {
	store   *state.Store
	pending *overlay
}

func newParts(store *state.Store) *parts { return &parts{store: store, pending: newOverlay()} }

// reader shows what it has taken.
func (p *parts) reader() state.Reader { return p.pending.reader(p.store) }

// Put stores a value.
func (p *parts) Put(s state.Space, object uint32, key, value []byte) {
	p.pending.Put(s, object, key, value)
}

// Delete removes a key.
func (p *parts) Delete(s state.Space, object uint32, key []byte) { p.pending.Delete(s, object, key) }

// DeleteRange removes [lo, hi).
func (p *parts) DeleteRange(s state.Space, object uint32, lo, hi []byte) {
	p.pending.DeleteRange(s, object, lo, hi)
}

// Size is the bytes that wait to be stored.
func (p *parts) Size() int { return p.pending.Size() }

// Commit stores what waits.
func (p *parts) Commit(bool) error { return p.flush(0) }

// CommitNoWait stores what waits.
func (p *parts) CommitNoWait() (wait func() error, err error) {
	return func() error { return nil }, p.flush(0)
}

// Abort forgets what waits.
func (p *parts) Abort() { *p.pending = *newOverlay() }

// flush stores what waits if it is more than so many bytes. The final commit, which is synced, lies behind it in the one log.
func (p *parts) flush(beyond int) error {
	if p.pending.Size() <= beyond {
		return nil
	}
	txn := p.store.Begin()
	defer txn.Abort()
	p.pending.apply(txn)
	*p.pending = *newOverlay()
	return txn.Commit(false)
}

// discard deletes what was stored in parts and will not count.
func (s *Server) discard(what func(state.Txn)) {
	txn := s.store.Begin()
	defer txn.Abort()
	what(txn)
	_ = txn.Commit(false) // what stays is deleted at the next start
}

// discardUnfinished deletes what was stored in parts when a crash cut it off.
func (s *Server) discardUnfinished() error {
	txn := s.store.Begin()
	defer txn.Abort()
	snap := s.catalog.Current()
	for e := range snap.All() {
		if t, ok := e.(*catalog.Table); ok {
			if err := exec.DiscardUnfinished(t.ID, snap.Indexes(t.ID), s.store, txn); err != nil {
				return err
			}
		}
	}
	return txn.Commit(false)
}
