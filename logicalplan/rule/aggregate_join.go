package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
)

// subqueryToJoin groups once what a subquery would sum up for each row of the query around it:
//
//	Apply scalar AS s               Project [A, CASE WHEN b.k IS NOT NULL THEN sum + 1 ELSE NULL + 1 END AS s]
//	  A                               LeftJoin on a.k = b.k
//	  Project [sum + 1]         =>      A
//	    Aggregate [sum(b.x)]            Aggregate [sum(b.x)] by [b.k]
//	      Filter b.k = a.k                B
//	        B
//
// LATERAL is the same with several columns. A row without a partner gets what the aggregates are of no rows: NULL, and 0 for count. The
// subquery's conditions on the outer row must be equalities with columns of B. The aggregates may take columns only: groups that no
// outer row has are computed too, and must not fail.
var subqueryToJoin = Rewrite{
	Name: "SubqueryToJoin",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		a, ok := n.(*logicalplan.Apply)
		if !ok || logicalplan.Derive(a.Input).Stream || logicalplan.Derive(a.Subplan).Stream {
			return n, false
		}
		switch a.Kind {
		case logicalplan.ApplyScalar, logicalplan.ApplyLateral, logicalplan.ApplyLeftLateral:
		default:
			return n, false
		}
		outs, agg, ok := summary(a)
		if !ok {
			return n, false
		}
		j, ok := joinGroups(a, agg)
		if !ok {
			return n, false
		}
		p := &logicalplan.Project{Input: j, Pos: a.Pos}
		for _, c := range a.Input.Columns() {
			p.Exprs = append(p.Exprs, logicalplan.Named{Out: c, Expr: columnOf(c)})
		}
		none := nothingOf(agg)
		for _, o := range outs {
			matched := &expr.IsNull{X: j.R[0], Not: true}
			p.Exprs = append(p.Exprs, logicalplan.Named{Out: o.Out, Expr: &expr.Case{
				Whens: []expr.When{{Cond: matched, Then: o.Expr}}, Else: substitute(o.Expr, none), T: o.Out.Type,
			}})
		}
		return p, true
	},
}

// summary takes a subplan apart that has one row, of aggregates: what it gives, and the aggregate.
func summary(a *logicalplan.Apply) (outs []logicalplan.Named, agg *logicalplan.Aggregate, ok bool) {
	for _, c := range a.Subplan.Columns() {
		outs = append(outs, logicalplan.Named{Out: c, Expr: columnOf(c)})
	}
	if a.Kind == logicalplan.ApplyScalar {
		outs[0].Out = a.Out
	}
	n := a.Subplan
	for {
		p, isProject := n.(*logicalplan.Project)
		if !isProject {
			break
		}
		by := map[expr.ColumnID]expr.Expr{}
		for _, e := range p.Exprs {
			if volatile(e.Expr) {
				return nil, nil, false
			}
			by[e.Out.ID] = e.Expr
		}
		for i := range outs {
			outs[i].Expr = substitute(outs[i].Expr, by)
		}
		n = p.Input
	}
	agg, ok = n.(*logicalplan.Aggregate)
	return outs, agg, ok && len(agg.Keys) == 0 && len(agg.Totals) == 0 && plainAggregates(agg)
}

// emptySums are the aggregates that may move, and their value over no rows.
var emptySums = map[string]any{"count": int64(0), "sum": nil, "avg": nil, "min": nil, "max": nil, "bool_and": nil, "bool_or": nil, "every": nil}

// plainAggregates reports whether the aggregates of n take columns and constants only, and are known in emptySums.
func plainAggregates(n *logicalplan.Aggregate) bool {
	for _, g := range n.Aggs {
		if _, known := emptySums[g.Agg.Func.Name]; !known || g.Agg.Filter != nil || len(g.Agg.OrderBy) > 0 {
			return false
		}
		for _, x := range g.Agg.Args {
			switch x.(type) {
			case *expr.Column, *expr.Const:
			default:
				return false
			}
		}
	}
	return true
}

// nothingOf is what the aggregates are of no rows.
func nothingOf(n *logicalplan.Aggregate) map[expr.ColumnID]expr.Expr {
	out := map[expr.ColumnID]expr.Expr{}
	for _, g := range n.Aggs {
		out[g.Out.ID] = &expr.Const{Value: emptySums[g.Agg.Func.Name], T: g.Out.Type}
	}
	return out
}

// joinGroups joins the outer rows with agg, by the columns that its input's conditions compare with them.
func joinGroups(a *logicalplan.Apply, agg *logicalplan.Aggregate) (*logicalplan.Join, bool) {
	in, conds := agg.Input, []expr.Expr(nil)
	for {
		f, ok := in.(*logicalplan.Filter)
		if !ok {
			break
		}
		conds = append(conds, f.Conds...)
		in = f.Input
	}
	left, own := logicalplan.ColumnSet(a.Input), logicalplan.ColumnSet(in)
	j := &logicalplan.Join{Kind: logicalplan.LeftJoin, Left: a.Input, Pos: a.Pos}
	grouped := &logicalplan.Aggregate{Aggs: agg.Aggs, Pos: agg.Pos}
	var below []expr.Expr
	for _, c := range conds {
		if volatile(c) {
			return nil, false
		}
		if readsOnly(c, own) {
			below = append(below, c)
			continue
		}
		l, r, ok := logicalplan.EquiKey(c, left, own)
		key, plain := r.(*expr.Column)
		if !ok || !plain || !readsOnly(l, left) {
			return nil, false
		}
		j.L, j.R = append(j.L, l), append(j.R, key)
		grouped.Keys = appendKey(grouped.Keys, key)
	}
	grouped.Input = filter(in, below, a.Pos)
	j.Right = grouped
	return j, len(j.L) > 0 && len(logicalplan.Free(grouped)) == 0
}

// appendKey adds a column to group by, once.
func appendKey(keys []logicalplan.Named, c *expr.Column) []logicalplan.Named {
	for _, k := range keys {
		if k.Out.ID == c.ID {
			return keys
		}
	}
	return append(keys, logicalplan.Named{Out: logicalplan.Column{ID: c.ID, Name: c.Name, Type: c.T}, Expr: c})
}

func columnOf(c logicalplan.Column) *expr.Column {
	return &expr.Column{ID: c.ID, Name: c.Name, T: c.Type}
}

// readsOnly reports whether all columns that e reads are in set.
func readsOnly(e expr.Expr, set map[expr.ColumnID]bool) bool {
	only := true
	expr.Columns(e, func(c *expr.Column) { only = only && set[c.ID] })
	return only
}
