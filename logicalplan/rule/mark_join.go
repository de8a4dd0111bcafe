package rule

import (
	"slices"

	"wmsql/expr"
	"wmsql/logicalplan"
)

// subqueryToMarkJoin asks once for all rows what EXISTS would ask for each, where its answer is a value and no condition:
//
//	Apply exists AS e           MarkJoin on a.k = b.k AS e
//	  A                   =>      A
//	  Filter b.k = a.k            B
//	    B
//
// Without an equality the join would be a nested loop, no better than the subquery.
var subqueryToMarkJoin = Rewrite{
	Name: "SubqueryToMarkJoin",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		a, ok := n.(*logicalplan.Apply)
		if !ok || a.Kind != logicalplan.ApplyExists || !overTables(a) {
			return n, false
		}
		right, conds, ok := decorrelate(a.Subplan, nil)
		if !ok {
			return n, false
		}
		j := partners(logicalplan.MarkJoin, a, right, conds)
		j.Mark = a.Out
		if len(j.L) == 0 || !closed(j.Right) {
			return n, false
		}
		return j, true
	},
}

// overTables says that no stream is read, whose rows would come again and again.
func overTables(a *logicalplan.Apply) bool {
	return !logicalplan.Derive(a.Input).Stream && !logicalplan.Derive(a.Subplan).Stream
}

// closed says that n reads no columns of queries around it.
func closed(n logicalplan.Node) bool { return len(logicalplan.Free(n)) == 0 }

// subqueryToSingleJoin joins the row that a scalar subquery looks for. A row with two partners is the error that the subquery would be:
//
//	Apply scalar AS s                 SingleJoin on a.k = b.k
//	  A                                 A
//	  Project [b.x AS s]          =>    Project [b.*, b.x AS s]
//	    Filter b.k = a.k                  B
//	      B
//
// What the subquery gives is computed for rows that nobody looks for, so it may be columns and constants only. A row that is looked for by the
// key of a table stays a subquery, which reads that row and no others.
var subqueryToSingleJoin = Rewrite{
	Name: "SubqueryToSingleJoin",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		a, ok := n.(*logicalplan.Apply)
		if !ok || a.Kind != logicalplan.ApplyScalar || !overTables(a) {
			return n, false
		}
		right, conds, ok := decorrelate(a.Subplan, []expr.Expr{columnOf(a.Subplan.Columns()[0])})
		if !ok {
			return n, false
		}
		value := conds[0]
		j := partners(logicalplan.SingleJoin, a, right, conds[1:])
		if len(j.L) == 0 || !closed(j.Right) || !plainOf(value, j.Right) || byKey(j) {
			return n, false
		}
		j.Right = &logicalplan.Project{Input: j.Right, Exprs: append(passed(j.Right), logicalplan.Named{Out: a.Out, Expr: value}), Pos: a.Pos}
		out := append(passed(a.Input), logicalplan.Named{Out: a.Out, Expr: columnOf(a.Out)})
		return &logicalplan.Project{Input: j, Exprs: out, Pos: a.Pos}, true
	},
}

// plainOf says that e is a constant or a column of n, which cannot fail.
func plainOf(e expr.Expr, n logicalplan.Node) bool {
	switch e.(type) {
	case *expr.Const:
		return true
	case *expr.Column:
		return readsOnly(e, logicalplan.ColumnSet(n))
	}
	return false
}

// byKey says that the join asks for the first column of a table's key: the subquery would read the rows that have it, and no others.
func byKey(j *logicalplan.Join) bool {
	n := j.Right
	for {
		f, ok := n.(*logicalplan.Filter)
		if !ok {
			break
		}
		n = f.Input
	}
	scan, ok := n.(*logicalplan.TableScan)
	return ok && len(scan.Key) > 0 && slices.ContainsFunc(j.R, func(r expr.Expr) bool {
		c, ok := r.(*expr.Column)
		return ok && c.ID == scan.Key[0]
	})
}

// passed are the columns of n as they are.
func passed(n logicalplan.Node) (out []logicalplan.Named) {
	for _, c := range n.Columns() {
		out = append(out, logicalplan.Named{Out: c, Expr: columnOf(c)})
	}
	return out
}
