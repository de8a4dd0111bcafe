package physicalplan

import (
	"wmsql/expr"
	"wmsql/logicalplan"
)

// panes returns how the sliding windows of a are put together from panes of one slide, nil if each row is to be folded into every
// window that holds it. Panes are merged in the order of time, so the order of rows must not matter, and nothing but the keys may
// read the window's bounds.
func panes(n *logicalplan.Aggregate, a *StreamAggregate, win *logicalplan.Window) *Panes {
	if win == nil || win.Kind != logicalplan.Hop || win.Zone != "" && win.Zone != "UTC" || !a.Parallel || !a.ByWindow || a.TTL > 0 ||
		win.Size.Months != 0 || win.Slide.Months != 0 || assigner(a.Input, win) == nil {
		return nil
	}
	p := &Panes{Slide: Micros(win.Slide), Size: Micros(win.Size)}
	if p.Slide >= p.Size || p.Size%p.Slide != 0 || readsBounds(n, a.Input, win) {
		return nil
	}
	for i, k := range n.Keys {
		if !a.Fixed[i] {
			continue
		}
		role := WindowStart
		switch k.Expr.(*expr.Column).ID {
		case win.End.ID:
			role = WindowEnd
		case win.WindowTime.ID:
			role = WindowTime
		}
		p.Roles = append(p.Roles, role)
	}
	return p
}

// readsBounds reports whether an argument of the aggregate, or an operator between it and the window, computes with the
// window's bounds.
func readsBounds(n *logicalplan.Aggregate, in Node, win *logicalplan.Window) bool {
	found := false
	use := func(es ...expr.Expr) {
		for _, e := range es {
			if e != nil {
				expr.Columns(e, func(c *expr.Column) {
					found = found || c.ID == win.Start.ID || c.ID == win.End.ID || c.ID == win.WindowTime.ID
				})
			}
		}
	}
	for _, a := range n.Aggs {
		logicalplan.MapAggregate(a.Agg, func(e expr.Expr) expr.Expr {
			use(e)
			return e
		})
	}
	for _, k := range n.Keys {
		if _, ok := plain(k.Expr); !ok {
			use(k.Expr)
		}
	}
	for {
		switch m := in.(type) {
		case *Filter:
			use(m.Conds...)
			in = m.Input
		case *Project:
			for _, e := range m.Exprs {
				if _, ok := plain(e); !ok {
					use(e)
				}
			}
			in = m.Input
		case *Expand:
			for _, k := range m.Keys {
				id := m.Input.Layout()[k]
				found = found || id == win.Start.ID || id == win.End.ID || id == win.WindowTime.ID
			}
			in = m.Input
		default:
			return found
		}
	}
}
