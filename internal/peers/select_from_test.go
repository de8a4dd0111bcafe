//go:build peers

package peers

import (
	"fmt"
	"slices"
)

// item is a relation in FROM: its text, its columns, and those that no two of its rows have alike, nil if there are none.
type item struct {
	text *part
	cols []selectColumn
	ids  []*part
	// comma says that the text is a list: what is joined with JOIN reads its last relation only.
	comma bool
}

// from is a FROM clause.
func (g *selects) from() item {
	if g.one(2) {
		return g.source(2)
	}
	return g.join(g.source(1), 1+g.IntN(2))
}

// source is one relation, whose subqueries are at most so deep.
func (g *selects) source(depth int) item {
	switch n := g.IntN(12); {
	case n < 6 || depth == 0 && n > 9:
		return g.table()
	case n == 6 && len(g.with) > 0:
		return g.cte()
	case n == 7:
		return g.values()
	case n == 8:
		return g.series()
	case n == 9:
		return g.unnest(nil)
	case n == 10:
		return g.derived(depth - 1)
	}
	return g.filtered()
}

func (g *selects) table() item {
	table, alias := g.pick([]string{"t1", "t1", "t2", "t3"}), g.name("l")
	return item{text: say(table + " AS " + alias), cols: qualified(table, alias), ids: []*part{say(alias + ".id")}}
}

// filtered is a table behind a subquery.
func (g *selects) filtered() item {
	table, alias, inner := g.pick([]string{"t1", "t2", "t3"}), g.name("f"), g.name("s")
	text := g.within(qualified(table, inner), nil, func() *part {
		return say("(SELECT * FROM %v AS %v%v) AS %v", table, inner, g.where(1), alias)
	})
	return item{text: text, cols: qualified(table, alias), ids: []*part{say(alias + ".id")}}
}

// derived is a whole query in FROM.
func (g *selects) derived(depth int) item {
	types, alias := g.columns(), g.name("d")
	it := item{}
	names := ""
	if g.one(3) {
		names = "("
	}
	for i, t := range types {
		name := fmt.Sprintf("c%d", i+1)
		if names != "" {
			name = fmt.Sprintf("n%d", i+1)
			names += map[bool]string{true: ", "}[i > 0] + name
		}
		it.cols = append(it.cols, column(alias+"."+name, t))
	}
	if names != "" {
		names += ")"
	}
	it.text = say("(%v) AS %v%v", g.within(nil, nil, func() *part { return g.query(types, depth) }), alias, names)
	return it
}

// cte reads a query of WITH.
func (g *selects) cte() item {
	w, alias := g.with[g.IntN(len(g.with))], g.name("w")
	it := item{text: say("%v AS %v", w.text, alias)}
	for _, c := range w.cols {
		it.cols = append(it.cols, column(alias+"."+c.name.String(), c.typ))
	}
	return it
}

func (g *selects) values() item {
	alias, first, second := g.name("v"), g.pick(selectTypes), g.pick(selectTypes)
	var rows []*part
	for range 1 + g.IntN(3) {
		rows = append(rows, say("(%v, %v)", g.typed(first), g.typed(second)))
	}
	return item{text: say("(VALUES %v) AS %v(x, y)", list(rows, ", "), alias), cols: []selectColumn{column(alias+".x", first), column(alias+".y", second)}}
}

// typed is a small expression that has its type even if all literals beside it are unknown.
func (g *selects) typed(typ string) *part {
	return g.within(nil, nil, func() *part { return say("(%v)::%v", g.expr(typ, 1), typeNames[typ]) })
}

func (g *selects) series() item {
	alias := g.name("g")
	typ, call := "int", g.pick([]string{"generate_series(1, 4)", "generate_series(5, -2, -3)", "generate_series(1, 0)", "generate_series(0, 42, 21)"})
	switch g.IntN(6) {
	case 0:
		typ, call = "timestamp", "generate_series(TIMESTAMP '2024-01-30', '2024-03-01', INTERVAL '1 month')"
	case 1:
		typ, call = "timestamptz", "generate_series(TIMESTAMPTZ '2024-03-30 00:00:00+00', '2024-04-01 00:00:00+00', INTERVAL '1 day')"
	case 2:
		typ, call = "numeric", "generate_series(0.5, 2, 0.75)"
	}
	n := selectColumn{say(alias + ".n").of(typ), typ, true}
	if g.one(3) {
		return item{text: say("%v WITH ORDINALITY AS %v(n, o)", call, alias), cols: []selectColumn{n, column(alias+".o", "bigint")}, ids: []*part{say(alias + ".o")}}
	}
	return item{text: say("%v AS %v(n)", call, alias), cols: []selectColumn{n}, ids: []*part{n.name}}
}

// unnest is a function of an array, a text or a document as a relation, which may read the columns of relations beside it.
func (g *selects) unnest(beside []selectColumn) item {
	f := [][]string{
		{"unnest($ints)", "int"}, {"unnest($texts)", "text"}, {"regexp_split_to_table($text, '[ ,b]')", "text"}, {"string_to_table($text, 'b')", "text"}, {"jsonb_array_elements(CASE jsonb_typeof($jsonb) WHEN 'array' THEN '[1,[2]]'::jsonb ELSE '[]' END)", "jsonb"},
		{"jsonb_object_keys(jsonb_build_object('b', 1, 'a', $int))", "text"}, {"generate_subscripts($ints, 1)", "int"}, {"generate_series(1, abs($int) % 4)", "int"}, {"jsonb_array_elements_text(jsonb_build_array($int, $text))", "text"}, {"unnest(ARRAY[$int, $int])", "int"}, {"regexp_matches($text, '(a)|(b.)', 'g')", "texts"}, {"unnest($intss)", "int"},
		{"jsonb_path_query($jsonb, '$.b[*]')", "jsonb"}, {"generate_series(DATE '2024-01-15', DATE '2024-02-03', INTERVAL '10 days')", "timestamptz"}, {"generate_subscripts($intss, 2)", "int"},
		{"unnest($ints, $texts)", "int", "x, y, n", "text"}, {"ROWS FROM (generate_series(1, 3), unnest($texts))", "int", "x, y, n", "text"}, {"jsonb_each_text(jsonb_build_object('k', $text, 'j', $int))", "text", "x, y, n", "text"},
		{"ROWS FROM (unnest($ints), string_to_table($text, ','), generate_series(1, 2))", "int", "x, y, a, n", "text"}, {"json_each(json_build_object('k', $text))", "text", "x, j, n", ""},
	}[g.IntN(20)]
	alias, names := g.name("u"), "x, n"
	if len(f) > 2 {
		names = f[2]
	}
	text := g.within(beside, nil, func() *part {
		return say("%v%v WITH ORDINALITY AS %v(%v)", map[bool]string{true: g.pick([]string{"", "LATERAL "})}[beside != nil], g.fill(f[0], "", 1), alias, names)
	})
	cols := []selectColumn{column(alias+".x", f[1]), column(alias+".n", "bigint")}
	if len(f) > 2 && f[3] != "" {
		cols = append(cols, column(alias+".y", f[3]))
	}
	return item{text: text, cols: cols, ids: []*part{say(alias + ".n")}}
}

// lateral is a subquery over the columns of relations beside it.
func (g *selects) lateral(beside []selectColumn) item {
	alias, from := g.name("x"), g.source(0)
	scope := slices.Concat(from.cols, beside)
	if g.one(2) {
		typ := g.pick([]string{"bigint", "numeric", "text", "int"})
		text := g.within(scope, nil, func() *part {
			where := g.where(1)
			var agg *part
			g.within(from.cols, from.ids, func() *part { agg = g.aggregate(typ); return agg })
			return say("LATERAL (SELECT %v AS n, count(*) AS m FROM %v%v) AS %v", agg, from.text, where, alias)
		})
		return item{text: text, cols: []selectColumn{column(alias+".n", typ), column(alias+".m", "bigint")}, ids: []*part{}}
	}
	typ := g.pick(selectTypes)
	text := g.within(scope, from.ids, func() *part {
		tail := say("")
		if g.ids != nil && g.one(2) {
			tail = maybe(say(" ORDER BY %v LIMIT 2", list(g.ids, ", ")))
		}
		return say("LATERAL (SELECT %v AS n FROM %v%v%v) AS %v", g.expr(typ, 1), from.text, g.where(1), tail, alias)
	})
	return item{text: text, cols: []selectColumn{column(alias+".n", typ)}}
}

// join joins so many relations to the left one.
func (g *selects) join(left item, more int) item {
	for range more {
		left = g.joined(left)
	}
	return left
}

func (g *selects) joined(left item) item {
	if g.one(4) {
		right := g.unnest(left.cols)
		if g.one(2) {
			right = g.lateral(left.cols)
		}
		text := func() *part {
			switch g.IntN(3) {
			case 0:
				left.comma = true
				return say("%v, %v", left.text, right.text)
			case 1:
				if left.comma {
					return say("%v, %v", left.text, right.text)
				}
				return say("%v LEFT JOIN %v ON true", left.text, right.text)
			}
			return say("%v CROSS JOIN %v", left.text, right.text)
		}()
		return left.beside(right, text)
	}
	right := g.source(0)
	if g.one(4) {
		right = g.source(1)
	}
	both := slices.Concat(left.cols, right.cols)
	kind := g.pick([]string{"JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "INNER JOIN", "FULL OUTER JOIN"})
	switch g.IntN(6) {
	case 0:
		return left.beside(right, say("%v CROSS JOIN %v", left.text, right.text))
	case 1:
		return g.sameNames(kind)
	}
	on := g.condition(left, right, kind[0] == 'F')
	if on == nil || left.comma {
		left.comma = true
		return left.beside(right, say("%v, %v", left.text, right.text))
	}
	if kind[0] != 'F' && g.one(3) {
		on = say("%v AND %v", on, orTrue(g.within(both, nil, func() *part { return g.expr("bool", 2) })))
	}
	if g.one(8) {
		return left.beside(right, say("(%v %v %v ON %v)", left.text, kind, right.text, on))
	}
	return left.beside(right, say("%v %v %v ON %v", left.text, kind, right.text, on))
}

// sameNames joins two tables by the columns that have the same name: all have an id.
func (g *selects) sameNames(kind string) item {
	l, r := g.table(), g.table()
	it := l.beside(r, say("%v NATURAL %v %v", l.text, kind, r.text))
	if g.one(2) {
		it.text = say("%v %v %v USING (id)", l.text, kind, r.text)
	}
	it.cols = append(it.cols, column("id", "int"))
	return it
}

// orTrue is a condition that may be true instead.
func orTrue(p *part) *part {
	p.typ, p.none = "bool", "true"
	return p
}

// condition compares columns of one type of both sides; a FULL JOIN needs an equality. nil if there are none.
func (g *selects) condition(left, right item, full bool) *part {
	for range 8 {
		l := left.cols[g.IntN(len(left.cols))]
		if rs := ofType(right.cols, l.typ); len(rs) > 0 {
			r := rs[g.IntN(len(rs))]
			if full || l.typ == "bool" || !g.one(5) {
				return say("%v = %v", l.name, r.name)
			}
			return say("%v %v %v", l.name, g.pick([]string{"<", "<>", ">="}), r.name)
		}
	}
	return nil
}

// beside is the relation of both.
func (it item) beside(other item, text *part) item {
	out := item{text: text, cols: slices.Concat(it.cols, other.cols), comma: it.comma}
	if it.ids != nil && other.ids != nil {
		out.ids = slices.Concat(it.ids, other.ids)
	}
	return out
}
