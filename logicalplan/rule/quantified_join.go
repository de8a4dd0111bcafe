package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/types"
)

// quantifiedToJoin asks once for all rows what IN, ANY and ALL would ask for each. IN looks for a partner, and else needs to know whether the
// subquery has rows (h is not NULL), and whether one of them is NULL (h):
//
//	Apply any a.x = y AS i          Project [A, CASE WHEN m THEN true WHEN h OR a.x IS NULL AND h IS NOT NULL THEN NULL ELSE false END AS i]
//	  A                               LeftJoin on a.k = b.k
//	  Project [b.x AS y]        =>      MarkJoin on a.x = b.x AND a.k = b.k AS m
//	    Filter b.k = a.k                  A
//	      B                               B
//	                                    Aggregate [bool_or(b.x IS NULL) AS h] by [b.k]
//	                                      B
//
// The other comparisons need the least or the greatest of the subquery's values instead of m: a.x < ANY is a.x < max. The subquery's conditions
// on the outer row must be equalities with columns of B.
func quantifiedToJoin(fresh func() expr.ColumnID) Rewrite {
	return Rewrite{
		Name: "QuantifiedToJoin",
		Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
			a, ok := n.(*logicalplan.Apply)
			if !ok || a.Kind != logicalplan.ApplyIn || !overTables(a) || len(a.Subplan.Columns()) != 1 {
				return n, false
			}
			q, ok := readQuantified(a)
			if !ok {
				return n, false
			}
			return q.join(fresh)
		},
	}
}

// quantified is x op ANY (subquery) or x op ALL (subquery), taken apart.
type quantified struct {
	a     *logicalplan.Apply
	op    string // with x on its left
	x     expr.Expr
	given expr.ColumnID    // the subquery's column in the test
	y     expr.Expr        // what it is, over right
	right logicalplan.Node // the subquery's rows for all outer rows
	conds []expr.Expr      // which of them are an outer row's
}

// mirrored is each comparison seen from the other side.
var mirrored = map[string]string{"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

func readQuantified(a *logicalplan.Apply) (*quantified, bool) {
	call, ok := a.Test.(*expr.Call)
	if !ok || len(call.Args) != 2 || mirrored[call.Func.Name] == "" {
		return nil, false
	}
	y := a.Subplan.Columns()[0]
	own := map[expr.ColumnID]bool{y.ID: true}
	q := &quantified{a: a, op: call.Func.Name, x: call.Args[0], given: y.ID}
	value := call.Args[1]
	if readsAny(q.x, own) {
		q.op, q.x, value = mirrored[q.op], value, q.x
	}
	if readsAny(q.x, own) || !readsOnly(value, own) || volatile(a.Test) {
		return nil, false
	}
	right, conds, ok := decorrelate(a.Subplan, []expr.Expr{columnOf(y)})
	if !ok || !closed(right) || !readsOnly(conds[0], logicalplan.ColumnSet(right)) {
		return nil, false
	}
	q.right, q.y, q.conds = right, conds[0], conds[1:]
	return q, len(q.conds) == 0 || plainOf(q.y, right)
}

// join is the plan, if there is one.
func (q *quantified) join(fresh func() expr.ColumnID) (logicalplan.Node, bool) {
	a := q.a
	agg := &logicalplan.Aggregate{Input: q.right, Pos: a.Pos}
	null := q.summary(agg, fresh, "bool_or", &expr.IsNull{X: q.y})
	if null == nil {
		return a, false
	}
	input, decided := a.Input, expr.Expr(nil)
	var ok bool
	if equal := map[bool]string{false: "=", true: "<>"}[a.All]; q.op == equal {
		input, decided, ok = q.mark(fresh)
	} else {
		decided, ok = q.extremes(agg, fresh)
	}
	if !ok {
		return a, false
	}
	over := *a
	over.Input = input
	var n logicalplan.Node = &logicalplan.Join{Kind: logicalplan.CrossJoin, Left: input, Right: agg, Pos: a.Pos}
	if len(q.conds) > 0 {
		agg.Input = filter(q.right, q.conds, a.Pos)
		if n, ok = joinGroups(&over, agg); !ok {
			return a, false
		}
	}
	boolean := func(v any) expr.Expr { return &expr.Const{Value: v, T: types.Of(types.Bool)} }
	unknown := &expr.Or{Args: []expr.Expr{null, &expr.And{Args: []expr.Expr{&expr.IsNull{X: q.x}, &expr.IsNull{X: null, Not: true}}}}}
	result := &expr.Case{T: types.Of(types.Bool), Else: boolean(a.All), Whens: []expr.When{{Cond: decided, Then: boolean(!a.All)}, {Cond: unknown, Then: boolean(nil)}}}
	return &logicalplan.Project{Input: n, Exprs: append(passed(a.Input), logicalplan.Named{Out: a.Out, Expr: result}), Pos: a.Pos}, true
}

// summary adds an aggregate and returns its column; nil if there is none for the type.
func (q *quantified) summary(agg *logicalplan.Aggregate, fresh func() expr.ColumnID, name string, arg expr.Expr) *expr.Column {
	g, err := expr.NewAggregate(name, []expr.Expr{arg}, false, false, nil, nil)
	if err != nil || !g.T.Same(arg.Type()) {
		return nil
	}
	out := logicalplan.Column{ID: fresh(), Name: name, Type: g.T}
	agg.Aggs = append(agg.Aggs, logicalplan.AggNamed{Out: out, Agg: g, Pos: q.a.Pos})
	return columnOf(out)
}

// mark joins for IN, and for NOT IN written as <> ALL.
func (q *quantified) mark(fresh func() expr.ColumnID) (logicalplan.Node, expr.Expr, bool) {
	call := substitute(q.a.Test, map[expr.ColumnID]expr.Expr{q.given: q.y}).(*expr.Call)
	equal, err := expr.NewOp("=", call.Args[0], call.Args[1])
	if err != nil {
		return nil, nil, false
	}
	j := partners(logicalplan.MarkJoin, q.a, q.right, append([]expr.Expr{equal}, q.conds...))
	j.Mark = logicalplan.Column{ID: fresh(), Name: "found", Type: types.Of(types.Bool)}
	return j, columnOf(j.Mark), len(j.L) == 1+len(q.conds)
}

// extremes is what decides a comparison with all values at once: the test with the least or the greatest of them.
func (q *quantified) extremes(agg *logicalplan.Aggregate, fresh func() expr.ColumnID) (expr.Expr, bool) {
	names := map[string][]string{"<": {"max"}, "<=": {"max"}, ">": {"min"}, ">=": {"min"}, "=": {"min", "max"}, "<>": {"min", "max"}}[q.op]
	if q.a.All && len(names) == 1 {
		names = map[string][]string{"max": {"min"}, "min": {"max"}}[names[0]]
	}
	var tests []expr.Expr
	for _, name := range names {
		c := q.summary(agg, fresh, name, q.y)
		if c == nil {
			return nil, false
		}
		test := substitute(q.a.Test, map[expr.ColumnID]expr.Expr{q.given: c})
		if q.a.All {
			test = &expr.Not{X: test}
		}
		tests = append(tests, test)
	}
	if len(tests) == 1 {
		return tests[0], true
	}
	return &expr.Or{Args: tests}, true
}
