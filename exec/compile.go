package exec

import (
	"wmsql/column"
	"wmsql/expr"
)

// exprs is compiled expressions. A continuous query compiles those that depend on the time of the statement again at
// each epoch: evaluators keep what is constant for one statement.
type exprs struct {
	src    []expr.Expr
	layout []expr.ColumnID
	ctx    *expr.Context
	outer  expr.Outer
	timely bool // to be compiled again
	evs    []expr.Evaluator
}

func (b *builder) exprs(src []expr.Expr, layout []expr.ColumnID) (*exprs, error) {
	x := &exprs{src: src, layout: layout, ctx: b.env.Expr, outer: b.outer, timely: b.env.Query != 0 && depends(src)}
	return x, x.compile()
}

func (x *exprs) compile() error {
	x.evs = x.evs[:0]
	for _, e := range x.src {
		ev, err := expr.Compile(e, x.layout, x.ctx, x.outer)
		if err != nil {
			return err
		}
		x.evs = append(x.evs, ev)
	}
	return nil
}

// begin readies the expressions for an epoch.
func (x *exprs) begin() error {
	if !x.timely {
		return nil
	}
	return x.compile()
}

// eval computes all expressions into dst.
func (x *exprs) eval(dst []column.Vector, b *column.Batch) ([]column.Vector, error) {
	for _, ev := range x.evs {
		v, err := ev.Eval(b)
		if err != nil {
			return dst, err
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// cond is a compiled conjunction; as exprs.
type cond struct {
	src    []expr.Expr
	layout []expr.ColumnID
	ctx    *expr.Context
	outer  expr.Outer
	timely bool
	f      expr.Filter
}

func (b *builder) cond(src []expr.Expr, layout []expr.ColumnID) (*cond, error) {
	c := &cond{src: src, layout: layout, ctx: b.env.Expr, outer: b.outer, timely: b.env.Query != 0 && depends(src)}
	return c, c.compile()
}

func (c *cond) compile() (err error) {
	c.f, err = expr.CompileFilter(c.src, c.layout, c.ctx, c.outer)
	return err
}

func (c *cond) begin() error {
	if !c.timely {
		return nil
	}
	return c.compile()
}

// depends reports whether an expression has another value at another time.
func depends(es []expr.Expr) bool {
	found := false
	for _, e := range es {
		expr.Walk(e, func(e expr.Expr) bool {
			switch e := e.(type) {
			case *expr.Call:
				found = found || e.Func.Volatility != expr.Immutable
			case *expr.AnyAll:
				found = found || e.Op.Volatility != expr.Immutable
			}
			return !found
		})
	}
	return found
}
