package rule

import (
	"slices"

	"wmsql/logicalplan"
)

// mergeFilters makes one Filter of two stacked ones:
//
//	Filter a           Filter b AND a
//	  Filter b    =>     X
//	    X
//
// The lower conjuncts stay first, so a guard below still runs before what it guards.
var mergeFilters = Rewrite{
	Name: "MergeFilters",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		up, ok := n.(*logicalplan.Filter)
		if !ok {
			return n, false
		}
		down, ok := up.Input.(*logicalplan.Filter)
		if !ok {
			return n, false
		}
		return &logicalplan.Filter{Input: down.Input, Conds: slices.Concat(down.Conds, up.Conds), Pos: up.Pos}, true
	},
}
