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

// model evaluates the query of a view over epochs; its counters are filled on the way.
type model struct {
	*pipeline
	epochs                            [][]input
	views                             map[*query]*model // that it reads
	bounds                            []batch           // what holds in each epoch for all sources
	out                               []batch
	in, late, noTime, rejected, state int64 // state is after the last epoch
}

// run evaluates the pipeline.
func (p *pipeline) run(epochs [][]input) *model {
	m := &model{pipeline: p, epochs: epochs, views: map[*query]*model{}}
	for _, s := range p.root.sources() {
		if below := *p; s.op == "view" {
			below.root, below.mode, below.below = s.in[0], s.mode, true
			m.views[s] = below.run(epochs)
		}
	}
	m.watermarks()
	m.out = m.eval(p.root, p.mode, false)
	return m
}

// arrived is what a stream or view below has in an epoch.
func (m *model) arrived(q *query, epoch int) (out []event) {
	if q.op == "view" {
		return m.views[q].out[epoch].rows
	}
	for _, r := range m.epochs[epoch] {
		if r.stream == q.stream {
			out = append(out, r.event)
		}
	}
	return out
}

// watermarks finds where the watermark of the query stands: of a stream its newest event time less the delay, of a view the one its rows
// are under, of several the oldest, or the newest by policy. It never goes back.
func (m *model) watermarks() {
	newest, holds := [2]int64{none, none}, int64(none)
	for i := range m.epochs {
		m.bounds = append(m.bounds, batch{late: holds})
		var stand []int64
		for _, s := range m.root.sources() {
			t := &newest[s.stream]
			for _, e := range m.arrived(s, i) {
				if s.op == "stream" && e.at != nil && !m.fromFuture(e) {
					*t = max(*t, *e.at)
				}
			}
			if stand = append(stand, minus(*t, m.delay[s.stream])); s.op == "view" {
				stand[len(stand)-1] = m.views[s].out[i].evict
			}
		}
		if holds = max(holds, slices.Min(stand)); m.newest {
			holds = max(holds, slices.Max(stand))
		}
		m.bounds[i].evict = holds
	}
}

// eval is what q puts out in a mode: in all but append mode, with the last epoch, what there is then. timed says that an operator above
// needs event times.
func (m *model) eval(q *query, mode string, timed bool) []batch {
	var in [][]batch
	for _, c := range q.in {
		if q.op != "view" {
			in = append(in, m.eval(c, "append", timed || q.needsTime(mode)))
		}
	}
	switch q.op {
	case "stream", "view":
		return m.read(q, timed)
	case "dedup", "within", "once":
		return m.firsts(q, in[0])
	case "join":
		return m.join(q, in...)
	case "over", "asof":
		return m.waiting(q, in...)
	case "group", "top":
		return m.groups(q, in[0], mode)
	}
	for i := range in[0] {
		for _, c := range in[1:] {
			in[0][i].rows = append(in[0][i].rows, c[i].rows...)
		}
		in[0][i].rows = q.stateless(in[0][i].rows)
	}
	return in[0]
}

// read is a source. Of a stream rows from the future are refused; of a relation that changes all there is comes with the last epoch, none
// of it late. Rows without an event time are left out if that is needed.
func (m *model) read(q *query, timed bool) []batch {
	out := slices.Clone(m.bounds)
	for i := range out {
		for _, e := range m.arrived(q, i) {
			switch m.in++; {
			case e.at == nil && timed:
				m.noTime++
			case q.op == "stream" && m.fromFuture(e):
				m.rejected++
			default:
				out[i].rows = append(out[i].rows, e)
			}
		}
	}
	if q.changes() {
		out[len(out)-1].late = none
	}
	return out
}

// firsts keeps the first row of every key: for ever with the event time in the key, since a later one is late; until that one is older
// than the watermark by the delay; or for a time by the clock.
func (m *model) firsts(q *query, in []batch) []batch {
	expires := map[string]int64{}
	for i, b := range in {
		in[i].rows = nil
		for _, e := range b.rows {
			key, until, now := m.class(e.k), int64(i)*tick+m.ttl, int64(i)*tick
			switch q.op {
			case "dedup":
				key, until, now = key+fmt.Sprint(*e.at), *e.at, b.late
			case "within":
				until, now = *e.at+m.delay[q.in[0].firstStream()], b.late
			}
			if *e.at <= b.late {
				m.late++
			} else if old, known := expires[key]; !known || old <= now {
				expires[key], in[i].rows = until, append(in[i].rows, e)
			}
		}
	}
	end := map[bool]int64{true: m.now(), false: in[len(in)-1].evict}[q.op == "once"]
	maps.DeleteFunc(expires, func(_ string, until int64) bool { return until <= end })
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

// waiting is an operator whose rows come out when the watermark has reached them, each with what it finds among all rows on time of its
// last input.
func (m *model) waiting(q *query, in ...[]batch) []batch {
	out, all := slices.Clone(in[0]), make([][]event, len(in))
	for i := range out {
		o := &out[i]
		o.rows = nil
		for _, c := range in {
			o.late, o.evict = min(o.late, c[i].late), min(o.evict, c[i].evict)
		}
		for s, c := range in {
			for _, e := range c[i].rows {
				if *e.at+q.lateAfter(s) <= o.late {
					m.late++
				} else {
					all[s] = append(all[s], e)
				}
			}
		}
		for _, e := range all[0] {
			if t := *e.at + q.lateAfter(0); o.late < t && t <= o.evict {
				o.rows = append(o.rows, m.found(q, e, all[len(all)-1])...)
			}
		}
	}
	return out
}

// group is a window, or a time as a window that ends at it, a key, the rows, and when the last one came.
type group struct {
	start, end, touched int64
	class               string
	rows                []event
}

// groups puts out, in append mode, the groups that every epoch makes final; else, with the last epoch, all groups there were.
func (m *model) groups(q *query, in []batch, mode string) []batch {
	endless := mode == "complete" || q.kind == "none"
	var open, closed []*group
	for i, b := range in {
		for _, e := range b.rows {
			counted := false
			for _, g := range m.spans(q, e) {
				if endless || g.end > b.late {
					counted, g.rows, g.touched = true, []event{e}, int64(i)*tick
					open = m.put(q, open, &g)
				}
			}
			if !counted {
				m.late++
			}
		}
		if q.kind == "none" { // of no time that anything is late by
			in[i].late, in[i].evict = none, none
		}
		isFinal := func(g *group) bool { return !endless && g.end <= b.evict }
		out := slices.DeleteFunc(slices.Clone(open), func(g *group) bool { return !isFinal(g) })
		open, closed = slices.DeleteFunc(open, isFinal), append(closed, out...)
		if mode != "append" {
			out = slices.Concat(closed, open)
		}
		if in[i].rows = nil; mode == "append" || i == len(in)-1 {
			for _, g := range out {
				in[i].rows = append(in[i].rows, m.made(q, g, false)...)
			}
		}
	}
	for _, g := range open {
		if m.known(q, g, m.now()) {
			m.state += int64(len(m.made(q, g, true)))
		}
	}
	return in
}

// put adds a row's group: to the one it equals, or in its place if that is forgotten, or, of sessions, to those it touches.
func (m *model) put(q *query, open []*group, g *group) []*group {
	rest := slices.DeleteFunc(open, func(o *group) bool {
		same := o.start == g.start && o.end == g.end || q.kind == "SESSION" && o.start <= g.end && g.start <= o.end
		if same = same && o.class == g.class; same && m.known(q, o, g.touched) {
			g.start, g.end, g.rows = min(o.start, g.start), max(o.end, g.end), append(o.rows, g.rows...)
		}
		return same
	})
	return append(rest, g)
}
