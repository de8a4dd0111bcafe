package exec

import "wmsql/types"

// A stream is idle when no row came for longer than its idle_timeout, by the time of the epochs. Then it holds the watermark of a query
// with several streams back no more; with idle_advance = 'wall_clock' its own watermark moves on with the clock instead:
// newest event time + time silent - delay. So does each split under watermark_scope = 'partition'.

const (
	// clockParts is how often the watermark of an idle stream is moved: when it has been silent for so much longer, but no more often
	// than clockLeast and no less than clockMost, µs.
	clockParts = 64
	clockLeast = 1e6
	clockMost  = 60e6
)

// active is when the stream last had a row, or when the query began to wait for one.
func (m *mark) active() types.MicroTime {
	out := m.since
	for _, s := range m.splits {
		out = max(out, s.active)
	}
	return out
}

// silent reports whether what was last active at a time is idle now.
func (m *mark) silent(active, now types.MicroTime) bool {
	return m.node.IdleTimeout > 0 && int64(now-active) > m.node.IdleTimeout
}

// newest is the event time that the watermark follows: the newest of the epoch, or with watermark_scope = 'partition' the oldest
// among the splits' newest. A split that is idle does not count, unless the clock moves it on; if all are, nothing moves.
func (m *mark) newest(now types.MicroTime) types.MicroTime {
	if !m.node.BySplit {
		// Earlier epochs have moved the watermark already, under the delay of their time.
		return max(m.stats.EpochMax, m.moved(m.stats.MaxSeen, m.active(), now))
	}
	out := types.Infinity
	for _, s := range m.splits {
		if s.newest == types.MinTime || m.silent(s.active, now) && !m.node.WallClock {
			continue
		}
		out = min(out, max(s.newest, m.moved(s.newest, s.active, now)))
	}
	if out == types.Infinity {
		return types.MinTime
	}
	return out
}

// moved is the event time of what is idle, moved on by the clock; MinTime if the clock does not move it.
func (m *mark) moved(newest, active, now types.MicroTime) types.MicroTime {
	if newest == types.MinTime || !m.node.WallClock || !m.silent(active, now) {
		return types.MinTime
	}
	return newest + now - active
}

// wake is when an epoch is due because the stream, or a split of it, falls idle, or moves on with the clock; alone says that no other
// stream waits for it.
func (m *mark) wake(now types.MicroTime, alone bool) types.MicroTime {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.node.IdleTimeout == 0 || alone && !m.node.BySplit && !m.node.WallClock {
		return types.Infinity
	}
	out := m.wakeOf(m.active(), now)
	for _, s := range m.splits {
		if m.node.BySplit && s.newest != types.MinTime {
			out = min(out, m.wakeOf(s.active, now))
		}
	}
	return out
}

func (m *mark) wakeOf(active, now types.MicroTime) types.MicroTime {
	switch {
	case !m.silent(active, now):
		return active + types.MicroTime(m.node.IdleTimeout) + 1
	case m.node.WallClock && m.stats.MaxSeen != types.MinTime:
		return now + min(max((now-active)/clockParts, clockLeast), clockMost)
	}
	return types.Infinity
}
