package build

import (
	"slices"
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// windowTable binds TUMBLE(TABLE t, DESCRIPTOR(c), size) and its like in FROM: the input's rows with the window's bounds.
func (b *binder) windowTable(f *sql.Func, t *sql.TableFunc, outer *scope, left *item) (*item, error) {
	name := f.Name.Parts[0]
	args := namedFirst(f.Args)
	if len(args) < 3 {
		return nil, b.errorf(f.Pos, sqlerr.UndefinedFunction, "wrong arguments for %s in FROM", strings.ToUpper(name)).
			WithHint("Write %s(TABLE stream, DESCRIPTOR(time_column), INTERVAL '5' MINUTE).", strings.ToUpper(name))
	}
	table, parts := args[0].Value, []sql.Expr(nil)
	if kind, _, _ := windowArgs(name); kind == logicalplan.Session {
		table, parts = sessionTable(table)
	}
	in, err := b.windowInput(table, outer, left)
	if err != nil {
		return nil, err
	}
	c := &exprCtx{b: b, scope: in.scopeOf(outer), clause: "functions in FROM"}
	time, err := c.descriptor(args[1].Value)
	if err != nil {
		return nil, err
	}
	spec, err := c.windowSpec(name, args[2:], f.Pos)
	if err != nil {
		return nil, err
	}
	for _, e := range parts {
		x, err := c.bind(e)
		if err != nil {
			return nil, err
		}
		spec.parts = append(spec.parts, x)
	}
	w, err := b.window(in.node, time, spec)
	if err != nil {
		return nil, err
	}
	cols := append(outsideWindow(in.cols), w.Start, w.End, w.WindowTime)
	relName := t.Alias.Name
	if relName == "" && len(in.rels) == 1 {
		relName = in.rels[0].name
	}
	return b.aliased(w, cols, relName, t.Alias)
}

// outsideWindow drops the columns whose names the window takes: over a windowed input, window_start is the outer window's.
func outsideWindow(cols []logicalplan.Column) []logicalplan.Column {
	var out []logicalplan.Column
	for _, c := range cols {
		switch c.Name {
		case "window_start", "window_end", "window_time":
		default:
			out = append(out, c)
		}
	}
	return out
}

// namedFirst orders Flink's DATA => and TIMECOL => before the rest.
func namedFirst(args []sql.Arg) []sql.Arg {
	var out, rest []sql.Arg
	for _, name := range []string{"data", "timecol"} {
		if i := slices.IndexFunc(args, func(a sql.Arg) bool { return a.Name == name }); i >= 0 {
			out = append(out, args[i])
		}
	}
	for _, a := range args {
		if a.Name != "data" && a.Name != "timecol" {
			rest = append(rest, a)
		}
	}
	return append(out, rest...)
}

// windowInput binds the table argument: TABLE t, TABLE (query), a bare name or a query.
func (b *binder) windowInput(e sql.Expr, outer *scope, left *item) (*item, error) {
	switch e := e.(type) {
	case *sql.TableArg:
		if len(e.PartitionBy) > 0 || len(e.OrderBy) > 0 {
			return nil, b.unsupported(e.Pos, "PARTITION BY of a window's table")
		}
		if e.Query == nil {
			return b.table(&sql.Table{Name: *e.Name, Pos: e.Pos}, outer)
		}
		return b.windowQuery(e.Query, outer, left)
	case *sql.ColumnRef:
		return b.table(&sql.Table{Name: sql.Name{Parts: e.Parts, Pos: e.Pos}, Pos: e.Pos}, outer)
	case *sql.SubqueryExpr:
		if e.Kind == sql.Scalar {
			return b.windowQuery(e.Query, outer, left)
		}
	}
	return nil, b.errorf(e.At(), sqlerr.SyntaxError, "the first argument of a window function in FROM must be a table").
		WithHint("Write TABLE stream, or TABLE (SELECT ...).")
}

func (b *binder) windowQuery(q *sql.Select, outer *scope, left *item) (*item, error) {
	out, err := b.subselect(q, blind(left, outer))
	if err != nil {
		return nil, err
	}
	return b.aliased(out.node, out.cols, "", sql.Alias{})
}

// descriptor resolves DESCRIPTOR(c) or a bare column.
func (c *exprCtx) descriptor(e sql.Expr) (expr.Expr, error) {
	switch e := e.(type) {
	case *sql.Descriptor:
		if len(e.Columns) != 1 {
			return nil, c.b.errorf(e.Pos, sqlerr.SyntaxError, "DESCRIPTOR must name one column")
		}
		return c.columnRef(&sql.ColumnRef{Parts: []string{e.Columns[0].Name}, Pos: e.Columns[0].Pos})
	case *sql.ColumnRef:
		return c.columnRef(e)
	}
	return nil, c.b.errorf(e.At(), sqlerr.SyntaxError, "the time of a window in FROM must be a column").
		WithHint("Compute it in TABLE (SELECT ...), or better as a generated column of the stream.")
}
