package clock

import (
	"sync"
	"time"
)

// Fake is a clock that stands still until Move.
type Fake struct {
	mu     sync.Mutex
	now    time.Time
	alarms []alarm
}

type alarm struct {
	at time.Time
	ch chan time.Time
}

// NewFake returns a clock that shows start.
func NewFake(start time.Time) *Fake { return &Fake{now: start} }

// Now returns the clock's time.
func (f *Fake) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// After returns a channel that gets the time once Move has passed d.
func (f *Fake) After(d time.Duration) <-chan time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	ch := make(chan time.Time, 1)
	if d <= 0 {
		ch <- f.now
		return ch
	}
	f.alarms = append(f.alarms, alarm{f.now.Add(d), ch})
	return ch
}

// Move moves the clock by d and rings what is due.
func (f *Fake) Move(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
	waiting := f.alarms[:0]
	for _, a := range f.alarms {
		if a.at.After(f.now) {
			waiting = append(waiting, a)
			continue
		}
		a.ch <- f.now
	}
	f.alarms = waiting
}
