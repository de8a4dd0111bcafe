package state

import (
	"github.com/cockroachdb/pebble/v2"

	"wmsql/sqlerr"
)

// txn is a Txn: one Pebble batch. Pebble's prefix property (after a crash the store holds the batches up to
// some moment, each whole) is what makes an epoch all or nothing without a sync of its own.
type txn struct {
	store *Store
	batch *pebble.Batch // nil after Commit or Abort
	key   []byte        // scratch
	err   error         // first error of a change, told by Commit
	touch []*touched    // results that change
}

// Put sets the value of key.
func (t *txn) Put(s Space, object uint32, key, value []byte) {
	if s == Result {
		t.touched(object).addKey(key)
	}
	t.key = appendKey(t.key[:0], s, object, key)
	t.note(t.batch.Set(t.key, value, nil))
}

// Delete removes key.
func (t *txn) Delete(s Space, object uint32, key []byte) {
	if s == Result {
		t.touched(object).addKey(key)
	}
	t.key = appendKey(t.key[:0], s, object, key)
	t.note(t.batch.Delete(t.key, nil))
}

// DeleteRange removes [lo, hi).
func (t *txn) DeleteRange(s Space, object uint32, lo, hi []byte) {
	if s == Result {
		t.touched(object).add(lo, hi)
	}
	from, to := span(s, object, lo, hi)
	t.note(t.batch.DeleteRange(from, to, nil))
}

// touched is what the transaction changes in a result: mostly in the one that it changed last.
func (t *txn) touched(object uint32) *touched {
	if n := len(t.touch); n > 0 && t.touch[n-1].object == object {
		return t.touch[n-1]
	}
	for _, r := range t.touch {
		if r.object == object {
			return r
		}
	}
	t.touch = append(t.touch, &touched{object: object})
	return t.touch[len(t.touch)-1]
}

func (t *txn) note(err error) {
	if t.err == nil {
		t.err = err
	}
}

// Size is the bytes of the batch.
func (t *txn) Size() int { return t.batch.Len() }

// Commit applies the changes.
func (t *txn) Commit(sync bool) error {
	wait, err := t.apply(sync)
	if err != nil {
		return err
	}
	return wait()
}

// CommitNoWait applies the changes; wait returns once they are on disk.
func (t *txn) CommitNoWait() (wait func() error, err error) { return t.apply(true) }

// Abort forgets the changes.
func (t *txn) Abort() {
	if t.batch != nil {
		_ = t.batch.Close() // it held no resource but memory
		t.batch = nil
	}
}

// apply makes the changes visible. wait frees the batch and, with sync, returns when they are on disk.
func (t *txn) apply(sync bool) (wait func() error, err error) {
	b := t.batch
	if b == nil {
		panic("state: a transaction was committed twice")
	}
	defer func() { t.batch = nil }()
	if t.err != nil {
		_ = b.Close()
		return nil, sqlerr.Newf(sqlerr.Internal, "transaction cannot be stored: %v", t.err)
	}
	if err := t.store.Writable(); err != nil {
		_ = b.Close()
		return nil, err
	}
	begun := t.store.commits.begin(t.touch)
	defer t.store.commits.end(begun)
	for _, s := range begun.stale {
		t.deleteBlocks(s.object, s.runs)
	}
	if t.err != nil {
		panic("state: blocks of columns cannot be deleted: " + t.err.Error())
	}
	if !sync {
		return b.Close, t.store.guard(func() error { return t.store.db.Apply(b, pebble.NoSync) })
	}
	if err := t.store.guard(func() error { return t.store.db.ApplyNoSyncWait(b, pebble.Sync) }); err != nil {
		return nil, err
	}
	return func() error {
		if err := t.store.guard(b.SyncWait); err != nil {
			return err // the batch is not closed: Pebble may still be writing it
		}
		return b.Close()
	}, nil
}
