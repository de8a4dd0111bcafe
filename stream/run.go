package stream

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"wmsql/sqlerr"
)

// The times below are the machine's, not the query's: a test that moves the clock does not move them.
const (
	// epochGap is the least time between the starts of two epochs of a trickle: rows gather meanwhile, which costs a
	// third of the latency and saves most of the CPU of an epoch for each poll.
	epochGap = 10 * time.Millisecond
	// A source that failed is tried again after firstRetry, then after twice as long, up to lastRetry.
	firstRetry = 200 * time.Millisecond
	lastRetry  = 10 * time.Second
)

// Run calls Step whenever a source has rows or an Advance is asked for, until ctx ends or a Step fails. A failure that
// may pass, such as a lost connection or a full disk, is tried again. Run may be called again after it returned.
func (q *Query) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan struct{})
	defer close(ended)
	q.update(func() {
		q.cancel, q.running = cancel, ended
		if q.closed {
			cancel()
		}
		q.recovered()
	})
	err := q.loop(ctx)
	if ctx.Err() == nil {
		q.update(func() { q.failAdvances(q.standing()) })
		q.cfg.Notify("query failed", "view", q.cfg.View.Name, "error", err)
	}
	return errors.Join(err, q.syncAtEnd())
}

func (q *Query) syncAtEnd() error {
	if q.cfg.Store.Writable() != nil {
		return nil // told already
	}
	return q.syncNow()
}

func (q *Query) loop(ctx context.Context) error {
	q.looping = true
	defer func() { q.looping = false }()
	retry := firstRetry
	for ctx.Err() == nil {
		if err := q.whilePaused(ctx); err != nil {
			return err
		}
		start := time.Now()
		p, err := q.Step(ctx)
		if err == nil {
			retry = firstRetry
			err = q.rest(ctx, p, start)
		}
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return ctx.Err()
		case !transient(err):
			q.fail(err)
			return errors.Join(err, q.release())
		default:
			q.broken = true
			q.fail(err)
			q.cfg.Notify("query waits", "view", q.cfg.View.Name, "error", err, "retry", retry)
			q.sleep(ctx, retry)
			retry = min(2*retry, lastRetry)
		}
	}
	return ctx.Err()
}

// rest waits until the next epoch is due.
func (q *Query) rest(ctx context.Context, p Progress, start time.Time) error {
	if p.Epoch == 0 {
		return q.waitForWork(ctx)
	}
	if !q.more {
		q.sleep(ctx, epochGap-time.Since(start))
	}
	return nil
}

// sleep waits for d or until somebody wants something.
func (q *Query) sleep(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-q.nudge:
	case <-ctx.Done():
	}
}

// whilePaused returns when the query is not paused.
func (q *Query) whilePaused(ctx context.Context) error {
	for {
		q.mu.Lock()
		paused, changed := q.paused, q.changed
		q.mu.Unlock()
		if !paused {
			return nil
		}
		if err := q.syncNow(); err != nil {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// waitForWork returns when a source has rows, when somebody wants something, when an epoch is due by the clock, or after what was
// committed was made durable.
func (q *Query) waitForWork(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	found := make(chan error, len(q.scans))
	for _, s := range q.scans {
		wg.Go(func() { found <- s.src.Wait(ctx) })
	}
	var due, wake <-chan time.Time
	if w := q.pos.Wake; w != 0 {
		wake = q.cfg.Clock.After(w.Time().Sub(q.cfg.Clock.Now()))
	}
	for {
		if due == nil && q.unsynced {
			due = time.After(q.syncEvery())
		}
		select {
		case err := <-found:
			return err
		case <-q.nudge:
			return nil
		case <-wake:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case err := <-q.syncDone():
			if err := q.endSync(err); err != nil {
				return err
			}
		case <-due:
			due = nil
			if q.syncing == nil {
				if err := q.startSync(time.Now(), q.cfg.Store.Sync); err != nil {
					return err
				}
			}
		}
	}
}

// transient reports whether an error may pass by itself: a connection, a full disk, a server that is starting.
func transient(err error) bool {
	var e *sqlerr.Error
	if errors.As(err, &e) {
		class := string(e.Code)
		return strings.HasPrefix(class, "08") || e.Code == sqlerr.DiskFull || e.Code == sqlerr.CannotConnectNow
	}
	var n net.Error
	return errors.As(err, &n) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
