package server

import (
	"encoding/binary"
	"math"
	"sync"

	"wmsql/catalog"
	"wmsql/sqlerr"
	"wmsql/state"
)

// sequences gives out the numbers of sequences. A number is given once, whatever becomes of the transaction that took it. The store is
// told sequenceAhead numbers at a time, so a crash may skip that many, as in Postgres; it never gives one twice, because rows that hold a
// number are behind it in the one write-ahead log.
type sequences struct {
	store *state.Store
	mu    sync.Mutex
	of    map[catalog.ID]*sequenceState
}

const sequenceAhead = 32

// sequenceState is where a sequence stands.
type sequenceState struct {
	last   int64
	called bool // last was given out
	ahead  int  // how many more may be given out before the store is told
}

func newSequences(store *state.Store) *sequences {
	return &sequences{store: store, of: map[catalog.ID]*sequenceState{}}
}

// sequenceKey, of a sequence's object in Meta, holds its last value (8 bytes) and whether it was given out (1).
var sequenceKey = []byte("sequence")

func (q *sequences) state(id catalog.ID) (*sequenceState, error) {
	if st := q.of[id]; st != nil {
		return st, nil
	}
	v, err := q.store.Get(state.Meta, uint32(id), sequenceKey)
	if err != nil {
		return nil, err
	}
	if len(v) != 9 {
		return nil, sqlerr.Newf(sqlerr.DataCorrupted, "the value of sequence %d cannot be read", id)
	}
	st := &sequenceState{last: int64(binary.BigEndian.Uint64(v)), called: v[8] == 1}
	q.of[id] = st
	return st, nil
}

func (q *sequences) put(id catalog.ID, last int64, called bool) error {
	v := binary.BigEndian.AppendUint64(nil, uint64(last))
	flag := byte(0)
	if called {
		flag = 1
	}
	txn := q.store.Begin()
	txn.Put(state.Meta, uint32(id), sequenceKey, append(v, flag))
	return txn.Commit(false)
}

// Set is setval: the next number is last, or the one behind it if last counts as given out.
func (q *sequences) Set(id catalog.ID, last int64, called bool) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.put(id, last, called); err != nil {
		return err
	}
	q.of[id] = &sequenceState{last: last, called: called}
	return nil
}

// Restart lets a sequence begin at a number for the transaction that asks for it: keep is to be called when that is committed, undo when
// it is not. The store learns of it by keep: a crash before goes on behind the numbers of old.
func (q *sequences) Restart(id catalog.ID, at int64) (keep, undo func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	old, st := q.of[id], &sequenceState{last: at, ahead: math.MaxInt}
	q.of[id] = st
	keep = func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.put(id, st.last, st.called) == nil { // if it fails, Next tells the store
			st.ahead = 0
		}
	}
	undo = func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.of[id] = old; old == nil {
			delete(q.of, id)
		}
	}
	return keep, undo
}

// Next is nextval. Error: 2200H at the end of a sequence that does not cycle.
func (q *sequences) Next(s *catalog.Sequence) (int64, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	st, err := q.state(s.ID)
	if err != nil {
		return 0, err
	}
	n, err := afterSequence(s, st)
	if err != nil {
		return 0, err
	}
	if st.ahead == 0 {
		if err := q.put(s.ID, further(s, n), true); err != nil {
			return 0, err
		}
		st.ahead = sequenceAhead
	}
	st.last, st.called, st.ahead = n, true, st.ahead-1
	return n, nil
}

// Last returns the number given out last, ok false if none was.
func (q *sequences) Last(id catalog.ID) (n int64, ok bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	st, err := q.state(id)
	if err != nil {
		return 0, false, err
	}
	return st.last, st.called, nil
}

// Close tells the store where every sequence stands, so that an orderly end skips nothing.
func (q *sequences) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for id, st := range q.of {
		if st.ahead == 0 {
			continue
		}
		if err := q.put(id, st.last, st.called); err != nil {
			return err
		}
	}
	return nil
}

// Drop forgets a sequence.
func (q *sequences) Drop(id catalog.ID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.of, id)
}

// afterSequence is the number behind st.
func afterSequence(s *catalog.Sequence, st *sequenceState) (int64, error) {
	n := st.last
	if !st.called {
		return n, nil
	}
	over := s.Increment > 0 && n > s.Max-s.Increment || s.Increment > 0 && n > math.MaxInt64-s.Increment
	under := s.Increment < 0 && (n < s.Min-s.Increment || n < math.MinInt64-s.Increment)
	switch {
	case !over && !under:
		return n + s.Increment, nil
	case !s.Cycle && over:
		return 0, sqlerr.Newf(sqlerr.SequenceLimit, "nextval: reached maximum value of sequence %q (%d)", s.Name, s.Max)
	case !s.Cycle:
		return 0, sqlerr.Newf(sqlerr.SequenceLimit, "nextval: reached minimum value of sequence %q (%d)", s.Name, s.Min)
	case over:
		return s.Min, nil
	}
	return s.Max, nil
}

// further is the number that the store is told when n is given out: sequenceAhead steps on, or the last one before the end.
func further(s *catalog.Sequence, n int64) int64 {
	st := &sequenceState{last: n, called: true}
	for range sequenceAhead - 1 {
		next, err := afterSequence(s, st)
		if err != nil {
			break
		}
		st.last = next
	}
	return st.last
}
