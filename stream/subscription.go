package stream

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/exec"
	"wmsql/sqlerr"
	"wmsql/types"
)

// Subscription hands out a view's result as of one epoch, if asked for, and then what each later epoch changes in it: SUBSCRIBE. It
// hands out what is on disk, so that an epoch number, once told, is never given to other changes after a crash.
//
// One goroutine calls Next and Close. A subscription that the view does not wait for any longer is lost: its next Next says so.
type Subscription struct {
	results *Results
	view    *followedView
	id      catalog.ID
	name    string
	schema  *types.Schema
	read    []int

	at      atomic.Int64 // the last epoch read to its end, or that of the present result
	durable int64        // the newest epoch known to be on disk
	passed  bool         // epochs without changes were passed and not told

	done chan struct{} // closed when lost

	mu      sync.Mutex
	present *presentResult
	changes *exec.ChangesReader
	inside  int64 // the epoch whose changes are being read, 0: none
	lost    error
}

// Event is a part of what a subscription reads: rows of an epoch, all added if they have no ops, or with Rows nil that the epoch and all
// before it have been read to their end.
type Event struct {
	Epoch int64
	Rows  *column.Batch
}

// SubscribeFrom says where a subscription begins: behind epoch AsOf, or with AsOf negative now, with or without the rows that are there.
type SubscribeFrom struct {
	AsOf     int64
	Snapshot bool
}

// Subscribe begins to follow a view's result, of which schema are the columns.
func (r *Results) Subscribe(ctx context.Context, view catalog.ID, name string, schema *types.Schema, from SubscribeFrom) (*Subscription, error) {
	s := &Subscription{results: r, id: view, name: name, schema: schema, done: make(chan struct{})}
	for i := range schema.Fields {
		s.read = append(s.read, i)
	}
	s.at.Store(math.MaxInt64)
	r.mu.Lock()
	s.view = r.view(view)
	err := s.view.subscribe(s, r)
	r.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if err := s.begin(ctx, from); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Subscription) begin(ctx context.Context, from SubscribeFrom) error {
	if err := s.results.await(ctx, s.id, func(v *followedView) bool { return !v.unlogged }); err != nil {
		return err
	}
	p, err := s.results.present(s.id, s.read)
	if err != nil {
		return err
	}
	head := p.epoch
	s.durable = head
	if from.AsOf < 0 {
		s.at.Store(head)
	} else {
		s.at.Store(from.AsOf)
		err = s.checkStart(from.AsOf, head)
	}
	if from.Snapshot && err == nil {
		s.mu.Lock()
		s.present = p
		s.mu.Unlock()
	} else {
		s.passed = true // a reader learns where it begins
		err = errors.Join(err, p.close())
	}
	if err != nil {
		return err
	}
	return s.results.store.Sync()
}

// checkStart refuses to go on behind an epoch that the view has not had, or whose successors' changes are not kept any more.
func (s *Subscription) checkStart(asOf, head int64) error {
	if asOf > head {
		return sqlerr.Newf(sqlerr.InvalidParameterValue, "AS OF %d is in the future of \"%s\": its newest micro-batch is %d", asOf, s.name, head)
	}
	if asOf == head {
		return nil
	}
	h, err := exec.ReadChangesHeader(s.results.store, s.id, asOf+1)
	if err != nil || h.Epoch == asOf+1 {
		return err
	}
	return sqlerr.Newf(sqlerr.ObjectNotReady, "the changes of \"%s\" after micro-batch %d are not kept any more", s.name, asOf).
		WithDetail("They are kept for 10 minutes after the last subscriber has gone, and up to 256 MB of them. Its newest micro-batch is %d.", head).
		WithHint("Begin anew: SUBSCRIBE %s WITH (SNAPSHOT)", s.name)
}

// Next returns what comes next, and waits for it until ctx ends.
func (s *Subscription) Next(ctx context.Context) (Event, error) {
	for {
		e, ok, err := s.take()
		if ok || err != nil {
			return e, err
		}
		if err := s.wait(ctx); err != nil {
			return e, err
		}
	}
}

// take reads what is there; ok is false when that is nothing.
func (s *Subscription) take() (e Event, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.lost != nil:
		return e, false, s.lost
	case s.present != nil:
		return s.standing()
	case s.changes == nil && s.durable > s.at.Load():
		if s.changes, err = exec.ReadChanges(s.results.store, s.id, s.schema, s.read, s.at.Load()); err != nil {
			return e, false, err
		}
	}
	for s.changes != nil {
		if s.inside != 0 {
			return s.change()
		}
		if err := s.nextEpoch(); err != nil {
			return e, false, err
		}
	}
	if s.passed {
		s.passed = false
		return Event{Epoch: s.at.Load()}, true, nil
	}
	return e, false, nil
}

// standing reads the rows that were there at the beginning.
func (s *Subscription) standing() (Event, bool, error) {
	e := Event{Epoch: s.present.epoch}
	b, err := s.present.rows.Next()
	if b != nil || err != nil {
		e.Rows = b
		return e, err == nil, err
	}
	err = s.present.close()
	s.present = nil
	return e, err == nil, err
}

// change reads the changes of an epoch.
func (s *Subscription) change() (Event, bool, error) {
	e := Event{Epoch: s.inside}
	b, err := s.changes.Next()
	if b != nil || err != nil {
		e.Rows = b
		return e, err == nil, err
	}
	s.at.Store(s.inside)
	s.inside, s.passed = 0, false
	return e, true, nil
}

// nextEpoch goes to the next epoch that is on disk; behind the last one it closes the reader.
func (s *Subscription) nextEpoch() error {
	at := s.at.Load()
	if at < s.durable {
		h, ok, err := s.changes.Epoch()
		switch {
		case err != nil:
			return err
		case !ok, h.Epoch != at+1:
			return errBehind(s.name)
		case h.Rows > 0:
			s.inside = h.Epoch
			return nil
		}
		s.at.Store(h.Epoch)
		s.passed = true
		return nil
	}
	err := s.changes.Close()
	s.changes = nil
	return err
}

// wait returns when the view has come further, durably.
func (s *Subscription) wait(ctx context.Context) error {
	for {
		s.results.mu.Lock()
		head, changed := s.view.head, s.results.changed
		s.results.mu.Unlock()
		if head > s.durable {
			if err := s.results.store.Sync(); err != nil {
				return err
			}
			s.durable = head
			return nil
		}
		select {
		case <-changed:
		case <-s.done:
			return nil // take tells why
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// lose ends the subscription for a reason that its next Next returns, and frees what it holds of the store at once, for nobody may call Next
// for long. It may be called from any goroutine.
func (s *Subscription) lose(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost != nil {
		return
	}
	s.lost = errors.Join(why, s.free())
	close(s.done)
}

// free closes the readers. mu is held.
func (s *Subscription) free() error {
	var errs []error
	if s.present != nil {
		errs = append(errs, s.present.close())
	}
	if s.changes != nil {
		errs = append(errs, s.changes.Close())
	}
	s.present, s.changes = nil, nil
	return errors.Join(errs...)
}

// Close ends the subscription. The view keeps its changes for a while, for one that goes on from here.
func (s *Subscription) Close() error {
	s.results.mu.Lock()
	delete(s.view.subs, s)
	s.results.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.free()
}

func errBehind(view string) error {
	return sqlerr.Newf(sqlerr.ConfigurationLimit, "the subscription to \"%s\" has fallen behind", view).
		WithDetail("More than 256 MB of changes came that it had not read.").
		WithHint("Begin anew: SUBSCRIBE %s WITH (SNAPSHOT)", view)
}

func errDropped(view string) error {
	return sqlerr.Newf(sqlerr.ObjectNotReady, "\"%s\" was dropped or replaced while it was subscribed to", view)
}
