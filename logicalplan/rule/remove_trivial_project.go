package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
)

// removeTrivialProject drops a Project that puts out its input as it is. The names that the client sees are the query's, not the node's.
var removeTrivialProject = Rewrite{
	Name: "RemoveTrivialProject",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		p, ok := n.(*logicalplan.Project)
		if !ok {
			return n, false
		}
		in := p.Input.Columns()
		if len(in) != len(p.Exprs) {
			return n, false
		}
		for i, e := range p.Exprs {
			c, ok := e.Expr.(*expr.Column)
			if !ok || c.ID != in[i].ID || e.Out.ID != c.ID {
				return n, false
			}
		}
		return p.Input, true
	},
}
