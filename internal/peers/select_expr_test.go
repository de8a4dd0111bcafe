//go:build peers

package peers

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// selects makes random SELECTs over the tables of selectTables. Every expression is of a known type, and every result has one order.
type selects struct {
	*rand.Rand
	scope []selectColumn // what may be named
	ids   []*part        // columns that no two rows of the FROM have alike; nil if there are none
	with  []item         // queries of WITH that may be read
	alias int
	alone bool // no subqueries
	whole bool // nothing that leaves out some of its arguments, and their errors
}

func newSelects(seed uint64) *selects {
	return &selects{Rand: rand.New(rand.NewPCG(seed, 15))}
}

func (g *selects) one(in int) bool { return g.IntN(in) == 0 }

func (g *selects) pick(s []string) string { return s[g.IntN(len(s))] }

// name is an alias that is new in the SELECT.
func (g *selects) name(prefix string) string {
	g.alias++
	return fmt.Sprintf("%s%d", prefix, g.alias)
}

// within runs f with a scope of its own.
func (g *selects) within(scope []selectColumn, ids []*part, f func() *part) *part {
	oldScope, oldIDs := g.scope, g.ids
	defer func() { g.scope, g.ids = oldScope, oldIDs }()
	g.scope, g.ids = scope, ids
	return f()
}

// expr is an expression of a type, at most so deep.
func (g *selects) expr(typ string, depth int) *part {
	switch {
	case depth > 0 && g.one(12) && !g.alone:
		return g.subquery(typ, depth-1).of(typ)
	case depth > 0 && g.one(10):
		call := g.pick(calls["any"])
		for strings.Contains(call, "ARRAY[") && strings.HasSuffix(typeNames[typ], "[]") || g.whole && lazy.MatchString(call) || typ == "intss" && (call[0] == 'g' || call[0] == 'l') { // others have one dimension, which no order tells apart
			call = g.pick(calls["any"])
		}
		return say("(%v)", g.fill(call, typ, depth-1)).of(typ)
	case depth > 0 && !g.one(4):
		return say("(%v)", g.fill(g.call(typ), typ, depth-1)).of(typ)
	}
	if cols := ofType(g.scope, typ); len(cols) > 0 && !g.one(4) {
		return cols[g.IntN(len(cols))].name
	}
	return say(g.pick(literals[typ])).of(typ)
}

// call is a call of a type.
func (g *selects) call(typ string) string {
	for {
		if c := g.pick(calls[typ]); !g.whole || !lazy.MatchString(c) {
			return c
		}
	}
}

// lazy are the calls that do not compute all their arguments.
var lazy = regexp.MustCompile(`CASE|coalesce| AND | OR |BETWEEN| IN |ANY|ALL|DISTINCT FROM row|ROW\(|\) (=|<|>=) \(\$|ARRAY\[\$any`)

// ofType are the columns of a type.
func ofType(scope []selectColumn, typ string) (out []selectColumn) {
	for _, c := range scope {
		if c.typ == typ {
			out = append(out, c)
		}
	}
	return out
}

// fill puts expressions into the places of a call. $any is of type typ, $ids what makes an order of the rows whole.
func (g *selects) fill(call, typ string, depth int) *part {
	out := say("")
	for {
		before, after, found := strings.Cut(call, "$")
		out.text[len(out.text)-1] += before
		if !found {
			return out
		}
		end := 0
		for end < len(after) && (after[end] >= 'a' && after[end] <= 'z' || after[end] == '8') {
			end++
		}
		kind := after[:end]
		call = after[end:]
		if kind == "any" {
			kind = typ
		}
		switch {
		case kind == "ids":
			out.in = append(out.in, list(g.ids, ", "))
		case typeNames[kind] != "":
			out.in = append(out.in, g.expr(kind, depth))
		default: // a dollar of a path or a format
			out.text[len(out.text)-1] += "$" + kind
			continue
		}
		out.text = append(out.text, "")
	}
}

// aggregate is a call of an aggregate of a type. One that needs an order of the rows needs rows that can be told apart.
func (g *selects) aggregate(typ string) *part {
	if len(aggregateCalls[typ]) == 0 {
		return say("(max(%v))::text::%v", g.fill("$text", "", 0), typeNames[typ]).of(typ)
	}
	for {
		call := g.pick(aggregateCalls[typ])
		if g.ids == nil && strings.Contains(call, "$ids") {
			if typ == "jsonb" {
				return say("jsonb_agg(DISTINCT %v)", g.expr("int", 1)).of(typ)
			}
			continue
		}
		return g.fill(call, typ, 1).of(typ)
	}
}

// canonical makes equal values look the same: which of them stands for a group depends on the order of the rows.
func canonical(typ string, e *part) *part {
	switch typ {
	case "numeric":
		return say("trim_scale(%v)", e).of(typ)
	case "interval":
		return say("justify_interval(%v)", e).of(typ)
	case "float8":
		return say("(%v + 0)", e).of(typ)
	case "jsonb":
		return say("to_jsonb((%v)::text)", e).of(typ)
	}
	return e
}
