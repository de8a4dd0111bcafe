package expr

import (
	"fmt"
	"slices"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// Outer is the present row of the enclosing queries. The vectors have one row and change between runs of the subplan.
type Outer interface {
	Column(id ColumnID) (column.Vector, bool)
}

// Compile resolves e against the columns of a batch, in the order of layout. outer gives the value of a column that the
// layout lacks (a correlated subquery's); nil if there is none.
func Compile(e Expr, layout []ColumnID, ctx *Context, outer Outer) (Evaluator, error) {
	return newCompiler(layout, ctx, outer).compile(e)
}

// Eval computes an expression that reads no column.
func Eval(e Expr, ctx *Context) (any, error) {
	ev, err := Compile(e, nil, ctx, nil)
	if err != nil {
		return nil, err
	}
	v, err := ev.Eval(oneRow)
	if err != nil {
		return nil, err
	}
	return column.Get(v, 0), nil
}

// oneRow is the input of an expression that reads none. Nothing changes it.
var oneRow = &column.Batch{Schema: &types.Schema{}, Rows: 1}

// compiler makes evaluators for one layout.
type compiler struct {
	layout []ColumnID
	ctx    *Context
	outer  Outer
}

func newCompiler(layout []ColumnID, ctx *Context, outer Outer) *compiler {
	if ctx == nil {
		ctx = &Context{Format: types.UTC}
	}
	return &compiler{layout, ctx, outer}
}

// compile makes the evaluator of e. A part that has one value for the statement is computed once, when it is first needed.
func (c *compiler) compile(e Expr) (Evaluator, error) {
	switch e := e.(type) {
	case *Column:
		return c.column(e)
	case *Const:
		return &constEval{t: e.T, v: column.Const(e.T, e.Value, 1), ready: true}, nil
	case *Param:
		return c.param(e)
	}
	ev, err := c.compileNode(e)
	if err != nil {
		return nil, err
	}
	if IsConst(e) && e.Type().Kind != types.Record { // whose fields' types a datum does not tell
		return &constEval{t: e.Type(), once: ev}, nil
	}
	return ev, nil
}

func (c *compiler) compileNode(e Expr) (Evaluator, error) {
	switch e := e.(type) {
	case *Call:
		return c.call(e)
	case *And:
		return c.connective(e.Args, false)
	case *Or:
		return c.connective(e.Args, true)
	case *Not:
		return unary(c, e.X, func(x Evaluator) Evaluator { return &notEval{x: x} })
	case *IsNull:
		return unary(c, e.X, func(x Evaluator) Evaluator { return &isNullEval{x: x, not: e.Not} })
	case *Case:
		return c.caseOf(e)
	case *Coalesce:
		return c.coalesce(e)
	case *InList:
		return c.inList(e)
	case *AnyAll:
		return c.anyAll(e)
	case *Array:
		return c.array(e)
	case *Row:
		return c.row(e)
	case *Field:
		return unary(c, e.X, func(x Evaluator) Evaluator { return &fieldEval{x: x, n: e.N, t: e.T} })
	}
	panic(fmt.Sprintf("expr: no evaluator for %T", e))
}

func unary(c *compiler, x Expr, mk func(Evaluator) Evaluator) (Evaluator, error) {
	ev, err := c.compile(x)
	if err != nil {
		return nil, err
	}
	return mk(ev), nil
}

func (c *compiler) compileAll(es []Expr) ([]Evaluator, error) {
	out := make([]Evaluator, len(es))
	for i, e := range es {
		var err error
		if out[i], err = c.compile(e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (c *compiler) column(e *Column) (Evaluator, error) {
	if i := slices.Index(c.layout, e.ID); i >= 0 {
		return columnEval(i), nil
	}
	if c.outer == nil {
		return nil, sqlerr.Newf(sqlerr.Internal, "column %s is not in the input of the expression", e.Name)
	}
	return &outerEval{outer: c.outer, col: e}, nil
}

func (c *compiler) param(e *Param) (Evaluator, error) {
	if e.N < 1 || e.N > len(c.ctx.Params) {
		return nil, sqlerr.Newf(sqlerr.UndefinedParameter, "there is no parameter $%d", e.N)
	}
	return &constEval{t: e.T, v: c.ctx.Params[e.N-1], ready: true}, nil
}

// columnEval reads the column at its ordinal.
type columnEval int

// Eval returns the column.
func (e columnEval) Eval(b *column.Batch) (column.Vector, error) { return b.Cols[e], nil }

// outerEval reads a column of an enclosing query.
type outerEval struct {
	outer Outer
	col   *Column
}

// Eval returns the present value, for each row.
func (e *outerEval) Eval(b *column.Batch) (column.Vector, error) {
	v, ok := e.outer.Column(e.col.ID)
	if !ok {
		return nil, sqlerr.Newf(sqlerr.Internal, "column %s is in no enclosing query", e.col.Name)
	}
	return repeat(v, b.Rows), nil
}

// constEval yields one value for every row. It is computed at the first row that asks, so that a failure surfaces only
// if a row does.
type constEval struct {
	t     types.Type
	v     column.Vector // the value, repeated as often as the largest batch so far
	ready bool
	once  Evaluator
}

// Eval returns the value, for each row.
func (e *constEval) Eval(b *column.Batch) (column.Vector, error) {
	if b.Rows == 0 && !e.ready {
		return column.NewBuilder(e.t, 0).Build(), nil
	}
	if !e.ready {
		v, err := e.once.Eval(oneRow)
		if err != nil {
			return nil, err
		}
		e.v, e.ready = column.Const(e.t, column.Get(v, 0), 1), true
	}
	if e.v.Len() < b.Rows {
		e.v = repeat(e.v.Slice(0, 1), b.Rows)
	}
	if e.v.Len() == b.Rows {
		return e.v, nil
	}
	return e.v.Slice(0, b.Rows), nil
}

// repeat returns n rows that hold v's row 0.
func repeat(v column.Vector, n int) column.Vector {
	if n == 1 && v.Len() == 1 {
		return v
	}
	return v.Take(make([]int32, n))
}
