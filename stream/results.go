package stream

import (
	"context"
	"maps"
	"strconv"
	"strings"
	"sync"

	"wmsql/catalog"
	"wmsql/connector"
	"wmsql/exec"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// Results is what the queries of a store that follow each other's results share: how far each view has come, and how far those who follow it
// have read. A view with followers keeps what its epochs change until all of them have it.
//
// A nil *Results is that of a query which nobody follows.
type Results struct {
	store    *state.Store
	bytesMax int64 // of changes kept of a view for subscribers

	mu      sync.Mutex
	views   map[catalog.ID]*followedView
	changed chan struct{} // closed and replaced when a view has come further
}

// followedView is one view's part.
type followedView struct {
	head     int64                // newest epoch committed
	readers  map[catalog.ID]int64 // the epoch up to which each has read durably; unread before its first
	unlogged bool                 // an epoch is under way that does not keep its changes
	kept     bool                 // there may be changes in the store
	subscribed
}

// unread is where a follower stands that has read nothing, not even the rows that were there when it began.
const unread = -1

// NewResults returns the Results of a store.
func NewResults(s *state.Store) *Results {
	return &Results{store: s, bytesMax: subscribedBytes, views: map[catalog.ID]*followedView{}, changed: make(chan struct{})}
}

// view returns a view's part. mu is held.
func (r *Results) view(id catalog.ID) *followedView {
	v := r.views[id]
	if v == nil {
		v = &followedView{readers: map[catalog.ID]int64{}, kept: true}
		r.views[id] = v
	}
	return v
}

func (r *Results) update(id catalog.ID, f func(v *followedView)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(r.view(id))
	close(r.changed)
	r.changed = make(chan struct{})
}

// Restore notes, before any query runs, that query may follow view: if it ever ran, the position it left says whether and how far.
func (r *Results) Restore(view, query catalog.ID) error {
	pos, err := readPosition(r.store, query)
	if err != nil {
		return err
	}
	at, follows := int64(unread), pos == nil
	if pos != nil {
		for _, s := range pos.Scans {
			if s.Stream == view {
				if at, _, err = parseResultOffset(s.Offset); err != nil {
					return err
				}
				follows = true
			}
		}
	}
	if follows {
		r.update(view, func(v *followedView) { v.readers[query] = at })
	}
	return nil
}

// Follow notes that query follows view from now on, and returns when every later epoch of the view keeps its changes.
func (r *Results) Follow(ctx context.Context, view, query catalog.ID) error {
	r.update(view, func(v *followedView) {
		if _, ok := v.readers[query]; !ok {
			v.readers[query] = unread
		}
	})
	return r.await(ctx, view, func(v *followedView) bool { return !v.unlogged })
}

// Forget notes that query follows none of the views but those in still.
func (r *Results) Forget(query catalog.ID, still map[catalog.ID]bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, v := range r.views {
		if !still[id] {
			delete(v.readers, query)
		}
	}
}

// Drop forgets a view, and what it followed.
func (r *Results) Drop(view catalog.ID) {
	r.Forget(view, nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	if v := r.views[view]; v != nil {
		v.loseAll(errDropped)
	}
	delete(r.views, view)
}

// Reshaped notes, in the transaction that does it, that the rows of a view get other columns: nobody can go on reading its changes.
func (r *Results) Reshaped(txn state.Txn, view catalog.ID) {
	r.update(view, func(v *followedView) {
		v.loseAll(errDropped)
		v.stop()
	})
	txn.DeleteRange(state.Changes, uint32(view), nil, nil)
}

// await returns when done says so.
func (r *Results) await(ctx context.Context, view catalog.ID, done func(*followedView) bool) error {
	for {
		r.mu.Lock()
		ready, changed := done(r.view(view)), r.changed
		r.mu.Unlock()
		if ready {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// opened notes how far a view had come when its query was opened, at a time of the query's clock.
func (r *Results) opened(view catalog.ID, epoch int64, now types.MicroTime) error {
	if r == nil {
		return nil
	}
	marked, err := r.store.Get(state.Offsets, uint32(view), subscribedKey)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	v := r.view(view)
	v.head = max(v.head, epoch)
	if marked == nil {
		return nil
	}
	v.marked, v.until = true, max(v.until, now+subscribedFor)
	return v.restore(r.store, view)
}

// begin says whether an epoch that begins now has to keep its changes; end must follow.
func (r *Results) begin(view catalog.ID, now types.MicroTime) bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	v := r.view(view)
	v.unlogged = !v.wanted(now) && len(v.readers) == 0
	v.kept = v.kept || !v.unlogged
	return !v.unlogged
}

func (r *Results) end(view catalog.ID) {
	if r == nil {
		return
	}
	r.mu.Lock()
	unlogged := r.view(view).unlogged
	r.mu.Unlock()
	if unlogged {
		r.update(view, func(v *followedView) { v.unlogged = false })
	}
}

// committed wakes those who wait for a view's epoch. kept is what it has kept of its changes, the zero ChangesHeader if nothing.
func (r *Results) committed(view catalog.ID, epoch int64, kept exec.ChangesHeader) {
	if r == nil {
		return
	}
	r.update(view, func(v *followedView) {
		v.head = epoch
		v.committed(kept)
	})
}

// trim deletes, in the transaction of an epoch, the changes that nobody needs any more.
func (r *Results) trim(txn state.Txn, view catalog.ID, now types.MicroTime) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	v := r.view(view)
	if v.marked && v.until == 0 {
		txn.Delete(state.Offsets, uint32(view), subscribedKey)
		v.marked = false
	}
	if v.unlogged {
		if v.kept {
			txn.DeleteRange(state.Changes, uint32(view), nil, nil)
			v.kept = false
		}
		return
	}
	least := v.head
	for at := range maps.Values(v.readers) {
		least = min(least, at)
	}
	if least = min(least, v.floor(now, r.bytesMax)); least > 0 {
		exec.TrimChanges(txn, view, least)
	}
}

// released notes that a follower has an epoch for good.
func (r *Results) released(view, query catalog.ID, epoch int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v := r.view(view); epoch > v.readers[query] {
		v.readers[query] = epoch
	}
}

func (r *Results) head(view catalog.ID) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.view(view).head
}

// resultOffset is a position in a view's result: its last epoch that was read, and after a slash the watermark that was handed on with it.
func resultOffset(epoch int64, mark types.MicroTime) connector.Offset {
	if epoch == unread {
		return ""
	}
	return connector.Offset(strconv.FormatInt(epoch, 10) + "/" + strconv.FormatInt(int64(mark), 10))
}

func parseResultOffset(o connector.Offset) (epoch int64, mark types.MicroTime, err error) {
	if o == "" {
		return unread, types.MinTime, nil
	}
	e, m, _ := strings.Cut(string(o), "/")
	epoch, err = strconv.ParseInt(e, 10, 64)
	at, err2 := strconv.ParseInt(m, 10, 64)
	if err != nil || err2 != nil || epoch < 0 {
		return 0, 0, sqlerr.Newf(sqlerr.DataCorrupted, "offset %q of a followed view is damaged", string(o))
	}
	return epoch, types.MicroTime(at), nil
}
