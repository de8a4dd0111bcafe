package stream

import (
	"cmp"
	"time"

	"wmsql/internal/failpoint"
)

// defaultSyncEvery is how often a query with rapid epochs makes them durable. What is not durable is read again after a crash of the machine: the
// rows of internal streams are, and the offsets of others lie in the same batch. A kill of the process loses nothing.
const defaultSyncEvery = 50 * time.Millisecond

// syncing is a sync on its way, of all epochs up to pos. Results can be seen, and epochs go on, while the disk works.
type syncing struct {
	pos  *position
	at   time.Time
	done chan error // has room for one
}

// syncDue reports whether the epoch that commits at t is to be made durable.
func (q *Query) syncDue(t time.Time) bool {
	return q.syncing == nil && t.Sub(q.lastSync) >= q.syncEvery()
}

func (q *Query) syncEvery() time.Duration { return cmp.Or(q.cfg.SyncEvery, defaultSyncEvery) }

// startSync runs wait, which returns when all that is committed is on disk. Step alone stays with it; Run goes on meanwhile.
func (q *Query) startSync(at time.Time, wait func() error) error {
	s := &syncing{pos: q.pos, at: at, done: make(chan error, 1)}
	q.syncing, q.unsynced = s, false
	if !q.looping {
		return q.endSync(wait())
	}
	go func() { s.done <- wait() }()
	return nil
}

// pollSync ends a sync that is done.
func (q *Query) pollSync() error {
	select {
	case err := <-q.syncDone():
		return q.endSync(err)
	default:
		return nil
	}
}

// syncDone has a value when a sync is done; nil when none is on its way.
func (q *Query) syncDone() <-chan error {
	if q.syncing == nil {
		return nil
	}
	return q.syncing.done
}

// endSync tells the sources that what was committed will not be asked for again.
func (q *Query) endSync(err error) error {
	s := q.syncing
	q.syncing = nil
	if err != nil {
		q.unsynced = true
		return err
	}
	q.lastSync = s.at
	if err := q.cfg.Fail.Hit(failpoint.Synced); err != nil {
		return err
	}
	for i, scan := range q.scans {
		if err := scan.src.Release(s.pos.Scans[i].Offset); err != nil {
			return err
		}
	}
	return q.cfg.Fail.Hit(failpoint.Released)
}

// syncNow returns when the committed epochs are durable.
func (q *Query) syncNow() error {
	if q.syncing != nil {
		if err := q.endSync(<-q.syncing.done); err != nil {
			return err
		}
	}
	if !q.unsynced {
		return nil
	}
	looping := q.looping
	q.looping = false
	defer func() { q.looping = looping }()
	return q.startSync(time.Now(), q.cfg.Store.Sync)
}
