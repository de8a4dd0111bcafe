//go:build peers

package peers

import (
	"fmt"
	"slices"
	"strings"
)

// query is a SELECT, VALUES or set operation of columns c1, c2 ... of the types. Its rows are the same wherever it runs, in any order.
func (g *selects) query(types []string, depth int) *part {
	var q *part
	switch {
	case g.one(6) && depth > 0:
		q = g.setOperation(types, depth)
	case g.one(16):
		q = g.valuesRows(types)
	case g.one(12):
		return g.within(nil, nil, func() *part {
			limit := g.pick([]string{"LIMIT 3", "LIMIT 2 OFFSET 1", "FETCH FIRST 4 ROWS ONLY"})
			return say("SELECT * FROM (%v) AS t ORDER BY %v %v", g.body(types, depth, false), total(types, g), limit)
		}).kind("query " + strings.Join(types, " "))
	case g.one(10) && depth > 0:
		return g.withQueries(depth, func() *part { return g.body(types, depth, false) }).kind("query " + strings.Join(types, " "))
	default:
		return g.body(types, depth, false)
	}
	return q.kind("query " + strings.Join(types, " "))
}

func (g *selects) setOperation(types []string, depth int) *part {
	op := g.pick([]string{"UNION", "UNION ALL", "INTERSECT", "EXCEPT", "EXCEPT ALL", "INTERSECT ALL", "UNION DISTINCT"})
	one := func() *part {
		if depth > 1 && g.one(4) {
			return g.setOperation(types, depth-1)
		}
		return g.body(types, depth-1, true)
	}
	return say("(%v) %v (%v)", one(), op, one()).kind("query " + strings.Join(types, " "))
}

// valuesRows names the columns of a VALUES.
func (g *selects) valuesRows(types []string) *part {
	var rows, names []*part
	for i := range types {
		names = append(names, say(fmt.Sprintf("c%d", i+1)))
	}
	for range 1 + g.IntN(3) {
		var row []*part
		for _, t := range types {
			row = append(row, g.typed(t))
		}
		rows = append(rows, say("(%v)", values(row)))
	}
	return say("SELECT * FROM (VALUES %v) AS v(%v)", list(rows, ", "), values(names))
}

// values are parts with commas between them, of which none may be left out.
func values(ps []*part) *part {
	out := say("")
	for i, p := range ps {
		out = say("%v%v%v", out, map[bool]string{true: ", "}[i > 0], p)
	}
	return out
}

// total is an order of rows in which only those are equal that look the same.
func total(types []string, g *selects) *part {
	var keys, ties []*part
	for i := range types {
		keys = append(keys, say(fmt.Sprintf("c%d%s", i+1, g.direction())))
		ties = append(ties, say(fmt.Sprintf("c%d::text", i+1)))
	}
	return say("%v, %v", list(keys, ", "), values(ties))
}

// withQueries is a query behind WITH, which it and its subqueries may read.
func (g *selects) withQueries(depth int, f func() *part) *part {
	old := g.with
	defer func() { g.with = old }()
	var defs []*part
	recursive := ""
	for range 1 + g.IntN(2) {
		name, types := g.name("q"), g.columns()
		it := item{text: say(name)}
		for i, t := range types {
			it.cols = append(it.cols, column(fmt.Sprintf("c%d", i+1), t))
		}
		kept := g.pick([]string{"", "", "MATERIALIZED ", "NOT MATERIALIZED "})
		if g.one(4) {
			recursive = "RECURSIVE "
			types = g.pickOf([][]string{{"int", "int"}, {"int", "text"}, {"int", "ints"}, {"int", "numeric"}, {"int", "timestamp"}})
			it.cols = []selectColumn{column("n", types[0]), column("v", types[1])}
			defs = append(defs, say("%v(n, v) AS %v(%v)", name, kept, g.recursion(name, types[1])))
		} else {
			defs = append(defs, say("%v AS %v(%v)", name, kept, g.within(nil, nil, func() *part { return g.query(types, depth-1) })))
		}
		g.with = append(slices.Clone(g.with), it)
	}
	return say("WITH %v%v %v", recursive, list(defs, ", "), f())
}

func (g *selects) pickOf(s [][]string) []string { return s[g.IntN(len(s))] }

// recursion is a query that reads itself, a few times.
func (g *selects) recursion(name, typ string) *part {
	if typ == "int" && g.one(2) { // what can be reached
		return say("SELECT id, k FROM t2 UNION SELECT %v.n, t2.k FROM %v JOIN t2 ON t2.id = %v.v", name, name, name)
	}
	union := g.pick([]string{"UNION ALL", "UNION", "UNION ALL"})
	first := g.within(qualified("t2", "t2"), nil, func() *part {
		return say("SELECT t2.id, (%v)::%v FROM t2 WHERE %v", canonical(typ, g.expr(typ, 1)), typeNames[typ], g.expr("bool", 1))
	})
	g.alone = true
	defer func() { g.alone = false }()
	next := g.within([]selectColumn{column(name+".n", "int"), column(name+".v", typ)}, nil, func() *part {
		cond := g.pick([]string{"", "", " JOIN t3 ON t3.id = " + name + ".n", " LEFT JOIN t3 ON t3.id = " + name + ".n"})
		return say("SELECT %v.n + 1, (%v)::%v FROM %v%v WHERE %v.n < 6 AND %v", name, canonical(typ, g.expr(typ, 1)), typeNames[typ], name, cond, name, orTrue(g.expr("bool", 1)))
	})
	return say("%v %v %v", first, union, next)
}

// statement is a whole SELECT, with one possible order of its rows. It is of one of two kinds: a query, whose errors may be told of one or
// another of its expressions, or one expression over one row, whose error is the same everywhere.
func (g *selects) statement() *part {
	*g = selects{Rand: g.Rand}
	types := g.columns()
	switch g.IntN(8) {
	case 0, 1:
		return g.alonely(types[0])
	case 2:
		return g.inPlace(types)
	case 3, 4:
		return g.withQueries(2, func() *part { return say("SELECT * FROM (%v) AS q ORDER BY %v", g.query(types, 2), total(types, g)) })
	}
	tail := say("")
	if g.one(4) {
		tail = maybe(say(" LIMIT %v OFFSET %v", fmt.Sprint(g.IntN(6)), fmt.Sprint(g.IntN(3))))
	}
	return say("SELECT * FROM (%v) AS q ORDER BY %v%v", g.query(types, 3), total(types, g), tail)
}

// alonely is one expression over one row.
func (g *selects) alonely(typ string) *part {
	g.alone, g.whole = true, true
	table := g.pick([]string{"t1", "t2", "t3"})
	id := g.pick(map[string][]string{"t1": {"1", "2", "3", "4", "5", "6", "7", "8"}, "t2": {"1", "2", "3", "4", "5", "6"}, "t3": {"1", "2", "3", "5", "7"}}[table])
	return g.within(qualified(table, "l"), nil, func() *part {
		return say("SELECT (%v) AS value FROM %v AS l WHERE id = %v", g.expr(typ, 2), table, id)
	})
}

// inPlace is a query whose ORDER BY is its own.
func (g *selects) inPlace(types []string) *part {
	from := g.from()
	return g.within(from.cols, from.ids, func() *part {
		if len(from.ids) == 0 {
			return say("SELECT * FROM (%v) AS q ORDER BY %v", g.rows(from, types, 2, true), total(types, g))
		}
		if g.one(3) {
			return g.distinctOn(from, types, 2, false)
		}
		return g.inOrder(from, types, 2, false)
	})
}
