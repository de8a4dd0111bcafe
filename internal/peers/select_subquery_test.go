//go:build peers

package peers

import "slices"

// subquery is an expression of a type that is a subquery or asks one.
func (g *selects) subquery(typ string, depth int) *part {
	outer := g.plain()
	switch {
	case typ == "bool" && !g.one(4):
		return g.test(outer, depth)
	case (typ == "ints" || typ == "texts") && g.one(2):
		elem := typ[:len(typ)-1]
		return g.inner(outer, func(from, where *part) *part {
			return say("ARRAY(SELECT %v FROM %v%v ORDER BY 1)", g.expr(elem, depth), from, where)
		})
	}
	switch g.IntN(4) {
	case 0: // the row with an id: a join
		ids := ofType(outer, "int")
		if len(ids) == 0 {
			break
		}
		table, alias := g.pick([]string{"t1", "t2", "t3"}), g.name("q")
		key := ids[g.IntN(len(ids))].name
		return g.within(slices.Concat(qualified(table, alias), outer), nil, func() *part {
			return say("(SELECT %v FROM %v AS %v WHERE %v.id = %v)", g.expr(typ, depth), table, alias, alias, key)
		})
	case 1: // perhaps more than one row
		if g.one(3) {
			return g.inner(outer, func(from, where *part) *part {
				return say("(SELECT %v FROM %v%v)", g.expr(typ, depth), from, where)
			})
		}
	case 2:
		return g.summary(typ, outer)
	}
	return g.inner(outer, func(from, where *part) *part {
		if g.ids == nil {
			e := canonical(typ, g.expr(typ, depth))
			return say("(SELECT %v FROM %v%v ORDER BY 1%v LIMIT 1)", e, from, where, g.pick([]string{"", " DESC", " NULLS FIRST"}))
		}
		return say("(SELECT %v FROM %v%v ORDER BY %v LIMIT 1%v)", g.expr(typ, depth), from, where, list(g.ids, ", "), g.pick([]string{"", " OFFSET 1"}))
	})
}

// plain are the columns in scope that a subquery may read.
func (g *selects) plain() (out []selectColumn) {
	for _, c := range g.scope {
		if c.plain {
			out = append(out, c)
		}
	}
	return out
}

// inner makes a subquery of a FROM and a WHERE, in half of the cases over columns of the outer query.
func (g *selects) inner(outer []selectColumn, f func(from, where *part) *part) *part {
	from := g.source(1)
	scope := from.cols
	if g.one(2) {
		scope = slices.Concat(scope, outer)
	}
	return g.within(scope, from.ids, func() *part { return f(from.text, g.where(1)) })
}

func (g *selects) where(depth int) *part {
	if g.one(2) {
		return say("")
	}
	return maybe(say(" WHERE %v", g.expr("bool", depth)))
}

// summary is a subquery of an aggregate, which is a join with groups if it is of the rows with a key of the outer row.
func (g *selects) summary(typ string, outer []selectColumn) *part {
	from := g.source(0)
	keys := ofType(outer, "int")
	return g.within(from.cols, from.ids, func() *part {
		where := say("")
		inner := ofType(from.cols, "int")
		if len(keys) > 0 && len(inner) > 0 && !g.one(3) {
			where = maybe(say(" WHERE %v = %v", inner[g.IntN(len(inner))].name, keys[g.IntN(len(keys))].name))
		}
		return say("(SELECT %v FROM %v%v)", g.aggregate(typ), from.text, where)
	})
}

// test is a condition on the rows of a subquery.
func (g *selects) test(outer []selectColumn, depth int) *part {
	if g.one(3) {
		not := g.pick([]string{"", "NOT "})
		return g.inner(outer, func(from, where *part) *part { return say("(%vEXISTS (SELECT 1 FROM %v%v))", not, from, where) })
	}
	types := []string{g.pick([]string{"int", "int", "text", "numeric", "date", "timestamptz", "bigint"})}
	if g.one(4) {
		types = append(types, g.pick([]string{"int", "text"}))
	}
	left := g.tuple(types)
	ops := []string{"IN", "NOT IN", "= ANY", "<> ALL", "< ANY", ">= ALL", "> SOME", "<> ANY"}
	op := g.pick(ops)
	if len(types) == 1 && g.one(6) {
		return g.within(outer, nil, func() *part {
			return say("(%v %v (VALUES (%v), (%v)))", left, op, g.expr(types[0], 1), g.expr(types[0], 0))
		})
	}
	return g.inner(outer, func(from, where *part) *part {
		var outs []*part
		for _, t := range types {
			outs = append(outs, g.expr(t, min(depth, 1)))
		}
		if len(types) > 1 && g.one(4) && g.ids != nil {
			return say("(%v %v (SELECT %v, %v FROM %v%v ORDER BY %v LIMIT 1))", left, g.pick([]string{"=", "<>"}), outs[0], outs[1], from, where, list(g.ids, ", "))
		}
		sel := outs[0]
		if len(outs) > 1 {
			sel = say("%v, %v", outs[0], outs[1])
		}
		return say("(%v %v (SELECT %v FROM %v%v))", left, op, sel, from, where)
	})
}

// tuple is an expression, or a row of several.
func (g *selects) tuple(types []string) *part {
	if len(types) == 1 {
		return g.expr(types[0], 1)
	}
	return say("(%v, %v)", g.expr(types[0], 1), g.expr(types[1], 0))
}
