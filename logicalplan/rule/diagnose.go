package rule

import (
	"slices"
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// diagnosis says why the groups of an aggregate are never final.
type diagnosis struct {
	code   sqlerr.Code // "" if they are
	agg    *logicalplan.Aggregate
	window *logicalplan.Window // the window it groups by; nil if none
	loss   logicalplan.Loss    // of WM006
	key    string              // of WM006: the key that lost its mark
	marks  []*logicalplan.EventTimeWatermark
}

// diagnose finds the one reason that is nearest to what the user wrote.
func diagnose(a *logicalplan.Aggregate) diagnosis {
	d := diagnosis{agg: a}
	if len(a.Keys) == 0 || logicalplan.AggregateBound(a).OK {
		return d
	}
	in := logicalplan.Derive(a.Input)
	d.marks = speaking(a.Input)
	d.window = groupedWindow(a)
	switch w := d.window; {
	case w != nil && w.TimeExpr != nil:
		d.code = sqlerr.WindowTimeComputed
	case w != nil && !overEventTime(w):
		d.windowed(in)
	default:
		d.unwindowed(in)
	}
	return d
}

// windowed finds what is wrong with the column of the window.
func (d *diagnosis) windowed(in *logicalplan.Props) {
	below := logicalplan.Derive(d.window.Input)
	loss, lost := below.Lost[d.window.Time]
	if l, ok := in.Lost[d.window.End.ID]; ok && !lost {
		loss, lost = l, ok
	}
	switch {
	case lost:
		d.code, d.loss, d.key = sqlerr.WatermarkLost, loss, nameOf(d.window.Input, d.window.Time)
	case len(d.marks) == 0:
		d.code = sqlerr.NoWatermark
	default:
		d.code = sqlerr.WindowOtherColumn
	}
}

// unwindowed looks for a key that once was the event time.
func (d *diagnosis) unwindowed(in *logicalplan.Props) {
	d.code = sqlerr.KeysAlone
	out := logicalplan.Derive(d.agg)
	for _, k := range d.agg.Keys {
		if l, ok := out.Lost[k.Out.ID]; ok {
			d.code, d.loss, d.key = sqlerr.WatermarkLost, l, k.Out.Name
			return
		}
	}
}

// overEventTime reports whether the windows themselves are final some day. If groups are not all the same, their keys are to blame.
func overEventTime(w *logicalplan.Window) bool {
	m, marked := logicalplan.Derive(w.Input).Marks[w.Time]
	return marked && m.Window == nil
}

// byBounds is the GROUP BY that goes by both bounds of the window below the aggregate; "" if none is over the event time.
func (d *diagnosis) byBounds() string {
	found := timeWindow(d.agg.Input)
	if found == nil {
		return ""
	}
	keys := []string{found.Start.Name, found.End.Name}
	for _, k := range d.agg.Keys {
		if text := sqlText(k.Expr); !slices.Contains(keys, text) {
			keys = append(keys, text)
		}
	}
	return "GROUP BY " + strings.Join(keys, ", ")
}

// timeWindow is the first window over the event time in n.
func timeWindow(n logicalplan.Node) *logicalplan.Window {
	var found *logicalplan.Window
	logicalplan.Walk(n, func(n logicalplan.Node) bool {
		if w, ok := n.(*logicalplan.Window); ok && found == nil && overEventTime(w) {
			found = w
		}
		return found == nil
	})
	return found
}

// groupedWindow is the Window below a whose bounds are among its keys.
func groupedWindow(a *logicalplan.Aggregate) *logicalplan.Window {
	keys := map[expr.ColumnID]bool{}
	for _, k := range a.Keys {
		expr.Columns(k.Expr, func(c *expr.Column) { keys[c.ID] = true })
	}
	var found *logicalplan.Window
	logicalplan.Walk(a.Input, func(n logicalplan.Node) bool {
		if w, ok := n.(*logicalplan.Window); ok && found == nil && (keys[w.Start.ID] || keys[w.End.ID] || keys[w.WindowTime.ID]) {
			found = w
		}
		return found == nil
	})
	return found
}

// speaking lists the EventTimeWatermark nodes of a tree, then those that speak for the views that it follows.
func speaking(n logicalplan.Node) []*logicalplan.EventTimeWatermark {
	out := watermarks(n)
	logicalplan.Walk(n, func(x logicalplan.Node) bool {
		if s, ok := x.(*logicalplan.ResultScan); ok {
			out = append(out, s.Carried()...)
		}
		return true
	})
	return out
}

// watermarks lists the EventTimeWatermark nodes of a tree.
func watermarks(n logicalplan.Node) []*logicalplan.EventTimeWatermark {
	var out []*logicalplan.EventTimeWatermark
	logicalplan.Walk(n, func(x logicalplan.Node) bool {
		if w, ok := x.(*logicalplan.EventTimeWatermark); ok {
			out = append(out, w)
		}
		return true
	})
	return out
}

// nameOf is the name that n's output gives a column.
func nameOf(n logicalplan.Node, id expr.ColumnID) string {
	if c, ok := logicalplan.FindColumn(n, id); ok {
		return c.Name
	}
	return "?"
}

// aggregateCheck makes a check of the aggregates with one diagnosis. Complete mode keeps every group whatever the keys are, and
// an aggregate below a misplaced watermark is told about that.
func aggregateCheck(name string, code sqlerr.Code, report func(d *diagnosis, t *Target) *sqlerr.Error) Check {
	return Check{Name: name, Verify: func(n logicalplan.Node, t *Target) []*sqlerr.Error {
		if t.complete() {
			return nil
		}
		var out []*sqlerr.Error
		streamAggregates(n, func(a *logicalplan.Aggregate, above *logicalplan.EventTimeWatermark) {
			if above != nil {
				return
			}
			if d := diagnose(a); d.code == code {
				out = append(out, report(&d, t))
			}
		})
		return out
	}}
}
