package stream

import (
	"context"

	"wmsql/exec"
)

// Refreshed is what a refresh with late rows did.
type Refreshed struct {
	Rows   int64 // late rows added to their windows
	Groups int64 // groups of the result that changed
	TooOld int64 // late rows whose windows are not kept any more
}

// refresh is a request to add the kept late rows to the windows that they belong to.
type refresh struct {
	got  Refreshed
	done chan error // has room for one
}

// Refresh adds the late rows that were kept to the result, in one epoch, and returns when that is on disk. The rows that were in
// the sources before come first.
func (q *Query) Refresh(ctx context.Context) (Refreshed, error) {
	if err := q.Flush(ctx); err != nil {
		return Refreshed{}, err
	}
	r := &refresh{done: make(chan error, 1)}
	q.update(func() { q.refreshes = append(q.refreshes, r) })
	q.wake()
	select {
	case err := <-r.done:
		if err != nil {
			return Refreshed{}, err
		}
		return r.got, q.cfg.Store.Sync()
	case <-ctx.Done():
		return Refreshed{}, ctx.Err()
	}
}

// refreshed answers the refreshes that the epoch did. mu is held.
func (e *epoch) refreshed(ops []exec.OperatorStats) {
	var got Refreshed
	for i := range ops {
		got.Rows += ops[i].RowsCorrected
		got.TooOld += ops[i].RowsTooOld
		got.Groups += ops[i].Corrected
	}
	for _, r := range e.q.refreshes[:e.refreshes] {
		r.got = got
		r.done <- nil
	}
	e.q.refreshes = e.q.refreshes[e.refreshes:]
}
