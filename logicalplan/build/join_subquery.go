package build

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
)

// joinWithSubqueries joins by a condition with subqueries. An inner join filters the product. The subqueries of an outer join are asked on the side
// whose columns they read; if one reads both sides, the preserved side is joined row by row with what passes the condition.
func (b *binder) joinWithSubqueries(j *sql.Join, kind logicalplan.JoinKind, l, r *item, conds []expr.Expr, applies []*logicalplan.Apply) (logicalplan.Node, error) {
	pos := b.pos(j.On.At())
	if kind == logicalplan.InnerJoin {
		n := asked(b.crossNode(l.node, r.node, j.Pos), applies)
		return &logicalplan.Filter{Input: n, Conds: conds, Pos: pos}, nil
	}
	left, right, both := sidesOf(applies, l.node, r.node)
	if !both && !reads(r.node, l.node) {
		return b.joinNode(kind, asked(l.node, left), asked(r.node, right), conds, j.Pos), nil
	}
	outer, inner := l.node, r.node
	switch {
	case kind == logicalplan.FullJoin:
		return b.fullJoinAsking(j, l, r, conds, applies)
	case kind == logicalplan.RightJoin && !reads(r.node, l.node):
		outer, inner = inner, outer
	case kind != logicalplan.LeftJoin:
		return nil, b.unsupported(j.On.At(), "a subquery of both sides in the condition of this join")
	}
	sub := &logicalplan.Filter{Input: asked(inner, applies), Conds: conds, Pos: pos}
	return &logicalplan.Apply{Kind: logicalplan.ApplyLeftLateral, Input: outer, Subplan: sub, Pos: b.pos(j.Pos)}, nil
}

// asked puts subqueries over n, the first lowest.
func asked(n logicalplan.Node, applies []*logicalplan.Apply) logicalplan.Node {
	for _, a := range applies {
		a.Input, n = n, a
	}
	return n
}

// readBy is the columns that a subquery reads of the rows that it is asked of.
func readBy(a *logicalplan.Apply) map[expr.ColumnID]bool {
	read := logicalplan.Free(a.Subplan)
	if a.Test != nil {
		expr.Columns(a.Test, func(c *expr.Column) { read[c.ID] = true })
	}
	return read
}

// sidesOf tells which subqueries can be asked of the rows of one side: those that read no columns of the other, and no answer of a subquery
// that does. One that reads neither is the left side's.
func sidesOf(applies []*logicalplan.Apply, l, r logicalplan.Node) (left, right []*logicalplan.Apply, both bool) {
	fromLeft, fromRight := logicalplan.ColumnSet(l), logicalplan.ColumnSet(r)
	for _, a := range applies {
		var ofLeft, ofRight bool
		for id := range readBy(a) {
			ofLeft, ofRight = ofLeft || fromLeft[id], ofRight || fromRight[id]
		}
		switch {
		case ofLeft && ofRight:
			return nil, nil, true
		case ofRight:
			right, fromRight[a.Out.ID] = append(right, a), true
		default:
			left, fromLeft[a.Out.ID] = append(left, a), true
		}
	}
	return left, right, false
}
