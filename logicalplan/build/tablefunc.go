package build

import (
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// tableFunc binds a function in FROM: a window over a table, a user's function over one, or a set-returning function.
func (b *binder) tableFunc(t *sql.TableFunc, outer *scope, left *item) (*item, error) {
	call := t.Call
	if name := call.Name.Parts; len(name) == 1 && name[0] == "table" && len(call.Args) == 1 {
		if inner, ok := call.Args[0].Value.(*sql.Func); ok { // Flink's TABLE(TUMBLE(...))
			call = inner
		}
	}
	if len(call.Name.Parts) == 1 {
		if _, _, ok := windowArgs(call.Name.Parts[0]); ok {
			return b.windowTable(call, t, outer, left)
		}
	}
	if t.More != nil || isName(call, "unnest") && len(call.Args) > 1 {
		return b.rowsFrom(t, outer, left)
	}
	if f := b.userFunction(call); f != nil && t.Alias.Types == nil {
		return b.process(f, call, t, outer, left)
	}
	c := b.functionCtx(lateral(left, outer))
	name, fn, err := c.setFunction(call, t)
	if err != nil {
		return nil, err
	}
	return c.functionItem(t, name, fn)
}

// functionCtx binds the calls of one item of FROM, with the subqueries in their arguments.
type functionCtx struct {
	exprCtx
	applies []*logicalplan.Apply
}

func (b *binder) functionCtx(sc *scope) *functionCtx {
	c := &functionCtx{exprCtx: exprCtx{b: b, scope: sc, clause: "functions in FROM"}}
	c.attach = func(a *logicalplan.Apply) { c.applies = append(c.applies, a) }
	return c
}

// setFunction binds the call of one function in FROM.
func (c *functionCtx) setFunction(call *sql.Func, t *sql.TableFunc) (string, *expr.TableFunction, error) {
	b := c.b
	for _, a := range call.Args {
		if _, ok := a.Value.(*sql.TableArg); ok {
			return "", nil, b.errorf(call.Pos, sqlerr.UndefinedFunction, "function %s of a table does not exist", strings.Join(call.Name.Parts, "."))
		}
	}
	name, err := b.functionName(call)
	if err != nil {
		return "", nil, err
	}
	if expr.IsAggregate(name) && !expr.IsSetReturning(name) {
		return "", nil, b.errorf(call.Pos, sqlerr.GroupingError, "aggregate functions are not allowed in functions in FROM")
	}
	args, err := c.fromArguments(name, call)
	if err != nil {
		return "", nil, err
	}
	fn, err := b.resolveSet(name, args, t)
	if err != nil {
		return "", nil, b.fail(err, call.Pos)
	}
	for _, a := range fn.Args {
		b.learn(a)
	}
	return name, fn, nil
}

// resolveSet finds the function, by the column definition list if there is one.
func (b *binder) resolveSet(name string, args []expr.Expr, t *sql.TableFunc) (*expr.TableFunction, error) {
	var cols []types.Field
	for i, ty := range t.Alias.Types {
		typ, err := Type(ty)
		if err != nil {
			return nil, err
		}
		cols = append(cols, types.Field{Name: t.Alias.Columns[i], Type: typ})
	}
	fn, err := expr.Shaped(name, args, cols)
	switch {
	case err != nil:
		return nil, err
	case fn != nil && cols == nil:
		return nil, sqlerr.Newf(sqlerr.SyntaxError, "a column definition list is required for functions returning \"record\"")
	case fn != nil:
		return fn, nil
	case cols != nil:
		return nil, sqlerr.Newf(sqlerr.SyntaxError, "a column definition list is only allowed for functions returning \"record\"")
	}
	return expr.NewTableFunc(name, args)
}

func isName(f *sql.Func, name string) bool { return len(f.Name.Parts) == 1 && f.Name.Parts[0] == name }

// rowsFrom binds ROWS FROM (f(), g()), and unnest(a, b), which is ROWS FROM (unnest(a), unnest(b)).
func (b *binder) rowsFrom(t *sql.TableFunc, outer *scope, left *item) (*item, error) {
	if t.Alias.Types != nil {
		return nil, b.unsupported(t.Pos, "a column definition list of several functions")
	}
	c := b.functionCtx(lateral(left, outer))
	var fns []*expr.TableFunction
	for _, call := range append([]*sql.Func{t.Call}, t.More...) {
		args := call.Args
		if !isName(call, "unnest") {
			args = args[:min(1, len(args))]
		}
		for i := range max(1, len(args)) {
			one := *call
			if isName(call, "unnest") && len(args) > 1 {
				one.Args = call.Args[i : i+1]
			}
			name, fn, err := c.setFunction(&one, t)
			if err != nil {
				return nil, err
			}
			for k := range fn.Columns {
				if fn.Columns[k].Name == "" {
					fn.Columns[k].Name = name
				}
			}
			fns = append(fns, fn)
		}
	}
	name := t.Call.Name.Parts[len(t.Call.Name.Parts)-1]
	return c.functionItem(t, name, expr.Beside(fns))
}

// fromArguments binds the arguments; keyword calls (CURRENT_DATE, ...) and COALESCE become their one value.
func (c *exprCtx) fromArguments(name string, f *sql.Func) ([]expr.Expr, error) {
	if err := c.b.scalarOnly(name, f); err != nil {
		return nil, err
	}
	return c.arguments(name, f)
}

// functionItem names the function's columns: a single one after the alias, then the ordinality.
func (c *functionCtx) functionItem(t *sql.TableFunc, name string, fn *expr.TableFunction) (*item, error) {
	b := c.b
	relName := t.Alias.Name
	if relName == "" {
		relName = name
	}
	n := &logicalplan.TableFunc{Func: fn, Ordinality: t.Ordinality, Pos: b.pos(t.Pos)}
	if len(c.applies) > 0 {
		n.Input = asked(&logicalplan.Values{}, c.applies)
	}
	for _, f := range fn.Columns {
		col := f.Name
		if len(fn.Columns) == 1 && (col == "" || col == name) {
			col = relName
		}
		n.Cols = append(n.Cols, b.column(col, f.Type))
	}
	if t.Ordinality {
		n.Cols = append(n.Cols, b.column("ordinality", types.Of(types.Int8)))
	}
	return b.aliased(n, n.Cols, relName, t.Alias)
}
