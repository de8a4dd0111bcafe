package rule

import "wmsql/logicalplan"

// pushJoinCondition filters a side of a join of tables by the conditions of ON that read it alone, so that a key finds its rows:
//
//	Join on l.k = r.k AND r.a = 1        Join on l.k = r.k
//	  L                            =>      L
//	  R                                    Filter r.a = 1
//	                                         R
//
// A side whose rows come out without a partner too must not be filtered: a LEFT JOIN keeps the left rows that the condition does not hold for. Joins
// of streams stay as they are: what they keep is theirs to say.
var pushJoinCondition = Rewrite{
	Name: "PushJoinCondition",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		j, ok := n.(*logicalplan.Join)
		if !ok || len(j.On) == 0 {
			return n, false
		}
		var intoLeft, intoRight bool
		switch j.Kind {
		case logicalplan.InnerJoin, logicalplan.SemiJoin:
			intoLeft, intoRight = true, true
		case logicalplan.LeftJoin, logicalplan.AntiJoin:
			intoRight = true
		case logicalplan.RightJoin:
			intoLeft = true
		default:
			return n, false
		}
		left, right := logicalplan.ColumnSet(j.Left), logicalplan.ColumnSet(j.Right)
		toLeft, toRight, rest := ofOneSide(j.On, left, right, intoLeft, intoRight)
		if len(rest) == len(j.On) || logicalplan.Derive(j).Stream {
			return n, false
		}
		c := *j
		c.On = rest
		c.Left, c.Right = filter(j.Left, toLeft, j.Pos), filter(j.Right, toRight, j.Pos)
		return &c, true
	},
}
