package build

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// subquery binds a query inside an expression to an Apply under the expression.
func (c *exprCtx) subquery(e *sql.SubqueryExpr) (expr.Expr, error) {
	if c.attach == nil {
		return nil, c.b.errorf(e.Pos, sqlerr.FeatureNotSupported, "cannot use subquery in %s", c.clause)
	}
	var x expr.Expr
	if e.X != nil {
		var err error
		if x, err = c.bind(e.X); err != nil {
			return nil, err
		}
	}
	out, err := c.subselect(e.Query)
	if err != nil {
		return nil, err
	}
	a := &logicalplan.Apply{Subplan: out.node, Pos: c.b.pos(e.Pos)}
	cols := out.cols
	switch e.Kind {
	case sql.Exists:
		a.Kind, a.Out = logicalplan.ApplyExists, c.b.column("exists", boolType)
		c.attach(a)
		return use(a.Out), nil
	case sql.In, sql.AnyOf, sql.AllOf:
		return c.quantified(e, x, a, cols)
	}
	if len(cols) != 1 {
		return nil, c.b.errorf(e.Pos, sqlerr.SyntaxError, "subquery must return only one column")
	}
	a.Kind, a.Out = logicalplan.ApplyScalar, c.b.column(cols[0].Name, cols[0].Type)
	if e.Kind == sql.ArrayQuery {
		a.Kind = logicalplan.ApplyArray
		a.Out = c.b.column("array", types.Type{Kind: cols[0].Type.Kind, Array: true, Mod: cols[0].Type.Mod})
	}
	if shape := c.b.shapes[cols[0].ID]; shape != nil {
		c.b.shapes[a.Out.ID] = shape
	}
	c.attach(a)
	return use(a.Out), nil
}

// subselect binds the query of a subquery in the expression.
func (c *exprCtx) subselect(q *sql.Select) (out *output, err error) {
	err = c.b.inside("a subquery", func() error {
		out, err = c.b.subselect(q, c.asking())
		return err
	})
	return out, err
}

// rowSubquery binds (a, b) op (SELECT x, y ...): the one row that the subquery has, NULLs if it has none.
func (c *exprCtx) rowSubquery(l *expr.Row, e *sql.Binary, q *sql.SubqueryExpr) (expr.Expr, error) {
	if c.attach == nil {
		return nil, c.b.errorf(q.Pos, sqlerr.FeatureNotSupported, "cannot use subquery in %s", c.clause)
	}
	out, err := c.subselect(q.Query)
	if err != nil {
		return nil, err
	}
	switch {
	case len(out.cols) > len(l.Items):
		return nil, c.b.errorf(q.Pos, sqlerr.SyntaxError, "subquery has too many columns")
	case len(out.cols) < len(l.Items):
		return nil, c.b.errorf(q.Pos, sqlerr.SyntaxError, "subquery has too few columns")
	}
	all, fields := &expr.Row{}, &expr.Row{}
	a := &logicalplan.Apply{Kind: logicalplan.ApplyScalar, Out: c.b.column("row", types.Of(types.Record)), Pos: c.b.pos(q.Pos)}
	for i, col := range out.cols {
		all.Items = append(all.Items, use(col))
		fields.Items = append(fields.Items, &expr.Field{X: use(a.Out), N: i, T: col.Type})
	}
	row := logicalplan.Named{Out: c.b.column("row", a.Out.Type), Expr: all}
	a.Subplan = &logicalplan.Project{Input: out.node, Exprs: []logicalplan.Named{row}, Pos: a.Pos}
	c.attach(a)
	return c.b.op(e.Op, l, fields, e.Pos)
}

// quantified binds x IN, x op ANY, x op ALL (query).
func (c *exprCtx) quantified(e *sql.SubqueryExpr, x expr.Expr, a *logicalplan.Apply, cols []logicalplan.Column) (expr.Expr, error) {
	op := e.Op
	if e.Kind == sql.In {
		op = "="
	}
	left := []expr.Expr{x}
	var right expr.Expr
	if row, ok := x.(*expr.Row); ok {
		left = row.Items
		r := &expr.Row{}
		for _, col := range cols {
			r.Items = append(r.Items, use(col))
		}
		right = r
	} else if len(cols) > 0 {
		right = use(cols[0])
	}
	switch {
	case len(cols) > len(left):
		return nil, c.b.errorf(e.Pos, sqlerr.SyntaxError, "subquery has too many columns")
	case len(cols) < len(left):
		return nil, c.b.errorf(e.Pos, sqlerr.SyntaxError, "subquery has too few columns")
	}
	test, err := c.b.op(op, x, right, e.Pos)
	if err != nil {
		return nil, err
	}
	a.Kind, a.Test, a.All = logicalplan.ApplyIn, test, e.Kind == sql.AllOf
	a.Out = c.b.column("in", boolType)
	c.attach(a)
	if e.Not {
		return &expr.Not{X: use(a.Out)}, nil
	}
	return use(a.Out), nil
}
