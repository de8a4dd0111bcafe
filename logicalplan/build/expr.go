package build

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// exprCtx is where an expression stands: what it may name, and what else it may contain.
type exprCtx struct {
	b      *binder
	scope  *scope
	clause string // for messages: "WHERE", "JOIN conditions", ...
	// attach puts the subplan of a subquery under the expression; nil: subqueries cannot stand here.
	attach  func(*logicalplan.Apply)
	group   *grouping      // nil: aggregates are not allowed
	windows *windowCalls   // nil: window functions are not allowed
	sets    *setCalls      // nil: set-returning functions are not allowed
	spans   []*groupWindow // the windows of GROUP BY TUMBLE(...), window(...)
	inAgg   bool           // inside the argument of an aggregate
}

// bindKnown binds e; a literal of unknown type becomes text.
func (c *exprCtx) bindKnown(e sql.Expr) (expr.Expr, error) {
	x, err := c.bind(e)
	if err != nil {
		return nil, err
	}
	return c.known(x, start(e))
}

func (c *exprCtx) known(x expr.Expr, p sql.Pos) (expr.Expr, error) {
	if !isUnknown(x.Type()) {
		return x, nil
	}
	return c.b.cast(x, textType, expr.Implicit, p)
}

// bindBool binds a condition.
func (c *exprCtx) bindBool(e sql.Expr, what string) (expr.Expr, error) {
	x, err := c.bind(e)
	if err != nil {
		return nil, err
	}
	return c.boolean(x, what, start(e))
}

func (c *exprCtx) boolean(x expr.Expr, what string, p sql.Pos) (expr.Expr, error) {
	switch t := x.Type(); {
	case t.Same(boolType):
		return x, nil
	case isUnknown(t):
		return c.b.cast(x, boolType, expr.Implicit, p)
	default:
		return nil, c.b.errorf(p, sqlerr.DatatypeMismatch, "argument of %s must be type boolean, not type %s", what, t)
	}
}

// bindAll binds a list.
func (c *exprCtx) bindAll(es []sql.Expr) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(es))
	for i, e := range es {
		var err error
		if out[i], err = c.bind(e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// bind types one expression. A string literal stays of unknown type.
func (c *exprCtx) bind(e sql.Expr) (expr.Expr, error) {
	if key, ok := c.group.textKey(e); ok && !c.inAgg {
		return use(key), nil
	}
	switch e := e.(type) {
	case *sql.Literal:
		return c.b.literal(e)
	case *sql.Interval:
		return c.b.interval(e)
	case *sql.ColumnRef:
		return c.columnRef(e)
	case *sql.Param:
		return c.b.param(e)
	case *sql.Cast:
		return c.castExpr(e)
	case *sql.Unary:
		return c.unary(e)
	case *sql.Binary:
		return c.binary(e)
	case *sql.IsTest:
		return c.isTest(e)
	case *sql.Between:
		return c.between(e)
	case *sql.InList:
		return c.inList(e)
	case *sql.Like:
		return c.like(e)
	case *sql.AnyAll:
		return c.anyAll(e)
	case *sql.SubqueryExpr:
		return c.subquery(e)
	case *sql.Case:
		return c.caseExpr(e)
	case *sql.Func:
		return c.call(e)
	case *sql.Array:
		return c.array(e, nil)
	case *sql.Row:
		return c.row(e)
	case *sql.Subscript:
		return c.subscript(e)
	case *sql.Field:
		return c.field(e)
	case *sql.Collate:
		return c.collate(e)
	case *sql.Without:
		return c.without(e)
	case *sql.Default:
		return nil, c.b.errorf(e.Pos, sqlerr.SyntaxError, "DEFAULT is not allowed in this context")
	case *sql.Star:
		if len(e.Qualifier) > 0 {
			return c.rowOf(e)
		}
		return nil, c.b.errorf(e.Pos, sqlerr.SyntaxError, "syntax error at or near \"*\"")
	case *sql.GroupingSet:
		return nil, c.b.unsupported(e.Pos, "%s", groupingSetName(e.Kind))
	case *sql.TableArg:
		return nil, c.b.errorf(e.Pos, sqlerr.SyntaxError, "TABLE can only be an argument of a window function in FROM")
	case *sql.Descriptor:
		return nil, c.b.errorf(e.Pos, sqlerr.SyntaxError, "DESCRIPTOR can only be an argument of a window function in FROM")
	}
	panic("build: unknown expression")
}

// cast converts with an error at p.
func (b *binder) cast(x expr.Expr, t types.Type, ctx expr.CastContext, p sql.Pos) (expr.Expr, error) {
	out, err := expr.NewCast(x, t, ctx)
	if err != nil {
		return nil, b.failIn(err, []expr.Expr{x}, p)
	}
	return b.placed(b.learn(out), p), nil
}

// op resolves an operator with an error at p.
func (b *binder) op(name string, l, r expr.Expr, p sql.Pos) (expr.Expr, error) {
	out, err := expr.NewOp(name, l, r)
	if err != nil {
		return nil, b.failIn(err, []expr.Expr{l, r}, p)
	}
	return b.placed(b.learn(out), p), nil
}

// fn resolves a function with an error at p.
func (b *binder) fn(name string, args []expr.Expr, p sql.Pos) (expr.Expr, error) {
	out, err := expr.NewFunc(name, args)
	if err != nil {
		return nil, b.failIn(err, args, p)
	}
	return b.placed(b.learn(out), p), nil
}

// placed gives a call its place in the text.
func (b *binder) placed(e expr.Expr, p sql.Pos) expr.Expr {
	c, ok := e.(*expr.Call)
	if !ok || c.Pos != 0 || b.pos(p) == 0 {
		return e
	}
	n := *c
	n.Pos = b.pos(p)
	return &n
}

func (b *binder) unify(what string, es []expr.Expr, p sql.Pos) ([]expr.Expr, types.Type, error) {
	out, t, err := expr.Unify(what, es)
	if err != nil {
		return nil, t, b.failIn(err, es, p)
	}
	for _, e := range out {
		b.learn(e)
	}
	return out, t, nil
}
