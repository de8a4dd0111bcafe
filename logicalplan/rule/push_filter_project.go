package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
)

// pushFilterThroughProject filters before computing:
//
//	Filter a = 1                  Project [a, f(b) AS c]
//	  Project [a, f(b) AS c]  =>    Filter a = 1
//	    X                             X
//
// A condition on a computed column stays, or the column would be computed twice.
var pushFilterThroughProject = Rewrite{
	Name: "PushFilterThroughProject",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		f, ok := n.(*logicalplan.Filter)
		if !ok {
			return n, false
		}
		var exprs []logicalplan.Named
		switch in := f.Input.(type) {
		case *logicalplan.Project:
			exprs = in.Exprs
		case *logicalplan.ProjectSet:
			exprs = in.Exprs
		default:
			return n, false
		}
		plain, computed := plainColumns(exprs)
		if s, ok := f.Input.(*logicalplan.ProjectSet); ok {
			for _, o := range s.Outs {
				computed[o.ID] = true
			}
		}
		move, stay := split(f.Conds, func(c expr.Expr) bool { return !readsAny(c, computed) && readsAny(c, logicalplan.ColumnSet(f.Input)) })
		if len(move) == 0 {
			return n, false
		}
		for i := range move {
			move[i] = substitute(move[i], plain)
		}
		below := filter(f.Input.Inputs()[0], move, f.Pos)
		return filter(f.Input.WithInputs([]logicalplan.Node{below}), stay, f.Pos), true
	},
}

// plainColumns separates the outputs that are columns of the input from those that are computed.
func plainColumns(es []logicalplan.Named) (plain map[expr.ColumnID]expr.Expr, computed map[expr.ColumnID]bool) {
	plain, computed = map[expr.ColumnID]expr.Expr{}, map[expr.ColumnID]bool{}
	for _, e := range es {
		switch e.Expr.(type) {
		case *expr.Column, *expr.Const:
			plain[e.Out.ID] = e.Expr
		default:
			computed[e.Out.ID] = true
		}
	}
	return plain, computed
}
