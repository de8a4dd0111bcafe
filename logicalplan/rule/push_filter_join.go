package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/types"
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
		left, right := columnsOf(j.Left), columnsOf(j.Right)
		intoLeft := j.Kind != logicalplan.RightJoin && j.Kind != logicalplan.FullJoin
		intoRight := j.Kind == logicalplan.InnerJoin || j.Kind == logicalplan.CrossJoin || j.Kind == logicalplan.RightJoin
		toLeft, rest := split(f.Conds, func(c expr.Expr) bool { return intoLeft && readsAny(c, left) && !readsAny(c, right) })
		toRight, rest := split(rest, func(c expr.Expr) bool { return intoRight && readsAny(c, right) && !readsAny(c, left) })
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

// joinCondition takes a condition over both sides of an inner join into the join.
func joinCondition(j *logicalplan.Join, e expr.Expr, left, right map[expr.ColumnID]bool) bool {
	if j.Kind != logicalplan.InnerJoin && j.Kind != logicalplan.CrossJoin || volatile(e) || !readsAny(e, left) || !readsAny(e, right) {
		return false
	}
	j.Kind = logicalplan.InnerJoin
	if l, r, ok := equality(e, left, right); ok {
		j.L, j.R = append(j.L[:len(j.L):len(j.L)], l), append(j.R[:len(j.R):len(j.R)], r)
		return true
	}
	j.On = append(j.On[:len(j.On):len(j.On)], e)
	return true
}

// equality splits l = r where each side reads one input and the types encode equal values equally.
func equality(e expr.Expr, left, right map[expr.ColumnID]bool) (l, r expr.Expr, ok bool) {
	call, isCall := e.(*expr.Call)
	if !isCall || call.Func.Name != "=" || len(call.Args) != 2 {
		return nil, nil, false
	}
	x, y := call.Args[0], call.Args[1]
	if !hashable(x.Type(), y.Type()) {
		return nil, nil, false
	}
	switch {
	case readsAny(x, left) && !readsAny(x, right) && readsAny(y, right) && !readsAny(y, left):
		return x, y, true
	case readsAny(x, right) && !readsAny(x, left) && readsAny(y, left) && !readsAny(y, right):
		return y, x, true
	}
	return nil, nil, false
}

func hashable(a, b types.Type) bool {
	if a.Kind == types.BPChar || a.Kind == types.Record || a.Kind == types.JSONB {
		return false
	}
	whole := func(t types.Type) bool {
		return !t.Array && (t.Kind == types.Int2 || t.Kind == types.Int4 || t.Kind == types.Int8)
	}
	return a.Same(b) || whole(a) && whole(b)
}
