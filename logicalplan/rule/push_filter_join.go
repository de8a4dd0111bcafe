package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
)

// pushFilterThroughJoin filters a side before it is joined, and makes an equality between the sides a key of the join:
//
//	Filter l.a = 1 AND l.k = r.k        Join on l.k = r.k
//	  CrossJoin                   =>      Filter l.a = 1
//	    L                                   L
//	    R                                 R
//
// A side that the join fills with NULLs must not be filtered below it: its rows would then appear as NULLs.
var pushFilterThroughJoin = Rewrite{
	Name: "PushFilterThroughJoin",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		f, ok := n.(*logicalplan.Filter)
		if !ok {
			return n, false
		}
		j, ok := f.Input.(*logicalplan.Join)
		if !ok {
			return n, false
		}
		left, right := logicalplan.ColumnSet(j.Left), logicalplan.ColumnSet(j.Right)
		right[j.Mark.ID] = j.Kind == logicalplan.MarkJoin
		intoLeft := j.Kind != logicalplan.RightJoin && j.Kind != logicalplan.FullJoin
		intoRight := j.Kind == logicalplan.InnerJoin || j.Kind == logicalplan.CrossJoin || j.Kind == logicalplan.RightJoin
		toLeft, toRight, rest := ofOneSide(f.Conds, left, right, intoLeft, intoRight)
		c := *j
		var stay []expr.Expr
		for _, e := range rest {
			if !joinCondition(&c, e, left, right) {
				stay = append(stay, e)
			}
		}
		if len(stay) == len(f.Conds) {
			return n, false
		}
		c.Left, c.Right = filter(j.Left, toLeft, f.Pos), filter(j.Right, toRight, f.Pos)
		return filter(&c, stay, f.Pos), true
	},
}

// ofOneSide divides conditions into those that read the columns of one side alone, where they may go into that side, and the others.
func ofOneSide(conds []expr.Expr, left, right map[expr.ColumnID]bool, intoLeft, intoRight bool) (toLeft, toRight, rest []expr.Expr) {
	toLeft, rest = split(conds, func(c expr.Expr) bool { return intoLeft && readsAny(c, left) && !readsAny(c, right) })
	toRight, rest = split(rest, func(c expr.Expr) bool { return intoRight && readsAny(c, right) && !readsAny(c, left) })
	return toLeft, toRight, rest
}

// joinCondition takes a condition over both sides of an inner join into the join.
func joinCondition(j *logicalplan.Join, e expr.Expr, left, right map[expr.ColumnID]bool) bool {
	if j.Kind != logicalplan.InnerJoin && j.Kind != logicalplan.CrossJoin || volatile(e) || !readsAny(e, left) || !readsAny(e, right) {
		return false
	}
	j.Kind = logicalplan.InnerJoin
	if l, r, ok := logicalplan.EquiKey(e, left, right); ok {
		j.L, j.R = append(j.L[:len(j.L):len(j.L)], l), append(j.R[:len(j.R):len(j.R)], r)
		return true
	}
	j.On = append(j.On[:len(j.On):len(j.On)], e)
	return true
}
