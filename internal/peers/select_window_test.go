//go:build peers

package peers

import (
	"fmt"
	"slices"
	"strings"
)

// windows is a SELECT with functions OVER windows, some of them named, and expressions over them.
func (g *selects) windows(from item, types []string, depth int, equal bool) *part {
	if len(from.ids) == 0 {
		return g.rows(from, types, depth, equal)
	}
	where := g.where(1)
	var named []*part
	scope := slices.Clone(g.scope)
	for i := range 1 + g.IntN(2) {
		w := g.window()
		typ := types[i%len(types)]
		calls := w.calls()
		if len(calls[typ]) == 0 {
			typ = g.pick([]string{"bigint", "int", "numeric", "text"})
		}
		call := g.fill(g.pick(calls[typ]), typ, 1)
		var over *part
		over, named = w.over(g, fmt.Sprintf("w%d", i+1), named)
		scope = append(scope, selectColumn{say("%v OVER %v", call, over).of(typ), typ, false})
	}
	var outs []*part
	g.within(scope, nil, func() *part {
		for _, t := range types {
			if own := ofType(scope, t); len(own) > 0 && !own[len(own)-1].plain && !g.one(4) {
				outs = append(outs, own[len(own)-1].name)
				continue
			}
			outs = append(outs, g.expr(t, depth))
		}
		for i := range outs {
			if equal {
				outs[i] = canonical(types[i], outs[i])
			}
		}
		return nil
	})
	clause := say("")
	if len(named) > 0 {
		clause = say(" WINDOW %v", list(named, ", "))
	}
	return say("SELECT %v FROM %v%v%v", outputs(outs), from.text, where, clause)
}

// window is a window: whole says that no two rows of it are equal in its order.
type window struct {
	partition, order, frame *part
	whole                   bool
}

func (w *window) calls() map[string][]string {
	if w.whole {
		out := map[string][]string{}
		for _, m := range []map[string][]string{rowWindowCalls, peerWindowCalls} {
			for t, c := range m {
				out[t] = append(slices.Clone(out[t]), c...)
			}
		}
		return out
	}
	return peerWindowCalls
}

// offsetTypes are the types that a RANGE may be measured in, with offsets.
var offsetTypes = parseCalls(`
int: 1 | 10 | 0 | 100::bigint
bigint: 5::bigint | 100
numeric: 1.5 | 100
float8: 0.75::float8 | 2::float8
date: INTERVAL '1 month' | INTERVAL '30 days'
timestamp: INTERVAL '1 day' | INTERVAL '1 year' | INTERVAL '90 minutes'
timestamptz: INTERVAL '1 day' | INTERVAL '5 years'
interval: INTERVAL '1 day' | INTERVAL '1 hour'
time: INTERVAL '6 hours' | INTERVAL '30 minutes'
`)

func (g *selects) window() *window {
	w := &window{partition: say(""), order: say(""), frame: say("")}
	if g.one(2) {
		w.partition = maybe(say("PARTITION BY %v ", g.sortable()))
	}
	switch g.IntN(5) {
	case 0: // by rows of which none are equal
		w.order, w.whole = say("ORDER BY %v, %v", g.sortKey(), list(g.ids, ", ")), true
		mode := g.pick([]string{"ROWS", "ROWS", "GROUPS", "RANGE"})
		w.frame = g.frame(mode, []string{"1", "2", "0", "3"}, mode != "RANGE")
	case 1:
		w.order, w.whole = say("ORDER BY %v", list(g.ids, ", ")), true
		w.frame = g.frame("ROWS", []string{"1", "2", "5"}, true)
	case 2: // by what may be equal
		w.order = say("ORDER BY %v", g.sortKey())
		w.frame = g.frame("GROUPS", []string{"1", "2", "0"}, true)
	case 3: // by distance
		typ := g.pick(strings.Fields("int int bigint numeric float8 date timestamp timestamptz interval time"))
		key := ofType(g.scope, typ)
		if len(key) == 0 {
			break
		}
		w.order = say("ORDER BY %v%v", key[g.IntN(len(key))].name, g.direction())
		w.frame = g.frame("RANGE", offsetTypes[typ], true)
	default:
		if g.one(2) {
			w.order = say("ORDER BY %v", g.sortKey())
		}
		w.frame = g.frame("RANGE", nil, false)
	}
	return w
}

// sortable is a small expression.
func (g *selects) sortable() *part { return g.expr(g.pick(selectTypes), 1) }

// frame is a frame clause, or none.
func (g *selects) frame(mode string, offsets []string, measured bool) *part {
	if g.one(4) {
		return say("")
	}
	bound := func(last bool) (string, int) {
		kinds := []string{"UNBOUNDED PRECEDING", "PRECEDING", "CURRENT ROW", "FOLLOWING", "UNBOUNDED FOLLOWING"}
		at := g.IntN(4)
		if last {
			at++
		}
		if at == 1 || at == 3 {
			if !measured {
				return kinds[2], 2
			}
			return g.pick(offsets) + " " + kinds[at], at
		}
		return kinds[at], at
	}
	start, s := bound(false)
	end, e := bound(true)
	for e < s {
		start, s = bound(false)
		end, e = bound(true)
	}
	exclude := g.pick([]string{"", "", "", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES", " EXCLUDE NO OTHERS"})
	if s < 3 && g.one(4) {
		return maybe(say("%v %v%v", " "+mode, start, exclude))
	}
	return maybe(say("%v BETWEEN %v AND %v%v", " "+mode, start, end, exclude))
}

// over is what stands behind OVER: the window, its name, or what it adds to a named one.
func (w *window) over(g *selects, name string, named []*part) (*part, []*part) {
	switch g.IntN(5) {
	case 0:
		return say(name), append(named, say("%v AS (%v%v%v)", name, w.partition, w.order, w.frame))
	case 1:
		return say("(%v %v%v)", name, w.order, w.frame), append(named, say("%v AS (%v)", name, w.partition))
	case 2:
		return say("(%v%v)", name, w.frame), append(named, say("%v AS (%v%v)", name, w.partition, w.order))
	}
	return say("(%v%v%v)", w.partition, w.order, w.frame), named
}
