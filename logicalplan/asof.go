package logicalplan

import (
	"wmsql/expr"
)

// AsOf reports whether n joins every left row with the newest right row of its key at or before it. The times are then On's only
// condition, written left >= right, or left > right.
func (n *Join) AsOf() bool { return n.Kind == AsOfJoin || n.Kind == AsOfLeftJoin }

// AsOfTimes returns the times that an ASOF join compares; strict says that equal ones do not match.
func (n *Join) AsOfTimes() (left, right expr.Expr, strict bool) {
	c := n.On[0].(*expr.Call)
	return c.Args[0], c.Args[1], c.Func.Name == ">"
}

// AsOfSides is what is wrong with the times of an ASOF join of two streams: each must be the event time of its side. "" if nothing is.
func (n *Join) AsOfSides() string {
	left, right, _ := n.AsOfTimes()
	switch {
	case !isEventTime(n.Left, left):
		return left.String() + " is not the event time of the left side"
	case !isEventTime(n.Right, right):
		return right.String() + " is not the event time of the right side"
	}
	return ""
}

func isEventTime(n Node, e expr.Expr) bool {
	c, ok := e.(*expr.Column)
	if !ok {
		return false
	}
	m, ok := Derive(n).Marks[c.ID]
	return ok && m.Kind == MarkTime
}

// EventTimeOf is the first column of n that is an event time; ok is false if there is none.
func EventTimeOf(n Node) (_ Column, ok bool) {
	c := eventTime(n, Derive(n))
	return c, c.ID != 0
}

// deriveAsOf keeps the mark of the time by which left rows wait, and those of windows of it. The times of right rows are older.
func deriveAsOf(n *Join, l, r *Props) *Props {
	p := newProps(true)
	p.Updating, p.Key = l.Updating || r.Updating, l.Key
	left, right, _ := n.AsOfTimes()
	lc, _ := left.(*expr.Column)
	rc, _ := right.(*expr.Column)
	if lc == nil || rc == nil {
		return p
	}
	why := "the ASOF join puts rows out by " + lc.Name
	for side, in := range []*Props{l, r} {
		for id, m := range in.Marks {
			if side == 0 && (id == lc.ID || m.Window != nil && m.Window.Time == lc.ID) {
				m.Sources = append(append([]*EventTimeWatermark{}, m.Sources...), r.Marks[rc.ID].Sources...)
				p.Marks[id] = m
				continue
			}
			p.Lost[id] = Loss{Node: n, Column: id, Name: columnName(n.Inputs()[side], id), Pos: n.Pos, Why: why}
		}
		for id, x := range in.Lost {
			p.Lost[id] = x
		}
	}
	return p
}

// asOfFacts tells of an ASOF join of two streams, side by side.
func asOfFacts(n *Join) State {
	left, right, _ := n.AsOfTimes()
	mark := watermarkOf(markNames(n), inputLag(n))
	f := State{Emits: "each left row once, when its version is final: " + left.String() + " <= " + mark + " (append)", First: "the delay, for the first left row"}
	l := SideState{Name: "left", Key: "(none)", Bound: "rows whose " + left.String() + " is after the " + mark, Frees: "when " + left.String() + " <= " + mark}
	r := SideState{Name: "right", Key: "(none)",
		Bound: "NONE: of every key the newest row up to the " + mark + ", and all after it", Frees: "when a newer row of the key has " + right.String() + " <= " + mark}
	if len(n.L) > 0 {
		l.Key, r.Key = exprs(n.L), exprs(n.R)
	} else {
		r.Bound = "the newest row up to the " + mark + ", and all after it"
	}
	if n.TTL > 0 {
		r.Bound = "of every key the newest row up to the " + mark + ", and all after it, and time since a row of the key came"
		r.Frees += ", or the last one came " + FormatMicros(n.TTL) + " ago"
	}
	f.Sides = []SideState{l, r}
	return f
}
