package build

import (
	"strings"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// userFunction finds the user-defined function that a call in FROM names, nil if none has the name.
func (b *binder) userFunction(call *sql.Func) *catalog.Function {
	if b.env.Functions == nil {
		return nil
	}
	return b.env.Functions.Function(call.Name.Parts, b.path)
}

// process binds f(TABLE s PARTITION BY k ORDER BY event_time, args) in FROM: f's rows.
func (b *binder) process(f *catalog.Function, call *sql.Func, t *sql.TableFunc, outer *scope, left *item) (*item, error) {
	if !b.env.Continuous {
		return nil, b.unsupported(call.Pos, "function %s outside of a continuous query", f.Name).
			WithHint("CREATE MATERIALIZED VIEW name AS SELECT ... FROM %s(...).", f.Name)
	}
	table, args, err := b.processArgs(f, call)
	if err != nil {
		return nil, err
	}
	plain := *table
	plain.PartitionBy, plain.OrderBy = nil, nil
	in, err := b.windowInput(&plain, outer, left)
	if err != nil {
		return nil, err
	}
	n := &logicalplan.Process{Input: in.node, Func: f, In: in.cols, Pos: b.pos(call.Pos)}
	c := &exprCtx{b: b, scope: in.scopeOf(outer), clause: "PARTITION BY"}
	for _, e := range table.PartitionBy {
		k, err := c.bindKnown(e)
		if err != nil {
			return nil, err
		}
		n.Keys = append(n.Keys, k)
	}
	if n.Ordered, err = c.eventOrder(n, table.OrderBy); err != nil {
		return nil, err
	}
	if n.Args, err = b.parameters(f, call, args); err != nil {
		return nil, err
	}
	for _, col := range f.Returns {
		n.Cols = append(n.Cols, b.column(col.Name, col.Type))
	}
	name := t.Alias.Name
	if name == "" {
		name = f.Name
	}
	return b.aliased(n, n.Cols, name, t.Alias)
}

// processArgs finds the table among the arguments; the others are left, in order.
func (b *binder) processArgs(f *catalog.Function, call *sql.Func) (table *sql.TableArg, rest []sql.Arg, err error) {
	for _, a := range call.Args {
		x, ok := a.Value.(*sql.TableArg)
		switch {
		case !ok:
			rest = append(rest, a)
		case table != nil:
			return nil, nil, b.unsupported(x.Pos, "a function of two tables")
		case a.Name != "" && a.Name != f.Table:
			return nil, nil, b.errorf(x.Pos, sqlerr.UndefinedFunction, "function %s has no table parameter %q", f.Name, a.Name)
		default:
			table = x
		}
	}
	if table == nil {
		return nil, nil, b.errorf(call.Pos, sqlerr.UndefinedFunction, "function %s needs a table", f.Name).
			WithHint("FROM %s(TABLE stream PARTITION BY key).", f.Name)
	}
	return table, rest, nil
}

// eventOrder checks ORDER BY of the table: it can only be the event time, for rows come for ever.
func (c *exprCtx) eventOrder(n *logicalplan.Process, items []sql.OrderItem) (bool, error) {
	if len(items) == 0 {
		return false, nil
	}
	wrong := func() error {
		err := c.b.errorf(items[0].X.At(), sqlerr.FeatureNotSupported, "the rows of a stream can be ordered by their event time only")
		if t := n.EventTime(); t.ID != 0 {
			return err.WithHint("ORDER BY %s.", catalog.QuoteIdent(t.Name))
		}
		return err.WithDetail("The input has no watermark, so it is not known when all rows before one have come.")
	}
	if len(items) > 1 || items[0].Desc {
		return false, wrong()
	}
	x, err := c.bind(items[0].X)
	if err != nil {
		return false, err
	}
	if k, ok := x.(*expr.Column); !ok || k.ID != n.EventTime().ID {
		return false, wrong()
	}
	return true, nil
}

// parameters binds the scalar arguments, by place or by name; what is not given has its default.
func (b *binder) parameters(f *catalog.Function, call *sql.Func, args []sql.Arg) ([]expr.Expr, error) {
	given := map[string]sql.Expr{}
	for i, a := range args {
		switch {
		case a.Name != "":
			given[a.Name] = a.Value
		case i < len(f.Params):
			given[f.Params[i].Name] = a.Value
		default:
			return nil, b.errorf(a.Value.At(), sqlerr.UndefinedFunction, "function %s has %d parameters", f.Name, len(f.Params))
		}
	}
	out := make([]expr.Expr, len(f.Params))
	for i, p := range f.Params {
		e, ok := given[p.Name]
		delete(given, p.Name)
		if !ok {
			var err error
			if e, err = sql.ParseExpr(p.Default); p.Default == "" || err != nil {
				return nil, b.errorf(call.Pos, sqlerr.UndefinedFunction, "function %s: parameter %q is missing", f.Name, p.Name)
			}
		}
		c := &exprCtx{b: b, scope: &scope{}, clause: "function arguments"}
		x, err := c.bind(e)
		if err != nil {
			return nil, err
		}
		if out[i], err = expr.NewCast(x, p.Type, expr.Assignment); err != nil {
			return nil, b.fail(err, e.At())
		}
	}
	for name, e := range given {
		return nil, b.errorf(e.At(), sqlerr.UndefinedFunction, "function %s has no parameter %q", f.Name, name).
			WithHint("It has: %s.", strings.Join(paramNames(f), ", "))
	}
	return out, nil
}

func paramNames(f *catalog.Function) []string {
	out := make([]string, len(f.Params))
	for i, p := range f.Params {
		out[i] = p.Name
	}
	return out
}
