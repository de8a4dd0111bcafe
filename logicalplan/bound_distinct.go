package logicalplan

import "wmsql/expr"

// Grouped is SELECT DISTINCT as the GROUP BY of all columns that it is.
func (n *Distinct) Grouped() *Aggregate {
	a := &Aggregate{Input: n.Input, Pos: n.Pos, TTL: n.TTL}
	for _, c := range n.Input.Columns() {
		a.Keys = append(a.Keys, Named{Out: c, Expr: &expr.Column{ID: c.ID, Name: c.Name, T: c.Type}})
	}
	return a
}

// DistinctBound says what bounds the keys that d remembers. A key is freed when the event time in it, or the end of the window in
// it, is at or before the watermark: rows that could repeat it are late from then on. WITHIN WATERMARK frees it when
// the kept row's event time + delay is. Where nothing frees a key, Column is still the event time that late rows are known by, if
// there is one.
func DistinctBound(d *Distinct) Bound {
	if d.On == nil {
		return AggregateBound(d.Grouped())
	}
	in := Derive(d.Input)
	if !in.Stream {
		return Bound{OK: true, Why: "the input ends"}
	}
	if d.WithinWatermark {
		return withinBound(d, in)
	}
	best := Bound{Why: "no key is tied to a watermark"}
	for _, e := range d.On {
		c, ok := e.(*expr.Column)
		if !ok {
			continue
		}
		m, ok := in.Marks[c.ID]
		if !ok || m.Kind == MarkWindowStart || best.OK && rank(m.Kind) <= rank(best.Kind) {
			continue
		}
		col, _ := FindColumn(d.Input, c.ID)
		best = Bound{Column: c.ID, Kind: m.Kind, OK: true, Why: col.Name + " <= watermark"}
	}
	if !best.OK {
		best.Column = eventTime(d.Input, in).ID
	}
	if d.TTL > 0 {
		best.OK, best.Why = true, "noted "+FormatMicros(d.TTL)+" ago"
	}
	return best
}

func withinBound(d *Distinct, in *Props) Bound {
	c := eventTime(d.Input, in)
	if c.ID == 0 {
		return Bound{Why: "the event time is not among the rows' columns"}
	}
	delay := int64(0)
	for _, s := range in.Marks[c.ID].Sources {
		delay = max(delay, Micros(s.Delay))
	}
	return Bound{Column: c.ID, OK: true, Delay: delay, Why: c.Name + " + " + FormatMicros(delay) + " <= watermark"}
}

// eventTime is the first column of n that is an event time itself; its ID is 0 if there is none.
func eventTime(n Node, p *Props) Column {
	for _, c := range n.Columns() {
		if m, ok := p.Marks[c.ID]; ok && m.Kind == MarkTime {
			return c
		}
	}
	return Column{}
}

// WholePartitions reports whether every partition of n comes whole within one micro-batch, and once only: in append mode, over an
// aggregate that frees its groups by a window or time which the partition is of. Functions over it are then final.
func WholePartitions(n *WindowFunc) bool {
	a := aggregateBelow(n.Input)
	if a == nil || !Derive(a.Input).Stream {
		return false
	}
	b := AggregateBound(a)
	if !b.OK || b.Column == 0 {
		return false
	}
	marks := Derive(n.Input).Marks
	win := marks[b.Column].Window
	if win == nil {
		win = Derive(a).Marks[b.Column].Window
	}
	for _, e := range n.PartitionBy {
		c, ok := e.(*expr.Column)
		if !ok {
			continue
		}
		m, marked := marks[c.ID]
		switch {
		case c.ID == b.Column:
			return true
		case !marked || win == nil || m.Window != win:
		case m.Kind != MarkWindowStart, win.Kind == Tumble, win.Kind == Hop: // the start tells the end
			return true
		}
	}
	return false
}

// aggregateBelow is the aggregate that n is only a choice of rows and columns of, nil if there is none.
func aggregateBelow(n Node) *Aggregate {
	for {
		switch x := n.(type) {
		case *Aggregate:
			return x
		case *Filter:
			n = x.Input
		case *Project:
			n = x.Input
		default:
			return nil
		}
	}
}
