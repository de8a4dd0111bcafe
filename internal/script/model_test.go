package script

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"wmsql/internal/failpoint"
)

// The model is what a windowed aggregate over a stream means, written as directly as it can be: all rows in a slice, the
// watermark by its definition, every group computed anew. Nothing of it is shared with the engine.

const minute = int64(60e6) // µs

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

// event is a row: key number k (-1 is NULL), v and b and its time, each perhaps NULL.
type event struct {
	k  int
	v  *int64
	b  *bool
	at *int64
}

// pipeline is a query, as far as the model needs to know it.
type pipeline struct {
	keyType            string
	kind, mode, having string // kind: TUMBLE, HOP, CUMULATE, time, date_bin, none
	size, step, offset int64
	delay              int64
	where, keyed       bool
	aggregates         []int
	skewed             bool // rows from the future are refused
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

var aggregates = []aggregate{
	{"count(*)", func(rs []event) string { return fmt.Sprint(len(rs)) }},
	{"count(v)", func(rs []event) string { return fmt.Sprint(len(values(rs, always))) }},
	{"sum(v)", func(rs []event) string { return orNull(values(rs, always), sumText) }},
	{"min(v)", func(rs []event) string {
		return orNull(values(rs, always), func(v []int64) string { return fmt.Sprint(v[0]) })
	}},
	{"max(v)", func(rs []event) string {
		return orNull(values(rs, always), func(v []int64) string { return fmt.Sprint(v[len(v)-1]) })
	}},
	{"round(avg(v % 1000), 4)", func(rs []event) string {
		return orNull(values(rs, always), func(v []int64) string {
			for i := range v {
				v[i] %= 1000 // few digits, so that Postgres's scale of a quotient has no say
			}
			return strings.Replace(new(big.Rat).SetFrac(sum(v), big.NewInt(int64(len(v)))).FloatString(4), "-0.0000", "0.0000", 1)
		})
	}},
	{"count(DISTINCT v)", func(rs []event) string { return fmt.Sprint(len(slices.Compact(values(rs, always)))) }},
	{"sum(DISTINCT v)", func(rs []event) string { return orNull(slices.Compact(values(rs, always)), sumText) }},
	{"sum(v) FILTER (WHERE b)", func(rs []event) string { return orNull(values(rs, isTrue), sumText) }},
	{"count(DISTINCT v) FILTER (WHERE b)", func(rs []event) string { return fmt.Sprint(len(slices.Compact(values(rs, isTrue)))) }},
	{"bool_and(b)", func(rs []event) string { return bools(rs, false) }},
	{"bool_or(b)", func(rs []event) string { return bools(rs, true) }},
	{"string_agg(v::text, ',' ORDER BY v)", func(rs []event) string { return orNull(values(rs, always), join) }},
}

// having are conditions on a group; some stop holding when rows come.
var having = map[string]func([]event) bool{
	"":               func([]event) bool { return true },
	"count(*) > 1":   func(rs []event) bool { return len(rs) > 1 },
	"count(*) < 3":   func(rs []event) bool { return len(rs) < 3 },
	"sum(v) > 0":     func(rs []event) bool { return sum(values(rs, always)).Sign() > 0 },
	"min(v) IS NULL": func(rs []event) bool { return len(values(rs, always)) == 0 },
}

// sql are the statements that create the stream and the view r.
func (p *pipeline) sql() string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE STREAM s (k %s, v BIGINT, b BOOLEAN, at TIMESTAMPTZ, WATERMARK FOR at AS at - %s)", p.keyType, interval(p.delay))
	if !p.skewed {
		b.WriteString(" WITH (max_future_skew = 'off')")
	}
	times, first, from := "window_start, window_end", "window_start, window_end", "s"
	switch p.kind {
	case "TUMBLE":
		from = fmt.Sprintf("TUMBLE(TABLE s, DESCRIPTOR(at), %s, %s)", interval(p.size), interval(p.offset))
	case "HOP", "CUMULATE":
		from = fmt.Sprintf("%s(TABLE s, DESCRIPTOR(at), %s, %s, %s)", p.kind, interval(p.step), interval(p.size), interval(p.offset))
	case "time":
		times, first = "at", "at"
	case "date_bin":
		times = fmt.Sprintf("date_bin(%s, at, TIMESTAMPTZ '%s+00')", interval(p.size), show(p.offset))
		first = times
	case "none":
		first = "'all'"
	}
	fmt.Fprintf(&b, ";\nCREATE MATERIALIZED VIEW r WITH (output_mode = '%s', unbounded_state = '%s') AS\nSELECT %s", p.mode, p.gate(), first)
	groups := []string{times}
	if p.keyed {
		b.WriteString(", k")
		groups = append(groups, "k")
	}
	for i, a := range p.aggregates {
		fmt.Fprintf(&b, ", %s AS a%d", aggregates[a].sql, i)
	}
	fmt.Fprintf(&b, "\nFROM %s", from)
	if p.where {
		b.WriteString(" WHERE v > 0 AND b IS NOT FALSE")
	}
	if p.kind == "none" {
		groups = groups[1:]
	}
	fmt.Fprintf(&b, "\nGROUP BY %s", strings.Join(groups, ", "))
	if p.having != "" {
		b.WriteString(" HAVING " + p.having)
	}
	return b.String()
}

// gate is what the view says about unbounded state.
func (p *pipeline) gate() string {
	if p.kind == "none" || p.mode == "complete" {
		return "allow"
	}
	return "error"
}

func interval(us int64) string { return fmt.Sprintf("INTERVAL '%d seconds'", us/1e6) }

// noTime stands for the event time of a row that has none.
var noTime = int64(math.MinInt64)

// needsTime says that a row without an event time belongs nowhere.
func (p *pipeline) needsTime() bool {
	return p.kind != "none" && !(p.mode == "complete" && p.kind == "time")
}

// span is a window, or a time key as a window that ends at it.
type span struct{ start, end int64 }

// spans are the windows of a time.
func (p *pipeline) spans(of *int64) (out []span) {
	at := *of
	if of == &noTime && p.kind != "none" {
		return []span{{at, at}}
	}
	floor := func(t, by int64) int64 {
		m := (t - p.offset) % by
		if m < 0 {
			m += by
		}
		return t - m
	}
	switch p.kind {
	case "TUMBLE", "date_bin":
		lo := floor(at, p.size)
		return []span{{lo, lo + p.size}}
	case "HOP":
		for lo := floor(at, p.step); lo > at-p.size; lo -= p.step {
			out = append(out, span{lo, lo + p.size})
		}
		return out
	case "CUMULATE":
		lo := floor(at, p.size)
		for end := lo + p.step; end <= lo+p.size; end += p.step {
			if end > at {
				out = append(out, span{lo, end})
			}
		}
		return out
	case "time":
		return []span{{at, at}}
	}
	return []span{{}}
}

// outcome is what the view and its counters show.
type outcome struct {
	rows                              []string
	watermark                         string
	in, late, noTime, rejected, state int64
}

// group is a group of the query: a window and a key.
type group struct {
	span
	class string
}

// run is the outcome after the epochs.
func (p *pipeline) run(epochs [][]event) outcome {
	o := outcome{watermark: "none"}
	var watermark *int64
	groups := map[group][]event{}
	future := Start.Add(24 * time.Hour).UnixMicro()
	for _, rows := range epochs {
		next := watermark
		for _, r := range rows {
			o.in++
			switch {
			case r.at == nil && p.needsTime():
				o.noTime++
				continue
			case r.at == nil: // taken by a query that closes nothing
				r.at = &noTime
			case p.skewed && *r.at > future:
				o.rejected++
				continue
			case next == nil || *r.at-p.delay > *next:
				next = new(int64)
				*next = *r.at - p.delay
			}
			if p.where && (r.v == nil || *r.v <= 0 || r.b != nil && !*r.b) {
				continue
			}
			counted := false
			for _, s := range p.spans(r.at) {
				if p.mode == "complete" || p.kind == "none" || watermark == nil || s.end > *watermark {
					g := group{s, p.class(r)}
					groups[g] = append(groups[g], r)
					counted = true
				}
			}
			if !counted {
				o.late++
			}
		}
		watermark = next
	}
	if watermark != nil {
		o.watermark = show(*watermark)
	}
	for g, rows := range groups {
		final := p.kind != "none" && p.mode != "complete" && watermark != nil && g.end <= *watermark
		if !final {
			o.state++
		}
		if (final || p.mode != "append") && having[p.having](rows) {
			o.rows = append(o.rows, p.shown(g, rows))
		}
	}
	slices.Sort(o.rows)
	return o
}

func (p *pipeline) class(r event) string {
	if !p.keyed {
		return ""
	}
	if r.k < 0 {
		return "NULL"
	}
	return keyTypes[p.keyType][r.k].class
}

// shown is a row of the view, its key by its class.
func (p *pipeline) shown(g group, rows []event) string {
	var cells []string
	switch p.kind {
	case "none":
		cells = []string{"all"}
	case "time", "date_bin":
		cells = []string{strings.Replace(show(g.start)+"+00", "NULL+00", "NULL", 1)}
	default:
		cells = []string{show(g.start) + "+00", show(g.end) + "+00"}
	}
	if p.keyed {
		cells = append(cells, g.class)
	}
	for _, a := range p.aggregates {
		cells = append(cells, aggregates[a].eval(rows))
	}
	return strings.Join(cells, " | ")
}

func show(us int64) string {
	if us == noTime {
		return "NULL"
	}
	return time.UnixMicro(us).UTC().Format("2006-01-02 15:04:05.999999")
}

// randomPipeline makes a query that the gate accepts.
func randomPipeline(r *rand.Rand) *pipeline {
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	p := &pipeline{
		kind: pick("TUMBLE", "TUMBLE", "HOP", "HOP", "CUMULATE", "time", "date_bin", "none"), mode: pick("append", "append", "update", "complete"),
		having: pick("", "", "", "count(*) > 1", "count(*) < 3", "sum(v) > 0", "min(v) IS NULL"), where: r.IntN(3) == 0, keyed: r.IntN(4) > 0, skewed: r.IntN(3) == 0,
		delay: r.Int64N(8) * minute / 2,
	}
	types := slices.Sorted(func(yield func(string) bool) {
		for t := range keyTypes {
			if !yield(t) {
				return
			}
		}
	})
	p.keyType = pick(types...)
	if p.kind == "none" {
		p.keyed = true
		p.mode = pick("update", "complete")
	}
	p.step = (1 + r.Int64N(4)) * minute
	p.size = p.step + r.Int64N(6)*minute
	if p.kind == "CUMULATE" {
		p.size = p.step * (1 + r.Int64N(4))
	}
	p.offset = r.Int64N(3) * minute / 2
	for range 1 + r.IntN(4) {
		p.aggregates = append(p.aggregates, r.IntN(len(aggregates)))
	}
	return p
}

// randomEpochs makes rows: around 1970 or 2024, whole minutes and microseconds beside them, NULLs, and some from the future.
func randomEpochs(r *rand.Rand, p *pipeline) [][]event {
	base := []int64{0, time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()}[r.IntN(2)]
	var epochs [][]event
	for i := range 1 + r.IntN(7) {
		var rows []event
		for range 1 + r.IntN(12) {
			e := event{k: r.IntN(len(keyTypes[p.keyType])+1) - 1}
			if r.IntN(6) > 0 {
				v := r.Int64N(11) - 5
				if r.IntN(12) == 0 {
					v = 9_223_372_036_854_775_000 - r.Int64N(5)
				}
				e.v = &v
			}
			if r.IntN(4) > 0 {
				e.b = new(bool)
				*e.b = r.IntN(2) == 0
			}
			at := base + (int64(i)*3+r.Int64N(14)-9)*minute + []int64{0, 0, -1, 1, r.Int64N(minute)}[r.IntN(5)]
			if r.IntN(60) == 0 {
				at = Start.UnixMicro() + []int64{0, 24*60*minute + 1}[r.IntN(2)]
			}
			if r.IntN(12) > 0 {
				e.at = &at
			}
			rows = append(rows, e)
		}
		epochs = append(epochs, rows)
	}
	return epochs
}

// insert is the statement that appends rows.
func (p *pipeline) insert(rows []event) string {
	var out []string
	for _, r := range rows {
		k, v, b, at := "NULL", "NULL", "NULL", "NULL"
		if r.k >= 0 {
			k = "'" + keyTypes[p.keyType][r.k].literal + "'"
		}
		if r.v != nil {
			v = fmt.Sprint(*r.v)
		}
		if r.b != nil {
			b = fmt.Sprint(*r.b)
		}
		if r.at != nil {
			at = "'" + show(*r.at) + "+00'"
		}
		out = append(out, fmt.Sprintf("(%s, %s, %s, %s)", k, v, b, at))
	}
	return "INSERT INTO s VALUES " + strings.Join(out, ", ") + ";\n"
}

// variant is how a script is run; the outcome must not depend on it.
type variant struct {
	rows, workers int // rows an INSERT
	restart       bool
	crash         failpoint.Point
}

func randomVariant(r *rand.Rand) variant {
	v := variant{rows: []int{1, 3, 4096}[r.IntN(3)], workers: []int{1, 2, 4}[r.IntN(3)], restart: r.IntN(2) == 0}
	if points := failpoint.All(); r.IntN(2) == 0 {
		v.crash = points[r.IntN(len(points))]
	}
	return v
}

// normal is a line of the view with its key as the model shows it.
func (p *pipeline) normal(line string) string {
	if !p.keyed {
		return line
	}
	cells := strings.Split(line, " | ")
	at := 1
	if slices.Contains([]string{"TUMBLE", "HOP", "CUMULATE"}, p.kind) {
		at = 2
	}
	for _, k := range keyTypes[p.keyType] {
		if cells[at] == k.shown {
			cells[at] = cmp.Or(k.class, k.shown)
			break
		}
	}
	return strings.Join(cells, " | ")
}
