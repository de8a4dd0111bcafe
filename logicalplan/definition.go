package logicalplan

import "wmsql/expr"

// Definition is the text of what a column of n's output is made of: its expression with the columns of Projects below put in,
// down to columns and aggregates. Two queries over the same input have columns of the same meaning where their definitions are equal,
// whatever the columns are called.
func Definition(n Node, id expr.ColumnID) string {
	switch n := n.(type) {
	case *Project:
		for _, e := range n.Exprs {
			if e.Out.ID == id {
				return definitionOf(n.Input, e.Expr)
			}
		}
	case *Aggregate:
		for _, k := range n.Keys {
			if k.Out.ID == id {
				return definitionOf(n.Input, k.Expr)
			}
		}
		for _, a := range n.Aggs {
			if a.Out.ID == id {
				return MapAggregate(a.Agg, func(e expr.Expr) expr.Expr { return &expr.Column{ID: -1, Name: definitionOf(n.Input, e), T: e.Type()} }).String()
			}
		}
	}
	for _, in := range n.Inputs() {
		if ColumnSet(in)[id] {
			return Definition(in, id)
		}
	}
	for _, c := range n.Columns() {
		if c.ID == id {
			return c.Name
		}
	}
	return ""
}

// definitionOf is the text of e, an expression over in.
func definitionOf(in Node, e expr.Expr) string {
	return expr.Rewrite(e, func(x expr.Expr) expr.Expr {
		c, ok := x.(*expr.Column)
		if !ok {
			return x
		}
		return &expr.Column{ID: c.ID, Name: Definition(in, c.ID), T: c.T}
	}).String()
}
