package build

import (
	"slices"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// sessionSpec reads the gap of a session: an interval, or an expression that gives each row its own. A row whose gap is not
// positive is in no session.
func (c *exprCtx) sessionSpec(w *windowSpecOf, name string, args []sql.Arg) (*windowSpecOf, error) {
	if len(args) != 1 || args[0].Name != "" && args[0].Name != "gap" {
		return nil, c.windowUsage(name, []string{"gap"}, w.pos)
	}
	at := args[0].Value.At()
	x, err := c.bind(args[0].Value)
	if err != nil {
		return nil, err
	}
	how := expr.Implicit
	if x.Type().Kind == types.Text && !x.Type().Array {
		how = expr.Explicit // CASE page WHEN 'a' THEN '1 minute' ...
	}
	if x, err = c.b.cast(x, intervalType, how, at); err != nil {
		return nil, err
	}
	if !expr.IsConst(x) {
		w.gap = x
		return w, nil
	}
	v, err := c.b.constant(x, at)
	if err != nil {
		return nil, err
	}
	gap, ok := v.(types.IntervalValue)
	if err := c.b.checkLength(gap, "the gap of a session", at); err != nil {
		return nil, err
	}
	switch {
	case !ok:
		return nil, c.b.errorf(at, sqlerr.InvalidParameterValue, "the gap of a session must not be NULL")
	case logicalplan.Micros(gap) <= 0:
		return nil, c.b.errorf(at, sqlerr.InvalidParameterValue, "the gap of a session must be positive, not %s", logicalplan.FormatInterval(gap))
	case gap.Months != 0:
		return nil, c.b.unsupported(at, "a session window with a gap of months").WithHint("Write the gap in days.")
	}
	w.size = gap
	return w, nil
}

// sessionTable takes PARTITION BY off the table of SESSION(TABLE t PARTITION BY a, b, ...).
func sessionTable(e sql.Expr) (sql.Expr, []sql.Expr) {
	t, ok := e.(*sql.TableArg)
	if !ok {
		return e, nil
	}
	var parts []sql.Expr
	for _, p := range t.PartitionBy {
		if r, ok := p.(*sql.Row); ok {
			parts = append(parts, r.Items...)
		} else {
			parts = append(parts, p)
		}
	}
	plain := *t
	plain.PartitionBy = nil
	return &plain, parts
}

// sameGap reports whether a window has the gap that is written a second time.
func sameGap(n *logicalplan.Window, w *windowSpecOf) bool {
	if n.Gap == nil || w.gap == nil {
		return n.Gap == nil && w.gap == nil
	}
	return logicalplan.Equal(n.Gap, w.gap)
}

// partitionSessions makes the other keys of GROUP BY SESSION(...) what its sessions are apart by.
func (g *grouping) partitionSessions() error {
	for _, s := range g.below.spans {
		w := s.node
		if w.Kind != logicalplan.Session {
			continue
		}
		if g.sets != nil {
			return g.b.unsupported(sql.Pos(w.Pos), "GROUPING SETS beside a session window in GROUP BY")
		}
		own, below := map[expr.ColumnID]bool{w.Start.ID: true, w.End.ID: true, w.WindowTime.ID: true}, logicalplan.ColumnSet(w.Input)
		var parts []expr.Expr
		for _, k := range g.keys {
			ofWindow, known := false, true
			expr.Columns(k.Expr, func(c *expr.Column) {
				ofWindow = ofWindow || own[c.ID]
				known = known && (own[c.ID] || below[c.ID])
			})
			switch {
			case !known:
				return g.b.unsupported(sql.Pos(w.Pos), "a session window beside a key that reads a subquery")
			case !ofWindow:
				parts = append(parts, k.Expr)
			}
		}
		g.node, _ = logicalplan.Rewrite(g.node, func(n logicalplan.Node) (logicalplan.Node, bool) {
			x, ok := n.(*logicalplan.Window)
			if !ok || x.Start.ID != w.Start.ID {
				return n, false
			}
			c := *x
			c.Partition = slices.Clone(parts)
			return &c, true
		})
	}
	return nil
}
