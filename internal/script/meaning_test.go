package script

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// What operators make of one row, of a pair, or of a group.

// stateless is what an operator without state makes of rows; a union leaves them as they are.
func (q *query) stateless(rows []event) (out []event) {
	for _, e := range rows {
		switch {
		case q.op == "where" && !(e.v != nil && *e.v > 0 && (e.b == nil || *e.b)): // v > 0 AND b IS NOT FALSE
			continue
		case q.op == "map": // v % 3 AS v, v > 0 AS b
			if e.b = nil; e.v != nil {
				v, above := *e.v%3, *e.v > 0
				e.v, e.b = &v, &above
			}
		}
		out = append(out, e)
	}
	return out
}

// spans are the windows of a row, with its key, and again without it for the totals.
func (p *pipeline) spans(q *query, e event) (out []group) {
	switch {
	case q.kind == "none":
		out = []group{{}}
	case e.at == nil:
		out = []group{{start: none, end: none}}
	case q.kind == "time":
		out = []group{{start: *e.at, end: *e.at + q.in[0].after()}}
	case q.kind == "SESSION":
		out = []group{{start: *e.at, end: *e.at + q.size}}
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
	all := slices.Clone(out)
	for i := range all {
		out[i].rows, all[i].rows = []event{e}, []event{e}
		if out[i].class, all[i].class = "", total; q.keyed {
			out[i].class = p.class(e.k)
		}
	}
	if q.totals {
		return append(out, all...)
	}
	return out
}

// time is what a row of a join is late by: the end of its window, or its event time.
func (q *query) time(e event) int64 {
	if q.windows {
		return floor(*e.at, q.size) + q.size
	}
	return *e.at
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

// equal reports whether the times of a join, or their windows, are equal.
func (q *query) equal() bool { return q.lo == 0 && q.hi == 0 }

// matches is the condition of a join. NULL equals nothing.
func (p *pipeline) matches(q *query, l, r event) bool {
	switch d := q.time(r) - q.time(l); {
	case q.keyed && (l.k < 0 || r.k < 0 || p.class(l.k) != p.class(r.k)), q.own && !isTrue(l), q.residual && (l.v == nil || r.v == nil || *l.v > *r.v):
		return false
	case q.strict && !q.equal():
		return -q.lo < d && d < q.hi
	default:
		return -q.lo <= d && d <= q.hi
	}
}

// picked is a row of columns of two.
func (q *query) picked(rows ...event) event {
	return event{k: rows[q.pick[0]].k, v: rows[q.pick[1]].v, b: rows[q.pick[2]].b, at: rows[q.pick[3]].at}
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

// found is a row with what its frame holds, or with the newest row of its key that is not after it, of equal ones the last that came
// up to an epoch.
func (p *pipeline) found(q *query, e event, among []event, epoch int) []event {
	reach := slices.DeleteFunc(slices.Clone(among), func(r event) bool {
		return r.epoch > epoch || p.class(r.k) != p.class(e.k) || *r.at > *e.at || q.op == "over" && *r.at < *e.at-q.size
	})
	slices.SortStableFunc(reach, func(x, y event) int { return compare(x.at, y.at, cmp.Compare) })
	switch {
	case q.op == "over":
		e.v = q.asEvent(&group{rows: reach}).v
		return []event{e}
	case len(reach) == 0 || e.k < 0:
		return q.alone(0, e)
	}
	return []event{q.picked(e, reach[len(reach)-1])}
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

// made is the rows that a group is for: the first of it, or one of its aggregates unless those fail HAVING.
func (m *model) made(q *query, g *group) []event {
	if q.op == "top" {
		rows := slices.SortedStableFunc(slices.Values(g.rows), better)
		return m.inWindow(g, rows[:min(q.first, len(rows))])
	}
	if q.having != "" && !having[q.having](g.rows) {
		return nil
	}
	e := q.asEvent(g)
	if q == m.root && !m.below {
		e.line = m.shownGroup(g)
	}
	return []event{e}
}

// kept is how many rows of state a group is: itself, or the first of its rows, or all where some may be taken back.
func (q *query) kept(g *group) int64 {
	switch {
	case q.op == "group":
		return 1
	case q.any((*query).changes):
		return int64(len(g.rows))
	}
	return int64(min(q.first, len(g.rows)))
}

// known reports whether a group is not forgotten yet by the clock of an epoch.
func (p *pipeline) known(q *query, g *group, epoch int) bool {
	return p.ttl == 0 || q.kind != "none" || int64(g.last())*tick+p.ttl > int64(epoch)*tick
}

// last is the epoch in which a group's last row came.
func (g *group) last() int { return g.rows[len(g.rows)-1].epoch }

// better orders rows by v DESC, at, b.
func better(x, y event) int {
	return cmp.Or(-compare(x.v, y.v, cmp.Compare), compare(x.at, y.at, cmp.Compare), compare(x.b, y.b, func(x, y bool) int {
		return map[bool]int{true: 1}[x] - map[bool]int{true: 1}[y]
	}))
}

// compare compares values; NULL is above all.
func compare[T any](x, y *T, less func(x, y T) int) int {
	switch {
	case x != nil && y != nil:
		return less(*x, *y)
	case x == y:
		return 0
	case x == nil:
		return 1
	}
	return -1
}

func (p *pipeline) fromFuture(e event) bool {
	return !p.skewed && e.at != nil && *e.at > Start.Add(24*time.Hour).UnixMicro()
}

func floor(t, by int64) int64 { return t - ((t%by)+by)%by }

// at are rows, in an epoch.
func at(epoch int, rows ...event) []event {
	for i := range rows {
		rows[i].epoch = epoch
	}
	return rows
}
