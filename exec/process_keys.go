package exec

import (
	"container/heap"
	"encoding/binary"

	"wmsql/column"
	"wmsql/function"
	"wmsql/physicalplan"
	"wmsql/state"
	"wmsql/types"
)

// processKeys is the state of a function: the keys that were touched lately are in memory, all are in the store.
//
//	table                                     header
//	table, 'e', key, state, sub               entry: version, expiry, data
//	table, 'e', key, 0xfe, kind, time         a pending timer of the key
//	table, 'e', key, 0xff                     when the key is next swept
//	table, 't', kind, time, key               the same timers and sweeps by time
//
// The parts of a key are found again by its length, which stands before it.
type processKeys struct {
	node   *physicalplan.Process
	env    *Env
	layout *keyLayout
	epoch  *Epoch
	loaded bool
	hot    map[string]*processKey
	memory int64 // bytes of hot, about

	total            processTotal
	updated, removed int64 // entries of this epoch
	changed          bool  // the header is to be written

	queues [3]timerQueue
	next   types.MicroTime // when a processing timer or a sweep is due
}

// processTotal is what is kept, for the header and the statistics.
type processTotal struct{ rows, bytes int64 }

const (
	processVersion = 1
	markTimer      = 0xfe // in place of a state's number
	markSweep      = 0xff
)

func newProcessKeys(n *physicalplan.Process, env *Env, layout *keyLayout) *processKeys {
	return &processKeys{node: n, env: env, layout: layout, hot: map[string]*processKey{}, next: types.Infinity}
}

// begin reads the header at the first epoch, and lets go of keys if they are too many.
func (s *processKeys) begin(e *Epoch) error {
	s.epoch, s.updated, s.removed, s.changed = e, 0, 0, false
	for i := range s.queues {
		s.queues[i] = timerQueue{keys: s, kind: timerKind(i)}
	}
	if s.env.Memory > 0 && s.memory > s.env.Memory {
		clear(s.hot)
		s.memory = 0
	}
	if s.loaded {
		return nil
	}
	s.loaded = true
	v, err := s.env.Reader.Get(state.Operator, e.Query, tableKey(s.node.State))
	if err != nil || v == nil {
		return err
	}
	d := decoder{data: v}
	if d.byte() != processVersion {
		return damaged("function state")
	}
	s.total = processTotal{rows: d.varint(), bytes: d.varint()}
	return d.err
}

// get returns a key, from the store if it is not in memory.
func (s *processKeys) get(key []byte) (*processKey, error) {
	k := s.hot[string(key)]
	if k == nil {
		k = &processKey{keys: s, key: string(key), states: make([][]processEntry, len(s.node.Func.States)), before: map[subKey]processEntry{}}
		if err := s.load(k); err != nil {
			return nil, err
		}
		s.hot[k.key] = k
		s.memory += k.size + int64(len(key)) + processKeyBytes
	}
	if k.epoch != s.epoch.ID {
		k.fires = 0
	}
	k.epoch = s.epoch.ID
	return k, nil
}

// processKeyBytes is the memory of a key beside its entries, about.
const processKeyBytes = 512

// prefix begins the entries of a key.
func (s *processKeys) prefix(key string) []byte {
	out := append(tableKey(s.node.State), 'e')
	return append(binary.BigEndian.AppendUint32(out, uint32(len(key))), key...)
}

// load reads all entries of a key.
func (s *processKeys) load(k *processKey) error {
	lo := s.prefix(k.key)
	var bad error
	err := s.env.Reader.Scan(state.Operator, s.epoch.Query, lo, successor(lo), func(key, value []byte) bool {
		bad = k.decode(key[len(lo):], value)
		return bad == nil
	})
	if err == nil {
		err = bad
	}
	return err
}

// decode takes one stored entry.
func (k *processKey) decode(at, value []byte) error {
	d := decoder{data: value}
	switch {
	case len(at) == 0 || d.byte() != processVersion:
		return damaged("function state")
	case at[0] == markSweep:
		k.sweepAt = d.varint()
	case at[0] == markTimer:
		if len(at) != 10 {
			return damaged("timer")
		}
		k.timers = append(k.timers, function.Timer{Processing: at[1] == byte(timerProcessing), At: int64(timeOf(binary.BigEndian.Uint64(at[2:])))})
	case int(at[0]) >= len(k.states):
		return damaged("function state")
	default:
		e := processEntry{sub: string(at[1:]), expires: d.varint()}
		e.data = append([]byte{}, d.data...)
		k.states[at[0]] = append(k.states[at[0]], e)
		k.size += int64(len(e.data))
	}
	return d.err
}

// write stores an entry as it is now.
func (s *processKeys) write(k *processKey, at subKey, old, e processEntry) {
	if old.data == nil && e.data == nil {
		return
	}
	key := append(append(s.prefix(k.key), byte(at.state)), at.sub...)
	s.changed = true
	s.total.bytes += int64(len(e.data) - len(old.data))
	s.memory += int64(len(e.data) - len(old.data))
	switch {
	case e.data == nil:
		s.epoch.Txn.Delete(state.Operator, s.epoch.Query, key)
		s.total.rows--
		s.removed++
		return
	case old.data == nil:
		s.total.rows++
	}
	s.updated++
	v := binary.AppendVarint([]byte{processVersion}, e.expires)
	s.epoch.Txn.Put(state.Operator, s.epoch.Query, key, append(v, e.data...))
}

// retime stores the difference between two lists of timers.
func (s *processKeys) retime(k *processKey, old, fresh []function.Timer) {
	for len(old) > 0 || len(fresh) > 0 {
		switch {
		case len(old) == 0 || len(fresh) > 0 && compareTimers(fresh[0], old[0]) < 0:
			s.setTimer(k, timerOf(fresh[0]), fresh[0].At)
			fresh = fresh[1:]
		case len(fresh) == 0 || compareTimers(fresh[0], old[0]) > 0:
			s.dropTimer(k, timerOf(old[0]), old[0].At)
			old = old[1:]
		default:
			old, fresh = old[1:], fresh[1:]
		}
	}
}

func timerOf(t function.Timer) timerKind {
	if t.Processing {
		return timerProcessing
	}
	return timerEvent
}

// timerMark is the key of a timer among the entries of its key.
func (s *processKeys) timerMark(k *processKey, kind timerKind, at int64) []byte {
	return binary.BigEndian.AppendUint64(append(s.prefix(k.key), markTimer, byte(kind)), orderedTime(types.MicroTime(at)))
}

func (s *processKeys) setTimer(k *processKey, kind timerKind, at int64) {
	s.epoch.Txn.Put(state.Operator, s.epoch.Query, s.timerMark(k, kind, at), []byte{processVersion})
	s.schedule(k, kind, at)
}

func (s *processKeys) dropTimer(k *processKey, kind timerKind, at int64) {
	s.epoch.Txn.Delete(state.Operator, s.epoch.Query, s.timerMark(k, kind, at))
	s.epoch.Txn.Delete(state.Operator, s.epoch.Query, s.timerKey(kind, at, k.key))
}

// schedule puts a timer or a sweep where it is found by its time.
func (s *processKeys) schedule(k *processKey, kind timerKind, at int64) {
	s.epoch.Txn.Put(state.Operator, s.epoch.Query, s.timerKey(kind, at, k.key), []byte{processVersion})
	heap.Push(&s.queues[kind].fresh, keyTimer{kind: kind, at: at, key: k.key})
}

// resweep moves the next sweep of a key; 0 is none.
func (s *processKeys) resweep(k *processKey, old, at int64) {
	mark := append(s.prefix(k.key), markSweep)
	if old != 0 && old != at {
		s.epoch.Txn.Delete(state.Operator, s.epoch.Query, s.timerKey(timerSweep, old, k.key))
	}
	switch {
	case at == 0 && old != 0:
		s.epoch.Txn.Delete(state.Operator, s.epoch.Query, mark)
	case at != old:
		s.epoch.Txn.Put(state.Operator, s.epoch.Query, mark, binary.AppendVarint([]byte{processVersion}, at))
		s.schedule(k, timerSweep, at)
	}
}

// timerKey is where a timer is found by its time.
func (s *processKeys) timerKey(kind timerKind, at int64, key string) []byte {
	out := append(tableKey(s.node.State), 't', byte(kind))
	return append(binary.BigEndian.AppendUint64(out, orderedTime(types.MicroTime(at))), key...)
}

// decode is a key's values.
func (s *processKeys) decode(key string) ([]column.Vector, error) {
	bs := make([]column.Builder, len(s.layout.types))
	for i, t := range s.layout.types {
		bs[i] = column.NewBuilder(t, 1)
	}
	if err := s.layout.decode(bs, []byte(key)); err != nil {
		return nil, err
	}
	out := make([]column.Vector, len(bs))
	for i, b := range bs {
		out[i] = b.Build()
	}
	return out, nil
}

// finish writes the header, and finds out when something is due by the clock.
func (s *processKeys) finish() error {
	if s.changed {
		v := binary.AppendVarint([]byte{processVersion}, s.total.rows)
		s.epoch.Txn.Put(state.Operator, s.epoch.Query, tableKey(s.node.State), binary.AppendVarint(v, s.total.bytes))
	}
	s.next = types.Infinity
	for _, kind := range []timerKind{timerProcessing, timerSweep} {
		at, err := s.queues[kind].first()
		if err != nil {
			return err
		}
		s.next = min(s.next, at)
		s.queues[kind].close()
	}
	s.queues[timerEvent].close()
	return nil
}

// wake is when an epoch is due though no row comes.
func (s *processKeys) wake() types.MicroTime { return s.next }
