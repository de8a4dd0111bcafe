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
	if t.Alias.Types != nil {
		return nil, b.unsupported(t.Pos, "a column definition list")
	}
	if f := b.userFunction(call); f != nil {
		return b.process(f, call, t, outer, left)
	}
	for _, a := range call.Args {
		if _, ok := a.Value.(*sql.TableArg); ok {
			return nil, b.errorf(call.Pos, sqlerr.UndefinedFunction, "function %s of a table does not exist", strings.Join(call.Name.Parts, "."))
		}
	}
	c := &exprCtx{b: b, scope: lateral(left, outer), clause: "functions in FROM"}
	name, err := b.functionName(call)
	if err != nil {
		return nil, err
	}
	if expr.IsAggregate(name) && !expr.IsSetReturning(name) {
		return nil, b.errorf(call.Pos, sqlerr.GroupingError, "aggregate functions are not allowed in functions in FROM")
	}
	args, err := c.fromArguments(name, call)
	if err != nil {
		return nil, err
	}
	if name == "unnest" && len(args) > 1 {
		return nil, b.unsupported(call.Pos, "unnest of several arrays")
	}
	fn, err := expr.NewTableFunc(name, args)
	if err != nil {
		return nil, b.fail(err, call.Pos)
	}
	for _, a := range fn.Args {
		b.learn(a)
	}
	return b.functionItem(t, name, fn)
}

// fromArguments binds the arguments; keyword calls (CURRENT_DATE, ...) and COALESCE become their one value.
func (c *exprCtx) fromArguments(name string, f *sql.Func) ([]expr.Expr, error) {
	if err := c.b.scalarOnly(name, f); err != nil {
		return nil, err
	}
	return c.arguments(name, f)
}

// functionItem names the function's columns: a single one after the alias, then the ordinality.
func (b *binder) functionItem(t *sql.TableFunc, name string, fn *expr.TableFunction) (*item, error) {
	relName := t.Alias.Name
	if relName == "" {
		relName = name
	}
	n := &logicalplan.TableFunc{Func: fn, Ordinality: t.Ordinality, Pos: b.pos(t.Pos)}
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
