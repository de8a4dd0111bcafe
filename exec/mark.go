package exec

import (
	"encoding/binary"
	"sync"

	"wmsql/physicalplan"
	"wmsql/state"
	"wmsql/types"
)

// mark is where one EventTimeWatermark stands: shared by the workers whose rows it sees.
type mark struct {
	node  *physicalplan.Watermark
	delay int64 // µs

	mu      sync.Mutex
	epoch   int64 // that begin was last called for
	loaded  bool
	bounds  Bounds
	splits  []splitMark
	raise   types.MicroTime // what wm_advance_watermark asks for at the next epoch; MinTime: nothing
	workers int
	carried types.MicroTime // newest that came in the epoch, of a view below
	open    int             // workers that have not seen the epoch's end
	stats   WatermarkStats
	late    Lateness
	since   types.MicroTime // processing time of the first epoch
	idle    bool            // no row came for longer than the idle_timeout
}

// splitMark is one split's newest event time and when (processing time) it last had a row.
type splitMark struct{ newest, active types.MicroTime }

// seen is what one worker saw in an epoch.
type seen struct {
	min, max      types.MicroTime
	sum           float64
	rows          int64
	nulls, skewed int64
	carried       types.MicroTime   // of a view below: the watermark that came with its rows
	splits        []types.MicroTime // newest event time by split
	late          Lateness
}

func (s *seen) reset() {
	s.min, s.max, s.carried = types.Infinity, types.MinTime, types.MinTime
	s.sum, s.rows, s.nulls, s.skewed = 0, 0, 0, 0
	s.splits = s.splits[:0]
	s.late.reset()
}

// note takes the summary of one batch of a split.
func (s *seen) note(split int, lo, hi types.MicroTime, sum float64, rows int64) {
	s.min, s.max = min(s.min, lo), max(s.max, hi)
	s.sum += sum
	s.rows += rows
	for len(s.splits) <= split {
		s.splits = append(s.splits, types.MinTime)
	}
	s.splits[split] = max(s.splits[split], hi)
}

// begin readies the mark for an epoch; every worker calls it, the first does the work.
func (m *mark) begin(r state.Reader, e *Epoch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.epoch == e.ID {
		return nil
	}
	if !m.loaded {
		if err := m.load(r, e.Query); err != nil {
			return err
		}
		m.loaded = true
		if m.since == 0 {
			m.since = e.Now
		}
	}
	m.epoch, m.open, m.carried = e.ID, m.workers, types.MinTime
	m.bounds.LateUpTo = m.bounds.EvictUpTo
	m.stats = WatermarkStats{MaxSeen: m.stats.MaxSeen, EpochMin: types.MinTime, EpochMax: types.MinTime}
	return nil
}

// end takes what a worker saw. When the last one is through, the watermark moves and is stored.
func (m *mark) end(s *seen, e *Epoch, a *aside) {
	m.mu.Lock()
	defer m.mu.Unlock()
	st := &m.stats
	if s.rows > 0 {
		if st.EpochRows == 0 || s.min < st.EpochMin {
			st.EpochMin = s.min
		}
		st.EpochMax, st.MaxSeen = max(st.EpochMax, s.max), max(st.MaxSeen, s.max)
	}
	st.EpochSum += s.sum
	st.EpochRows += s.rows
	st.NullTimes += s.nulls
	st.Skewed += s.skewed
	m.late.add(&s.late)
	m.carried = max(m.carried, s.carried)
	for i, t := range s.splits {
		for len(m.splits) <= i {
			m.splits = append(m.splits, splitMark{types.MinTime, types.MinTime})
		}
		if t != types.MinTime {
			m.splits[i] = splitMark{max(m.splits[i].newest, t), e.Now}
		}
	}
	if m.open--; m.open > 0 {
		return
	}
	m.idle = m.silent(m.active(), e.Now) && !(m.node.WallClock && m.stats.MaxSeen != types.MinTime)
	w := Advance(m.bounds.EvictUpTo, m.newest(e.Now), m.delay)
	if m.node.Carried {
		w = max(m.bounds.EvictUpTo, m.carried)
	}
	m.bounds.EvictUpTo = max(w, m.raise)
	m.raise = types.MinTime
	a.mu.Lock()
	e.Txn.Put(state.Operator, e.Query, tableKey(m.node.State), m.encode())
	a.mu.Unlock()
}

// Advance returns the watermark after a micro-batch, when the newest event time ever seen is maxSeen: maxSeen minus
// delay (µs), or prev if that is later, for a watermark never moves back. MinTime stands for "none yet", also while the delay reaches
// back beyond what a timestamp can say. The rule is Spark's: rows of a batch are judged by the watermark that the batch before it left.
func Advance(prev, maxSeen types.MicroTime, delay int64) types.MicroTime {
	w := plusMicros(int64(maxSeen), -delay)
	if maxSeen == types.MinTime || !types.TimestampInRange(w) {
		return prev
	}
	return max(prev, types.MicroTime(w))
}

const markVersion = 1

func (m *mark) encode() []byte {
	v := []byte{markVersion}
	v = binary.AppendVarint(v, int64(m.bounds.EvictUpTo))
	v = binary.AppendVarint(v, int64(m.stats.MaxSeen))
	v = binary.AppendUvarint(v, uint64(len(m.splits)))
	for _, s := range m.splits {
		v = binary.AppendVarint(v, int64(s.newest))
		v = binary.AppendVarint(v, int64(s.active))
	}
	v = binary.AppendVarint(v, int64(m.since))
	return m.late.appendTo(v)
}

// load reads the mark that the last epoch left.
func (m *mark) load(r state.Reader, query uint32) error { return m.read(r, query, m.node.State) }

func (m *mark) read(r state.Reader, query, table uint32) error {
	m.bounds = Bounds{LateUpTo: types.MinTime, EvictUpTo: types.MinTime}
	m.stats.MaxSeen = types.MinTime
	v, err := r.Get(state.Operator, query, tableKey(table))
	if err != nil || v == nil {
		return err
	}
	if v[0] != markVersion {
		return damaged("watermark")
	}
	d := decoder{data: v[1:]}
	m.bounds.EvictUpTo = types.MicroTime(d.varint())
	m.stats.MaxSeen = types.MicroTime(d.varint())
	for n := d.uvarint(); n > 0 && d.err == nil; n-- {
		m.splits = append(m.splits, splitMark{types.MicroTime(d.varint()), types.MicroTime(d.varint())})
	}
	if d.err == nil && len(d.data) > 0 {
		m.since = types.MicroTime(d.varint())
	}
	if d.err == nil && len(d.data) > 0 {
		m.late.decode(&d)
	}
	return d.err
}

// tableKey is the first part of the keys of a state table, and the whole key of its one header value.
func tableKey(table uint32) []byte { return binary.BigEndian.AppendUint32(nil, table) }

func (m *mark) watermarkStats() WatermarkStats {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.stats
	if m.node.Stream != nil {
		s.Stream = m.node.Stream.Name
	}
	if m.node.Column >= 0 {
		s.Column = m.node.Schem.Fields[m.node.Column].Name
	}
	s.Delay, s.Table = m.node.Delay, m.node.State
	s.Watermark, s.Idle, s.BySplit, s.Carried = m.bounds.EvictUpTo, m.idle, m.node.BySplit, m.node.Carried
	for _, sp := range m.splits {
		s.Splits = append(s.Splits, sp.newest)
	}
	return s
}

func (m *mark) advance(to types.MicroTime) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.raise = max(m.raise, to)
}

func (m *mark) streamID() uint32 {
	if m.node.Stream == nil {
		return 0
	}
	return uint32(m.node.Stream.ID)
}
