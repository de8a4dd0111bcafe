package build

import (
	"wmsql/expr"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

func (c *exprCtx) unary(e *sql.Unary) (expr.Expr, error) {
	if e.Op == "not" {
		x, err := c.bindBool(e.X, "NOT")
		if err != nil {
			return nil, err
		}
		return &expr.Not{X: x}, nil
	}
	if lit, ok := e.X.(*sql.Literal); ok && e.Op == "-" && (lit.Kind == sql.Integer || lit.Kind == sql.Decimal) {
		return c.b.literal(&sql.Literal{Kind: lit.Kind, Text: "-" + lit.Text, Pos: e.Pos})
	}
	x, err := c.bind(e.X)
	if err != nil {
		return nil, err
	}
	return c.b.op(e.Op, nil, x, e.Pos)
}

func (c *exprCtx) binary(e *sql.Binary) (expr.Expr, error) {
	switch e.Op {
	case "and", "or":
		return c.connective(e)
	case "overlaps":
		return c.overlaps(e)
	}
	l, err := c.bind(e.L)
	if err != nil {
		return nil, err
	}
	if row, ok := l.(*expr.Row); ok {
		if q, ok := e.R.(*sql.SubqueryExpr); ok && q.Kind == sql.Scalar {
			return c.rowSubquery(row, e, q)
		}
	}
	r, err := c.bind(e.R)
	if err != nil {
		return nil, err
	}
	return c.b.op(e.Op, l, r, e.Pos)
}

// connective flattens a chain of AND or of OR into one node.
func (c *exprCtx) connective(e *sql.Binary) (expr.Expr, error) {
	what := map[string]string{"and": "AND", "or": "OR"}[e.Op]
	var args []expr.Expr
	var add func(x sql.Expr) error
	add = func(x sql.Expr) error {
		if bin, ok := x.(*sql.Binary); ok && bin.Op == e.Op {
			if err := add(bin.L); err != nil {
				return err
			}
			return add(bin.R)
		}
		a, err := c.bindBool(x, what)
		args = append(args, a)
		return err
	}
	if err := add(e); err != nil {
		return nil, err
	}
	if e.Op == "and" {
		return &expr.And{Args: args}, nil
	}
	return &expr.Or{Args: args}, nil
}

// isTest binds IS NULL, IS TRUE, IS FALSE, IS UNKNOWN.
func (c *exprCtx) isTest(e *sql.IsTest) (expr.Expr, error) {
	x, err := c.bind(e.X)
	if err != nil {
		return nil, err
	}
	if e.Test == "null" {
		return nullTest(x, e.Not), nil
	}
	test := map[string]string{"true": "IS TRUE", "false": "IS FALSE", "unknown": "IS UNKNOWN"}[e.Test]
	if e.Not {
		test = "IS NOT" + test[2:]
	}
	if x, err = c.boolean(x, test, e.X.At()); err != nil {
		return nil, err
	}
	var out expr.Expr
	switch e.Test {
	case "unknown":
		return &expr.IsNull{X: x, Not: e.Not}, nil
	case "true":
		out = &expr.Coalesce{Args: []expr.Expr{x, &expr.Const{Value: false, T: boolType}}, T: boolType}
	default:
		out = &expr.Coalesce{Args: []expr.Expr{&expr.Not{X: x}, &expr.Const{Value: false, T: boolType}}, T: boolType}
	}
	if e.Not {
		out = &expr.Not{X: out}
	}
	return out, nil
}

// nullTest is IS [NOT] NULL: of a row, all its fields.
func nullTest(x expr.Expr, not bool) expr.Expr {
	row, ok := x.(*expr.Row)
	if !ok || len(row.Items) == 0 {
		return &expr.IsNull{X: x, Not: not}
	}
	if len(row.Items) == 1 {
		return &expr.IsNull{X: row.Items[0], Not: not}
	}
	all := &expr.And{}
	for _, i := range row.Items {
		all.Args = append(all.Args, &expr.IsNull{X: i, Not: not})
	}
	return all
}

func (c *exprCtx) between(e *sql.Between) (expr.Expr, error) {
	xs, err := c.bindAll([]sql.Expr{e.X, e.Lo, e.Hi})
	if err != nil {
		return nil, err
	}
	within := func(lo, hi expr.Expr) (expr.Expr, error) {
		ge, err := c.b.op(">=", xs[0], lo, e.Pos)
		if err != nil {
			return nil, err
		}
		le, err := c.b.op("<=", xs[0], hi, e.Pos)
		if err != nil {
			return nil, err
		}
		return &expr.And{Args: []expr.Expr{ge, le}}, nil
	}
	out, err := within(xs[1], xs[2])
	if err != nil {
		return nil, err
	}
	if e.Sym {
		other, err := within(xs[2], xs[1])
		if err != nil {
			return nil, err
		}
		out = &expr.Or{Args: []expr.Expr{out, other}}
	}
	if e.Not {
		out = &expr.Not{X: out}
	}
	return out, nil
}

// inList binds x IN (...): one test against a list when all members are constants of one type, else a chain of =.
func (c *exprCtx) inList(e *sql.InList) (expr.Expr, error) {
	x, err := c.bind(e.X)
	if err != nil {
		return nil, err
	}
	list, err := c.bindAll(e.List)
	if err != nil {
		return nil, err
	}
	if in := constList(x, list); in != nil {
		in.Not = e.Not
		c.b.learn(in)
		return in, nil
	}
	var out expr.Expr
	or := &expr.Or{}
	for _, y := range list {
		eq, err := c.b.op("=", x, y, e.Pos)
		if err != nil {
			return nil, err
		}
		or.Args, out = append(or.Args, eq), eq
	}
	if len(or.Args) > 1 {
		out = or
	}
	if e.Not {
		out = &expr.Not{X: out}
	}
	return out, nil
}

func constList(x expr.Expr, list []expr.Expr) *expr.InList {
	if _, row := x.(*expr.Row); row || isUnknown(x.Type()) {
		return nil
	}
	es, t, err := expr.Unify("IN", append([]expr.Expr{x}, list...))
	if err != nil || t.Array || t.Kind == types.Record || t.Kind == types.BPChar {
		return nil
	}
	in := &expr.InList{X: es[0]}
	for _, y := range es[1:] {
		k, ok := expr.Fold(y).(*expr.Const)
		if !ok || !k.T.Same(t) {
			return nil
		}
		in.List = append(in.List, k)
	}
	return in
}

// like binds LIKE, ILIKE and SIMILAR TO by the operators they stand for.
func (c *exprCtx) like(e *sql.Like) (expr.Expr, error) {
	x, err := c.bind(e.X)
	if err != nil {
		return nil, err
	}
	pattern, err := c.bind(e.Pattern)
	if err != nil {
		return nil, err
	}
	args := []expr.Expr{pattern}
	if e.Escape != nil {
		esc, err := c.bind(e.Escape)
		if err != nil {
			return nil, err
		}
		args = append(args, esc)
	}
	op := map[string]string{"like": "~~", "ilike": "~~*", "similar to": "~"}[e.Op]
	switch {
	case e.Op == "similar to":
		if pattern, err = c.b.fn("similar_to_escape", args, e.Pos); err != nil {
			return nil, err
		}
	case e.Escape != nil:
		if pattern, err = c.b.fn("like_escape", args, e.Pos); err != nil {
			return nil, err
		}
	}
	if e.Not {
		op = "!" + op
	}
	return c.b.op(op, x, pattern, e.Pos)
}

// anyAll binds x op ANY|ALL (array).
func (c *exprCtx) anyAll(e *sql.AnyAll) (expr.Expr, error) {
	x, err := c.bind(e.X)
	if err != nil {
		return nil, err
	}
	arr, err := c.bind(e.Array)
	if err != nil {
		return nil, err
	}
	if isUnknown(arr.Type()) {
		elem := x.Type()
		if isUnknown(elem) {
			elem = textType
		}
		if arr, err = c.b.cast(arr, types.Type{Kind: elem.Kind, Array: true, Mod: types.NoMod}, expr.Implicit, e.Array.At()); err != nil {
			return nil, err
		}
	}
	elem, ok := elemOf(arr.Type())
	if !ok {
		return nil, c.b.errorf(e.Pos, sqlerr.WrongObjectType, "op ANY/ALL (array) requires array on right side")
	}
	item := &expr.Column{ID: -1, Name: "item", T: elem}
	test, err := c.b.op(e.Op, x, item, e.Pos)
	if err != nil {
		return nil, err
	}
	call, ok := test.(*expr.Call)
	if !ok || !test.Type().Same(boolType) {
		return nil, c.b.errorf(e.Pos, sqlerr.WrongObjectType, "op ANY/ALL (array) requires operator to yield boolean")
	}
	if call.Args[1] != expr.Expr(item) { // the operator wants another element type
		want := types.Type{Kind: call.Args[1].Type().Kind, Array: true, Mod: types.NoMod}
		if arr, err = c.b.cast(arr, want, expr.Implicit, e.Array.At()); err != nil {
			return nil, err
		}
	}
	return &expr.AnyAll{Op: call.Func, X: call.Args[0], Array: arr, All: e.All}, nil
}

// elemOf is the element type of an array or of int2vector and oidvector.
func elemOf(t types.Type) (types.Type, bool) {
	switch {
	case t.Array:
		return t.Elem(), true
	case t.Kind == types.Int2Vector:
		return types.Of(types.Int2), true
	case t.Kind == types.OIDVector:
		return types.Of(types.OID), true
	}
	return t, false
}
