package rule

import "wmsql/logicalplan"

// pushFilterThroughApply drops rows before a subquery runs for them:
//
//	Filter a = 1 AND s > 2            Filter s > 2
//	  Apply scalar AS s         =>      Apply scalar AS s
//	    X                                 Filter a = 1
//	    Subplan                             X
//	                                      Subplan
var pushFilterThroughApply = Rewrite{
	Name: "PushFilterThroughApply",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		f, ok := n.(*logicalplan.Filter)
		if !ok {
			return n, false
		}
		if _, ok := f.Input.(*logicalplan.Apply); !ok {
			return n, false
		}
		return pushIntoFirst(f)
	},
}
