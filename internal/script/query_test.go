package script

import (
	"strconv"
	"time"
)

// event is a row. Every relation of a random query has these columns, so that any may stand where another does.
type event struct {
	k  int // number of the key, -1 is NULL
	v  *int64
	b  *bool
	at *int64 // µs
}

// input is a row and its stream.
type input struct {
	stream int
	event
}

// query is an operator over others. What a relation looks like is the same everywhere: k, v, b, at.
type query struct {
	op string // stream, where, map, union, dedup, within, join, group
	in []*query

	stream int // 0: s, 1: z

	kind  string // of a join: INNER, LEFT ...; of a group: TUMBLE, HOP, CUMULATE, SESSION, time, date_bin, none
	keyed bool   // of a join: the keys are equal; of a group: by k

	windows            bool  // of a join: the windows of both times are the same
	lo, hi             int64 // of a join: the right time is from lo before the left one to hi after it, µs
	strict, difference bool  // of a join: without the bounds; written as r.at - l.at
	own, residual      bool  // of a join: conditions on l alone, on both
	pick               [4]int
	size, step, offset int64 // µs; size is a session's gap too
	having             string
	aggs               []int
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
}

// reads reports whether a stream is read.
func (q *query) reads(stream int) bool {
	for _, c := range q.in {
		if c.reads(stream) {
			return true
		}
	}
	return q.op == "stream" && q.stream == stream
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
	timed := q.op == "dedup" || q.op == "within" || q.op == "join" || q.op == "group"
	return timed && q.kind != "none" && (mode != "complete" || q.kind != "time")
}

// after is how long after its time, µs, a row of q may not come any more: the last instant of a window is 1 before its end.
func (q *query) after() int64 {
	switch {
	case q.op == "stream":
		return 0
	case q.op == "group" && q.kind != "time":
		return 1
	case q.op == "join":
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
	if *e.at = g.start; q.kind != "time" {
		*e.at = g.end - 1
	}
	return e
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

func (p *pipeline) complete() bool { return p.mode == "complete" }

var streamNames = [2]string{"s", "z"}
