package file

import (
	"math"
	"runtime"
	"time"
)

// Bounds of what is read ahead.
const (
	listEvery   = 200 * time.Millisecond
	maxBuffered = 64 << 20 // bytes of records; the first stretch of every open file is read whatever there is
	maxOpen     = 1024     // files read at once, in the order of their names; more wait until some are done
)

// feed reads stretches of the files that need them most, until the source is closed or cannot go on.
func (s *source) feed() {
	var listed time.Time
	for s.ctx.Err() == nil {
		if time.Since(listed) >= listEvery {
			if err := s.list(); err != nil {
				s.even.Fail(err)
				return
			}
			s.arrange()
			listed = time.Now()
		}
		f := s.neediest()
		if f == nil {
			select {
			case <-s.even.Drained():
			case <-time.After(listEvery):
			case <-s.ctx.Done():
			}
			continue
		}
		if err := s.read(f); err != nil {
			s.even.Fail(err)
			return
		}
	}
}

// arrange gives a split to the files that have something to read, in the order of names, and takes it from those that
// are read to their present end.
func (s *source) arrange() {
	s.mu.Lock()
	defer s.mu.Unlock()
	open := 0
	for _, f := range s.files {
		if f.split == nil {
			continue
		}
		if n, _ := f.split.Queued(); n == 0 && !f.unread() {
			f.handed, _ = f.split.Stand()
			s.even.Remove(f.split)
			f.split = nil
			continue
		}
		open++
	}
	for _, f := range s.files {
		if f.split != nil || !f.unread() {
			continue
		}
		if open == maxOpen {
			return
		}
		open++
		f.split = s.even.Add(f.name, f.id, f.handed, true)
		if s.cfg.event < 0 {
			f.split.SetFront(f.rank()) // without an event time: one file after the other
		}
	}
}

// neediest returns the file to read from next: one of which nothing is here, else the one furthest behind that has
// room. nil when there is none.
func (s *source) neediest() *file {
	var best *file
	behind := int64(math.MaxInt64)
	full := s.even.Buffered() >= s.cfg.spec.Ahead(maxBuffered)
	finished := false
	for _, f := range s.files {
		if f.split == nil {
			continue
		}
		slots, _ := f.split.Queued()
		if !f.unread() {
			finished = finished || slots == 0
			continue
		}
		if f.parquet != nil && f.parquet.busy.Load() {
			continue
		}
		if slots == 0 {
			return f
		}
		if full || slots > 2*runtime.GOMAXPROCS(0) {
			continue
		}
		if _, front := f.split.Stand(); int64(front) < behind {
			best, behind = f, int64(front)
		}
	}
	if best == nil && finished {
		s.arrange() // room for files that wait
	}
	return best
}

// stretch is how much to read of a file at once: less when very many are open, so that their first stretches fit.
func (s *source) stretch() int {
	open := 0
	for _, f := range s.files {
		if f.split != nil {
			open++
		}
	}
	return min(max(int(s.cfg.spec.Ahead(maxBuffered))/max(open, 1), minStretchBytes), stretchBytes)
}

// read reads the next stretch of f and sends it to a decoder.
func (s *source) read(f *file) error {
	j := s.jobs.Get().(*job)
	j.file = f
	var ok bool
	var err error
	s.mu.Lock()
	if f.parquet != nil {
		ok, err = f.parquet.plan(j)
		f.whole = f.whole || f.parquet.done()
	} else {
		ok, err = f.cut(j, s.stretch())
	}
	s.mu.Unlock()
	if err != nil {
		return err
	}
	if !ok {
		s.jobs.Put(j)
		f.waits = true
		f.split.SetMore(f.unread())
		return nil
	}
	j.slot = f.split.Reserve(int64(len(j.data)), f.unread())
	s.workers.Do(j)
	return nil
}
