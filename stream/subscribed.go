package stream

import (
	"errors"
	"math"

	"wmsql/catalog"
	"wmsql/exec"
	"wmsql/state"
	"wmsql/types"
)

// What a view's epochs changed is kept for subscribers within two bounds, so that one which reads slowly costs disk up to a limit and
// never holds an epoch up.
const (
	subscribedFor   types.MicroTime = 10 * 60 * 1e6 // µs that changes stay for subscribers that lost their connection
	subscribedBytes                 = 256 << 20     // of a view, with the newest epoch in any case
)

// subscribedKey marks a view whose changes are kept for subscribers, so that they find them after a restart too. Its value is a version.
var subscribedKey = []byte("subscribed")

// subscribed is what a view keeps for its subscribers. Results.mu guards it.
type subscribed struct {
	subs   map[*Subscription]struct{}
	asked  bool                 // a subscriber came since the last epoch began
	marked bool                 // the mark is in the store
	until  types.MicroTime      // changes are kept until then, for those that come back; 0: for nobody
	logs   []exec.ChangesHeader // of the epochs kept, oldest first
	bytes  int64                // of them
}

// subscribe adds a subscriber; what the view keeps already is kept for it too.
func (s *subscribed) subscribe(sub *Subscription, r *Results) error {
	if !s.marked {
		if err := r.store.Writable(); err != nil {
			return err // the commit would wait for space
		}
		txn := r.store.Begin()
		txn.Put(state.Offsets, uint32(sub.id), subscribedKey, []byte{1})
		if err := txn.Commit(false); err != nil {
			return err
		}
		s.marked = true
	}
	if !s.asked && s.until == 0 {
		if err := s.restore(r.store, sub.id); err != nil {
			return err
		}
	}
	if s.subs == nil {
		s.subs = map[*Subscription]struct{}{}
	}
	s.subs[sub] = struct{}{}
	s.asked = true
	return nil
}

// wanted reports whether an epoch that begins now has to keep its changes for subscribers.
func (s *subscribed) wanted(now types.MicroTime) bool {
	if s.asked || len(s.subs) > 0 {
		s.until, s.asked = now+subscribedFor, false
	}
	if now >= s.until {
		s.stop()
	}
	return s.until != 0
}

// stop forgets what is kept.
func (s *subscribed) stop() { s.until, s.logs, s.bytes = 0, nil, 0 }

// committed notes what an epoch has kept: nothing if it began before anybody asked. A subscriber that came since may have found it in the
// store.
func (s *subscribed) committed(kept exec.ChangesHeader) {
	wanted := s.asked || s.until != 0
	if !wanted || kept.Epoch == 0 || len(s.logs) > 0 && s.logs[len(s.logs)-1].Epoch >= kept.Epoch {
		return
	}
	s.logs = append(s.logs, kept)
	s.bytes += kept.Bytes
}

// restore takes up what is kept in the store.
func (s *subscribed) restore(r state.Reader, view catalog.ID) error {
	s.logs, s.bytes = nil, 0
	c, err := exec.ReadChanges(r, view, &types.Schema{}, nil, 0)
	if err != nil {
		return err
	}
	for {
		h, ok, err := c.Epoch()
		if err != nil || !ok {
			return errors.Join(err, c.Close())
		}
		s.logs = append(s.logs, h)
		s.bytes += h.Bytes
	}
}

// floor gives up the changes that are too many, and those that are too old and that all have read. It returns the epoch up to which they
// are not needed for subscribers.
func (s *subscribed) floor(now types.MicroTime, bytesMax int64) int64 {
	if s.until == 0 {
		return math.MaxInt64
	}
	slowest := int64(math.MaxInt64)
	for sub := range s.subs {
		slowest = min(slowest, sub.at.Load())
	}
	for len(s.logs) > 1 {
		oldest := s.logs[0]
		if s.bytes <= bytesMax && (oldest.At+subscribedFor > now || oldest.Epoch > slowest) {
			break
		}
		s.logs = s.logs[1:]
		s.bytes -= oldest.Bytes
		for sub := range s.subs {
			if sub.at.Load() < oldest.Epoch {
				delete(s.subs, sub)
				sub.lose(errBehind(sub.name))
			}
		}
	}
	if len(s.logs) == 0 {
		return math.MaxInt64
	}
	return s.logs[0].Epoch - 1
}

// loseAll ends all subscriptions.
func (s *subscribed) loseAll(why func(view string) error) {
	for sub := range s.subs {
		delete(s.subs, sub)
		sub.lose(why(sub.name))
	}
}
