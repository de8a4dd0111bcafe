package connector

import "math"

// Part is the rows decoded from one stretch of a split, on their way to the engine.
type Part struct {
	Batch
	// Times is the event time in µs of every row, by which the splits are kept even: 0 where it is NULL. Without one,
	// Rank stands for all rows.
	Times []int64
	Rank  int64
	Pos   []int64 // position in the split of every row's record
	End   int64   // position after the stretch
	Bytes int64   // of its records
	Bad   []BadRecord
	Owner Owner // gets the part back once all its rows are recycled

	next int // row that is handed out next
	out  int // batches handed out and not recycled
}

// BadRecord is a rejected record and its position in the split.
type BadRecord struct {
	Pos int64
	Rejected
}

// Owner takes parts back for their memory. Any goroutine may call Free.
type Owner interface{ Free(p *Part) }

// MaxRejectedBytes is how much of a rejected record is kept.
const MaxRejectedBytes = 4096

// ClipRecord returns a copy of the start of a rejected record.
func ClipRecord(rec []byte) []byte {
	return append([]byte(nil), rec[:min(len(rec), MaxRejectedBytes)]...)
}

// position after the rows handed out so far: that of the next row, or the end.
func (p *Part) position() int64 {
	if p.next == p.Rows {
		return p.End
	}
	return p.Pos[p.next]
}

// time returns row i's, MinInt64 when it says nothing: it is past horizon, so that one row from the future holds
// nobody back.
func (p *Part) time(i int, horizon int64) int64 {
	if p.Times == nil {
		return p.Rank
	}
	if t := p.Times[i]; t <= horizon {
		return t
	}
	return math.MinInt64
}

// upTo returns the number of rows from next on, at most limit of them, that are no newer than t.
func (p *Part) upTo(t, horizon int64, limit int) int {
	limit = min(limit, p.Rows-p.next)
	if p.Times == nil {
		if p.Rank > t {
			return 0
		}
		return limit
	}
	for n, x := range p.Times[p.next : p.next+limit] {
		if x > t && x <= horizon {
			return n
		}
	}
	return limit
}

// newest returns the newest time of rows [lo, hi).
func (p *Part) newest(lo, hi int, horizon int64) int64 {
	if p.Times == nil {
		return p.Rank
	}
	m := int64(math.MinInt64)
	for _, t := range p.Times[lo:hi] {
		if t > m && t <= horizon {
			m = t
		}
	}
	return m
}

// hand returns the next n rows as a batch.
func (p *Part) hand(n int) *Batch {
	lo := p.next
	p.next += n
	p.out++
	if n == p.Rows {
		p.Batch.part = p
		return &p.Batch
	}
	b := &Batch{Batch: *p.Batch.Batch.Slice(lo, lo+n), Split: p.Split, Arrival: p.Arrival, part: p}
	if p.Arrivals != nil {
		b.Arrivals = p.Arrivals[lo : lo+n]
	}
	return b
}
