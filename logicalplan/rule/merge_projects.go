package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
)

// mergeProjects makes one Project of two:
//
//	Project [a + 1 AS b]             Project [f(x) + 1 AS b]
//	  Project [f(x) AS a]      =>      X
//	    X
//
// It leaves them alone where an expression would be computed twice, or a volatile one at another time.
var mergeProjects = Rewrite{
	Name: "MergeProjects",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		up, ok := n.(*logicalplan.Project)
		if !ok {
			return n, false
		}
		down, ok := up.Input.(*logicalplan.Project)
		if !ok {
			return n, false
		}
		uses := map[expr.ColumnID]int{}
		for _, e := range up.Exprs {
			expr.Columns(e.Expr, func(c *expr.Column) { uses[c.ID]++ })
		}
		by := map[expr.ColumnID]expr.Expr{}
		for _, e := range down.Exprs {
			by[e.Out.ID] = e.Expr
			switch e.Expr.(type) {
			case *expr.Column, *expr.Const:
				continue
			}
			if uses[e.Out.ID] > 1 || volatile(e.Expr) {
				return n, false
			}
		}
		out := &logicalplan.Project{Input: down.Input, Pos: up.Pos}
		for _, e := range up.Exprs {
			out.Exprs = append(out.Exprs, logicalplan.Named{Out: e.Out, Expr: substitute(e.Expr, by)})
		}
		return out, true
	},
}
