package physicalplan

import (
	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
)

// distinct lowers SELECT DISTINCT. Over a stream it is a GROUP BY of all columns.
func (l *lowering) distinct(n *logicalplan.Distinct) (Node, flow, error) {
	stream := l.view != nil && logicalplan.Derive(n.Input).Stream
	if stream && n.On == nil {
		return l.aggregate(n.Grouped())
	}
	bound := logicalplan.DistinctBound(n)
	timed := stream && (bound.OK || n.By != nil)
	if timed {
		l.timed++
	}
	in, f, err := l.lower(n.Input)
	if timed {
		l.timed--
	}
	switch {
	case err != nil:
		return nil, f, err
	case f.alters():
		return nil, f, unsupported(n.Pos, "DISTINCT ON over rows that may change")
	case f == appends && n.By != nil && l.view.Mode != catalog.Update:
		return nil, f, unsupported(n.Pos, "row_number() = 1 by the event time outside update mode")
	case f == appends && n.By != nil:
		return l.dedup(n, in, bound), upserts, nil
	case f == appends:
		return l.dedup(n, in, bound), appends, nil
	case n.By != nil:
		in = &Sort{Output: same(in), Input: in, Keys: []expr.SortKey{*n.By}}
	}
	d := &Distinct{Output: same(in)}
	d.Input, d.On = l.compared(n, in, whole)
	d.Output = same(d.Input)
	return only(d, in), whole, nil
}

// compared makes every expression that n compares a column; all columns for SELECT DISTINCT.
func (l *lowering) compared(n *logicalplan.Distinct, in Node, f flow) (_ Node, on []int) {
	width := len(in.Layout())
	if n.On == nil {
		for i := range width {
			on = append(on, i)
		}
	}
	var more []expr.Expr
	for _, e := range n.On {
		if c, ok := plain(e); ok && ordinal(in, c.ID) >= 0 {
			on = append(on, ordinal(in, c.ID))
			continue
		}
		more = append(more, e)
		on = append(on, width+len(more)-1)
	}
	if more == nil {
		return in, on
	}
	return l.extend(in, more, f), on
}

// only returns n with the columns that in has.
func only(n, in Node) Node {
	if len(n.Layout()) == len(in.Layout()) {
		return n
	}
	p := &Project{Output: same(in), Input: n}
	for _, c := range columnsOf(in) {
		p.Exprs = append(p.Exprs, &expr.Column{ID: c.ID, Name: c.Name, T: c.Type})
	}
	return p
}

// dedup keeps the keys from epoch to epoch. Rows that are late by their event time are dropped, also where nothing frees a key.
func (l *lowering) dedup(n *logicalplan.Distinct, in Node, bound logicalplan.Bound) Node {
	d := &Dedup{State: l.table(), Expires: -1, InKey: !n.WithinWatermark, By: -1}
	at := ordinal(in, bound.Column)
	if n.TTL > 0 {
		d.TTL, bound.OK = n.TTL, false // no watermark frees a key
	}
	if n.By != nil {
		c, _ := plain(n.By.X)
		d.By, d.Desc = ordinal(in, c.ID), n.By.Desc
		if !bound.OK {
			at = -1 // a late row may be the first by the event time all the same
		}
	}
	input := in
	if at >= 0 {
		win := windowOf(n.Input, bound)
		input = l.lateTest(in, at, bound, win, d.State)
		d.ByWindow = win != nil && bound.OK
	}
	if bound.OK {
		d.Expires, d.After = at, bound.Delay
		if bound.Kind == logicalplan.MarkWindowTime {
			d.After++
		}
	}
	d.Input, d.On = l.compared(n, input, appends)
	d.Output = same(d.Input)
	return only(d, in)
}
