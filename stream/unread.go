package stream

import (
	"errors"

	"wmsql/catalog"
	"wmsql/exec"
	"wmsql/state"
	"wmsql/types"
)

// Unread is what a view keeps for a query that follows it and has not read it yet. Nothing but the disk bounds it while that query does not
// run: without the changes it could never go on.
type Unread struct {
	Epochs int64
	Rows   int64 // -1: more epochs than are counted one by one
	Bytes  int64 // on disk, about
}

// unreadCounted is how many epochs are looked at one by one.
const unreadCounted = 1000

// Unread tells what view keeps for query.
func (r *Results) Unread(view, query catalog.ID) (Unread, error) {
	r.mu.Lock()
	v := r.view(view)
	at, head := v.readers[query], v.head
	r.mu.Unlock()
	if at == unread || head <= at {
		return Unread{}, nil
	}
	u := Unread{Epochs: head - at, Rows: -1}
	if u.Epochs > unreadCounted {
		u.Bytes = r.store.DiskBytes(state.Changes, uint32(view))
		return u, nil
	}
	c, err := exec.ReadChanges(r.store, view, &types.Schema{}, nil, at)
	if err != nil {
		return u, err
	}
	u.Rows = 0
	for {
		h, ok, err := c.Epoch()
		if err != nil || !ok {
			return u, errors.Join(err, c.Close())
		}
		u.Rows += h.Rows
		u.Bytes += h.Bytes
	}
}
