package script

import (
	"fmt"
	"math"
	"slices"
)

// The model is what a continuous query means, written as directly as it can be: all rows in a slice, each with the epoch that it comes in;
// the watermark by its definition; every group and pair found anew. Nothing is shared with the engine.

const none = math.MinInt64 // no watermark yet; the event time of a group of rows that have none

// model evaluates the query of a view over epochs; its counters are filled on the way.
type model struct {
	*pipeline
	epochs                            [][]input
	views                             map[*query]*model // that it reads
	mark                              []int64           // where the watermark stands after each epoch
	out                               []event
	in, late, noTime, rejected, state int64 // state is after the last epoch
}

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

// arrived is what a stream or view below has.
func (m *model) arrived(q *query) (out []event) {
	if q.op == "view" {
		return m.views[q].out
	}
	for epoch, rows := range m.epochs {
		for _, r := range rows {
			if r.epoch = epoch; r.stream == q.stream {
				out = append(out, r.event)
			}
		}
	}
	return out
}

// watermarks finds where the watermark stands: of a stream its newest event time less the delay, of a view the one its rows are under,
// of several the oldest, or the newest by policy. It never goes back.
func (m *model) watermarks() {
	holds := int64(none)
	for i := range m.epochs {
		var stand []int64
		for _, s := range m.root.sources() {
			newest := int64(none)
			for _, e := range m.arrived(s) {
				if s.op == "stream" && e.epoch <= i && e.at != nil && !m.fromFuture(e) {
					newest = max(newest, *e.at-m.delay[s.stream])
				}
			}
			if s.op == "view" {
				newest = m.views[s].under(i, s.in...)
			}
			stand = append(stand, newest)
		}
		if holds = max(holds, slices.Min(stand)); m.newest {
			holds = max(holds, slices.Max(stand))
		}
		m.mark = append(m.mark, holds)
	}
}

// under is the oldest watermark over what queries put out, after an epoch; a join is behind by as long as it may hold a row back.
func (m *model) under(epoch int, qs ...*query) int64 {
	oldest := int64(math.MaxInt64)
	for _, q := range qs {
		switch {
		case epoch < 0 || q.kind == "none":
			return none
		case q.source() != "":
			oldest = min(oldest, m.mark[epoch])
		case q.op == "join":
			oldest = min(oldest, minus(m.under(epoch, q.in...), max(0, q.waits(0)-q.lateAfter(0), q.waits(1)-q.lateAfter(1))))
		default:
			oldest = min(oldest, m.under(epoch, q.in...))
		}
	}
	return oldest
}

// lateBy is the watermark that a row is judged by in q: the one before its epoch. None is over rows that change.
func (m *model) lateBy(q *query, e event) int64 {
	if q.any((*query).changes) {
		return none
	}
	return m.under(e.epoch-1, q.in...)
}

// onTime are the rows of an input of q that are not late; time is what they are late by.
func (m *model) onTime(q *query, in []event, time func(event) int64) (out []event) {
	for _, e := range in {
		if time(e) > m.lateBy(q, e) {
			out = append(out, e)
		} else {
			m.late++
		}
	}
	return out
}

// final is the first epoch, not before one, whose watermark reaches t, if any does.
func (m *model) final(q *query, epoch int, t int64) (int, bool) {
	for epoch < len(m.epochs) && m.under(epoch, q.in...) < t {
		epoch++
	}
	return epoch, epoch < len(m.epochs)
}

// eval is what q puts out in a mode: in all but append mode, with the last epoch, what there is then. timed says that an operator above
// needs event times.
func (m *model) eval(q *query, mode string, timed bool) (out []event) {
	stateless := slices.Contains([]string{"where", "map", "union"}, q.op)
	in := make([][]event, len(q.in))
	for i, c := range q.in {
		if q.op != "view" {
			in[i] = m.eval(c, "append", timed || !stateless && q.kind != "none" && (mode != "complete" || q.kind != "time"))
		}
	}
	switch q.op {
	case "stream", "view":
		out = m.read(q, timed)
	case "dedup", "within", "once":
		out = m.firsts(q, in[0])
	case "join":
		out = m.join(q, in...)
	case "over", "asof":
		out = m.waiting(q, in...)
	case "group", "top":
		out = m.groups(q, in[0], mode)
	default:
		out = q.stateless(slices.Concat(in...))
	}
	slices.SortStableFunc(out, func(x, y event) int { return x.epoch - y.epoch })
	return out
}

// read is a source: rows of a stream from the future are refused, rows without an event time left out where that is needed.
func (m *model) read(q *query, timed bool) (out []event) {
	for _, e := range m.arrived(q) {
		switch m.in++; {
		case e.at == nil && timed:
			m.noTime++
		case q.op == "stream" && m.fromFuture(e):
			m.rejected++
		default:
			out = append(out, e)
		}
	}
	return out
}

// firsts keeps the first row of every key: for ever with the event time in the key, since a later one is late; until that one is older
// than the watermark by the delay; or for a time by the clock.
func (m *model) firsts(q *query, in []event) (out []event) {
	expires, last := map[string]int64{}, m.under(len(m.epochs)-1, q.in...)
	for _, e := range m.onTime(q, in, func(e event) int64 { return *e.at }) {
		key, until, now := m.class(e.k), *e.at, m.lateBy(q, e)
		switch q.op {
		case "dedup":
			key += fmt.Sprint(*e.at)
		case "within":
			until += m.delay[q.in[0].firstStream()]
		case "once":
			now, last = int64(e.epoch)*tick, int64(len(m.epochs)-1)*tick
			until = now + m.ttl
		}
		if old, known := expires[key]; !known || old <= now {
			expires[key], out = until, append(out, e)
		}
	}
	for _, until := range expires {
		if until > last {
			m.state++
		}
	}
	return out
}

// join compares every row with every row of the other side. One that found no partner is final when none can come any more.
func (m *model) join(q *query, in ...[]event) (out []event) {
	hit := [2]map[int]int{{}, {}} // the epoch in which a row finds its first partner
	for s := range in {
		in[s] = m.onTime(q, in[s], func(e event) int64 { return q.time(e) + q.lateAfter(s) })
	}
	for i, l := range in[0] {
		for j, r := range in[1] {
			if epoch := max(l.epoch, r.epoch); m.matches(q, l, r) {
				if hit[1][j] = epoch; !q.tests() {
					out = append(out, at(epoch, q.picked(l, r))...)
				}
				if first, ok := hit[0][i]; !ok || epoch < first {
					hit[0][i] = epoch
				}
			}
		}
		if first, ok := hit[0][i]; ok && q.kind == "LEFT SEMI" {
			out = append(out, at(first, l)...)
		}
	}
	for s := range in {
		for i, e := range in[s] {
			_, matched := hit[s][i]
			alone := q.alone(s, e)
			epoch, gone := m.final(q, e.epoch, q.time(e)+q.waits(s))
			if s == 0 && q.own && !isTrue(e) { // a condition on the left row alone
				epoch, gone = e.epoch, true
			}
			if gone && !matched {
				out = append(out, at(epoch, alone...)...)
			}
			if !gone && !(matched && s == 0 && q.tests()) && !(q.keyed && e.k < 0 && alone == nil) {
				m.state++
			}
		}
	}
	return out
}

// waiting is an operator whose rows come out when the watermark has reached them, each with what it finds among the rows of its last input.
func (m *model) waiting(q *query, in ...[]event) (out []event) {
	for s := range in {
		in[s] = m.onTime(q, in[s], func(e event) int64 { return *e.at + q.lateAfter(s) })
	}
	for _, e := range in[0] {
		if epoch, ok := m.final(q, e.epoch, *e.at+q.lateAfter(0)); ok {
			out = append(out, at(epoch, m.found(q, e, in[len(in)-1], epoch)...)...)
		}
	}
	return out
}

// group is a window, or a time as a window that ends at it, a key, and the rows.
type group struct {
	start, end int64
	class      string
	rows       []event
}

// groups puts out, in append mode, every group when it is final; else, with the last epoch, all groups there were.
func (m *model) groups(q *query, in []event, mode string) (out []event) {
	var all []*group
	endless := mode == "complete" || q.kind == "none"
	for _, e := range in {
		late, counted := m.lateBy(q, e), false
		if endless {
			late = none
		}
		for _, g := range m.spans(q, e) {
			if endless || g.end > late {
				counted, all = true, m.put(q, all, &g, late)
			}
		}
		if !counted {
			m.late++
		}
	}
	for _, g := range all {
		epoch, closed := m.final(q, 0, g.end)
		if closed = closed && !endless; !closed && m.known(q, g, len(m.epochs)-1) {
			m.state += q.kept(g)
		}
		if mode != "append" {
			epoch = len(m.epochs) - 1
		}
		if mode != "append" || closed {
			out = append(out, at(epoch, m.made(q, g)...)...)
		}
	}
	return out
}

// put adds a row's group: to the one it equals, or in its place if that is forgotten, or, of sessions, to those it touches that are not
// final by a watermark.
func (m *model) put(q *query, all []*group, g *group, late int64) []*group {
	rest := slices.DeleteFunc(all, func(o *group) bool {
		same := o.start == g.start && o.end == g.end || q.kind == "SESSION" && o.start <= g.end && g.start <= o.end && o.end > late
		if same = same && o.class == g.class; same && m.known(q, o, g.last()) {
			g.start, g.end, g.rows = min(o.start, g.start), max(o.end, g.end), append(o.rows, g.rows...)
		}
		return same
	})
	return append(rest, g)
}
