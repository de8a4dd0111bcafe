package build

import (
	"slices"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// windowCalls collects the OVER calls of a query, by window.
type windowCalls struct {
	named []sql.NamedWindow
	nodes []*logicalplan.WindowFunc // Input is set when the plan is made
}

// windowCall binds f(...) OVER (...).
func (c *exprCtx) windowCall(name string, f *sql.Func) (expr.Expr, error) {
	if c.windows == nil {
		return nil, c.b.errorf(f.Pos, sqlerr.WindowingError, "window functions are not allowed in %s", c.clause)
	}
	if f.Distinct {
		return nil, c.b.errorf(f.Pos, sqlerr.FeatureNotSupported, "DISTINCT is not implemented for window functions")
	}
	inner := *c
	inner.windows, inner.sets, inner.clause = nil, nil, "window definitions"
	call, err := inner.resolveWindowCall(name, f)
	if err != nil {
		return nil, err
	}
	spec, err := c.b.windowSpec(f.Over, c.windows.named)
	if err != nil {
		return nil, err
	}
	w := &logicalplan.WindowFunc{Pos: c.b.pos(f.Pos)}
	for _, p := range spec.PartitionBy {
		x, err := inner.bindKnown(p)
		if err != nil {
			return nil, err
		}
		w.PartitionBy = append(w.PartitionBy, x)
	}
	if w.OrderBy, err = inner.sortKeys(spec.OrderBy); err != nil {
		return nil, err
	}
	if call.Frame, err = inner.frame(spec.Frame, f.Pos); err != nil {
		return nil, err
	}
	out := use(c.windows.add(w, call).Out)
	if call.Agg != nil && extreme(name) {
		return textOfExtreme(out, call.Agg), nil
	}
	return out, nil
}

// add puts the call into the node of its window.
func (w *windowCalls) add(n *logicalplan.WindowFunc, call logicalplan.WindowCall) logicalplan.WindowCall {
	for _, have := range w.nodes {
		if sameWindow(have, n) {
			have.Funcs = append(have.Funcs, call)
			return call
		}
	}
	n.Funcs = []logicalplan.WindowCall{call}
	w.nodes = append(w.nodes, n)
	return call
}

func sameWindow(a, b *logicalplan.WindowFunc) bool {
	return slices.EqualFunc(a.PartitionBy, b.PartitionBy, logicalplan.Equal) &&
		slices.EqualFunc(a.OrderBy, b.OrderBy, func(x, y expr.SortKey) bool {
			return x.Desc == y.Desc && x.NullsFirst == y.NullsFirst && logicalplan.Equal(x.X, y.X)
		})
}

// outs is the columns that the calls make.
func (w *windowCalls) outs() map[expr.ColumnID]bool {
	out := map[expr.ColumnID]bool{}
	for _, n := range w.nodes {
		for _, f := range n.Funcs {
			out[f.Out.ID] = true
		}
	}
	return out
}

// plan stacks the nodes over n.
func (w *windowCalls) plan(n logicalplan.Node) logicalplan.Node {
	for _, f := range w.nodes {
		f.Input = n
		n = f
	}
	return n
}

// rewrite applies f to what the calls read.
func (w *windowCalls) rewrite(f func(expr.Expr) (expr.Expr, error)) error {
	var failed error
	apply := func(e expr.Expr) expr.Expr {
		out, err := f(e)
		if err != nil && failed == nil {
			failed = err
		}
		if err != nil {
			return e
		}
		return out
	}
	for i, n := range w.nodes {
		w.nodes[i] = logicalplan.MapExprs(&logicalplan.WindowFunc{
			PartitionBy: n.PartitionBy, OrderBy: n.OrderBy, Funcs: n.Funcs, Pos: n.Pos,
		}, apply).(*logicalplan.WindowFunc)
	}
	return failed
}

// windowSpec resolves OVER w and OVER (w ...).
func (b *binder) windowSpec(s *sql.WindowSpec, named []sql.NamedWindow) (*sql.WindowSpec, error) {
	if s.Name == "" {
		return s, nil
	}
	for _, n := range named {
		if n.Name != s.Name {
			continue
		}
		base, err := b.windowSpec(&n.Spec, named)
		if err != nil {
			return nil, err
		}
		out := *base
		out.Name = ""
		switch {
		case len(s.PartitionBy) > 0:
			return nil, b.errorf(s.Pos, sqlerr.WindowingError, "cannot override PARTITION BY clause of window \"%s\"", s.Name)
		case len(s.OrderBy) > 0 && len(base.OrderBy) > 0:
			return nil, b.errorf(s.Pos, sqlerr.WindowingError, "cannot override ORDER BY clause of window \"%s\"", s.Name)
		case len(s.OrderBy) > 0:
			out.OrderBy = s.OrderBy
		}
		if s.Frame != nil {
			out.Frame = s.Frame
		}
		return &out, nil
	}
	return nil, b.errorf(s.Pos, sqlerr.UndefinedObject, "window \"%s\" does not exist", s.Name)
}

// resolveWindowCall binds the function and its arguments.
func (c *exprCtx) resolveWindowCall(name string, f *sql.Func) (logicalplan.WindowCall, error) {
	if expr.IsAggregate(name) && !rankingFunction(name) {
		agg, err := c.resolveAggregate(name, f, c)
		if err != nil {
			return logicalplan.WindowCall{}, err
		}
		return logicalplan.WindowCall{Out: c.b.column(name, agg.T), Agg: agg}, nil
	}
	if f.Filter != nil {
		return logicalplan.WindowCall{}, c.b.errorf(f.Pos, sqlerr.FeatureNotSupported, "FILTER is not implemented for non-aggregate window functions")
	}
	if f.Nulls == "ignore" {
		return logicalplan.WindowCall{}, c.b.unsupported(f.Pos, "IGNORE NULLS of a window function")
	}
	args, err := c.arguments(name, f)
	if err != nil {
		return logicalplan.WindowCall{}, err
	}
	t, err := c.rankingType(name, args, f)
	if err != nil {
		return logicalplan.WindowCall{}, err
	}
	return logicalplan.WindowCall{Out: c.b.column(name, t), Name: name, Args: args}, nil
}

func rankingFunction(name string) bool {
	switch name {
	case "row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead",
		"first_value", "last_value", "nth_value":
		return true
	}
	return false
}

// rankingType checks the arguments of a window function, casts them in place and returns its type.
func (c *exprCtx) rankingType(name string, args []expr.Expr, f *sql.Func) (types.Type, error) {
	counts := map[string][2]int{"row_number": {0, 0}, "rank": {0, 0}, "dense_rank": {0, 0}, "percent_rank": {0, 0},
		"cume_dist": {0, 0}, "ntile": {1, 1}, "lag": {1, 3}, "lead": {1, 3}, "first_value": {1, 1}, "last_value": {1, 1}, "nth_value": {2, 2}}
	n, ok := counts[name]
	if !ok || len(args) < n[0] || len(args) > n[1] {
		if _, err := c.b.fn(name, args, f.Pos); err != nil {
			return types.Type{}, err
		}
		return types.Type{}, c.b.errorf(f.Pos, sqlerr.WrongObjectType,
			"OVER specified, but %s is not a window function nor an aggregate function", name)
	}
	var err error
	toInt := func(i int) {
		if err == nil && i < len(args) {
			args[i], err = c.b.cast(args[i], types.Of(types.Int4), expr.Implicit, f.Args[i].Value.At())
		}
	}
	switch name {
	case "row_number", "rank", "dense_rank":
		return int8Type, nil
	case "percent_rank", "cume_dist":
		return types.Of(types.Float8), nil
	case "ntile":
		toInt(0)
		return types.Of(types.Int4), err
	}
	toInt(1)
	if err != nil {
		return types.Type{}, err
	}
	if len(args) == 3 {
		both, t, err := c.b.unify(name, []expr.Expr{args[0], args[2]}, f.Pos)
		if err != nil {
			return t, err
		}
		args[0], args[2] = both[0], both[1]
		t.Mod = types.NoMod
		return t, nil
	}
	if isUnknown(args[0].Type()) {
		return types.Type{}, c.b.errorf(f.Pos, sqlerr.DatatypeMismatch, "could not determine polymorphic type because input has type unknown")
	}
	t := args[0].Type()
	t.Mod = types.NoMod // as of every function's result
	return t, nil
}

// frame resolves a window frame.
func (c *exprCtx) frame(f *sql.Frame, p sql.Pos) (*logicalplan.Frame, error) {
	if f == nil {
		return nil, nil
	}
	out := &logicalplan.Frame{Unit: f.Unit, StartKind: f.Start.Kind, EndKind: f.End.Kind, Exclude: f.Exclude}
	for i, bound := range []sql.Bound{f.Start, f.End} {
		if bound.Offset == nil {
			continue
		}
		x, err := c.bind(bound.Offset)
		if err != nil {
			return nil, err
		}
		switch {
		case f.Unit != "range":
			x, err = c.b.cast(x, int8Type, expr.Implicit, p)
		case isUnknown(x.Type()):
			x, err = c.b.cast(x, intervalType, expr.Implicit, p)
		}
		if err != nil {
			return nil, err
		}
		if i == 0 {
			out.Start = x
		} else {
			out.End = x
		}
	}
	return out, nil
}
