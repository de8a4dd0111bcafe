package rule

import (
	"slices"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/types"
)

// semiJoin makes one join of a condition that is a subquery:
//
//	Filter exists                     SemiJoin on b.k = a.k
//	  Apply exists                      A
//	    A                      =>       B
//	    Project [1]
//	      Filter b.k = a.k
//	        B
//
// IN is a SemiJoin on equality, NOT EXISTS an AntiJoin. NOT IN stays: one NULL in the subquery's rows makes it
// true of nothing. The subquery's conditions on the outer row move into the join, so nothing below them may depend on it.
var semiJoin = Rewrite{
	Name: "SubqueryToSemiJoin",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		f, ok := n.(*logicalplan.Filter)
		if !ok {
			return n, false
		}
		a, ok := f.Input.(*logicalplan.Apply)
		if !ok || a.All || a.Not || logicalplan.Derive(a.Input).Stream || logicalplan.Derive(a.Subplan).Stream {
			return n, false
		}
		at, kind := tested(f.Conds, a)
		if at < 0 {
			return n, false
		}
		right, conds, ok := decorrelate(a)
		if !ok {
			return n, false
		}
		j := &logicalplan.Join{Kind: kind, Left: a.Input, Pos: a.Pos}
		left, own := logicalplan.ColumnSet(j.Left), logicalplan.ColumnSet(right)
		below, conds := split(conds, func(c expr.Expr) bool { return !readsAny(c, left) })
		j.Right = filter(right, below, a.Pos)
		for _, c := range conds {
			if l, r, ok := logicalplan.EquiKey(c, left, own); ok {
				j.L, j.R = append(j.L, l), append(j.R, r)
			} else {
				j.On = append(j.On, c)
			}
		}
		if len(j.L) == 0 {
			return n, false // a nested loop would be no better than the subquery
		}
		rest := slices.Delete(slices.Clone(f.Conds), at, at+1)
		return filter(withResult(j, a, kind == logicalplan.SemiJoin), rest, f.Pos), true
	},
}

// tested finds the condition that is the subquery's result, or its negation, and the join that it is.
func tested(conds []expr.Expr, a *logicalplan.Apply) (int, logicalplan.JoinKind) {
	is := func(e expr.Expr) bool {
		c, ok := e.(*expr.Column)
		return ok && c.ID == a.Out.ID
	}
	for i, c := range conds {
		not, negated := c.(*expr.Not)
		switch {
		case is(c) && (a.Kind == logicalplan.ApplyExists || a.Kind == logicalplan.ApplyIn):
			return i, logicalplan.SemiJoin
		case negated && is(not.X) && a.Kind == logicalplan.ApplyExists:
			return i, logicalplan.AntiJoin
		}
	}
	return -1, 0
}

// decorrelate takes the outer conditions out of the subplan and adds IN's test. The subplan may project and filter, no more.
func decorrelate(a *logicalplan.Apply) (n logicalplan.Node, conds []expr.Expr, ok bool) {
	if a.Test != nil {
		conds = flatten(a.Test)
	}
	n = a.Subplan
	for len(logicalplan.Free(n)) > 0 || isProject(n) {
		switch x := n.(type) {
		case *logicalplan.Project:
			by := map[expr.ColumnID]expr.Expr{}
			for _, e := range x.Exprs {
				by[e.Out.ID] = e.Expr
			}
			for i, c := range conds {
				conds[i] = substitute(c, by)
			}
			n = x.Input
		case *logicalplan.Filter:
			conds = append(conds, x.Conds...)
			n = x.Input
		default:
			return nil, nil, false
		}
	}
	return n, conds, !slices.ContainsFunc(conds, volatile)
}

func isProject(n logicalplan.Node) bool {
	_, ok := n.(*logicalplan.Project)
	return ok
}

func flatten(e expr.Expr) []expr.Expr {
	if and, ok := e.(*expr.And); ok {
		return slices.Clone(and.Args)
	}
	return []expr.Expr{e}
}

// withResult keeps the subquery's column for what stands above: it has one value in all rows that are left.
func withResult(j *logicalplan.Join, a *logicalplan.Apply, value bool) logicalplan.Node {
	p := &logicalplan.Project{Input: j, Pos: a.Pos}
	for _, c := range j.Columns() {
		p.Exprs = append(p.Exprs, logicalplan.Named{Out: c, Expr: &expr.Column{ID: c.ID, Name: c.Name, T: c.Type}})
	}
	result := &expr.Const{Value: value, T: types.Of(types.Bool)}
	p.Exprs = append(p.Exprs, logicalplan.Named{Out: a.Out, Expr: result})
	return p
}
