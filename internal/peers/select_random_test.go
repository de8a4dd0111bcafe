//go:build peers

package peers

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// selects makes random SELECTs over the tables of selectTables. Every expression is of a known type, and every result has one order.
type selects struct {
	*rand.Rand
	scope []selectColumn // what may be named
	alias int
}

type selectColumn struct{ name, typ string }

// selectTables are created alike on both servers.
const selectTables = `
CREATE TABLE t1 (id int PRIMARY KEY, a int, b bigint, c numeric(12,2), d double precision, e text, f boolean, g date, h timestamp, i timestamptz, j interval);
INSERT INTO t1 VALUES
 (1, 1, 10, 1.50, 0.5, 'abc', true, '2024-01-31', '2024-01-31 12:30:00', '2024-01-31 12:30:00+00', '1 day'),
 (2, 2, -20, -2.25, 1.25, 'ABC', false, '2024-02-29', '2024-02-29 23:59:59.999999', '2024-02-29 00:00:00+00', '2 hours 30 minutes'),
 (3, NULL, 30, 0.00, -1, 'a b  c', NULL, '1999-12-31', NULL, '1999-12-31 23:00:00+00', '1 month'),
 (4, -7, NULL, 100.00, NULL, '', true, NULL, '1970-01-01 00:00:00', NULL, '-3 days'),
 (5, 42, 0, NULL, 1e10, NULL, false, '2024-12-25', '2024-07-04 04:05:06.7', '2024-07-04 04:05:06.7+02', NULL),
 (6, 0, 1234567890123, 99999.99, 0, 'Ünïcödé', true, '2023-03-26', '2023-03-26 02:30:00', '2023-03-26 01:30:00+00', '1 year 2 months 3 days 04:05:06'),
 (7, 1, 10, 1.50, 0.5, 'abc', NULL, '2024-01-31', '2024-01-31 12:30:00', '2024-01-31 12:30:00+00', '24 hours'),
 (8, 100, -1, 3.33, 2.5e-5, '12', false, '2000-02-29', '2000-02-29 06:00:00', '2000-02-29 06:00:00+00', '00:00:01.5');
CREATE TABLE t2 (id int PRIMARY KEY, k int, x smallint, y text, z numeric, w timestamptz);
INSERT INTO t2 VALUES
 (1, 1, 5, 'abc', 1, '2024-01-31 12:30:00+00'), (2, 1, -5, 'xyz', 1.000, '2024-02-01 00:00:00+00'), (3, 2, NULL, 'b%', 0.001, NULL),
 (4, NULL, 0, NULL, 12345678901234567890.5, '1999-12-31 23:00:00+00'), (5, 9, 7, 'ABC', NULL, '2024-07-04 02:05:06.7+00'), (6, 42, 1, '_x', -3, '2024-12-31 23:59:59+00')`

var selectScopes = map[string][]selectColumn{
	"t1": {{"id", "int"}, {"a", "int"}, {"b", "bigint"}, {"c", "numeric"}, {"d", "float8"}, {"e", "text"}, {"f", "bool"}, {"g", "date"}, {"h", "timestamp"}, {"i", "timestamptz"}, {"j", "interval"}},
	"t2": {{"id", "int"}, {"k", "int"}, {"x", "smallint"}, {"y", "text"}, {"z", "numeric"}, {"w", "timestamptz"}},
}

// selectTypes are the types an expression may have.
var selectTypes = []string{"int", "bigint", "numeric", "float8", "text", "bool", "date", "timestamp", "timestamptz", "interval"}

// literals of each type.
var literals = map[string][]string{
	"smallint":    {"3::smallint", "(-1)::smallint"},
	"int":         {"0", "1", "2", "(-3)", "7", "100"},
	"bigint":      {"0::bigint", "5::bigint", "(-12)::bigint", "4000000000"},
	"numeric":     {"0.5", "1.0", "(-2.75)", "10.000", "3::numeric", "0.1"},
	"float8":      {"0.5::float8", "2::float8", "(-1.25)::float8", "1e3::float8"},
	"text":        {"'abc'", "'a'", "''", "'B b'", "'12'", "'x%y'"},
	"bool":        {"true", "false", "NULL::bool"},
	"date":        {"DATE '2024-01-15'", "DATE '2000-02-29'"},
	"timestamp":   {"TIMESTAMP '2024-01-15 10:20:30.5'", "TIMESTAMP '1999-12-31 00:00:00'"},
	"timestamptz": {"TIMESTAMPTZ '2024-01-15 10:20:30+00'", "TIMESTAMPTZ '2024-06-01 00:00:00+02'"},
	"interval":    {"INTERVAL '1 day'", "INTERVAL '90 minutes'", "INTERVAL '1 month -1 day'"},
}

// calls are expressions with places for others: by type, what they give, their text, and what they take.
var calls = parseCalls(`
int: $int + $int | $int - $int | abs($int) | length($text) | position($text in $text) | $int % 7 | -$int | ($int)::smallint::int | strpos($text, $text) | ascii($text)
int: CASE WHEN $bool THEN $int ELSE $int END | coalesce($int, $int) | nullif($int, $int) | greatest($int, $int, $int) | least($int, $int) | $date - $date | $int / 3 | $int & 12 | $int # $int
int: ($numeric)::int | round($numeric)::int | char_length($text) | octet_length($text) | mod($int, 5) | sign($int)::int | ($bool)::int | $int * 3 | $int / nullif($int, 0) | 100 / $int
bigint: $bigint + $int | $bigint - $bigint | abs($bigint) | ($int)::bigint | coalesce($bigint, 0) | $bigint / 7 | $bigint % 10 | ($numeric % 99999)::bigint | CASE WHEN $bool THEN $bigint END | $bigint * 2
numeric: $numeric + $numeric | $numeric - $int | $numeric * $numeric | $numeric / 3 | round($numeric, 1) | trunc($numeric) | floor($numeric) | ceil($numeric) | abs($numeric) | ($int)::numeric | $numeric % 2
numeric: coalesce($numeric, $numeric) | greatest($numeric, $numeric) | round(($bigint)::numeric, 3) | extract(epoch FROM $interval) | extract(year FROM $date) | extract(dow FROM $timestamp) | extract(hour FROM $timestamptz)
numeric: ($float8)::numeric | -$numeric | round($numeric) | $numeric / nullif($numeric, 0) | extract(second FROM $timestamp) | extract(isoyear FROM $date) | extract(quarter FROM $date) | extract(doy FROM $date) | extract(month FROM $interval)
float8: $float8 + $float8 | $float8 * $float8 | ($int)::float8 | floor($float8) | round($float8) | abs($float8) | ($numeric)::float8 | sqrt(abs($float8)) | $float8 / 4 | -$float8 | date_part('day', $date) | trunc($float8)
text: $text || $text | upper($text) | lower($text) | substr($text, $int) | substring($text from 2 for 3) | trim($text) | left($text, $int) | right($text, 2) | replace($text, 'a', $text) | reverse($text) | repeat($text, 2)
text: lpad($text, 6, '*') | rpad($text, 5) | initcap($text) | concat($text, $int, $bool) | ($int)::text | ($numeric)::text | ($bool)::text | ($date)::text | ($interval)::text | ($timestamptz)::text | ($float8)::text | md5($text)
text: coalesce($text, $text) | CASE WHEN $bool THEN $text ELSE $text END | to_char($timestamp, 'YYYY-MM-DD HH24:MI:SS.US') | to_char($numeric, 'FM999990.00') | split_part($text, ' ', 1) | translate($text, 'abc', 'xyz') | nullif($text, '')
text: to_char($date, 'Day, DD Mon YYYY') | to_char($int, '000') | concat_ws('-', $text, $text) | btrim($text, 'a') | regexp_replace($text, '[a-c]+', 'Z') | overlay($text placing 'Q' from 1 for 1) | ($text)::varchar(3) | to_char($interval, 'HH24:MI') | chr(65 + abs($int) % 26) | format('%s/%s', $text, $int) | quote_literal($text)
bool: $int < $int | $int = $int | $numeric >= $numeric | $text = $text | $text LIKE 'a%' | $text ILIKE '%B%' | $bool AND $bool | $bool OR $bool | NOT $bool | $int IS NULL | $text IS NOT NULL | $bool IS TRUE | $int BETWEEN $int AND $int
bool: $int IN (1, 2, 42) | $text IN ('abc', 'x') | $date < $date | $timestamp >= $timestamp | $timestamptz > $timestamptz | $interval < $interval | $float8 <> $float8 | $text ~ '^[a-c]' | $int IS DISTINCT FROM $int | $text < $text | $bigint > $int
bool: $bool = $bool | $numeric = $int | $float8 > $numeric | starts_with($text, 'a') | $text NOT LIKE '_b%' | $date = $timestamp | $int NOT IN (3, NULL) | $bool IS NOT FALSE | ($int)::bool | $int = ANY (ARRAY[1, 2, $int]) | ($int, $text) = ($int, $text)
date: $date + $int | $date - 3 | ($timestamp)::date | date_trunc('month', $timestamp)::date | coalesce($date, $date) | CASE WHEN $bool THEN $date END | greatest($date, $date) | make_date(2024, 1 + abs($int) % 12, 5)
timestamp: $timestamp + $interval | $date + $interval | date_trunc('hour', $timestamp) | ($date)::timestamp | $timestamptz AT TIME ZONE 'Europe/Berlin' | coalesce($timestamp, $timestamp) | $timestamp - $interval | date_trunc('week', $timestamp)
timestamptz: $timestamptz + $interval | date_trunc('day', $timestamptz) | $timestamp AT TIME ZONE 'America/New_York' | ($date)::timestamptz | coalesce($timestamptz, $timestamptz) | to_timestamp($int) | date_bin('15 minutes', $timestamptz, TIMESTAMPTZ '2001-01-01 00:00:00+00')
interval: $timestamp - $timestamp | $timestamptz - $timestamptz | $interval + $interval | $interval * 2 | $interval / 2 | -$interval | justify_hours($interval) | age($timestamp, $timestamp) | make_interval(days => $int) | justify_interval($interval) | coalesce($interval, $interval) | justify_days($interval)
`)

// aggregateCalls are the same for aggregates. Sums of floats are left out: their last digits depend on the order of the rows.
var aggregateCalls = parseCalls(`
bigint: count(*) | count($int) | count(DISTINCT $text) | sum($int) | count(*) FILTER (WHERE $bool) | regr_count($float8, $float8)
int: min($int) | max($int) | bit_and($int) | bit_or($int) | max(length($text)) | mode() WITHIN GROUP (ORDER BY $int) | percentile_disc(0.5) WITHIN GROUP (ORDER BY $int)
numeric: sum($numeric) | avg($int) | avg($numeric) | sum($bigint) | max(round($numeric, 3)) | min(round($numeric, 2)) | stddev($int) | variance($numeric) | sum(DISTINCT $numeric) | var_pop($int) | stddev_pop($bigint)
float8: max($float8) | min($float8) | percentile_cont(0.5) WITHIN GROUP (ORDER BY $int)
text: string_agg($text, ',' ORDER BY $text, id) | min($text) | max($text) | string_agg(DISTINCT $text, '-')
bool: bool_and($bool) | bool_or($bool) | every($bool)
date: min($date) | max($date)
timestamp: min($timestamp) | max($timestamp)
timestamptz: min($timestamptz) | max($timestamptz)
interval: sum($interval) | avg($interval)
`)

// windowCalls are functions that need OVER.
var windowCalls = parseCalls(`
bigint: row_number() | rank() | dense_rank() | count($int) | sum($int)
int: lag($int) | lead($int, 2, 0) | first_value($int) | ntile(3) | max($int) | nth_value($int, 2)
numeric: avg($int) | sum($numeric)
float8: percent_rank() | cume_dist()
text: lag($text, 1, 'none') | last_value($text) | min($text) | string_agg($text, '')
bool: bool_or($bool)
`)

func parseCalls(text string) map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		typ, list, _ := strings.Cut(strings.TrimSpace(line), ": ")
		out[typ] = append(out[typ], strings.Split(list, " | ")...)
	}
	return out
}

func (g *selects) one(in int) bool { return g.IntN(in) == 0 }

func (g *selects) of(s []string) string { return s[g.IntN(len(s))] }

// expr is an expression of a type, at most so deep.
func (g *selects) expr(typ string, depth int) string {
	if depth > 0 && g.one(12) && len(g.scope) > 0 {
		return g.subquery(typ, depth-1)
	}
	if depth > 0 && len(calls[typ]) > 0 && !g.one(4) {
		return "(" + g.fill(g.of(calls[typ]), depth-1) + ")"
	}
	var cols []string
	for _, c := range g.scope {
		if c.typ == typ {
			cols = append(cols, c.name)
		}
	}
	if len(cols) > 0 && !g.one(4) {
		return g.of(cols)
	}
	return g.of(literals[typ])
}

// fill puts expressions into the places of a call: longer names of types first, for $timestamp begins $timestamptz.
func (g *selects) fill(call string, depth int) string {
	for {
		at := strings.IndexByte(call, '$')
		if at < 0 {
			return call
		}
		end := at + 1
		for end < len(call) && (call[end] >= 'a' && call[end] <= 'z' || call[end] == '8') {
			end++
		}
		call = call[:at] + strings.ReplaceAll(g.expr(call[at+1:end], depth), "$", "") + call[end:]
	}
}

// subquery is a scalar subquery, or a test of one.
func (g *selects) subquery(typ string, depth int) string {
	g.alias++
	name := fmt.Sprintf("q%d", g.alias)
	outer := g.scope
	defer func() { g.scope = outer }()
	table := g.of([]string{"t1", "t2"})
	if g.one(2) { // correlated
		g.scope = slices.Concat(qualified(table, name), outer)
	} else {
		g.scope = qualified(table, name)
	}
	where := ""
	if g.one(2) {
		where = " WHERE " + g.expr("bool", depth)
	}
	from := " FROM " + table + " AS " + name + where
	if typ == "bool" {
		switch g.IntN(3) {
		case 0:
			return "EXISTS (SELECT 1" + from + ")"
		case 1:
			return "(" + g.outerExpr(outer, "int") + " IN (SELECT " + g.expr("int", 0) + from + "))"
		}
		return "(" + g.outerExpr(outer, "numeric") + " < ALL (SELECT " + g.expr("numeric", 0) + from + "))"
	}
	if len(aggregateCalls[typ]) > 0 && g.one(2) {
		g.scope = qualified(table, name) // an aggregate of outer columns alone would be the outer query's
		if inner, around := ofType(g.scope, "int"), ofType(outer, "int"); len(inner) > 0 && len(around) > 0 && g.one(3) {
			from = " FROM " + table + " AS " + name + " WHERE " + g.of(inner) + " = " + g.of(around) // a join with groups
		}
		return "(SELECT " + strings.ReplaceAll(g.fill(g.of(aggregateCalls[typ]), 0), ", id)", ", "+name+".id)") + from + ")"
	}
	return "(SELECT " + g.expr(typ, depth) + from + " ORDER BY " + name + ".id LIMIT 1)"
}

// ofType names the columns of a type.
func ofType(scope []selectColumn, typ string) (out []string) {
	for _, c := range scope {
		if c.typ == typ {
			out = append(out, c.name)
		}
	}
	return out
}

func (g *selects) outerExpr(scope []selectColumn, typ string) string {
	inner := g.scope
	defer func() { g.scope = inner }()
	g.scope = scope
	return g.expr(typ, 0)
}

func qualified(table, name string) (out []selectColumn) {
	for _, c := range selectScopes[table] {
		out = append(out, selectColumn{name + "." + c.name, c.typ})
	}
	return out
}

// from is a FROM clause; its columns become the scope. id is a column that is unique in it, or "".
func (g *selects) from() (text, id string) {
	g.alias++
	switch l, r := fmt.Sprintf("l%d", g.alias), fmt.Sprintf("r%d", g.alias); g.IntN(7) {
	case 0:
		g.scope = slices.Concat(qualified("t1", l), qualified("t2", r))
		kind := g.of([]string{"JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"})
		return fmt.Sprintf("t1 AS %s %s t2 AS %s ON %s.%s = %s.%s", l, kind, r, l, g.of([]string{"id", "a"}), r, g.of([]string{"id", "k"})), ""
	case 1:
		g.scope = slices.Concat(qualified("t1", l), qualified("t2", r))
		return fmt.Sprintf("t1 AS %s CROSS JOIN t2 AS %s", l, r), ""
	case 2:
		g.scope = qualified("t1", l)
		cond := g.expr("bool", 2)
		g.scope = slices.Concat(g.scope, []selectColumn{{r + ".n", "bigint"}, {r + ".m", "numeric"}})
		return fmt.Sprintf("t1 AS %s, LATERAL (SELECT count(*) AS n, max(z) AS m FROM t2 WHERE t2.id >= %s.a AND %s) AS %s", l, l, cond, r), l + ".id"
	case 3:
		g.scope = qualified("t1", "t1")
		cond := g.expr("bool", 2)
		g.scope = qualified("t1", l)
		return fmt.Sprintf("(SELECT * FROM t1 WHERE %s) AS %s", cond, l), l + ".id"
	case 4:
		g.scope = qualified("t2", r)
		return "t2 AS " + r, r + ".id"
	default:
		g.scope = qualified("t1", l)
		return "t1 AS " + l, l + ".id"
	}
}

// columns are types of a result.
func (g *selects) columns() (types []string) {
	for range 1 + g.IntN(4) {
		types = append(types, g.of(selectTypes))
	}
	return types
}

// body is a SELECT without ORDER BY with columns c1, c2 ... of the types.
// Set says that it is part of a set operation.
func (g *selects) body(types []string, depth int, set bool) string {
	var outs []string
	as := func(i int, e string) { outs = append(outs, fmt.Sprintf("%s AS c%d", e, i+1)) }
	from, id := g.from()
	where := ""
	if g.one(2) {
		where = " WHERE " + g.expr("bool", 2)
	}
	switch g.IntN(6) {
	case 0: // groups by the first column
		key := canonical(types[0], g.expr(types[0], 1))
		if !strings.ContainsAny(key, ".") {
			key = "(" + key + ")"
		}
		as(0, key)
		for i, t := range types[1:] {
			as(i+1, g.aggregate(t, id))
		}
		having := ""
		if g.one(3) {
			having = " HAVING count(*) > 1"
		}
		return "SELECT " + strings.Join(outs, ", ") + " FROM " + from + where + " GROUP BY 1" + having
	case 1: // one group
		for i, t := range types {
			as(i, g.aggregate(t, id))
		}
		return "SELECT " + strings.Join(outs, ", ") + " FROM " + from + where
	case 2: // functions OVER
		if id == "" {
			break
		}
		for i, t := range types {
			if len(windowCalls[t]) == 0 {
				as(i, g.expr(t, depth))
				continue
			}
			over := "ORDER BY " + g.expr(g.of(selectTypes), 0) + ", " + id
			if strings.HasPrefix(over, "ORDER BY N") || strings.HasPrefix(over, "ORDER BY 0") {
				over = "ORDER BY " + id
			}
			if g.one(2) {
				over = "PARTITION BY " + g.expr("bool", 1) + " " + over
			}
			frame := g.of([]string{"", "", " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING", " ROWS UNBOUNDED PRECEDING", " GROUPS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"})
			as(i, g.fill(g.of(windowCalls[t]), 1)+" OVER ("+over+frame+")")
		}
		return "SELECT " + strings.Join(outs, ", ") + " FROM " + from + where
	}
	distinct := g.of([]string{"", "", "", "DISTINCT "})
	for i, t := range types {
		e := g.expr(t, depth)
		if set || distinct != "" {
			e = canonical(t, e)
		}
		as(i, e)
	}
	return "SELECT " + distinct + strings.Join(outs, ", ") + " FROM " + from + where
}

// canonical makes equal values look the same: which of them stands for a group depends on the order of the rows.
func canonical(typ, e string) string {
	switch typ {
	case "numeric":
		return "trim_scale(" + e + ")"
	case "interval":
		return "justify_interval(" + e + ")"
	case "float8":
		return "(" + e + " + 0)"
	}
	return e
}

// aggregate is an aggregate of a type. Its own order is made whole by the id, where there is one.
func (g *selects) aggregate(typ, id string) string {
	call := g.fill(g.of(aggregateCalls[typ]), 1)
	if id == "" && strings.Contains(call, ", id)") {
		return g.fill("max($text)", 1)
	}
	return strings.ReplaceAll(call, ", id)", ", "+id+")")
}

// query is a whole SELECT, with one possible order of its rows.
func (g *selects) query() string {
	g.alias = 0
	types := g.columns()
	set := g.one(6)
	q := g.body(types, 3, set)
	if set {
		q = "(" + q + ") " + g.of([]string{"UNION", "UNION ALL", "INTERSECT", "EXCEPT", "EXCEPT ALL", "INTERSECT ALL"}) + " (" + g.body(types, 2, true) + ")"
	}
	var order, ties []string
	for i := range types {
		order = append(order, fmt.Sprintf("c%d%s", i+1, g.of([]string{"", "", " DESC", " NULLS FIRST", " DESC NULLS LAST"})))
		ties = append(ties, fmt.Sprintf("c%d::text", i+1))
	}
	tail := " ORDER BY " + strings.Join(append(order, ties...), ", ")
	if g.one(4) {
		tail += fmt.Sprintf(" LIMIT %d OFFSET %d", g.IntN(6), g.IntN(3))
	}
	if g.one(4) {
		return "WITH q AS (" + q + ") SELECT * FROM q" + tail
	}
	return "SELECT * FROM (" + q + ") AS q" + tail
}
