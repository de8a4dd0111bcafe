package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
)

// maxTopN bounds how many rows of a partition are kept in order.
const maxTopN = 10_000

// topN makes the first rows of every partition of a stream, as Flink writes them, a TopN:
//
//	Filter rn <= n                                                      Filter (the other conditions)
//	  WindowFunc [row_number() AS rn] partition by k order by v   =>      TopN n by v of every k
//	    X                                                                   X
//
// It is for a result that may change. In the order of event time within a window the numbers never change: those stay.
var topN = Rewrite{
	Name: "TopN",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		f, ok := n.(*logicalplan.Filter)
		if !ok {
			return n, false
		}
		w, ok := f.Input.(*logicalplan.WindowFunc)
		if !ok || len(w.Funcs) != 1 || w.Funcs[0].Name != "row_number" || len(w.OrderBy) == 0 || !logicalplan.Derive(w.Input).Stream {
			return n, false
		}
		in := logicalplan.Derive(w.Input)
		if _, bad := logicalplan.OverOf(w); bad == "" && !in.Updating {
			return n, false
		}
		rn := w.Funcs[0].Out
		count := int64(maxTopN + 1)
		some, rest := split(f.Conds, func(c expr.Expr) bool {
			n, ok := atMost(c, rn.ID)
			if ok {
				count = min(count, n)
			}
			return ok
		})
		if len(some) == 0 || count > maxTopN {
			return n, false
		}
		t := &logicalplan.TopN{Input: w.Input, PartitionBy: w.PartitionBy, OrderBy: w.OrderBy, Count: count, Out: rn, Pos: w.Pos}
		return filter(t, rest, f.Pos), true
	},
}
