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
// true of nothing. The subquery's conditions on the outer row move into the join, so nothing below them may depend on it. Over streams
// both sides must be streams: the join then keeps the rows of both as any other does, and the gate asks for a range of their times.
var semiJoin = Rewrite{
	Name: "SubqueryToSemiJoin",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		f, ok := n.(*logicalplan.Filter)
		if !ok {
			return n, false
		}
		a, ok := f.Input.(*logicalplan.Apply)
		if !ok || a.All || logicalplan.Derive(a.Input).Stream != logicalplan.Derive(a.Subplan).Stream {
			return n, false
		}
		at, kind := tested(f.Conds, a)
		if at < 0 {
			return n, false
		}
		var test []expr.Expr
		if a.Test != nil {
			test = flatten(a.Test)
		}
		right, conds, ok := decorrelate(a.Subplan, test)
		if !ok {
			return n, false
		}
		j := partners(kind, a, right, conds)
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

// partners joins a's input with the right rows for which the conditions are true. What they say of right rows alone is tested below the join.
func partners(kind logicalplan.JoinKind, a *logicalplan.Apply, right logicalplan.Node, conds []expr.Expr) *logicalplan.Join {
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
	return j
}

// decorrelate takes the outer conditions out of a subplan, which may project and filter, no more. The conditions begin with the given
// expressions over its columns, which are then over the columns of what is left of it.
func decorrelate(sub logicalplan.Node, given []expr.Expr) (n logicalplan.Node, conds []expr.Expr, ok bool) {
	n, conds = sub, slices.Clone(given)
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
