package script

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"wmsql/internal/failpoint"
)

const minute = int64(60e6) // µs

// random makes queries that the gate accepts, and rows for them.
type random struct {
	*rand.Rand
	mode    string
	keyType string
	views   *int // how many there are below the last one
}

func (r random) one(in int) bool { return r.IntN(in) == 0 }

func (r random) pick(s ...string) string { return s[r.IntN(len(s))] }

func (r random) minutes(from, to int64) int64 { return (from + r.Int64N(to-from+1)) * minute }

func (r random) pipeline() *pipeline {
	p := &pipeline{
		keyType: r.pick(slices.Sorted(maps.Keys(keyTypes))...), mode: r.pick("append", "append", "update", "complete"),
		delay: [2]int64{r.Int64N(8) * minute / 2, r.Int64N(8) * minute / 2}, skewed: r.one(3), newest: r.one(6),
	}
	r.mode, r.keyType, r.views = p.mode, p.keyType, new(int)
	if p.mode != "complete" && r.one(8) { // rows from the future would be refused by a clock that moves
		p.ttl, p.skewed = r.minutes(10, 30), true
	}
	switch below := r.rows(r.IntN(3)); {
	case p.ttl > 0 && p.mode == "append":
		p.root = r.once()
	case p.ttl > 0:
		if r.one(3) {
			below = r.view("append", r.once())
		}
		p.root = r.group(below, true)
		p.root.kind, p.root.having = "none", ""
	case p.mode == "update" && r.one(3):
		p.root = r.overChanges(1 + r.IntN(2))
	case p.mode == "update" && r.one(5):
		p.root = r.top(r.relation(1))
	case p.mode == "complete" && r.one(3):
		p.root = r.timeless(r.group(r.changing(1), true))
	case p.mode == "complete":
		p.root = r.group(below, true)
	case r.one(8):
		p.root = r.anyJoin()
	case r.one(6):
		p.root = r.relation(2)
	default:
		p.root = r.group(r.relation(2), true)
	}
	if q := p.root; q.op == "group" {
		if p.mode == "append" && q.kind == "none" {
			q.kind, q.step = "TUMBLE", q.size
		}
		q.keyed, q.totals = q.keyed || q.kind == "none", q.totals && q.kind != "none"
	}
	r.part(p.root)
	return p
}

// part puts a view between q and each stream beside a view, for beside a stream a view is a table to look up in.
func (r random) part(q *query) {
	for _, s := range q.sources() {
		if s.op == "view" {
			r.part(s.in[0])
		}
	}
	if len(q.views()) == 0 {
		return
	}
	for _, s := range q.sources() {
		if s.op == "stream" {
			stream := *s
			*s = *r.view("append", &stream)
		}
	}
}

// view makes a view of its own of q.
func (r random) view(mode string, q *query) *query {
	*r.views++
	return &query{op: "view", name: fmt.Sprint("u", *r.views), mode: mode, in: []*query{q}}
}

// grouped reports whether q, or a view that it reads, has groups.
func (r random) grouped(q *query) bool {
	return q.op == "group" || slices.ContainsFunc(q.in, r.grouped)
}

// once is the first row of every key for a time by the clock.
func (r random) once() *query {
	return &query{op: "once", in: []*query{{op: "stream", stream: r.IntN(2)}}}
}

// changing is a view whose rows change, over streams or over another such view.
func (r random) changing(depth int) *query {
	var q *query
	if depth > 1 {
		q = r.timeless(r.group(r.changing(depth-1), false))
	} else {
		q = r.timeless(r.group(r.relation(1), false))
	}
	if r.one(4) {
		q.kind, q.having, q.totals = "none", "", false
	}
	if q.totals = false; q.kind == "CUMULATE" { // its key would not be among the columns that there are
		q.kind, q.step = "TUMBLE", q.size
	}
	q = r.view("update", q)
	if r.one(4) {
		q = &query{op: r.pick("where", "map"), in: []*query{q}}
	}
	return q
}

// overChanges is a group over rows that change, or the first of them.
func (r random) overChanges(depth int) *query {
	in := r.changing(depth)
	if r.one(4) {
		return r.timeless(r.top(in))
	}
	return r.timeless(r.group(in, true))
}

// timeless makes q, over rows that change, one without windows if there is no event time to have them of. Sessions of such rows are refused.
func (r random) timeless(q *query) *query {
	if q.kind == "SESSION" {
		q.kind, q.step = "TUMBLE", q.size
	}
	if q.in[0].any(func(c *query) bool {
		return c.op == "view" && c.in[0].any(func(g *query) bool { return g.kind == "none" })
	}) {
		q.kind, q.totals, q.keyed = "none", false, true
	}
	return q
}

// top is the first rows of every key, in a window or of all.
func (r random) top(in *query) *query {
	q := r.group(in, false)
	q.op, q.first, q.having, q.aggs, q.whereAbove, q.totals, q.kind = "top", 1+r.IntN(3), "", nil, false, false, r.pick("TUMBLE", "HOP", "none")
	if q.kind == "TUMBLE" {
		q.step = q.size
	}
	return q
}

// rows is a stream, or streams, with nothing that keeps state.
func (r random) rows(depth int) *query {
	if depth == 0 {
		return &query{op: "stream", stream: map[bool]int{true: 1}[r.one(4)]}
	}
	switch op := r.pick("where", "map", "union"); op {
	case "union":
		return &query{op: op, in: []*query{r.rows(depth - 1), r.rows(depth - 1)}}
	default:
		return &query{op: op, in: []*query{r.rows(depth - 1)}}
	}
}

// relation is a query whose rows are final.
func (r random) relation(depth int) *query {
	if depth == 0 || r.one(3) {
		return r.rows(r.IntN(2))
	}
	switch r.IntN(9) {
	case 0, 1:
		return r.join(depth - 1)
	case 2: // two whose watermarks are not the same
		return &query{op: "union", in: []*query{r.join(0), r.rows(0)}}
	case 3:
		in := &query{op: "stream", stream: r.IntN(2)}
		if r.one(2) {
			in = &query{op: r.pick("where", "map"), in: []*query{in}}
		}
		return &query{op: r.pick("dedup", "within"), in: []*query{in}}
	case 4:
		if r.mode == "append" { // else the groups would change
			return r.group(r.relation(depth-1), false)
		}
	case 5, 6:
		r.mode = "append"
		return r.view("append", r.relation(depth-1))
	case 7:
		return &query{op: "over", aggs: []int{[]int{0, 1, 3, 4}[r.IntN(4)]}, size: r.minutes(0, 6), in: []*query{r.relation(depth - 1)}}
	case 8: // of event times, and of keys that are compared as a whole
		in := []*query{r.relation(depth - 1), {op: "stream", stream: r.IntN(2)}}
		if !r.grouped(in[0]) && r.keyType != "JSONB" {
			return &query{op: "asof", kind: r.pick("LEFT", "INNER"), pick: [4]int{0, 1, 1, 0}, in: in}
		}
	}
	return &query{op: r.pick("where", "map"), in: []*query{r.relation(depth - 1)}}
}

// join is a join whose rows keep an event time: of the side whose rows all come out.
func (r random) join(depth int) *query {
	q := &query{op: "join", kind: r.pick("INNER", "INNER", "LEFT", "LEFT", "RIGHT", "LEFT SEMI", "LEFT ANTI"), keyed: r.IntN(4) > 0, own: r.one(6),
		residual: r.one(6), strict: r.one(3), difference: r.one(3), in: []*query{r.relation(depth), r.relation(depth)}}
	if depth > 0 && r.one(2) {
		q.in = []*query{{op: "stream"}, {op: "stream", stream: 1}}
	}
	switch q.lo, q.hi = r.minutes(-1, 4), r.minutes(0, 6); {
	case r.one(5):
		q.lo, q.hi = 0, 0
	case q.lo+q.hi < 2*minute:
		q.lo, q.hi = minute, minute
	}
	at := map[string]int{"RIGHT": 1}[q.kind]
	if q.kind == "INNER" {
		at = r.IntN(2)
	}
	q.pick = [4]int{at, r.IntN(2), r.IntN(2), at}
	if q.tests() {
		q.pick = [4]int{}
	}
	return q
}

// anyJoin is a join whose event time need not be of use to anyone.
func (r random) anyJoin() *query {
	q := r.join(1)
	if q.kind == "RIGHT" && r.one(2) {
		q.kind = "FULL"
	}
	if r.one(3) {
		q.windows, q.size, q.lo, q.hi = true, r.minutes(1, 6), 0, 0
	}
	if !q.tests() {
		q.pick = [4]int{r.IntN(2), r.IntN(2), r.IntN(2), r.IntN(2)}
	}
	return q
}

// group is a GROUP BY; the view's own may have any window.
func (r random) group(in *query, root bool) *query {
	q := &query{op: "group", in: []*query{in}, kind: r.pick("TUMBLE", "TUMBLE", "HOP", "CUMULATE", "SESSION", "time"), keyed: true,
		having: r.pick("", "", "", "count(*) > 1", "count(*) < 3", "sum(v) > 0", "min(v) IS NULL"), aggs: []int{r.IntN(bigints)}, whereAbove: r.one(2), totals: r.one(6),
		step: r.minutes(1, 4), offset: r.Int64N(3) * minute / 2}
	if root {
		q.kind = r.pick("TUMBLE", "TUMBLE", "HOP", "HOP", "CUMULATE", "SESSION", "time", "date_bin", "none")
		q.keyed, q.aggs = r.IntN(4) > 0, nil
		for range 1 + r.IntN(4) {
			q.aggs = append(q.aggs, r.IntN(len(aggregates)))
		}
	}
	q.size, q.whereAbove, q.totals = q.step+r.minutes(0, 5), q.whereAbove && q.kind != "SESSION", q.totals && q.keyed && q.kind != "SESSION" && q.kind != "none"
	switch q.kind {
	case "CUMULATE":
		q.size = q.step * (1 + r.Int64N(4))
	case "TUMBLE", "date_bin":
		q.step = q.size
	}
	return q
}

// epochs makes rows: around 1970 or 2024, whole minutes and microseconds beside them, NULLs, and some from the future.
func (r random) epochs(p *pipeline) [][]input {
	base := []int64{0, time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()}[r.IntN(2)]
	var streams []int
	for s := range streamNames {
		if p.root.reads(s) {
			streams = append(streams, s)
		}
	}
	epochs := make([][]input, 1+r.IntN(7))
	for i := range epochs {
		for range 1 + r.IntN(12) {
			e := event{k: r.IntN(len(keyTypes[p.keyType])+1) - 1}
			if r.IntN(6) > 0 {
				v := r.Int64N(11) - 5
				if r.one(12) {
					v = 9_223_372_036_854_775_000 - r.Int64N(5)
				}
				e.v = &v
			}
			if r.IntN(4) > 0 {
				b := r.one(2)
				e.b = &b
			}
			if r.IntN(12) > 0 {
				at := base + (int64(i)*3+r.Int64N(14)-9)*minute + []int64{0, 0, -1, 1, r.Int64N(minute)}[r.IntN(5)]
				if r.one(60) {
					at = Start.UnixMicro() + []int64{0, 24*60*minute + 1}[r.IntN(2)]
				}
				e.at = &at
			}
			epochs[i] = append(epochs[i], input{streams[r.IntN(len(streams))], e})
		}
		slices.SortStableFunc(epochs[i], func(x, y input) int { return x.stream - y.stream })
	}
	return epochs
}

// variant is how a script is run; the outcome must not depend on it.
type variant struct {
	rows, workers int // rows an INSERT
	restart       bool
	crash         failpoint.Point
	memory        int64 // bytes that an operator may hold; 0: any number
}

func (r random) variant(p *pipeline) variant {
	v := variant{rows: []int{1, 3, 4096}[r.IntN(3)], workers: []int{1, 2, 4}[r.IntN(3)], restart: r.one(2)}
	if r.one(2) {
		v.crash = failpoint.Point(r.pick(names(failpoint.All())...))
	}
	if r.one(4) && p.spills(p.root) {
		v.memory = 1 << (8 + r.IntN(5))
	}
	return v
}

// spills reports whether what q and the views below it keep can be out of memory.
func (p *pipeline) spills(q *query) bool {
	if q.kind == "SESSION" || q.op == "over" || q.op == "asof" {
		return false
	}
	return !slices.ContainsFunc(q.in, func(c *query) bool { return !p.spills(c) })
}

func names(ps []failpoint.Point) (out []string) {
	for _, p := range ps {
		out = append(out, string(p))
	}
	return out
}
