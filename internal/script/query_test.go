package script

import (
	"slices"
	"strconv"
	"time"
)

// event is a row. Every relation of a random query has these columns, so that any may stand where another does.
type event struct {
	k  int // number of the key, -1 is NULL
	v  *int64
	b  *bool
	at *int64 // µs

	line string // as the view shows it, of a group
}

// input is a row and its stream.
type input struct {
	stream int
	event
}

// query is an operator over others. What a relation looks like is the same everywhere: k, v, b, at.
type query struct {
	op string // stream, view, where, map, union, dedup, within, once, join, over, asof, group, top
	in []*query

	name, mode string // of a view

	stream int // 0: s, 1: z

	kind  string // of a join: INNER, LEFT ...; of a group or top: TUMBLE, HOP, CUMULATE, SESSION, time, date_bin, none
	keyed bool   // of a join: the keys are equal; of a group: by k

	windows            bool  // of a join: the windows of both times are the same
	lo, hi             int64 // of a join: the right time is from lo before the left one to hi after it, µs
	strict, difference bool  // of a join: without the bounds; written as r.at - l.at
	own, residual      bool  // of a join: conditions on l alone, on both
	pick               [4]int
	size, step, offset int64 // µs; size is a session's gap and how far a frame reaches, too
	having             string
	aggs               []int
	first              int  // of top: how many rows
	totals             bool // of a group: once more without the key
	whereAbove         bool // the condition of the operator below stands beside the window function
}

// pipeline is a view over a query, and its streams.
type pipeline struct {
	root    *query
	keyType string
	mode    string
	delay   [2]int64 // µs
	skewed  bool     // rows from the future are taken
	newest  bool     // of several watermarks the newest holds
	below   bool     // another view reads it, and shows its rows
	ttl     int64    // after which keys without a time are forgotten, µs by the clock; 0: never
}

// tick is by how much the clock moves between the micro-batches of a pipeline with a TTL, µs.
const tick = 10 * minute

// total is the class of the group without a key.
const total = "total"

// reads reports whether a stream is read.
func (q *query) reads(stream int) bool {
	for _, c := range q.in {
		if c.reads(stream) {
			return true
		}
	}
	return q.op == "stream" && q.stream == stream
}

// sources are the streams and views that a query reads.
func (q *query) sources() (out []*query) {
	if q.op == "stream" || q.op == "view" {
		return []*query{q}
	}
	for _, c := range q.in {
		out = append(out, c.sources()...)
	}
	return out
}

// views are the views below q, those that others read first.
func (q *query) views() (out []*query) {
	for _, c := range q.in {
		out = append(out, c.views()...)
	}
	if q.op == "view" {
		out = append(out, q)
	}
	return out
}

// changes reports whether q is a view whose rows may change.
func (q *query) changes() bool { return q.op == "view" && q.mode != "append" }

// any reports whether q or an operator below it, in the same view, is so.
func (q *query) any(is func(*query) bool) bool {
	return is(q) || q.op != "view" && slices.ContainsFunc(q.in, func(c *query) bool { return c.any(is) })
}

// firstStream is the stream that q reads first.
func (q *query) firstStream() int {
	if q.op == "stream" {
		return q.stream
	}
	return q.in[0].firstStream()
}

// tests reports whether only left rows come out, and only once.
func (q *query) tests() bool { return q.kind == "LEFT SEMI" || q.kind == "LEFT ANTI" }

// needsTime says that a row without an event time belongs nowhere in q.
func (q *query) needsTime(mode string) bool {
	timed := slices.Contains([]string{"dedup", "within", "once", "join", "over", "asof", "group", "top"}, q.op)
	return timed && q.kind != "none" && (mode != "complete" || q.kind != "time")
}

// after is how long after its time, µs, a row of q may not come any more: the last instant of a window is 1 before its end.
func (q *query) after() int64 {
	switch {
	case q.op == "stream":
		return 0
	case q.op == "group" && q.kind != "time":
		return 1
	case q.op == "join", q.op == "asof":
		return q.in[q.pick[3]].after()
	}
	return q.in[0].after()
}

// time is what a row of a join is late by: the end of its window, or its event time.
func (q *query) time(e event) int64 {
	if q.windows {
		return floor(*e.at, q.size) + q.size
	}
	return *e.at
}

// lateAfter is how long after its time a row of a side is late.
func (q *query) lateAfter(side int) int64 {
	if q.windows {
		return 0
	}
	return q.in[side].after()
}

// waits is how long after its time a row of a side may find a partner: equal times until then, a range up to its bound, which
// the watermark must have passed if it matches itself.
func (q *query) waits(side int) int64 {
	after := q.lateAfter(1 - side)
	if !q.equal() {
		after += [2]int64{q.hi, q.lo}[side]
	}
	if !q.equal() && !q.strict {
		after++
	}
	return after
}

// asEvent is a group as a row: its first aggregate is v, its event time the last instant of the window.
func (q *query) asEvent(g *group) event {
	e := event{k: g.rows[0].k, at: new(int64)}
	if v, err := strconv.ParseInt(aggregates[q.aggs[0]].eval(g.rows), 10, 64); err == nil {
		e.v = &v
	}
	if s := bools(g.rows, true); s != "NULL" {
		e.b = new(bool)
		*e.b = s == "t"
	}
	if g.class == total {
		e.k = -1
	}
	switch *e.at = g.end - 1; q.kind {
	case "time":
		*e.at = g.start
	case "none":
		e.at = nil
	}
	return e
}

// made is the rows that a group is for: the first of it, or one of its aggregates unless those fail HAVING; kept says that it does not matter.
func (m *model) made(q *query, g *group, kept bool) []event {
	if q.op == "top" {
		if rows := slices.SortedStableFunc(slices.Values(g.rows), better); kept && q.any((*query).changes) {
			return rows
		} else {
			return m.inWindow(g, rows[:min(q.first, len(rows))])
		}
	}
	if q.fails(g) && !kept {
		return nil
	}
	e := q.asEvent(g)
	if q == m.root && !m.below {
		e.line = m.shownGroup(g)
	}
	return []event{e}
}

// known reports whether a group is not forgotten yet at a time of the clock.
func (m *model) known(q *query, g *group, now int64) bool {
	return m.ttl == 0 || q.kind != "none" || g.touched+m.ttl > now
}

// picked is a row of columns of two.
func (q *query) picked(rows ...event) event {
	return event{k: rows[q.pick[0]].k, v: rows[q.pick[1]].v, b: rows[q.pick[2]].b, at: rows[q.pick[3]].at}
}

func floor(t, by int64) int64 { return t - ((t%by)+by)%by }

func (p *pipeline) fromFuture(e event) bool {
	return !p.skewed && e.at != nil && *e.at > Start.Add(24*time.Hour).UnixMicro()
}

// equal reports whether the times of a join, or their windows, are equal.
func (q *query) equal() bool { return q.lo == 0 && q.hi == 0 }

func (q *query) fails(g *group) bool { return q.having != "" && !having[q.having](g.rows) }

// now is the clock, µs since the first epoch, at the last one.
func (m *model) now() int64 { return int64(len(m.epochs)-1) * tick }

var streamNames = [2]string{"s", "z"}
