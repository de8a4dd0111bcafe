package build

import (
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// groupWindow is a window that stands in GROUP BY: Flink's TUMBLE(ts, size), Spark's window(ts, size, slide).
type groupWindow struct {
	name string // "tumble", "window", ...
	node *logicalplan.Window
}

// isGroupWindow reports whether f is a window function called with a time, not with a table.
func isGroupWindow(f *sql.Func) bool {
	if len(f.Name.Parts) != 1 || f.Over != nil || len(f.Args) == 0 {
		return false
	}
	_, _, ok := windowArgs(f.Name.Parts[0])
	return ok
}

// isGroupWindowPart reports whether f is TUMBLE_START(...) and the like.
func isGroupWindowPart(f *sql.Func) bool {
	if len(f.Name.Parts) != 1 || f.Over != nil {
		return false
	}
	name, _, ok := splitPart(f.Name.Parts[0])
	_, _, known := windowArgs(name)
	return ok && known
}

// splitPart takes tumble_start apart.
func splitPart(name string) (window, part string, ok bool) {
	i := strings.LastIndexByte(name, '_')
	if i < 0 {
		return "", "", false
	}
	switch part = name[i+1:]; part {
	case "start", "end", "rowtime":
		return name[:i], part, true
	}
	return "", "", false
}

// addGroupWindow puts the window of a GROUP BY item below the grouping and returns its bounds as keys.
func (g *grouping) addGroupWindow(f *sql.Func) (groupSet, error) {
	c := g.below
	if len(c.spans) > 0 {
		return nil, g.b.unsupported(f.Pos, "more than one time window in a GROUP BY")
	}
	time, err := c.bind(f.Args[0].Value)
	if err != nil {
		return nil, err
	}
	spec, err := c.windowSpec(f.Name.Parts[0], f.Args[1:], f.Pos)
	if err != nil {
		return nil, err
	}
	return g.span(f.Name.Parts[0], time, spec)
}

func (g *grouping) span(name string, time expr.Expr, spec *windowSpecOf) (groupSet, error) {
	w, err := g.b.window(g.node, time, spec)
	if err != nil {
		return nil, err
	}
	g.node = w
	g.below.spans = append(g.below.spans, &groupWindow{name: name, node: w})
	return groupSet{g.addKey(use(w.Start), "window_start"), g.addKey(use(w.End), "window_end")}, nil
}

// groupWindowRef resolves window.start and window.end of Spark's window(...).
func (c *exprCtx) groupWindowRef(r *sql.ColumnRef) (expr.Expr, error) {
	if len(c.spans) == 0 || len(r.Parts) != 2 || !strings.HasSuffix(r.Parts[0], "window") || c.scope.rel(r.Parts[:1]) != nil {
		return nil, nil
	}
	return c.spanField(c.spans[0], r.Parts[1], r.Pos)
}

// groupWindowName resolves the bare window_start, window_end and window_time of a windowed GROUP BY.
func (c *exprCtx) groupWindowName(r *sql.ColumnRef) (expr.Expr, error) {
	if len(c.spans) == 0 {
		return nil, nil
	}
	w := c.spans[0].node
	switch r.Parts[0] {
	case "window_start":
		return use(w.Start), nil
	case "window_end":
		return use(w.End), nil
	case "window_time":
		return c.windowTime(w, r.Pos)
	case "window", "session_window":
		return nil, c.b.wholeWindow(r.Pos)
	}
	return nil, nil
}

// windowTime is the window's last microsecond: its end - 1 µs, computed from the key.
func (c *exprCtx) windowTime(w *logicalplan.Window, p sql.Pos) (expr.Expr, error) {
	if c.group != nil && c.group.below.spans != nil && !c.inAgg {
		if !c.group.hasKey(w.Start.ID) {
			return nil, c.b.unsupported(p, "window_time of a window that is in some of the grouping sets only")
		}
		c.group.addKey(use(w.WindowTime), "window_time")
	}
	return use(w.WindowTime), nil
}

func (b *binder) wholeWindow(p sql.Pos) error {
	return b.unsupported(p, "a window as a value").WithHint("Select window_start and window_end.")
}

func (c *exprCtx) spanField(w *groupWindow, name string, p sql.Pos) (expr.Expr, error) {
	switch name {
	case "start":
		return use(w.node.Start), nil
	case "end":
		return use(w.node.End), nil
	}
	return nil, c.b.errorf(p, sqlerr.UndefinedColumn, "a window has no field \"%s\"", name).
		WithHint("Its fields are start and end.")
}

// groupWindowCall binds TUMBLE_START(...) and refuses a bare window as a value.
func (c *exprCtx) groupWindowCall(f *sql.Func) (expr.Expr, error) {
	name, part, ok := splitPart(f.Name.Parts[0])
	if _, _, known := windowArgs(name); !ok || !known {
		if len(c.spans) == 0 {
			return nil, c.b.errorf(f.Pos, sqlerr.WindowingError, "the window function %s can only stand in GROUP BY or FROM", strings.ToUpper(f.Name.Parts[0])).
				WithHint("Write FROM TUMBLE(TABLE stream, DESCRIPTOR(time), INTERVAL '5' MINUTE), or GROUP BY it.")
		}
		return nil, c.b.wholeWindow(f.Pos)
	}
	w, err := c.matchSpan(name, f)
	if err != nil {
		return nil, err
	}
	switch part {
	case "start":
		return use(w.node.Start), nil
	case "end":
		return use(w.node.End), nil
	}
	return c.windowTime(w.node, f.Pos)
}

// groupWindowField binds window(...).start and window(...).end.
func (c *exprCtx) groupWindowField(f *sql.Func, field string, p sql.Pos) (expr.Expr, error) {
	w, err := c.matchSpan(f.Name.Parts[0], f)
	if err != nil {
		return nil, err
	}
	return c.spanField(w, field, p)
}

// matchSpan finds the window of GROUP BY that has the same arguments.
func (c *exprCtx) matchSpan(name string, f *sql.Func) (*groupWindow, error) {
	mismatch := c.b.errorf(f.Pos, sqlerr.GroupingError, "%s must have the arguments of a window in GROUP BY", strings.ToUpper(f.Name.Parts[0])).
		WithHint("Select window_start and window_end.")
	if len(c.spans) == 0 || len(f.Args) == 0 {
		return nil, mismatch
	}
	time, err := c.bind(f.Args[0].Value)
	if err != nil {
		return nil, err
	}
	spec, err := c.windowSpec(name, f.Args[1:], f.Pos)
	if err != nil {
		return nil, err
	}
	for _, w := range c.spans {
		n := w.node
		same := n.TimeExpr != nil && logicalplan.Equal(n.TimeExpr, time)
		if col, ok := time.(*expr.Column); ok {
			same = n.TimeExpr == nil && col.ID == n.Time
		}
		if same && n.Kind == spec.kind && logicalplan.Micros(n.Size) == logicalplan.Micros(spec.size) &&
			logicalplan.Micros(n.Slide) == logicalplan.Micros(spec.slide) && n.Offset == spec.offset && n.Zone == spec.zone && sameGap(n, spec) {
			return w, nil
		}
	}
	return nil, mismatch
}
