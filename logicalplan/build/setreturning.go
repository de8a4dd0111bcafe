package build

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// setCalls collects the set-returning functions of a select list. A function that reads another's rows is one level up.
type setCalls struct {
	calls []setCall
}

type setCall struct {
	fn    *expr.TableFunction
	out   logicalplan.Column
	level int
}

func (c *exprCtx) setCall(name string, f *sql.Func) (expr.Expr, error) {
	if c.inAgg {
		return nil, c.b.errorf(f.Pos, sqlerr.FeatureNotSupported, "aggregate function calls cannot contain set-returning function calls").
			WithHint("You might be able to move the set-returning function into a LATERAL FROM item.")
	}
	if c.sets == nil {
		return nil, c.b.errorf(f.Pos, sqlerr.FeatureNotSupported, "set-returning functions are not allowed in %s", c.clause)
	}
	if err := c.b.scalarOnly(name, f); err != nil {
		return nil, err
	}
	args, err := c.arguments(name, f)
	if err != nil {
		return nil, err
	}
	fn, err := expr.NewTableFunc(name, args)
	if err != nil {
		return nil, c.b.fail(err, f.Pos)
	}
	call := setCall{fn: fn}
	for _, a := range fn.Args {
		c.b.learn(a)
		call.level = max(call.level, c.sets.above(a))
	}
	if len(fn.Columns) == 1 {
		call.out = c.b.column(name, fn.Columns[0].Type)
	} else {
		call.out = c.b.column(name, types.Of(types.Record))
		c.b.shapes[call.out.ID] = &recordShape{fields: fn.Columns}
	}
	c.sets.calls = append(c.sets.calls, call)
	return use(call.out), nil
}

// above is the level that can read e.
func (s *setCalls) above(e expr.Expr) int {
	level := 0
	expr.Columns(e, func(c *expr.Column) {
		for _, x := range s.calls {
			if x.out.ID == c.ID {
				level = max(level, x.level+1)
			}
		}
	})
	return level
}

// outs is the columns that the calls make.
func (s *setCalls) outs() map[expr.ColumnID]bool {
	out := map[expr.ColumnID]bool{}
	for _, c := range s.calls {
		out[c.out.ID] = true
	}
	return out
}

// plan stacks a ProjectSet a level over n; each passes on what is below.
func (s *setCalls) plan(n logicalplan.Node, pos int) logicalplan.Node {
	for level, done := 0, 0; done < len(s.calls); level++ {
		p := &logicalplan.ProjectSet{Input: n, Exprs: pass(n.Columns()), Pos: pos}
		for _, c := range s.calls {
			if c.level == level {
				p.Funcs, p.Outs = append(p.Funcs, c.fn), append(p.Outs, c.out)
				done++
			}
		}
		n = p
	}
	return n
}

// rewrite applies f to the functions' arguments.
func (s *setCalls) rewrite(f func(expr.Expr) (expr.Expr, error)) error {
	for i := range s.calls {
		fn := *s.calls[i].fn
		fn.Args = append([]expr.Expr{}, fn.Args...)
		for k, a := range fn.Args {
			var err error
			if fn.Args[k], err = f(a); err != nil {
				return err
			}
		}
		s.calls[i].fn = &fn
	}
	return nil
}
