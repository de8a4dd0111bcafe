package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
)

// split separates the conditions that may move from those that must stay. A volatile one always stays.
func split(conds []expr.Expr, may func(expr.Expr) bool) (move, stay []expr.Expr) {
	for _, c := range conds {
		if !volatile(c) && may(c) {
			move = append(move, c)
		} else {
			stay = append(stay, c)
		}
	}
	return move, stay
}

// filter puts conditions over n; none are no filter.
func filter(n logicalplan.Node, conds []expr.Expr, pos int) logicalplan.Node {
	if len(conds) == 0 {
		return n
	}
	return &logicalplan.Filter{Input: n, Conds: conds, Pos: pos}
}

// volatile reports whether e may give another value every time.
func volatile(e expr.Expr) bool {
	found := false
	expr.Walk(e, func(x expr.Expr) bool {
		c, ok := x.(*expr.Call)
		found = found || ok && c.Func.Volatility == expr.Volatile
		return !found
	})
	return found
}

// readsAny reports whether e reads a column of set.
func readsAny(e expr.Expr, set map[expr.ColumnID]bool) bool {
	found := false
	expr.Columns(e, func(c *expr.Column) { found = found || set[c.ID] })
	return found
}

// substitute replaces columns by what they stand for.
func substitute(e expr.Expr, by map[expr.ColumnID]expr.Expr) expr.Expr {
	return expr.Rewrite(e, func(x expr.Expr) expr.Expr {
		if c, ok := x.(*expr.Column); ok {
			if r, ok := by[c.ID]; ok {
				return r
			}
		}
		return x
	})
}
