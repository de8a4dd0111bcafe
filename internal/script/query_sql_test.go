package script

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// sql are the statements that create the streams and the view r.
func (p *pipeline) sql() string {
	var b strings.Builder
	for i, name := range streamNames {
		if !p.root.reads(i) {
			continue
		}
		fmt.Fprintf(&b, "CREATE STREAM %s (k %s, v BIGINT, b BOOLEAN, at TIMESTAMPTZ, WATERMARK FOR at AS at - %s)", name, p.keyType, interval(p.delay[i]))
		if p.skewed {
			b.WriteString(" WITH (max_future_skew = 'off')")
		}
		b.WriteString(";\n")
	}
	if p.newest {
		b.WriteString("SET wmsql.multiple_watermark_policy = 'max';\n")
	}
	for _, v := range p.root.views() {
		b.WriteString(p.create(v.name, v.mode, v.in[0]) + v.in[0].sel() + ";\n")
	}
	b.WriteString(p.create("r", p.mode, p.root))
	if p.root.op == "group" {
		b.WriteString(p.root.grouped(true))
	} else {
		b.WriteString(p.root.sel())
	}
	return b.String()
}

// create is how a view over q begins.
func (p *pipeline) create(name, mode string, q *query) string {
	gate, ttl := "error", ""
	if forgets := func(q *query) bool { return q.kind == "none" || q.op == "once" }; q.any(forgets) && p.ttl > 0 {
		ttl = ", state_ttl = '" + fmt.Sprint(p.ttl/minute) + " minutes'"
	} else if mode == "complete" || q.any(forgets) || q.any(func(q *query) bool { return q.op == "asof" }) {
		gate = "allow"
	}
	return fmt.Sprintf("CREATE MATERIALIZED VIEW %s WITH (output_mode = '%s', unbounded_state = '%s'%s) AS\n", name, mode, gate, ttl)
}

// sel is the query as SQL, with the columns k, v, b, at.
func (q *query) sel() string {
	const cols = "SELECT k, v, b, at FROM "
	switch q.op {
	case "where":
		return cols + q.in[0].from("t") + " WHERE " + condition
	case "map":
		return "SELECT k, v % 3 AS v, v > 0 AS b, at FROM " + q.in[0].from("t")
	case "union":
		return q.in[0].part() + " UNION ALL " + q.in[1].part()
	case "dedup":
		return "SELECT DISTINCT ON (k, at) k, v, b, at FROM " + q.in[0].from("t")
	case "within":
		return "SELECT DISTINCT ON (k) WITHIN WATERMARK k, v, b, at FROM " + q.in[0].from("t")
	case "once":
		return "SELECT DISTINCT ON (k) k, v, b, at FROM " + q.in[0].from("t")
	case "join":
		return q.joined()
	case "asof":
		return fmt.Sprintf("SELECT l.k, r.v, r.b, l.at FROM %s ASOF %sJOIN %s ON l.k = r.k AND l.at >= r.at", q.in[0].from("l"), strings.TrimPrefix(q.kind+" ", "INNER "), q.in[1].from("r"))
	case "over":
		return fmt.Sprintf("SELECT k, %s OVER (PARTITION BY k ORDER BY at RANGE BETWEEN %s PRECEDING AND CURRENT ROW) AS v, b, at FROM %s",
			aggregates[q.aggs[0]].sql, interval(q.size), q.in[0].from("t"))
	case "group":
		return q.grouped(false)
	case "top":
		from, groups, _ := q.windowed(q.in[0])
		return fmt.Sprintf("SELECT %s, v, b, at FROM (SELECT *, row_number() OVER (PARTITION BY %s ORDER BY v DESC, at, b) AS n FROM %s) AS t WHERE n <= %d",
			strings.Join(groups, ", "), strings.Join(groups, ", "), from, q.first)
	}
	return cols + q.source()
}

const condition = "v > 0 AND b IS NOT FALSE"

// source is the name of what has one.
func (q *query) source() string {
	switch q.op {
	case "stream":
		return streamNames[q.stream]
	case "view":
		return q.name
	}
	return ""
}

// from is the query in FROM.
func (q *query) from(alias string) string {
	if q.source() != "" {
		return q.source() + " AS " + alias
	}
	return "(" + q.sel() + ") AS " + alias
}

// part is the query in UNION ALL.
func (q *query) part() string {
	if q.source() != "" {
		return q.sel()
	}
	return "(" + q.sel() + ")"
}

// table is the query as argument of a window function.
func (q *query) table() string {
	if q.source() != "" {
		return "TABLE " + q.source()
	}
	return "TABLE (" + q.sel() + ")"
}

func (q *query) joined() string {
	var out []string
	for i, c := range []string{"k", "v", "b", "at"} {
		out = append(out, string("lr"[q.pick[i]])+"."+c)
	}
	sides := [2]string{q.in[0].from("l"), q.in[1].from("r")}
	var on []string
	if q.windows {
		for i := range sides {
			sides[i] = fmt.Sprintf("TUMBLE(%s, DESCRIPTOR(at), %s) AS %c", q.in[i].table(), interval(q.size), "lr"[i])
		}
		on = append(on, "l.window_start = r.window_start AND l.window_end = r.window_end")
	}
	if q.keyed {
		on = append(on, "l.k = r.k")
	}
	less := map[bool]string{true: "<", false: "<="}[q.strict]
	switch {
	case q.windows:
	case q.lo == 0 && q.hi == 0:
		on = append(on, "l.at = r.at")
	case q.difference:
		on = append(on, fmt.Sprintf("r.at - l.at %s %s AND l.at - r.at %s %s", less, interval(q.hi), less, interval(q.lo)))
	case q.strict:
		on = append(on, fmt.Sprintf("l.at - %s < r.at AND r.at < l.at + %s", interval(q.lo), interval(q.hi)))
	default:
		on = append(on, fmt.Sprintf("r.at BETWEEN l.at - %s AND l.at + %s", interval(q.lo), interval(q.hi)))
	}
	if q.own {
		on = append(on, "l.b")
	}
	if q.residual {
		on = append(on, "l.v <= r.v")
	}
	return fmt.Sprintf("SELECT %s FROM %s %s JOIN %s ON %s", strings.Join(out, ", "), sides[0], q.kind, sides[1], strings.Join(on, " AND "))
}

// grouped is a GROUP BY; root says that it is the view's own, which shows the windows and more aggregates.
func (q *query) grouped(root bool) string {
	in, where := q.in[0], ""
	if in.op == "where" && q.whereAbove {
		in, where = in.in[0], " WHERE "+condition
	}
	from, groups, at := q.windowed(in)
	shown := strings.Join(groups[:len(groups)-map[bool]int{true: 1}[q.keyed]], ", ")
	if q.kind == "none" {
		shown = "'all'"
	}
	if q.totals {
		groups[len(groups)-1] = "GROUPING SETS ((k), ())"
	}
	having := ""
	if q.having != "" {
		having = " HAVING " + q.having
	}
	if !root {
		if at == "window_time" {
			groups = append([]string{at}, groups...)
		}
		shown = fmt.Sprintf("k, %s AS v, bool_or(b) AS b, %s AS at", aggregates[q.aggs[0]].sql, at)
	} else {
		if q.keyed {
			shown += ", k"
		}
		if q.totals {
			shown += ", grouping(k)"
		}
		for i, a := range q.aggs {
			shown += fmt.Sprintf(", %s AS a%d", aggregates[a].sql, i)
		}
	}
	return "SELECT " + shown + " FROM " + from + where + " GROUP BY " + strings.Join(groups, ", ") + having
}

// windowed is the windows of in, the columns of a group of q, and its event time.
func (q *query) windowed(in *query) (from string, groups []string, at string) {
	groups, at = []string{"window_start", "window_end"}, "window_time"
	switch q.kind {
	case "TUMBLE":
		from = fmt.Sprintf("TUMBLE(%s, DESCRIPTOR(at), %s, %s)", in.table(), interval(q.size), interval(q.offset))
	case "HOP", "CUMULATE":
		from = fmt.Sprintf("%s(%s, DESCRIPTOR(at), %s, %s, %s)", q.kind, in.table(), interval(q.step), interval(q.size), interval(q.offset))
	case "SESSION":
		partition := ""
		if q.keyed {
			partition = " PARTITION BY k"
		}
		from = fmt.Sprintf("SESSION(%s%s, DESCRIPTOR(at), %s)", in.table(), partition, interval(q.size))
	case "time":
		groups, at = []string{"at"}, "at"
	case "date_bin":
		groups = []string{fmt.Sprintf("date_bin(%s, at, TIMESTAMPTZ '%s+00')", interval(q.size), show(q.offset))}
	case "none":
		groups, at = nil, "NULL::TIMESTAMPTZ"
	}
	if from == "" {
		from = in.from("t")
	}
	if q.keyed {
		groups = append(groups, "k")
	}
	return from, groups, at
}

func interval(us int64) string { return fmt.Sprintf("INTERVAL '%d seconds'", us/1e6) }

// insert is the statements that append rows.
func (p *pipeline) insert(rows []input) string {
	var b strings.Builder
	for i, r := range rows {
		if i == 0 || rows[i-1].stream != r.stream {
			if i > 0 {
				b.WriteString(";\n")
			}
			fmt.Fprintf(&b, "INSERT INTO %s VALUES ", streamNames[r.stream])
		} else {
			b.WriteString(", ")
		}
		k, v, bo, at := "NULL", "NULL", "NULL", "NULL"
		if r.k >= 0 {
			k = "'" + keyTypes[p.keyType][r.k].literal + "'"
		}
		if r.v != nil {
			v = fmt.Sprint(*r.v)
		}
		if r.b != nil {
			bo = fmt.Sprint(*r.b)
		}
		if r.at != nil {
			at = "'" + show(*r.at) + "+00'"
		}
		fmt.Fprintf(&b, "(%s, %s, %s, %s)", k, v, bo, at)
	}
	return b.String() + ";\n"
}

// shownGroup is a group as a row of the view, its key by its class.
func (p *pipeline) shownGroup(g *group) string {
	var cells []string
	switch p.root.kind {
	case "none":
		cells = []string{"all"}
	case "time", "date_bin":
		cells = []string{showTime(&g.start)}
	default:
		cells = []string{showTime(&g.start), showTime(&g.end)}
	}
	switch {
	case p.root.totals && g.class == total:
		cells = append(cells, "NULL", "1")
	case p.root.totals:
		cells = append(cells, g.class, "0")
	case p.root.keyed:
		cells = append(cells, g.class)
	}
	for _, a := range p.root.aggs {
		cells = append(cells, aggregates[a].eval(g.rows))
	}
	return strings.Join(cells, " | ")
}

// inWindow is the rows of a group with its window before them.
func (p *pipeline) inWindow(g *group, rows []event) (out []event) {
	for _, e := range rows {
		if p.root.showsWindow() {
			e.line = showTime(&g.start) + " | " + showTime(&g.end) + " | " + p.shown([]event{e})[0]
		}
		out = append(out, e)
	}
	return out
}

// shown is rows as the view shows them, in the order of their text.
func (p *pipeline) shown(rows []event) (lines []string) {
	for _, e := range rows {
		if e.line != "" {
			lines = append(lines, e.line)
			continue
		}
		v, b := "NULL", "NULL"
		if e.v != nil {
			v = fmt.Sprint(*e.v)
		}
		if e.b != nil {
			b = map[bool]string{true: "t", false: "f"}[*e.b]
		}
		lines = append(lines, strings.Join([]string{p.class(e.k), v, b, showTime(e.at)}, " | "))
	}
	slices.Sort(lines)
	return lines
}

func (p *pipeline) class(k int) string {
	if k < 0 {
		return "NULL"
	}
	return keyTypes[p.keyType][k].class
}

// normal is a line of the view with its key by its class.
func (p *pipeline) normal(line string) string {
	at := 0
	switch {
	case p.root.op == "group" && !p.root.keyed:
		return line
	case (p.root.op == "group" || p.root.op == "top") && p.root.showsWindow():
		at = 2
	case p.root.op == "group":
		at = 1
	}
	cells := strings.Split(line, " | ")
	for _, k := range keyTypes[p.keyType] {
		if at < len(cells) && cells[at] == k.shown {
			cells[at] = k.class
			break
		}
	}
	return strings.Join(cells, " | ")
}

// showsWindow reports whether a group of the root has both bounds.
func (q *query) showsWindow() bool {
	return q.kind != "time" && q.kind != "date_bin" && q.kind != "none"
}

// minus is t - d; no watermark stays none.
func minus(t, d int64) int64 {
	if t == none {
		return none
	}
	return t - d
}

func showTime(us *int64) string {
	if us == nil || *us == none {
		return "NULL"
	}
	return show(*us) + "+00"
}

func show(us int64) string { return time.UnixMicro(us).UTC().Format("2006-01-02 15:04:05.999999") }
