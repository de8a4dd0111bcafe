package server

import (
	"context"
	"sync"

	"wmsql/sqlerr"
)

// advisoryKey is what an advisory lock is about: a bigint, as its two halves, or two integers, which are other keys.
type advisoryKey struct {
	class, object uint32
	pair          bool
}

// advisoryHold counts how often a session has taken a lock. What is taken for the transaction ends with it.
type advisoryHold struct{ exclusive, shared, txExclusive, txShared int }

func (h *advisoryHold) empty() bool { return *h == advisoryHold{} }

// isExclusive reports that nobody else may have the lock.
func (h *advisoryHold) isExclusive() bool { return h.exclusive+h.txExclusive > 0 }

// count is the counter of one way of holding.
func (h *advisoryHold) count(shared, tx bool) *int {
	switch {
	case shared && tx:
		return &h.txShared
	case shared:
		return &h.shared
	case tx:
		return &h.txExclusive
	}
	return &h.exclusive
}

// advisoryLocks are the locks that applications agree upon among themselves, as migration tools do to run once. The server attaches no
// meaning to them.
type advisoryLocks struct {
	mu      sync.Mutex
	holds   map[advisoryKey]map[*Session]*advisoryHold
	waiting map[*Session]advisoryKey
	freed   chan struct{} // closed, and made anew, when a hold ends
}

func newAdvisoryLocks() *advisoryLocks {
	return &advisoryLocks{holds: map[advisoryKey]map[*Session]*advisoryHold{}, waiting: map[*Session]advisoryKey{}, freed: make(chan struct{})}
}

// try takes the lock if no other session is in the way.
func (l *advisoryLocks) try(s *Session, k advisoryKey, shared, tx bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.take(s, k, shared, tx)
}

func (l *advisoryLocks) take(s *Session, k advisoryKey, shared, tx bool) bool {
	for other, h := range l.holds[k] {
		if other != s && (!shared || h.isExclusive()) {
			return false
		}
	}
	if l.holds[k] == nil {
		l.holds[k] = map[*Session]*advisoryHold{}
	}
	if l.holds[k][s] == nil {
		l.holds[k][s] = &advisoryHold{}
	}
	*l.holds[k][s].count(shared, tx)++
	return true
}

// wait takes the lock as soon as it is free. Sessions that would wait for each other for ever get 40P01 at once.
func (l *advisoryLocks) wait(ctx context.Context, s *Session, k advisoryKey, shared, tx bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer delete(l.waiting, s)
	for !l.take(s, k, shared, tx) {
		l.waiting[s] = k
		if l.waitsFor(k, s, map[*Session]bool{}) {
			return sqlerr.Newf(sqlerr.DeadlockDetected, "deadlock detected")
		}
		freed := l.freed
		l.mu.Unlock()
		var err error
		select {
		case <-freed:
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
		l.mu.Lock()
		if err != nil {
			return err
		}
	}
	return nil
}

// waitsFor reports that who holds k, or what they wait for, waits for s.
func (l *advisoryLocks) waitsFor(k advisoryKey, s *Session, seen map[*Session]bool) bool {
	for holder := range l.holds[k] {
		next, waits := l.waiting[holder]
		if holder == s || seen[holder] || !waits {
			continue
		}
		seen[holder] = true
		if _, held := l.holds[next][s]; held || l.waitsFor(next, s, seen) {
			return true
		}
	}
	return false
}

// release gives one hold back; false if the session has none of the kind.
func (l *advisoryLocks) release(s *Session, k advisoryKey, shared bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.holds[k][s]
	if h == nil || *h.count(shared, false) == 0 {
		return false
	}
	*h.count(shared, false)--
	l.tidy(s, k)
	return true
}

// end gives back what s holds: of its transaction, or of the session.
func (l *advisoryLocks) end(s *Session, tx bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for k, by := range l.holds {
		if h := by[s]; h != nil {
			*h.count(false, tx), *h.count(true, tx) = 0, 0
			l.tidy(s, k)
		}
	}
}

// tidy forgets a hold that is none any more, and lets those who wait look again.
func (l *advisoryLocks) tidy(s *Session, k advisoryKey) {
	if l.holds[k][s].empty() {
		delete(l.holds[k], s)
	}
	if len(l.holds[k]) == 0 {
		delete(l.holds, k)
	}
	close(l.freed)
	l.freed = make(chan struct{})
}
