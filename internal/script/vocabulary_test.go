package script

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// What random queries are made of: types of keys, aggregates and conditions on groups, each as SQL and as what it means.

// key is a value of a group key: how SQL writes it, how it is shown, and the group it belongs to.
type key struct{ literal, shown, class string }

// keyTypes are types of group keys with values, some of which are equal though they look different. The last is NULL.
var keyTypes = map[string][]key{
	"TEXT":     {{"a", "a", "a"}, {"A", "A", "A"}, {"", "", "empty"}, {"ä", "ä", "ä"}, {"a ", "a ", "a_"}},
	"BIGINT":   {{"0", "0", "0"}, {"-9223372036854775808", "-9223372036854775808", "min"}, {"9223372036854775807", "9223372036854775807", "max"}},
	"SMALLINT": {{"0", "0", "0"}, {"-1", "-1", "-1"}},
	"NUMERIC":  {{"1", "1", "1"}, {"1.00", "1.00", "1"}, {"-0.10", "-0.10", "-0.1"}, {"-0.1", "-0.1", "-0.1"}, {"NaN", "NaN", "NaN"}, {"12345678901234567890123", "12345678901234567890123", "big"}},
	"DATE":     {{"2024-02-29", "2024-02-29", "x"}, {"infinity", "infinity", "inf"}, {"0044-03-15 BC", "0044-03-15 BC", "bc"}},
	"BOOLEAN":  {{"true", "t", "t"}, {"false", "f", "f"}},
	"INTERVAL": {{"1 month", "1 mon", "30d"}, {"30 days", "30 days", "30d"}, {"720 hours", "720:00:00", "30d"}, {"-1 second", "-00:00:01", "-1s"}},
	"UUID":     {{"00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000001", "1"}, {"F0000000000000000000000000000000", "f0000000-0000-0000-0000-000000000000", "f"}},
	"JSONB":    {{`{"a": 1}`, `{"a": 1}`, "a"}, {`{"a":1.0}`, `{"a": 1.0}`, "a"}, {"null", "null", "jnull"}, {"[]", "[]", "[]"}},
	"FLOAT8":   {{"0", "0", "0"}, {"-0", "-0", "0"}, {"NaN", "NaN", "NaN"}, {"1e300", "1e+300", "big"}},
	"BYTEA":    {{`\x`, `\x`, "empty"}, {`\x00ff`, `\x00ff`, "x"}},
}

// aggregate is an aggregate's SQL and its meaning over the rows of a group.
type aggregate struct {
	sql  string
	eval func(rows []event) string
}

func values(rows []event, when func(event) bool) (out []int64) {
	for _, r := range rows {
		if r.v != nil && when(r) {
			out = append(out, *r.v)
		}
	}
	slices.Sort(out)
	return out
}

func always(event) bool { return true }

func isTrue(r event) bool { return r.b != nil && *r.b }

func sum(vs []int64) *big.Int {
	s := new(big.Int)
	for _, v := range vs {
		s.Add(s, big.NewInt(v))
	}
	return s
}

// orNull is f of the values, NULL when there is none.
func orNull[T any](vs []T, f func([]T) string) string {
	if len(vs) == 0 {
		return "NULL"
	}
	return f(vs)
}

func bools(rows []event, seek bool) string {
	var bs []bool
	for _, r := range rows {
		if r.b != nil {
			bs = append(bs, *r.b)
		}
	}
	return orNull(bs, func(bs []bool) string {
		return map[bool]string{true: "t", false: "f"}[slices.Contains(bs, seek) == seek]
	})
}

func sumText(vs []int64) string { return sum(vs).String() }

func join(vs []int64) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(vs), " ", ","), "[]") }

// aggregates are of any type; the first bigints are BIGINT.
var aggregates = []aggregate{
	{"count(*)", func(rs []event) string { return fmt.Sprint(len(rs)) }},
	{"count(v)", func(rs []event) string { return fmt.Sprint(len(values(rs, always))) }},
	{"count(DISTINCT v)", func(rs []event) string { return fmt.Sprint(len(slices.Compact(values(rs, always)))) }},
	{"min(v)", func(rs []event) string {
		return orNull(values(rs, always), func(v []int64) string { return fmt.Sprint(v[0]) })
	}},
	{"max(v)", func(rs []event) string {
		return orNull(values(rs, always), func(v []int64) string { return fmt.Sprint(v[len(v)-1]) })
	}},
	{"sum(v)", func(rs []event) string { return orNull(values(rs, always), sumText) }},
	{"round(avg(v % 1000), 4)", func(rs []event) string {
		return orNull(values(rs, always), func(v []int64) string {
			for i := range v {
				v[i] %= 1000 // few digits, so that Postgres's scale of a quotient has no say
			}
			return strings.Replace(new(big.Rat).SetFrac(sum(v), big.NewInt(int64(len(v)))).FloatString(4), "-0.0000", "0.0000", 1)
		})
	}},
	{"sum(DISTINCT v)", func(rs []event) string { return orNull(slices.Compact(values(rs, always)), sumText) }},
	{"sum(v) FILTER (WHERE b)", func(rs []event) string { return orNull(values(rs, isTrue), sumText) }},
	{"count(DISTINCT v) FILTER (WHERE b)", func(rs []event) string { return fmt.Sprint(len(slices.Compact(values(rs, isTrue)))) }},
	{"bool_and(b)", func(rs []event) string { return bools(rs, false) }},
	{"bool_or(b)", func(rs []event) string { return bools(rs, true) }},
	{"string_agg(v::text, ',' ORDER BY v)", func(rs []event) string { return orNull(values(rs, always), join) }},
}

const bigints = 5

// having are conditions on a group; some stop holding when rows come.
var having = map[string]func([]event) bool{
	"count(*) > 1":   func(rs []event) bool { return len(rs) > 1 },
	"count(*) < 3":   func(rs []event) bool { return len(rs) < 3 },
	"sum(v) > 0":     func(rs []event) bool { return sum(values(rs, always)).Sign() > 0 },
	"min(v) IS NULL": func(rs []event) bool { return len(values(rs, always)) == 0 },
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
		if out[i].class, all[i].class = "", total; q.keyed {
			out[i].class = p.class(e.k)
		}
	}
	if q.totals {
		return append(out, all...)
	}
	return out
}

// matches is the condition of a join. NULL equals nothing.
func (p *pipeline) matches(q *query, l, r event) bool {
	switch d := q.time(r) - q.time(l); {
	case q.keyed && (l.k < 0 || r.k < 0 || p.class(l.k) != p.class(r.k)), q.residual && (l.v == nil || r.v == nil || *l.v > *r.v):
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

// found is a row with what its frame holds, or with the newest row of its key that is not after it, of equal ones the last that came.
func (p *pipeline) found(q *query, e event, among []event) []event {
	reach := slices.DeleteFunc(slices.Clone(among), func(r event) bool {
		return p.class(r.k) != p.class(e.k) || *r.at > *e.at || q.op == "over" && *r.at < *e.at-q.size
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
