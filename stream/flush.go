package stream

import (
	"context"

	"wmsql/catalog"
	"wmsql/connector"
	"wmsql/sqlerr"
	"wmsql/types"
)

// advance is a request to raise the watermark of a stream.
type advance struct {
	stream catalog.ID
	to     types.MicroTime
	done   chan error // has room for one
}

// Flush waits until all that was in the sources when it was called has been committed.
func (q *Query) Flush(ctx context.Context) error {
	q.update(func() { q.flushing++ })
	defer q.update(func() { q.flushing-- })
	sources, err := q.openSources(ctx)
	if err != nil {
		return err
	}
	ends := make([]connector.Offset, len(sources))
	for i, s := range sources {
		if ends[i], err = s.End(ctx); err != nil {
			return err
		}
	}
	return q.await(ctx, func() bool {
		if q.pos.Epoch == 0 || q.pos.Held {
			return false
		}
		for i, s := range sources {
			if !s.Reached(q.pos.Scans[i].Offset, ends[i]) {
				return false
			}
		}
		return true
	})
}

// openSources returns the sources once they are open.
func (q *Query) openSources(ctx context.Context) (out []connector.Source, err error) {
	err = q.await(ctx, func() bool {
		out = q.sources
		return len(out) == len(q.cfg.Plan.Scans)
	})
	return out, err
}

// await returns when done, called with mu held, says so, and an error when that cannot come.
func (q *Query) await(ctx context.Context, done func() bool) error {
	q.wake()
	for {
		q.mu.Lock()
		ready, changed, err := done(), q.changed, q.standing()
		q.mu.Unlock()
		if ready {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// standing says why the query makes no progress, nil if it does. mu is held.
func (q *Query) standing() error {
	name := q.cfg.View.Name
	switch {
	case q.closed:
		return errClosed(name)
	case q.state == Failed:
		return Failure(name, q.err)
	case q.paused:
		return sqlerr.Newf(sqlerr.ObjectNotReady, "materialized view \"%s\" is paused", name).
			WithHint("ALTER MATERIALIZED VIEW %s RESUME lets it go on.", name)
	}
	return nil
}

// Failure is the error that a query has failed with, for those who do not know which query it is.
func Failure(view string, err error) error {
	e := *sqlerr.From(err)
	e.Msg = "materialized view \"" + view + "\" has failed: " + e.Msg
	e.Cause = err
	return &e
}

// Advance raises the watermark of a stream and waits for the epoch that does. The rows that were in the sources before come first.
func (q *Query) Advance(ctx context.Context, stream catalog.ID, to types.MicroTime) error {
	if !q.reads(stream) {
		return nil
	}
	if err := q.Flush(ctx); err != nil {
		return err
	}
	select {
	case err := <-q.Raise(stream, to):
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Raise makes the next epoch raise the watermark of a stream; the channel tells when it has. It is Advance for those who call
// Step themselves.
func (q *Query) Raise(stream catalog.ID, to types.MicroTime) <-chan error {
	a := &advance{stream: stream, to: to, done: make(chan error, 1)}
	q.update(func() { q.advances = append(q.advances, a) })
	q.wake()
	return a.done
}

// failAdvances answers those who wait for a watermark or a refresh. mu is held.
func (q *Query) failAdvances(err error) {
	for _, a := range q.advances {
		a.done <- err
	}
	for _, r := range q.refreshes {
		r.done <- err
	}
	q.advances, q.refreshes = nil, nil
}
