package exec

import (
	"encoding/binary"
	"math"
	"math/bits"

	"wmsql/state"
	"wmsql/types"
)

// Lateness is how far behind the newest event time rows came, µs: a histogram. Up to 64 ms a bucket is about a millisecond wide, further out a
// thirty-second of where it begins (the layout of an HDR histogram), so that a quantile is at most about 3 % too long.
type Lateness struct {
	rows    [latenessBuckets]int64
	last    int // no bucket beyond has rows
	longest uint64
}

const (
	latenessUnit    = 10                                 // bits of a µs that do not count
	latenessSub     = 5                                  // bits that tell buckets of one power of two apart
	latenessBuckets = (64 - latenessUnit) << latenessSub // more than latenessBucket gives
)

func latenessBucket(us uint64) int {
	u := us >> latenessUnit
	shift := max(bits.Len64(u)-latenessSub-1, 0)
	return shift<<latenessSub + int(u>>shift)
}

// latenessEnd is the longest lateness that lies in bucket i.
func latenessEnd(i int) uint64 {
	shift := max(i>>latenessSub-1, 0)
	u := uint64(i - shift<<latenessSub)
	return (u+1)<<(shift+latenessUnit) - 1
}

// measure counts rows with the event times v, in the order they came, after one at newest; it returns the newest after them.
func (l *Lateness) measure(v []int64, newest int64) int64 {
	inOrder := int64(0)
	for _, t := range v {
		if t >= newest {
			newest = t
			inOrder++
			continue
		}
		late := uint64(newest) - uint64(t)
		b := latenessBucket(late)
		l.rows[b]++
		l.last, l.longest = max(l.last, b), max(l.longest, late)
	}
	l.rows[0] += inOrder
	return newest
}

// add takes in what another has counted.
func (l *Lateness) add(o *Lateness) {
	for i, n := range o.rows[:o.last+1] {
		l.rows[i] += n
	}
	l.last, l.longest = max(l.last, o.last), max(l.longest, o.longest)
}

func (l *Lateness) reset() {
	clear(l.rows[:l.last+1])
	l.last, l.longest = 0, 0
}

// Rows is how many rows were measured.
func (l *Lateness) Rows() int64 {
	n := int64(0)
	for _, c := range l.rows[:l.last+1] {
		n += c
	}
	return n
}

// Longest is the largest lateness that was seen, µs.
func (l *Lateness) Longest() int64 { return int64(min(l.longest, math.MaxInt64)) }

// Quantile is a lateness, µs, that the share q of the rows did not exceed.
func (l *Lateness) Quantile(q float64) int64 {
	need, n := int64(math.Ceil(q*float64(l.Rows()))), int64(0)
	for i, c := range l.rows[:l.last+1] {
		if n += c; n >= need && n > 0 {
			if i == 0 {
				return 0 // most of these are not late at all
			}
			return int64(min(latenessEnd(i), l.longest, math.MaxInt64))
		}
	}
	return 0
}

// Beyond is how many rows came later than a delay, µs. Those within one bucket of it count as in time.
func (l *Lateness) Beyond(delay int64) int64 {
	n := int64(0)
	for i := latenessBucket(uint64(max(delay, 0))) + 1; i <= l.last; i++ {
		n += l.rows[i]
	}
	return n
}

// appendTo writes the buckets that have rows.
func (l *Lateness) appendTo(v []byte) []byte {
	v = binary.AppendUvarint(v, l.longest)
	before := -1
	for i, n := range l.rows[:l.last+1] {
		if n > 0 {
			v = binary.AppendUvarint(binary.AppendUvarint(v, uint64(i-before)), uint64(n))
			before = i
		}
	}
	return v
}

func (l *Lateness) decode(d *decoder) {
	l.longest = d.uvarint()
	at := -1
	for len(d.data) > 0 && d.err == nil {
		at += int(d.uvarint())
		n := int64(d.uvarint())
		if at < 0 || at >= latenessBuckets {
			d.err = damaged("watermark")
			return
		}
		l.rows[at], l.last = n, at
	}
}

// ReadLateness reads what the EventTimeWatermark of a query with the given state table has measured up to its last epoch.
func ReadLateness(r state.Reader, query, table uint32) (*Lateness, error) {
	m := &mark{}
	err := m.read(r, query, table)
	return &m.late, err
}

// newestBefore is the event time that rows of a split are measured by as an epoch begins.
func (w *watermark) newestBefore(split int) int64 {
	if !w.mark.node.BySplit {
		return int64(max(w.begun.newest, w.seen.max))
	}
	out := types.MinTime
	if split < len(w.begun.splits) {
		out = w.begun.splits[split]
	}
	if split < len(w.seen.splits) {
		out = max(out, w.seen.splits[split])
	}
	return int64(out)
}

// begun is the newest event times of earlier epochs.
type begun struct {
	newest types.MicroTime
	splits []types.MicroTime
}

// newestSeen copies where the mark stands as an epoch begins.
func (m *mark) newestSeen(to *begun) {
	m.mu.Lock()
	defer m.mu.Unlock()
	to.newest, to.splits = m.stats.MaxSeen, to.splits[:0]
	for _, s := range m.splits {
		to.splits = append(to.splits, s.newest)
	}
}
