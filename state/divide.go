package state

import (
	"encoding/binary"

	"github.com/cockroachdb/pebble/v2"
)

// divideFrom is the bytes on disk from which on keys are divided: fewer are read by one in no time.
const divideFrom = 8 << 20

// Divider is a Reader that can say where to cut keys so that several read them at once.
type Divider interface {
	// Divide returns ascending keys that cut [lo, hi) of an object into at most n parts which take about as much room on disk each, fewer or
	// none when there is little. The keys need not be there. hi nil: to the object's end.
	Divide(s Space, object uint32, lo, hi []byte, n int) [][]byte
}

// Divide implements Divider by the sizes of what lies before a key.
func (s *snapshot) Divide(sp Space, object uint32, lo, hi []byte, n int) [][]byte {
	from, to := span(sp, object, lo, hi)
	total, err := s.db.EstimateDiskUsage(from, to)
	if err != nil || total < divideFrom {
		return nil
	}
	first, last := s.ends(from, to)
	if first == nil {
		return nil
	}
	k := newKeyLine(first, last)
	var cuts [][]byte
	at := k.from
	for i := 1; i < n; i++ {
		target := total / uint64(n) * uint64(i)
		at = k.search(at, func(key []byte) bool {
			before, err := s.db.EstimateDiskUsage(from, key)
			return err != nil || before >= target
		})
		if cut := k.key(at)[prefixLen:]; at > k.from && at < k.to && (len(cuts) == 0 || string(cuts[len(cuts)-1]) != string(cut)) {
			cuts = append(cuts, cut)
		}
	}
	return cuts
}

// ends are the first and the last key of [from, to), nil if there is none.
func (s *snapshot) ends(from, to []byte) (first, last []byte) {
	it, err := s.shared.snap.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: to})
	if err != nil {
		return nil, nil
	}
	if it.First() {
		first = append(first, it.Key()...)
	}
	if it.Last() {
		last = append(last, it.Key()...)
	}
	if it.Close() != nil {
		return nil, nil
	}
	return first, last
}

// keyLine is the keys between two as points of a line: their eight bytes behind what the two have in common.
type keyLine struct {
	common   []byte
	from, to uint64
}

func newKeyLine(first, last []byte) keyLine {
	n := 0
	for n < min(len(first), len(last)) && first[n] == last[n] {
		n++
	}
	point := func(key []byte) uint64 {
		var b [8]byte
		copy(b[:], key[n:])
		return binary.BigEndian.Uint64(b[:])
	}
	return keyLine{common: first[:n:n], from: point(first), to: point(last)}
}

func (k keyLine) key(at uint64) []byte { return binary.BigEndian.AppendUint64(k.common, at) }

// search returns the least point not below lo whose key is far enough; the last point if none before it is.
func (k keyLine) search(lo uint64, far func(key []byte) bool) uint64 {
	hi := k.to
	for hi-lo > (k.to-k.from)>>20 && lo < hi { // closer than that is as good
		mid := lo + (hi-lo)/2
		if far(k.key(mid)) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return hi
}
