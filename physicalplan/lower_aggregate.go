package physicalplan

import (
	"slices"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/types"
)

// aggregate lowers GROUP BY: in one go over a whole relation, else with groups that live from epoch to epoch.
func (l *lowering) aggregate(n *logicalplan.Aggregate) (Node, flow, error) {
	bound := l.bound(n)
	if bound.OK {
		l.timed++
	}
	sessions, outside := l.sessionsOver(n), l.session
	l.session = sessions
	l.undoes++
	in, f, err := l.lower(n.Input)
	l.undoes--
	l.session = outside
	if bound.OK {
		l.timed--
	}
	switch {
	case err != nil:
		return nil, f, err
	case f == upserts:
		return nil, f, unsupported(n.Pos, "an aggregate over rows that replace each other").
			WithHint("Make a materialized view of what is below it, and aggregate over that.")
	case f == changes && sessions != nil:
		return nil, f, unsupported(n.Pos, "a session window over rows that may change")
	case f == changes && n.TTL > 0:
		return nil, f, unsupported(n.Pos, "state_ttl over rows that may change")
	case f == whole:
		in, g := l.grouping(n, in, f)
		return &HashAggregate{Output: outputOf(n), Input: in, Grouping: g, Parallel: orderFreeAll(n), Totals: n.Totals}, whole, nil
	}
	if sessions != nil {
		return l.sessionAggregate(n, in, bound, sessions)
	}
	return l.streamAggregate(n, in, f, bound)
}

// bound returns what frees groups by event time; not OK when nothing does: in complete mode, in a SELECT, without a time.
// Its column is one of the aggregate's input where a key is a plain column.
func (l *lowering) bound(n *logicalplan.Aggregate) logicalplan.Bound {
	if l.view == nil {
		return logicalplan.Bound{}
	}
	b := logicalplan.AggregateBound(n)
	if b.Column == 0 || l.view.Mode == catalog.Complete {
		b.OK = false
	}
	for _, k := range n.Keys {
		if c, ok := plain(k.Expr); ok && b.OK && k.Out.ID == b.Column {
			b.Column = c.ID
			break
		}
	}
	return b
}

func (l *lowering) streamAggregate(n *logicalplan.Aggregate, in Node, f flow, bound logicalplan.Bound) (Node, flow, error) {
	a := &StreamAggregate{Output: outputOf(n), Mode: l.view.Mode, State: l.table(), Expires: -1, TTL: n.TTL, Why: bound.Why,
		Reject: l.rejects(f).OfResults()}
	a.Changes = l.undoes > 0 && a.Mode == catalog.Update
	if a.Changes && n.TTL > 0 {
		return nil, f, unsupported(n.Pos, "state_ttl below an aggregate that takes back what it was given")
	}
	a.Parallel = f == appends && !a.Changes && orderFreeAll(n)
	win := windowOf(n.Input, bound)
	if bound.OK {
		in = underExpand(in, func(in Node) Node { return l.late(n, in, bound, win, a) })
	}
	a.Input, a.Grouping = l.grouping(n, in, f)
	if f == changes {
		if err := a.retracts(n, l.fresh); err != nil {
			return nil, f, err
		}
		l.fresh--
	}
	if bound.OK {
		a.Expires, a.ByWindow = expiry(n, a, bound), win != nil
		if win != nil && win.Kind != logicalplan.Session {
			a.Fixed = fixedKeys(n, win)
		}
		if bound.Kind == logicalplan.MarkWindowTime {
			a.After = 1
		}
	}
	if a.ByWindow && win.Kind != logicalplan.Session && f == appends && !a.Changes && a.TTL == 0 && l.keepsLate() {
		a.KeepFor = retentionOf(l.stream)
	} else if a.Panes = panes(n, a, win); a.Panes != nil {
		assigner(a.Input, win).Pane = true
		a.After = a.Panes.Size - a.Panes.Slide
	}
	l.made()
	out := [...]flow{catalog.Update: upserts, catalog.Append: appends, catalog.Complete: whole}[a.Mode]
	if a.Changes {
		out = changes
	}
	return a, out, nil
}

// orderFreeAll reports whether the rows' order does not matter to any aggregate of n.
func orderFreeAll(n *logicalplan.Aggregate) bool {
	for _, g := range n.Aggs {
		if !orderFree(g.Agg) {
			return false
		}
	}
	return true
}

// retracts lets a take back rows. It then counts the rows of each group, as one more column with the ID rows.
func (a *StreamAggregate) retracts(n *logicalplan.Aggregate, rows expr.ColumnID) error {
	for _, g := range n.Aggs {
		if expr.OrderOfArrival(g.Agg) {
			return unsupported(g.Pos, "%s over rows that may change", g.Agg).
				WithHint("Say which row is meant: %s(... ORDER BY ...).", g.Agg.Func.Name)
		}
	}
	count, err := expr.NewAggregate("count", nil, true, false, nil, nil)
	if err != nil {
		return err
	}
	a.Retracts = true
	a.Aggs = append(a.Aggs, AggColumn{Agg: count, Filter: -1})
	a.IDs = append(a.IDs, rows)
	a.Schem.Fields = append(a.Schem.Fields, types.Field{Name: "rows", Type: count.T})
	return nil
}

// late puts the late test below the aggregate: into the Window when that makes several copies of a row, so that a row which
// lost some of them is known; else as a filter of its own.
func (l *lowering) late(n *logicalplan.Aggregate, in Node, bound logicalplan.Bound, win *logicalplan.Window, a *StreamAggregate) Node {
	if win != nil && win.Kind != logicalplan.Tumble {
		if w := assigner(in, win); w != nil {
			w.Late, w.Keep, w.For = true, l.keepsLate(), a.State
			return in
		}
	}
	at := ordinal(in, bound.Column)
	if at < 0 {
		in = l.extend(in, []expr.Expr{keyExpr(n, bound.Column)}, appends)
		at = len(in.Layout()) - 1
	}
	return l.lateTest(in, at, bound, win, a.State)
}

// lateTest is the late test by the column at, for the operator of a state table.
func (l *lowering) lateTest(in Node, at int, bound logicalplan.Bound, win *logicalplan.Window, state uint32) Node {
	f := &LateFilter{Output: same(in), Input: in, Expires: at, For: state, Keep: l.keepsLate(), Time: -1}
	if win != nil {
		f.Time = ordinal(in, win.Time)
	}
	if bound.Kind == logicalplan.MarkWindowTime {
		f.After = 1
	}
	for i, id := range in.Layout() {
		if win == nil || id != win.Start.ID && id != win.End.ID && id != win.WindowTime.ID {
			f.Shown = append(f.Shown, i)
		}
	}
	return f
}

// assigner finds the operator of win below in through row-wise operators.
func assigner(in Node, win *logicalplan.Window) *Window {
	for {
		switch n := in.(type) {
		case *Window:
			if n.Window == win {
				return n
			}
			return nil
		case *Project:
			in = n.Input
		case *Filter:
			in = n.Input
		case *Expand:
			in = n.Input
		default:
			return nil
		}
	}
}

// windowOf finds the Window whose end bounds the state.
func windowOf(n logicalplan.Node, bound logicalplan.Bound) *logicalplan.Window {
	var out *logicalplan.Window
	logicalplan.Walk(n, func(n logicalplan.Node) bool {
		if w, ok := n.(*logicalplan.Window); ok && bound.OK && (w.End.ID == bound.Column || w.WindowTime.ID == bound.Column) {
			out = w
		}
		return out == nil
	})
	return out
}

// fixedKeys marks the keys that are bounds of win: all groups of one window have the same.
func fixedKeys(n *logicalplan.Aggregate, win *logicalplan.Window) []bool {
	out := make([]bool, len(n.Keys))
	for i, k := range n.Keys {
		if c, ok := plain(k.Expr); ok {
			out[i] = c.ID == win.Start.ID || c.ID == win.End.ID || c.ID == win.WindowTime.ID
		}
	}
	return out
}

// expiry finds the bound's column in the aggregate's input.
func expiry(n *logicalplan.Aggregate, a *StreamAggregate, bound logicalplan.Bound) int {
	if at := ordinal(a.Input, bound.Column); at >= 0 {
		return at
	}
	for i, k := range n.Keys {
		if k.Out.ID == bound.Column {
			return a.Keys[i]
		}
	}
	panic("physicalplan: the column that bounds the aggregate is neither read nor a key")
}

func keyExpr(n *logicalplan.Aggregate, id expr.ColumnID) expr.Expr {
	for _, k := range n.Keys {
		if k.Out.ID == id {
			return k.Expr
		}
	}
	panic("physicalplan: the column that bounds the aggregate is neither read nor a key")
}

// grouping makes every key, argument and filter a column of the aggregate's input.
func (l *lowering) grouping(n *logicalplan.Aggregate, in Node, f flow) (Node, Grouping) {
	var more []expr.Expr
	width := len(in.Layout())
	col := func(e expr.Expr) int {
		if c, ok := plain(e); ok {
			if at := ordinal(in, c.ID); at >= 0 {
				return at
			}
		}
		more = append(more, e)
		return width + len(more) - 1
	}
	g := Grouping{Fixed: make([]bool, len(n.Keys))}
	for _, k := range n.Keys {
		g.Keys = append(g.Keys, col(k.Expr))
	}
	for _, a := range n.Aggs {
		c := AggColumn{Agg: a.Agg, Filter: -1}
		for _, x := range a.Agg.Args {
			c.Args = append(c.Args, col(x))
		}
		if a.Agg.Filter != nil {
			c.Filter = col(a.Agg.Filter)
		}
		for _, k := range a.Agg.OrderBy {
			c.Order = append(c.Order, col(k.X))
		}
		g.Aggs = append(g.Aggs, c)
	}
	if more != nil {
		in = underExpand(in, func(in Node) Node { return l.extend(in, more, f) })
	}
	return in, g
}

// orderFree reports whether the aggregate gives the same bits in whatever order its rows come and its
// parts are merged.
func orderFree(a *expr.Aggregate) bool {
	float := slices.ContainsFunc(a.Args, func(x expr.Expr) bool {
		k := x.Type().Kind
		return k == types.Float4 || k == types.Float8
	})
	switch a.Func.Name {
	case "count", "min", "max", "bool_and", "bool_or", "every", "bit_and", "bit_or", "bit_xor":
		return true
	case "sum", "avg", "stddev", "stddev_pop", "stddev_samp", "variance", "var_pop", "var_samp":
		return !float
	}
	return false
}
