package script

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// The model is what a continuous query means, written as directly as it can be: all rows in a slice, the watermark by its
// definition, every group and pair found anew. Nothing is shared with the engine. An operator is a function of what its inputs put out.

// batch is what an operator puts out in an epoch, the watermark its rows were judged by, and the one that makes them final.
type batch struct {
	rows        []event
	late, evict int64
}

const none = math.MinInt64 // no watermark yet; the event time of a group of rows that have none

// model evaluates a pipeline over epochs; its counters are filled on the way.
type model struct {
	*pipeline
	epochs                            [][]input
	bounds                            []batch  // what holds in each epoch for all streams of the query
	lines                             []string // the rows of the view, in the order of their text
	in, late, noTime, rejected, state int64    // state is after the last epoch
}

// run evaluates the pipeline.
func (p *pipeline) run(epochs [][]input) *model {
	m := &model{pipeline: p, epochs: epochs}
	m.watermarks()
	if p.root.op == "group" {
		closed, open := m.groups(p.root, m.eval(p.root.in[0], p.root.needsTime(p.mode)), p.mode)
		if p.mode == "append" {
			open = nil
		}
		m.lines = p.shownGroups(slices.Concat(append(closed, open)...))
	} else {
		for _, b := range m.eval(p.root, false) {
			m.lines = append(m.lines, p.shown(b.rows)...)
		}
	}
	slices.Sort(m.lines)
	return m
}

// watermarks finds where the watermark of the query stands: of each stream its newest event time less the delay, of several the
// oldest, or the newest by policy. It never goes back.
func (m *model) watermarks() {
	newest, holds := [2]int64{none, none}, int64(none)
	for i, rows := range m.epochs {
		m.bounds = append(m.bounds, batch{late: holds})
		for _, r := range rows {
			if r.at != nil && !m.fromFuture(r.event) {
				newest[r.stream] = max(newest[r.stream], *r.at)
			}
		}
		var stand []int64
		for s, t := range newest {
			if m.root.reads(s) {
				stand = append(stand, minus(t, m.delay[s]))
			}
		}
		if holds = max(holds, slices.Min(stand)); m.newest {
			holds = max(holds, slices.Max(stand))
		}
		m.bounds[i].evict = holds
	}
}

// eval is what q puts out; timed says that an operator above needs event times.
func (m *model) eval(q *query, timed bool) []batch {
	var in [][]batch
	for _, c := range q.in {
		in = append(in, m.eval(c, timed || q.needsTime("append")))
	}
	switch q.op {
	case "stream":
		return m.read(q.stream, timed)
	case "dedup", "within":
		return m.firsts(q, in[0])
	case "join":
		return m.join(q, in...)
	case "group":
		closed, _ := m.groups(q, in[0], "append")
		for i := range in[0] {
			in[0][i].rows = nil
			for _, g := range closed[i] {
				in[0][i].rows = append(in[0][i].rows, q.asEvent(g))
			}
		}
		return in[0]
	}
	for i, b := range in[0] {
		switch q.op {
		case "where": // v > 0 AND b IS NOT FALSE
			in[0][i].rows = slices.DeleteFunc(b.rows, func(e event) bool { return e.v == nil || *e.v <= 0 || e.b != nil && !*e.b })
		case "map": // v % 3 AS v, v > 0 AS b
			for k, e := range b.rows {
				if b.rows[k].b = nil; e.v != nil {
					v, above := *e.v%3, *e.v > 0
					b.rows[k].v, b.rows[k].b = &v, &above
				}
			}
		case "union":
			in[0][i].rows = slices.Concat(b.rows, in[1][i].rows)
		}
	}
	return in[0]
}

// read is a stream: rows from the future are refused, and rows without an event time if that is needed.
func (m *model) read(stream int, timed bool) []batch {
	out := slices.Clone(m.bounds)
	for i, rows := range m.epochs {
		for _, r := range rows {
			switch {
			case r.stream != stream:
				continue
			case r.at == nil && timed:
				m.noTime++
			case m.fromFuture(r.event):
				m.rejected++
			default:
				out[i].rows = append(out[i].rows, r.event)
			}
			m.in++
		}
	}
	return out
}

// firsts keeps the first row of every key: for ever with the event time in the key, since a later one is late; else until the
// first one is older than the watermark by the delay.
func (m *model) firsts(q *query, in []batch) []batch {
	expires := map[string]int64{}
	for i, b := range in {
		in[i].rows = nil
		for _, e := range b.rows {
			key, until := m.class(e.k)+fmt.Sprint(*e.at), *e.at
			if q.op == "within" {
				key, until = m.class(e.k), *e.at+m.delay[q.in[0].firstStream()]
			}
			if *e.at <= b.late {
				m.late++
			} else if old, known := expires[key]; !known || old <= b.late {
				expires[key], in[i].rows = until, append(in[i].rows, e)
			}
		}
	}
	maps.DeleteFunc(expires, func(_ string, until int64) bool { return until <= in[len(in)-1].evict })
	m.state += int64(len(expires))
	return in
}

// held is a row that a join keeps.
type held struct {
	event
	isNew, hit bool
}

// join compares every row with every row of the other side; a row goes when no partner can come any more.
func (m *model) join(q *query, in ...[]batch) []batch {
	out := make([]batch, len(in[0]))
	var sides [2][]*held
	for i := range out {
		o := &out[i]
		late, evict := min(in[0][i].late, in[1][i].late), min(in[0][i].evict, in[1][i].evict)
		for s := range sides {
			for _, e := range in[s][i].rows {
				switch {
				case q.time(e)+q.lateAfter(s) <= late:
					m.late++
				case s == 0 && q.own && (e.b == nil || !*e.b): // a condition on the left row alone
					o.rows = append(o.rows, q.alone(0, e)...)
				default:
					sides[s] = append(sides[s], &held{event: e, isNew: true})
				}
			}
		}
		for _, l := range sides[0] {
			for _, r := range sides[1] {
				if (l.isNew || r.isNew) && m.matches(q, l.event, r.event) {
					if !q.tests() || q.kind == "LEFT SEMI" && !l.hit {
						o.rows = append(o.rows, q.picked(l.event, r.event))
					}
					l.hit, r.hit = true, true
				}
			}
		}
		for s := range sides {
			sides[s] = slices.DeleteFunc(sides[s], func(x *held) bool {
				x.isNew = false
				gone := q.time(x.event)+q.waits(s) <= evict
				if gone && !x.hit {
					o.rows = append(o.rows, q.alone(s, x.event)...)
				}
				return gone || x.hit && s == 0 && q.tests() || q.keyed && x.k < 0 && q.alone(s, x.event) == nil
			})
		}
		lag := max(0, q.waits(0)-q.lateAfter(0), q.waits(1)-q.lateAfter(1))
		o.late, o.evict = minus(late, lag), minus(evict, lag)
	}
	m.state += int64(len(sides[0]) + len(sides[1]))
	return out
}

// group is a window, or a time as a window that ends at it, a key, and the rows.
type group struct {
	start, end int64
	class      string
	rows       []event
}

// groups returns the groups that every epoch makes final, and those that are open after the last.
func (m *model) groups(q *query, in []batch, mode string) (closed [][]*group, open []*group) {
	endless := mode == "complete" || q.kind == "none"
	for _, b := range in {
		for _, e := range b.rows {
			counted := false
			for _, g := range q.spans(e) {
				if endless || g.end > b.late {
					counted, g.rows = true, []event{e}
					if q.keyed {
						g.class = m.class(e.k)
					}
					open = q.put(open, &g)
				}
			}
			if !counted {
				m.late++
			}
		}
		isFinal := func(g *group) bool { return !endless && g.end <= b.evict }
		final := slices.DeleteFunc(slices.Clone(open), func(g *group) bool { return !isFinal(g) || q.fails(g) })
		closed, open = append(closed, final), slices.DeleteFunc(open, isFinal)
	}
	m.state += int64(len(open))
	return closed, slices.DeleteFunc(open, q.fails)
}

// put adds a row's group: to the one it equals or, of sessions, to those it touches.
func (q *query) put(open []*group, g *group) []*group {
	rest := slices.DeleteFunc(open, func(o *group) bool {
		same := o.start == g.start && o.end == g.end || q.kind == "SESSION" && o.start <= g.end && g.start <= o.end
		if same = same && o.class == g.class; same {
			g.start, g.end, g.rows = min(o.start, g.start), max(o.end, g.end), append(o.rows, g.rows...)
		}
		return same
	})
	return append(rest, g)
}

// spans are the windows of a row.
func (q *query) spans(e event) (out []group) {
	switch {
	case q.kind == "none":
		return []group{{}}
	case e.at == nil:
		return []group{{start: none, end: none}}
	case q.kind == "time":
		return []group{{start: *e.at, end: *e.at + q.in[0].after()}}
	case q.kind == "SESSION":
		return []group{{start: *e.at, end: *e.at + q.size}}
	case q.kind == "CUMULATE":
		lo := floor(*e.at-q.offset, q.size) + q.offset
		for end := lo + q.size; end > *e.at && end > lo; end -= q.step {
			out = append(out, group{start: lo, end: end})
		}
	default: // of TUMBLE the step is the size
		for lo := floor(*e.at-q.offset, q.step) + q.offset; lo > *e.at-q.size; lo -= q.step {
			out = append(out, group{start: lo, end: lo + q.size})
		}
	}
	return out
}

// matches is the condition of a join. NULL equals nothing.
func (m *model) matches(q *query, l, r event) bool {
	switch d := q.time(r) - q.time(l); {
	case q.keyed && (l.k < 0 || r.k < 0 || m.class(l.k) != m.class(r.k)), q.residual && (l.v == nil || r.v == nil || *l.v > *r.v):
		return false
	case q.strict && !q.equal():
		return -q.lo < d && d < q.hi
	default:
		return -q.lo <= d && d <= q.hi
	}
}

// alone is what a row without a partner puts out: nothing unless the join keeps its side.
func (q *query) alone(side int, e event) []event {
	rows := [2]event{{k: -1}, {k: -1}}
	rows[side] = e
	if q.kind == "FULL" || q.kind == [2]string{"LEFT", "RIGHT"}[side] || q.kind == "LEFT ANTI" && side == 0 {
		return []event{q.picked(rows[:]...)}
	}
	return nil
}
