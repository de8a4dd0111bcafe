package build

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/types"
)

// timeKey recognises date_trunc and date_bin in the GROUP BY of a continuous query as windows, so that
// their groups can be freed. It returns the keys that e becomes, nil if it is none.
func (g *grouping) timeKey(e expr.Expr, p sql.Pos) (groupSet, error) {
	call, ok := e.(*expr.Call)
	if !ok || !g.b.env.Continuous || len(g.below.spans) > 0 || !logicalplan.Derive(g.node).Stream {
		return nil, nil
	}
	for i, k := range g.keys {
		if logicalplan.Equal(k.match, e) && k.Expr != k.match { // it stands in another grouping set too; its end follows it
			return groupSet{i, i + 1}, nil
		}
	}
	var spec *windowSpecOf
	var zone string
	switch call.Func.Name {
	case "date_trunc":
		spec, zone = g.b.truncWindow(call)
	case "date_bin":
		spec = g.b.binWindow(call)
	}
	if spec == nil {
		return nil, nil
	}
	spec.pos = p
	w, err := g.b.window(g.node, call.Args[1], spec)
	if err != nil {
		return nil, nil // of a date or an interval: no window
	}
	w.Zone, w.Spelling = zone, call.Func.Name
	w.Start.Type = e.Type()
	g.node = w
	g.keys = append(g.keys, groupKey{
		Named: logicalplan.Named{Out: logicalplan.Column{ID: w.Start.ID, Name: w.Start.Name, Type: e.Type()}, Expr: use(w.Start)},
		match: e,
	})
	return groupSet{len(g.keys) - 1, g.addKey(use(w.End), "window_end")}, nil
}

// truncWindow is the window that date_trunc(unit, t [, zone]) means: calendar units in the zone.
func (b *binder) truncWindow(call *expr.Call) (*windowSpecOf, string) {
	unit, ok := constText(call.Args[0])
	if !ok {
		return nil, ""
	}
	zone := ""
	if call.Args[1].Type().Kind == types.TimestampTZ {
		zone = b.env.Zone
	}
	if len(call.Args) == 3 {
		if zone, ok = constText(call.Args[2]); !ok {
			return nil, ""
		}
	}
	if zone == "UTC" {
		zone = ""
	}
	spec := &windowSpecOf{kind: logicalplan.Tumble}
	switch unit {
	case "second", "minute", "hour":
		spec.size.Micros = map[string]int64{"second": 1e6, "minute": 60e6, "hour": 3600e6}[unit]
	case "millisecond", "milliseconds":
		spec.size.Micros = 1000
	case "day":
		spec.size.Days = 1
	case "week": // Monday; the epoch was a Thursday
		spec.size.Days = 7
		spec.offset = 4 * logicalplan.MicrosPerDay
	case "month":
		spec.size.Months = 1
	case "quarter":
		spec.size.Months = 3
	case "year":
		spec.size.Months = 12
	default:
		return nil, ""
	}
	spec.slide = spec.size
	return spec, zone
}

// binWindow is the window that date_bin(stride, t, origin) means.
func (b *binder) binWindow(call *expr.Call) *windowSpecOf {
	stride, err := b.constant(call.Args[0], 0)
	if err != nil {
		return nil
	}
	origin, err := b.constant(call.Args[2], 0)
	if err != nil {
		return nil
	}
	size, ok := stride.(types.IntervalValue)
	at, ok2 := origin.(int64)
	if us := logicalplan.Micros(size); !ok || !ok2 || size.Months != 0 || us <= 0 {
		return nil
	} else {
		return &windowSpecOf{kind: logicalplan.Tumble, size: size, slide: size, offset: at % us}
	}
}

func constText(e expr.Expr) (string, bool) {
	c, ok := e.(*expr.Const)
	if !ok {
		return "", false
	}
	s, ok := c.Value.(string)
	return s, ok
}

// keepWindowEnds makes the end of every window a key whose start is one, so that the groups have a time at which
// they are final. The end follows from the start, so no group is split.
func (g *grouping) keepWindowEnds() {
	if !g.b.env.Continuous || !logicalplan.Derive(g.node).Stream {
		return
	}
	logicalplan.Walk(g.node, func(n logicalplan.Node) bool {
		w, ok := n.(*logicalplan.Window)
		if !ok {
			return true
		}
		if w.Kind == logicalplan.Session && (g.hasKey(w.Start.ID) || g.hasKey(w.End.ID) || g.hasKey(w.WindowTime.ID)) {
			g.addBound(w.Start)
			g.addBound(w.End)
			return true
		}
		byStart := g.hasKey(w.Start.ID) && w.Kind != logicalplan.Cumulate
		if (byStart || g.hasKey(w.WindowTime.ID)) && !g.hasKey(w.End.ID) {
			g.addBound(w.End)
		}
		return true
	})
}

// addBound groups by a column of a window, if that can be seen from here.
func (g *grouping) addBound(c logicalplan.Column) {
	if in, ok := expose(g.node, c); ok && !g.hasKey(c.ID) {
		g.node = in
		g.addKey(use(c), c.Name)
	}
}

// expose makes n put out a column that is made somewhere below, where that changes no row.
func expose(n logicalplan.Node, col logicalplan.Column) (logicalplan.Node, bool) {
	if _, ok := logicalplan.FindColumn(n, col.ID); ok {
		return n, true
	}
	switch n := n.(type) {
	case *logicalplan.Project:
		in, ok := expose(n.Input, col)
		if !ok {
			return n, false
		}
		c := *n
		c.Input = in
		c.Exprs = append(append([]logicalplan.Named{}, n.Exprs...), logicalplan.Named{Out: col, Expr: use(col)})
		return &c, true
	case *logicalplan.Filter, *logicalplan.EventTimeWatermark, *logicalplan.Window, *logicalplan.Sort, *logicalplan.WindowFunc:
		in, ok := expose(n.Inputs()[0], col)
		if !ok {
			return n, false
		}
		return n.WithInputs([]logicalplan.Node{in}), true
	case *logicalplan.Apply:
		in, ok := expose(n.Input, col)
		if !ok {
			return n, false
		}
		return n.WithInputs([]logicalplan.Node{in, n.Subplan}), true
	case *logicalplan.Join:
		if in, ok := expose(n.Left, col); ok {
			return n.WithInputs([]logicalplan.Node{in, n.Right}), true
		}
		if in, ok := expose(n.Right, col); ok && !n.Kind.Tests() {
			return n.WithInputs([]logicalplan.Node{n.Left, in}), true
		}
	}
	return n, false
}
