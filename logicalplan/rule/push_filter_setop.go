package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
)

// pushFilterThroughSetOp filters the inputs of a UNION, INTERSECT or EXCEPT:
//
//	Filter a = 1          Union
//	  Union         =>      Filter x = 1
//	    X [x]                 X
//	    Y [y]               Filter y = 1
//	                          Y
var pushFilterThroughSetOp = Rewrite{
	Name: "PushFilterThroughSetOp",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		f, ok := n.(*logicalplan.Filter)
		if !ok {
			return n, false
		}
		s, ok := f.Input.(*logicalplan.SetOp)
		if !ok {
			return n, false
		}
		own := logicalplan.ColumnSet(s)
		move, stay := split(f.Conds, func(c expr.Expr) bool { return readsAny(c, own) })
		if len(move) == 0 {
			return n, false
		}
		in := make([]logicalplan.Node, len(s.In))
		for i, x := range s.In {
			by := map[expr.ColumnID]expr.Expr{}
			for k, c := range x.Columns()[:len(s.Cols)] {
				by[s.Cols[k].ID] = &expr.Column{ID: c.ID, Name: c.Name, T: c.Type}
			}
			conds := make([]expr.Expr, len(move))
			for k, c := range move {
				conds[k] = substitute(c, by)
			}
			in[i] = filter(x, conds, f.Pos)
		}
		return filter(s.WithInputs(in), stay, f.Pos), true
	},
}
