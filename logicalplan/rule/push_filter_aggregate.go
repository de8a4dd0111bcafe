package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
)

// pushFilterThroughAggregate drops rows whose whole group would be dropped:
//
//	Filter page = 'a'                    Aggregate [...] by [page]
//	  Aggregate [...] by [page]    =>      Filter page = 'a'
//	    X                                    X
//
// A condition on an aggregate stays. Without keys there is one group, which exists without rows too: nothing moves. Nor does it over
// grouping sets, whose keys are NULL in other rows than those below Expand.
var pushFilterThroughAggregate = Rewrite{
	Name: "PushFilterThroughAggregate",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		f, ok := n.(*logicalplan.Filter)
		if !ok {
			return n, false
		}
		a, ok := f.Input.(*logicalplan.Aggregate)
		if !ok || len(a.Keys) == 0 {
			return n, false
		}
		if _, expanded := a.Input.(*logicalplan.Expand); expanded {
			return n, false
		}
		keys, keySet := map[expr.ColumnID]expr.Expr{}, map[expr.ColumnID]bool{}
		for _, k := range a.Keys {
			keys[k.Out.ID], keySet[k.Out.ID] = k.Expr, true
		}
		aggs := map[expr.ColumnID]bool{}
		for _, g := range a.Aggs {
			aggs[g.Out.ID] = true
		}
		move, stay := split(f.Conds, func(c expr.Expr) bool { return readsAny(c, keySet) && !readsAny(c, aggs) })
		if len(move) == 0 {
			return n, false
		}
		for i := range move {
			move[i] = substitute(move[i], keys)
		}
		return filter(a.WithInputs([]logicalplan.Node{filter(a.Input, move, f.Pos)}), stay, f.Pos), true
	},
}
