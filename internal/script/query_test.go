package script

import "slices"

// event is a row. Every relation of a random query has these columns, so that any may stand where another does.
type event struct {
	k  int // number of the key, -1 is NULL
	v  *int64
	b  *bool
	at *int64 // µs

	epoch int    // in which it comes
	line  string // as the view shows it, of a group
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

var streamNames = [2]string{"s", "z"}
