//go:build peers

package peers

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// named matches what names a column.
var named = regexp.MustCompile(`[a-z][0-9]+\.[a-z]`)

// columns are types of a result.
func (g *selects) columns() (types []string) {
	for range 1 + g.IntN(4) {
		types = append(types, g.pick(selectTypes))
	}
	return types
}

// outputs is the list of a SELECT: expressions as columns c1, c2 ...
func outputs(outs []*part) *part {
	p := say("")
	for i, e := range outs {
		p = say("%v%v%v AS c%v", p, map[bool]string{true: ", "}[i > 0], e, fmt.Sprint(i+1))
	}
	return p
}

// body is a SELECT without ORDER BY with columns c1, c2 ... of the types. Equal says that equal rows of it become one.
func (g *selects) body(types []string, depth int, equal bool) *part {
	from := g.from()
	return g.within(from.cols, from.ids, func() *part {
		kinds := []func(item, []string, int, bool) *part{g.rows, g.rows, g.rows, g.grouped, g.grouped, g.groupingSets, g.oneGroup, g.windows, g.windows, g.distinctOn, g.limited, g.inOrder}
		return kinds[g.IntN(len(kinds))](from, types, depth, equal)
	}).kind("query " + strings.Join(types, " "))
}

// kind says what type a part gives that nothing can stand for but another of its type.
func (p *part) kind(typ string) *part {
	p.typ = typ
	return p
}

func (g *selects) rows(from item, types []string, depth int, equal bool) *part {
	distinct := g.pick([]string{"", "", "", "DISTINCT "})
	var outs []*part
	for _, t := range types {
		e := g.expr(t, depth)
		if equal || distinct != "" {
			e = canonical(t, e)
		}
		outs = append(outs, e)
	}
	return say("SELECT %v%v FROM %v%v", distinct, outputs(outs), from.text, g.where(2))
}

// limited takes some of the rows in the order of what tells them apart, distinctOn the first of each kind.
func (g *selects) limited(from item, types []string, depth int, equal bool) *part {
	if len(from.ids) == 0 {
		return g.rows(from, types, depth, equal)
	}
	q := g.plainRows(types, depth, equal)
	tail := g.pick([]string{"LIMIT 2", "LIMIT 3 OFFSET 1", "OFFSET 2", "FETCH FIRST ROW ONLY", "OFFSET 1 ROW FETCH NEXT 2 ROWS ONLY", "LIMIT ALL", "LIMIT NULL OFFSET 1", "LIMIT 1 + 1", "FETCH FIRST (1 + 2) ROWS ONLY"})
	if g.one(3) { // all that are equal to the last
		return say("SELECT %v FROM %v%v ORDER BY %v FETCH FIRST %v ROWS WITH TIES", q, from.text, g.where(2), g.sortKey(), g.pick([]string{"1", "2", "3"}))
	}
	return say("SELECT %v FROM %v%v ORDER BY %v, %v %v", q, from.text, g.where(2), g.sortKey(), list(g.ids, ", "), tail)
}

func (g *selects) distinctOn(from item, types []string, depth int, equal bool) *part {
	if len(from.ids) == 0 {
		return g.rows(from, types, depth, equal)
	}
	key := g.expr(g.pick(selectTypes), 1)
	for strings.HasPrefix(key.String(), "NULL") || !strings.ContainsAny(key.String(), ".(") { // a constant is no key, or a position
		key = g.expr(g.pick(selectTypes), 1)
	}
	return say("SELECT DISTINCT ON (%v) %v FROM %v%v ORDER BY %v%v, %v", key, g.plainRows(types, depth, equal), from.text, g.where(2), key, g.direction(), list(g.ids, ", "))
}

// plainRows are expressions of the types.
func (g *selects) plainRows(types []string, depth int, equal bool) *part {
	var outs []*part
	for _, t := range types {
		e := g.expr(t, depth)
		if equal {
			e = canonical(t, e)
		}
		outs = append(outs, e)
	}
	return outputs(outs)
}

// direction of a sort.
func (g *selects) direction() string {
	return g.pick([]string{"", "", " DESC", " NULLS FIRST", " DESC NULLS LAST", " ASC NULLS LAST"})
}

// sortKey is an expression to sort by, with its direction: no lone literal, which would be a position or no key.
func (g *selects) sortKey() *part {
	typ := g.pick(selectTypes)
	if cols := ofType(g.scope, typ); len(cols) > 0 && g.one(2) {
		collate := ""
		if typ == "text" {
			collate = g.pick([]string{"", "", "", ` COLLATE "C"`, ` COLLATE "POSIX"`})
		}
		return say("%v%v%v", cols[g.IntN(len(cols))].name, collate, g.direction())
	}
	return say("coalesce(%v, NULL)%v", g.expr(typ, 1), g.direction())
}

// inOrder sorts at the place: by names of the result, positions and expressions.
func (g *selects) inOrder(from item, types []string, depth int, equal bool) *part {
	if len(from.ids) == 0 {
		return g.rows(from, types, depth, equal)
	}
	var keys []*part
	for range 1 + g.IntN(2) {
		switch g.IntN(3) {
		case 0:
			keys = append(keys, say("%v%v", fmt.Sprint(1+g.IntN(len(types))), g.direction()))
		case 1:
			keys = append(keys, say("c%v%v", fmt.Sprint(1+g.IntN(len(types))), g.direction()))
		default:
			keys = append(keys, g.sortKey())
		}
	}
	return say("SELECT %v FROM %v%v ORDER BY %v", g.plainRows(types, depth, equal), from.text, g.where(2), list(append(keys, g.ids...), ", "))
}

// keys are expressions to group by.
func (g *selects) keys(max int) (keys []selectColumn) {
	for range 1 + g.IntN(max) {
		typ := g.pick(selectTypes)
		var key *part
		if cols := ofType(g.scope, typ); len(cols) > 0 && typ != "numeric" && typ != "interval" && typ != "float8" && typ != "jsonb" && !g.one(3) {
			key = say("%v", cols[g.IntN(len(cols))].name)
			keys = append(keys, selectColumn{key, typ, true})
			continue
		}
		key = say("coalesce(%v, NULL)", canonical(typ, g.expr(typ, 1)))
		key.typ = typ
		keys = append(keys, selectColumn{key, typ, false})
	}
	return keys
}

// overGroups are outputs over keys and aggregates.
func (g *selects) overGroups(keys []selectColumn, types []string, depth int, more ...selectColumn) []*part {
	scope := slices.Concat(keys, more)
	for _, t := range types {
		scope = append(scope, selectColumn{g.aggregate(t), t, false})
	}
	var outs []*part
	g.within(scope, nil, func() *part {
		for i, t := range types {
			if own := ofType(scope, t); g.one(2) {
				outs = append(outs, own[g.IntN(len(own))].name)
			} else {
				outs = append(outs, g.expr(t, min(1, depth)))
			}
			outs[i] = canonical(t, outs[i])
		}
		return nil
	})
	return outs
}

func (g *selects) grouped(from item, types []string, depth int, equal bool) *part {
	keys := g.keys(2)
	where := g.where(2)
	outs := g.overGroups(keys, types, depth)
	var by []*part
	for _, k := range keys {
		by = append(by, k.name)
	}
	return say("SELECT %v FROM %v%v GROUP BY %v%v", outputs(outs), from.text, where, list(by, ", "), g.having(keys))
}

func (g *selects) having(keys []selectColumn) *part {
	if !g.one(3) {
		return say("")
	}
	agg := selectColumn{g.aggregate("bigint"), "bigint", false}
	return g.within(append(slices.Clone(keys), agg), nil, func() *part { return maybe(say(" HAVING %v > 1 OR %v", agg.name, g.expr("bool", 1))) })
}

func (g *selects) oneGroup(from item, types []string, depth int, _ bool) *part {
	if from.table() && g.one(2) { // rows of one table come in their order, if no subquery is in the way
		old := g.alone
		defer func() { g.alone = old }()
		g.alone = true
		outs := g.overGroups(nil, types, depth)
		for i, t := range types {
			if calls := orderedAggregates[t]; len(calls) > 0 {
				outs[i] = canonical(t, g.fill(g.pick(calls), t, 1).of(t))
			}
		}
		return say("SELECT %v FROM %v", outputs(outs), from.text)
	}
	outs := g.overGroups(nil, types, depth)
	return say("SELECT %v FROM %v%v%v", outputs(outs), from.text, g.where(2), g.having(nil))
}

// table says that the item is a table and no more.
func (it item) table() bool {
	return len(it.ids) == 1 && len(it.text.in) == 0 && it.text.text[0][0] == 't'
}

func (g *selects) groupingSets(from item, types []string, depth int, _ bool) *part {
	keys := g.keys(3)
	for _, k := range keys {
		if text := k.name.String(); !named.MatchString(text) || strings.Contains(text, "SELECT") { // Postgres 15 shows constants and subqueries where they are not in the grouping set
			return g.grouped(from, types, depth, false)
		}
	}
	where := g.where(1)
	var by []*part
	for _, k := range keys {
		by = append(by, k.name)
	}
	all := list(by, ", ")
	var sets *part
	switch a, b := by[0], by[len(by)-1]; g.IntN(7) {
	case 0:
		sets = say("ROLLUP (%v)", all)
	case 1:
		sets = say("CUBE (%v)", all)
	case 2:
		sets = say("GROUPING SETS ((%v), (%v), ())", a, all)
	case 3:
		sets = say("GROUPING SETS (%v, ROLLUP (%v))", b, all)
	case 4:
		sets = say("%v, CUBE (%v)", a, all)
	case 5:
		sets = say("DISTINCT ROLLUP (%v), ROLLUP (%v)", all, a)
	default:
		sets = say("GROUPING SETS ((%v, %v), CUBE (%v, (%v)), ())", a, b, a, all)
	}
	grouping := selectColumn{say("GROUPING(%v)", all).of("int"), "int", false}
	outs := g.overGroups(keys, types, depth, grouping)
	return say("SELECT %v FROM %v%v GROUP BY %v%v", outputs(outs), from.text, where, sets, g.having(append(keys, grouping)))
}
