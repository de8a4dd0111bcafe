package exec

import (
	"container/heap"
	"encoding/binary"

	"wmsql/state"
	"wmsql/types"
)

// timerKind says what a timer goes by. The numbers are on disk.
type timerKind uint8

const (
	timerEvent      timerKind = iota // the watermark
	timerProcessing                  // the clock
	timerSweep                       // the clock, too: entries whose TTL has run out are freed
)

// keyTimer is a timer of a key.
type keyTimer struct {
	kind timerKind
	at   int64 // µs
	key  string
}

// timerHeap is timers by time, then by key.
type timerHeap []keyTimer

func (h timerHeap) Len() int           { return len(h) }
func (h timerHeap) Less(i, j int) bool { return h[i].before(&h[j]) }
func (h timerHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push is container/heap's.
func (h *timerHeap) Push(x any) { *h = append(*h, x.(keyTimer)) }

// Pop is container/heap's.
func (h *timerHeap) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	*h = (*h)[:last]
	return t
}

func (t *keyTimer) before(u *keyTimer) bool { return t.at < u.at || t.at == u.at && t.key < u.key }

// timerQueue hands out the timers of a kind by time: those that the store had when the epoch began, and those set since. A timer that
// was cancelled may be among them, and one that was cancelled and set again twice: the key knows which it has.
type timerQueue struct {
	keys  *processKeys
	kind  timerKind
	fresh timerHeap

	it     state.Iterator // over the stored ones; nil before the first look and at the end
	opened bool
	head   keyTimer
	some   bool // head is set
}

// advance reads the next stored timer.
func (q *timerQueue) advance() error {
	s := q.keys
	if !q.opened {
		q.opened = true
		lo := append(tableKey(s.node.State), 't', byte(q.kind))
		var err error
		if q.it, err = s.env.Reader.Iter(state.Operator, s.epoch.Query, lo, successor(lo), false); err != nil {
			return err
		}
	}
	q.some = false
	if q.it == nil {
		return nil
	}
	if !q.it.Next() {
		err := q.it.Close()
		q.it = nil
		return err
	}
	k := q.it.Key()
	if len(k) < 14 {
		return damaged("timer")
	}
	q.head = keyTimer{kind: q.kind, at: int64(timeOf(binary.BigEndian.Uint64(k[6:]))), key: string(k[14:])}
	q.some = true
	return nil
}

// peek returns the first timer, and whether it is a stored one.
func (q *timerQueue) peek() (t *keyTimer, stored bool, err error) {
	if !q.opened {
		if err := q.advance(); err != nil {
			return nil, false, err
		}
	}
	switch {
	case q.some && (len(q.fresh) == 0 || !q.fresh[0].before(&q.head)):
		return &q.head, true, nil
	case len(q.fresh) > 0:
		return &q.fresh[0], false, nil
	}
	return nil, false, nil
}

// pop returns the first timer at or before a time.
func (q *timerQueue) pop(upTo types.MicroTime) (keyTimer, bool, error) {
	t, stored, err := q.peek()
	if err != nil || t == nil || t.at > int64(upTo) {
		return keyTimer{}, false, err
	}
	if stored {
		out := q.head
		return out, true, q.advance()
	}
	return heap.Pop(&q.fresh).(keyTimer), true, nil
}

// first is when the first timer is due that is still to come.
func (q *timerQueue) first() (types.MicroTime, error) {
	t, _, err := q.peek()
	if err != nil || t == nil {
		return types.Infinity, err
	}
	return types.MicroTime(t.at), nil
}

func (q *timerQueue) close() {
	if q.it != nil {
		_ = q.it.Close() // it is not read any more
		q.it = nil
	}
}

// due returns the next timer whose time has come: those by the watermark, then those by the clock, then sweeps.
func (s *processKeys) due(watermark types.MicroTime) (keyTimer, bool, error) {
	for i := range s.queues {
		upTo := s.epoch.Now
		if timerKind(i) == timerEvent {
			upTo = watermark
		}
		t, ok, err := s.queues[i].pop(upTo)
		if err != nil || ok {
			return t, ok, err
		}
	}
	return keyTimer{}, false, nil
}
