package build

import (
	"slices"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/types"
)

// fullJoinAsking is a full join whose condition asks subqueries of both sides:
//
//	Project the columns of L and R
//	  Filter set 1 and joined, or set 2 and first of l and l never joined, or set 3 and first of r and r never joined
//	    Expand (L, R), (L), (R)
//	      WindowFunc number and bool_or(joined) of l's pairs, and of r's
//	        Project joined: both are there and the rest of the condition holds
//	          Apply the subqueries
//	            Join Full on the equalities of the condition
//	              WindowFunc row_number() AS l      WindowFunc row_number() AS r
//	                L                                 R
//
// Each row of a side is in some pair below, be it without a partner. A pair gives itself if the condition holds; the first pair of a row that
// no pair joins gives that row alone. (Postgres 15 has only those whose condition has an equality it can merge or hash by.)
func (b *binder) fullJoinAsking(j *sql.Join, l, r *item, conds []expr.Expr, applies []*logicalplan.Apply) (logicalplan.Node, error) {
	pos := b.pos(j.Pos)
	left, leftRow := b.numbered(l.node, pos)
	right, rightRow := b.numbered(r.node, pos)
	both := []expr.Expr{&expr.IsNull{X: use(leftRow), Not: true}, &expr.IsNull{X: use(rightRow), Not: true}}
	equal, rest := b.equalities(conds, left, right)
	for _, a := range applies {
		if a.Kind == logicalplan.ApplyScalar { // of half a pair it might have several rows, which would be an error
			a.Subplan = &logicalplan.Filter{Input: a.Subplan, Conds: both, Pos: a.Pos}
		}
	}
	n := asked(b.joinNode(logicalplan.FullJoin, left, right, equal, j.Pos), applies)
	joined := b.column("joined", boolType)
	holds := expr.Expr(&expr.And{Args: slices.Concat(both, rest)})
	n = &logicalplan.Project{Input: n, Pos: pos,
		Exprs: append(pass(slices.Concat(left.Columns(), right.Columns())), logicalplan.Named{Out: joined, Expr: holds})}
	n, aloneLeft, err := b.aloneIn(n, leftRow, joined, pos)
	if err != nil {
		return nil, err
	}
	n, aloneRight, err := b.aloneIn(n, rightRow, joined, pos)
	if err != nil {
		return nil, err
	}
	return b.pairsAndHalves(n, l.node.Columns(), r.node.Columns(), [3]expr.Expr{use(joined), aloneLeft, aloneRight}, pos)
}

// numbered gives each row of n a number.
func (b *binder) numbered(n logicalplan.Node, pos int) (logicalplan.Node, logicalplan.Column) {
	row := b.column("row", int8Type)
	return &logicalplan.WindowFunc{Input: n, Funcs: []logicalplan.WindowCall{{Out: row, Name: "row_number"}}, Pos: pos}, row
}

// equalities separates what a join can hash by from the rest of the condition.
func (b *binder) equalities(conds []expr.Expr, l, r logicalplan.Node) (equal, rest []expr.Expr) {
	left, right := logicalplan.ColumnSet(l), logicalplan.ColumnSet(r)
	for _, c := range conds {
		if _, _, ok := logicalplan.EquiKey(c, left, right); ok {
			equal = append(equal, c)
		} else {
			rest = append(rest, c)
		}
	}
	return equal, rest
}

// aloneIn tells of a pair whether it is the first of its row of one side, which no pair joins.
func (b *binder) aloneIn(n logicalplan.Node, row, joined logicalplan.Column, pos int) (logicalplan.Node, expr.Expr, error) {
	or, err := expr.NewAggregate("bool_or", []expr.Expr{use(joined)}, false, false, nil, nil)
	if err != nil {
		return nil, nil, err
	}
	ever, number := b.column("any", boolType), b.column("number", int8Type)
	n = &logicalplan.WindowFunc{Input: n, PartitionBy: []expr.Expr{use(row)}, Pos: pos,
		Funcs: []logicalplan.WindowCall{{Out: ever, Agg: or}, {Out: number, Name: "row_number"}}}
	first, err := expr.NewOp("=", use(number), &expr.Const{Value: int64(1), T: int8Type})
	if err != nil {
		return nil, nil, err
	}
	there := &expr.IsNull{X: use(row), Not: true}
	return n, &expr.And{Args: []expr.Expr{there, first, &expr.Not{X: &expr.Coalesce{Args: []expr.Expr{use(ever), &expr.Const{Value: false, T: boolType}}, T: boolType}}}}, nil
}

// pairsAndHalves gives each row of n as it is, with the columns of the left side alone, and with those of the right side alone, each if its
// condition holds.
func (b *binder) pairsAndHalves(n logicalplan.Node, left, right []logicalplan.Column, when [3]expr.Expr, pos int) (logicalplan.Node, error) {
	e := &logicalplan.Expand{Input: n, Set: b.column("half", types.Of(types.Int4)), Sets: make([][]bool, len(when)), Pos: pos}
	p := &logicalplan.Project{Pos: pos}
	for i, c := range slices.Concat(left, right) {
		copied := b.column(c.Name, c.Type)
		e.Keys = append(e.Keys, logicalplan.Named{Out: copied, Expr: use(c)})
		e.Sets[0], e.Sets[1], e.Sets[2] = append(e.Sets[0], true), append(e.Sets[1], i < len(left)), append(e.Sets[2], i >= len(left))
		p.Exprs = append(p.Exprs, logicalplan.Named{Out: c, Expr: use(copied)})
	}
	or := &expr.Or{}
	for i, cond := range when {
		this, err := expr.NewOp("=", use(e.Set), &expr.Const{Value: int64(i + 1), T: types.Of(types.Int4)})
		if err != nil {
			return nil, err
		}
		or.Args = append(or.Args, &expr.And{Args: []expr.Expr{this, cond}})
	}
	p.Input = &logicalplan.Filter{Input: e, Conds: []expr.Expr{or}, Pos: pos}
	return p, nil
}
