package connector

import "wmsql/types"

// Split is one partition or file.
type Split struct {
	Name string
	ID   int // Batch.Split

	even   *Even
	queue  []*Slot
	queued int64 // bytes
	pos    int64 // after all that was handed out
	front  int64 // newest time handed out
	more   bool  // rows exist that no slot is reserved for
	free   bool  // nobody waits for it, whatever it has
}

// Slot is the place of a stretch in its split's order, taken before it is decoded.
type Slot struct {
	split *Split
	part  *Part
	bytes int64
}

// SetFront says how far a split is before its first rows come.
func (s *Split) SetFront(t int64) { s.even.with(func() { s.front = t }) }

// SetMore says whether the split has rows that no slot is reserved for.
func (s *Split) SetMore(more bool) { s.even.with(func() { s.more = more }) }

// SetFree says that nobody is to wait for the split: what it should have does not come.
func (s *Split) SetFree(free bool) { s.even.with(func() { s.free = free }) }

// Reserve takes the next place in the split's order for a stretch of so many bytes of records; more says whether the
// split has rows after it.
func (s *Split) Reserve(bytes int64, more bool) *Slot {
	slot := &Slot{split: s, bytes: bytes}
	s.even.with(func() {
		s.queue = append(s.queue, slot)
		s.queued += bytes
		s.even.buffered += bytes
		s.more = more
	})
	return slot
}

// Fill gives a reserved place its rows.
func (t *Slot) Fill(p *Part) { t.split.even.with(func() { t.part = p }) }

// Queued returns the stretches and the bytes that wait to be handed out.
func (s *Split) Queued() (slots int, bytes int64) {
	s.even.mu.Lock()
	defer s.even.mu.Unlock()
	return len(s.queue), s.queued
}

// Stand returns where the split stands: the position after all rows handed out, and the newest time among them.
func (s *Split) Stand() (pos int64, newest types.MicroTime) {
	s.even.mu.Lock()
	defer s.even.mu.Unlock()
	return s.pos, types.MicroTime(s.front)
}

// state returns how far the split is with its next row, whether that row is ready, or what is to be waited for.
func (s *Split) state(horizon int64) (front int64, ready bool, wait coming) {
	if len(s.queue) == 0 {
		if s.more && !s.free {
			return s.front, false, fetched
		}
		return 0, false, nothing
	}
	p := s.queue[0].part
	if p == nil {
		return s.front, false, decoded
	}
	if p.next == p.Rows {
		return s.front, true, nothing // only rejected records
	}
	return max(s.front, p.time(p.next, horizon)), true, nothing
}
