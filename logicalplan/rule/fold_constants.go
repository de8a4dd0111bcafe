package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
)

// foldConstants computes the parts of expressions whose operands are constants, and drops conditions that are always true:
//
//	Filter a > 1 + 1 AND true    =>    Filter a > 2
var foldConstants = Rewrite{
	Name: "FoldConstants",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		changed := false
		out := logicalplan.MapExprs(n, func(e expr.Expr) expr.Expr {
			f := expr.Fold(e)
			changed = changed || !logicalplan.Equal(f, e)
			return f
		})
		f, ok := out.(*logicalplan.Filter)
		if !ok {
			return pick(out, n, changed)
		}
		conds := f.Conds[:0:0]
		for _, c := range f.Conds {
			if k, ok := c.(*expr.Const); !ok || k.Value != true {
				conds = append(conds, c)
			}
		}
		if len(conds) == 0 {
			return f.Input, true
		}
		if len(conds) < len(f.Conds) {
			return &logicalplan.Filter{Input: f.Input, Conds: conds, Pos: f.Pos}, true
		}
		return pick(out, n, changed)
	},
}

// pick returns the new node only if it is one, so that unchanged plans stay the same pointers.
func pick(fresh, old logicalplan.Node, changed bool) (logicalplan.Node, bool) {
	if changed {
		return fresh, true
	}
	return old, false
}
