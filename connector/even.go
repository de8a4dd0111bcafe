package connector

import (
	"context"
	"math"
	"sync"
	"time"

	"wmsql/column"
)

// Even hands out the rows of several splits so that none runs ahead of another in event time: the next rows are those
// of the split that is furthest behind, and they end where it would run ahead of the next one by more than the slack.
// A split whose next rows are known to exist but are not here yet is waited for, once the others have run ahead of it
// by the slack. Without this a backlog read partition by partition moves the watermark past most of its rows.
//
// The goroutine of the query calls Begin, Next and Wait; those that fetch and decode call the methods of Split.
type Even struct {
	slack   int64        // µs
	horizon func() int64 // a row newer than this is not measured by
	patient time.Duration

	mu       sync.Mutex
	changed  chan struct{} // closed when something is new for a waiting Next or Wait
	drained  chan struct{} // has a value when something was handed out
	splits   []*Split
	rows     int64 // left of the epoch
	bytes    int64
	ended    bool  // Next has returned nil since Begin
	buffered int64 // bytes of records in the queues
	rejected []Rejected
	err      error
}

// patience is how long Next waits in the middle of a backlog for rows that are being fetched: longer than a fetch, so
// that epochs of a backlog are large, and no longer than a person notices.
const patience = 50 * time.Millisecond

// minSlack is for delays near zero, so that a batch has more than a row.
const minSlack = 50 * time.Millisecond

// NewEven returns an Even for a watermark delay. now gives the horizon: a row stamped a day later is not believed.
func NewEven(delay time.Duration, now func() time.Time) *Even {
	if now == nil {
		now = time.Now
	}
	return &Even{
		slack:   max(delay/8, minSlack).Microseconds(),
		horizon: func() int64 { return now().Add(24 * time.Hour).UnixMicro() },
		patient: patience,
		changed: make(chan struct{}),
		drained: make(chan struct{}, 1),
	}
}

// Add adds a split that stands at position pos; id is its Batch.Split. more says whether it has rows already: then the others
// wait for its first.
func (e *Even) Add(name string, id int, pos int64, more bool) *Split {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := &Split{Name: name, ID: id, even: e, pos: pos, front: math.MinInt64, more: more}
	e.splits = append(e.splits, s)
	return s
}

// Remove forgets a split: it is read to its end.
func (e *Even) Remove(s *Split) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, x := range e.splits {
		if x == s {
			e.splits = append(e.splits[:i], e.splits[i+1:]...)
			break
		}
	}
	e.wake()
}

// Buffered returns the bytes of records that wait in all splits.
func (e *Even) Buffered() int64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.buffered
}

// Drained has a value after rows were handed out: there is room for more.
func (e *Even) Drained() <-chan struct{} { return e.drained }

// Fail makes Next and Wait return err once.
func (e *Even) Fail(err error) { e.with(func() { e.err = err }) }

func (e *Even) with(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	f()
	e.wake()
}

func (e *Even) wake() {
	close(e.changed)
	e.changed = make(chan struct{})
}

// Begin starts an epoch.
func (e *Even) Begin(b Bounds) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rows, e.bytes, e.ended = b.Rows, b.Bytes, false
	if e.rows <= 0 {
		e.rows = math.MaxInt64
	}
	if e.bytes <= 0 {
		e.bytes = math.MaxInt64
	}
	return nil
}

// Next returns the next rows, nil at the epoch's bounds or when there are none now. An epoch that has ended stays so, though rows
// come: some who ask learn of the end before others do.
func (e *Even) Next(ctx context.Context) (*Batch, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended {
		return nil, e.err
	}
	b, err := e.next(ctx)
	e.ended = b == nil && err == nil
	return b, err
}

func (e *Even) next(ctx context.Context) (*Batch, error) {
	var timer <-chan time.Time
	for {
		if e.err != nil {
			return nil, e.err
		}
		if e.rows <= 0 || e.bytes <= 0 {
			return nil, nil
		}
		s, limit, coming := e.pick()
		if s != nil {
			if b := e.take(s, limit); b != nil {
				return b, nil
			}
			continue // the stretch had no rows, only rejected records
		}
		if coming == nothing {
			return nil, nil
		}
		if coming == fetched && timer == nil {
			t := time.NewTimer(e.patient)
			defer t.Stop()
			timer = t.C
		}
		if ok, err := e.sleep(ctx, timer); !ok || err != nil {
			return nil, err
		}
	}
}

// Wait returns when Next will have something, or when ctx ends.
func (e *Even) Wait(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		if e.err != nil {
			return nil // Next says it
		}
		if s, _, _ := e.pick(); s != nil {
			return nil
		}
		if _, err := e.sleep(ctx, nil); err != nil {
			return err
		}
	}
}

// sleep waits, unlocked, for a change. ok is false when the timer came first.
func (e *Even) sleep(ctx context.Context, timer <-chan time.Time) (ok bool, err error) {
	changed := e.changed
	e.mu.Unlock()
	defer e.mu.Lock()
	select {
	case <-changed:
		return true, nil
	case <-timer:
		return false, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// coming says what may be waited for when no rows can be handed out.
type coming uint8

const (
	nothing coming = iota
	fetched        // rows that exist but are not here
	decoded        // rows that are here but not decoded
)

// pick returns the split whose rows are next and the time up to which they may go, or what there is to wait for.
func (e *Even) pick() (best *Split, limit int64, c coming) {
	low, next := int64(math.MaxInt64), int64(math.MaxInt64) // the furthest behind that is ready; of all others
	horizon := e.horizon()
	for _, s := range e.splits {
		front, ready, wait := s.state(horizon)
		switch {
		case ready && (best == nil || front < low):
			if best != nil {
				next = min(next, low)
			}
			best, low = s, front
		case ready:
			next = min(next, front)
		case wait != nothing:
			c = max(c, wait)
			next = min(next, front)
		}
	}
	if best == nil {
		return nil, 0, c
	}
	limit = math.MaxInt64
	if next < math.MaxInt64-e.slack {
		limit = next
		if limit != math.MinInt64 {
			limit += e.slack
		}
	}
	if low > limit {
		return nil, 0, c
	}
	return best, limit, nothing
}

// take hands out rows of s that are no newer than limit, or nil when its first stretch is empty.
func (e *Even) take(s *Split, limit int64) *Batch {
	slot := s.queue[0]
	p := slot.part
	most := int(min(e.rows, column.MaxRows))
	n := p.upTo(limit, e.horizon(), most)
	var b *Batch
	if n > 0 {
		s.front = max(s.front, p.newest(p.next, p.next+n, e.horizon()))
		b = p.hand(n)
		e.rows -= int64(n)
		e.bytes -= p.Bytes * int64(n) / int64(p.Rows)
	}
	s.pos = p.position()
	e.reject(p, s.pos)
	if p.next == p.Rows {
		e.pop(s)
		if p.out == 0 {
			p.Owner.Free(p)
		}
	}
	return b
}

// reject passes on the rejected records before position pos.
func (e *Even) reject(p *Part, pos int64) {
	n := 0
	for n < len(p.Bad) && p.Bad[n].Pos < pos {
		e.rejected = append(e.rejected, p.Bad[n].Rejected)
		n++
	}
	p.Bad = p.Bad[n:]
	e.rows -= int64(n)
}

func (e *Even) pop(s *Split) {
	slot := s.queue[0]
	s.queue[0] = nil
	s.queue = s.queue[1:]
	s.queued -= slot.bytes
	e.buffered -= slot.bytes
	select {
	case e.drained <- struct{}{}:
	default:
	}
}

// Rejected returns and forgets the rejected records passed so far.
func (e *Even) Rejected() []Rejected {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.rejected
	e.rejected = nil
	return r
}

// Recycle takes a batch of Next back.
func (e *Even) Recycle(b *Batch) {
	p := b.part
	if p == nil {
		return
	}
	e.mu.Lock()
	b.part = nil
	p.out--
	done := p.out == 0 && p.next == p.Rows
	e.mu.Unlock()
	if done {
		p.Owner.Free(p)
	}
}
