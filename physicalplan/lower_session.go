package physicalplan

import (
	"slices"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// sessionWindow lowers SESSION. Over a whole relation its rows come with the bounds of their sessions. Over a stream the bounds
// are known only to the aggregate above, so there it must be read by one.
func (l *lowering) sessionWindow(n *logicalplan.Window) (Node, flow, error) {
	ours := l.session == n
	l.timed++
	in, f, err := l.lower(n.Input)
	l.timed--
	switch {
	case err != nil:
		return nil, f, err
	case f.alters():
		return nil, f, unsupported(n.Pos, "a session window over rows that may change")
	case f == appends && !ours:
		return nil, f, unsupported(n.Pos, "a session window over a stream without GROUP BY window_start, window_end")
	}
	s := &SessionSpans{Gap: -1, Window: n, Reject: l.rejects(f)}
	if n.Gap != nil {
		in, s.Gap = l.column(in, n.Gap, f)
	}
	s.Input, s.Time = in, ordinal(in, n.Time)
	s.Output = output(append(columnsOf(in), n.Start, n.End, n.WindowTime))
	if f == appends {
		return s, f, nil
	}
	whole := &Sessions{Start: ordinal(s, n.Start.ID), End: ordinal(s, n.End.ID)}
	whole.Input = s
	for _, e := range n.Partition {
		var at int
		whole.Input, at = l.column(whole.Input, e, f)
		whole.Partition = append(whole.Partition, at)
	}
	whole.Output = same(whole.Input)
	return whole, f, nil
}

// column returns the ordinal of e in in, which is extended by it if need be.
func (l *lowering) column(in Node, e expr.Expr, f flow) (Node, int) {
	if c, ok := plain(e); ok {
		if at := ordinal(in, c.ID); at >= 0 {
			return in, at
		}
	}
	in = l.extend(in, []expr.Expr{e}, f)
	return in, len(in.Layout()) - 1
}

// sessionsOver returns the session window whose sessions a keeps from epoch to epoch, nil if it keeps none.
func (l *lowering) sessionsOver(a *logicalplan.Aggregate) *logicalplan.Window {
	if l.view == nil || !logicalplan.Derive(a.Input).Stream {
		return nil
	}
	return logicalplan.SessionsOf(a)
}

// sessionAggregate lowers the aggregate over sessions of a stream.
func (l *lowering) sessionAggregate(n *logicalplan.Aggregate, in Node, bound logicalplan.Bound, win *logicalplan.Window) (Node, flow, error) {
	if err := sessionFits(n, in, win); err != nil {
		return nil, appends, err
	}
	s := &SessionAggregate{Output: outputOf(n), Mode: l.view.Mode, State: l.table(), Evicts: bound.OK, Why: bound.Why,
		Reject: l.rejects(appends).OfResults()}
	if bound.OK {
		in = &LateFilter{Output: same(in), Input: in, Expires: ordinal(in, win.End.ID), For: s.State, Keep: l.keepsLate(),
			Time: ordinal(in, win.Time), Shown: besides(in, win)}
	}
	s.Input, s.Grouping = l.grouping(n, in, appends)
	s.Start, s.End = ordinal(s.Input, win.Start.ID), ordinal(s.Input, win.End.ID)
	s.Fixed, s.Roles = boundKeys(n, win)
	l.made()
	return s, [...]flow{catalog.Update: upserts, catalog.Append: appends, catalog.Complete: whole}[s.Mode], nil
}

// boundKeys says which keys are bounds of win, and which bounds.
func boundKeys(n *logicalplan.Aggregate, win *logicalplan.Window) (fixed []bool, roles []Role) {
	for _, k := range n.Keys {
		c, ok := plain(k.Expr)
		at := -1
		if ok {
			at = slices.Index([]expr.ColumnID{WindowStart: win.Start.ID, WindowEnd: win.End.ID, WindowTime: win.WindowTime.ID}, c.ID)
		}
		fixed = append(fixed, at >= 0)
		if at >= 0 {
			roles = append(roles, Role(at))
		}
	}
	return fixed, roles
}

// besides lists the columns of in that are not bounds of win.
func besides(in Node, win *logicalplan.Window) []int {
	var out []int
	for i, id := range in.Layout() {
		if id != win.Start.ID && id != win.End.ID && id != win.WindowTime.ID {
			out = append(out, i)
		}
	}
	return out
}

// sessionFits refuses what cannot be computed from the spans of rows: sessions have grown together only in the aggregate.
func sessionFits(n *logicalplan.Aggregate, in Node, win *logicalplan.Window) error {
	fixed, _ := boundKeys(n, win)
	var others []expr.Expr
	for i, k := range n.Keys {
		if !fixed[i] {
			others = append(others, k.Expr)
		}
	}
	_, expanded := n.Input.(*logicalplan.Expand)
	switch {
	case expanded:
		return unsupported(n.Pos, "GROUPING SETS over the sessions of a stream")
	case !covers(others, win.Partition) || !covers(win.Partition, others):
		return sqlerr.Unsupported("a GROUP BY of a stream's sessions that is not window_start, window_end and what SESSION is partitioned by").At(n.Pos).
			WithHint("Write SESSION(TABLE ... PARTITION BY %s, ...), and group by the same columns.", keyList(others, win.Partition))
	case ordinal(in, win.Start.ID) < 0 || ordinal(in, win.End.ID) < 0:
		return unsupported(n.Pos, "a GROUP BY of sessions that does not see both of their bounds")
	case readsBounds(n, in, win):
		return sqlerr.Unsupported("an expression of window_start or window_end in or below the GROUP BY of a stream's sessions").At(n.Pos).
			WithHint("Compute it in a query over the GROUP BY.")
	case filtersAbove(in):
		return sqlerr.Unsupported("a WHERE over the sessions of a stream on a column that they are not partitioned by").At(win.Pos).
			WithHint("Filter the rows first: SESSION(TABLE (SELECT ... WHERE ...), ...).")
	}
	return nil
}

// keyList is the partition that would fit.
func keyList(others, partition []expr.Expr) string {
	if len(others) == 0 {
		others = partition
	}
	return joined(others, ", ")
}

// covers reports whether each of these is among those.
func covers(these, those []expr.Expr) bool {
	for _, e := range these {
		if !slices.ContainsFunc(those, func(x expr.Expr) bool { return logicalplan.Equal(x, e) }) {
			return false
		}
	}
	return true
}

// filtersAbove reports whether rows are lost between the spans and the aggregate.
func filtersAbove(in Node) bool {
	for {
		switch n := in.(type) {
		case *Project:
			in = n.Input
		case *SessionSpans:
			return false
		default:
			return true
		}
	}
}
