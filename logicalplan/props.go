package logicalplan

import (
	"wmsql/expr"
)

// MarkKind says how a column is tied to a watermark.
type MarkKind uint8

// The kinds of mark.
const (
	MarkTime        MarkKind = iota // the event-time column itself
	MarkWindowStart                 // the start of a window of it
	MarkWindowEnd                   // the end of a window of it
	MarkWindowTime                  // the end of a window of it - 1 µs
)

// Mark ties a column to the EventTimeWatermark nodes that speak for it.
type Mark struct {
	Kind    MarkKind
	Sources []*EventTimeWatermark
	Window  *Window // nil for MarkTime
}

// Props is what is known of a node's output before the first row.
type Props struct {
	Stream bool // unbounded: some leaf is a stream
	Marks  map[expr.ColumnID]Mark
	Lost   map[expr.ColumnID]Loss // columns made from a marked one in a way that loses the mark
	// Updating says that rows may be changed later. Below an aggregate that append mode makes final it is true all the
	// same: the properties do not know the mode.
	Updating bool
	Key      []expr.ColumnID // a unique key of the output; nil if none is known, empty if there is at most one row
}

// Loss says where and why a mark died.
type Loss struct {
	Node   Node
	Column expr.ColumnID // that was marked
	Name   string        // of that column
	Pos    int
	Why    string // one clause: "event_time + '00:00:00' is an expression"
}

// Derive computes the properties of n.
func Derive(n Node) *Props {
	switch n := n.(type) {
	case *StreamScan:
		return newProps(true)
	case *ResultScan:
		return deriveResult(n)
	case *TableScan, *VirtualScan, *Values, *RecursiveScan:
		return newProps(false)
	case *EventTimeWatermark:
		p := Derive(n.Input)
		p.Marks[n.Column] = Mark{Kind: MarkTime, Sources: []*EventTimeWatermark{n}}
		delete(p.Lost, n.Column)
		return p
	case *Project:
		return deriveProject(n, n.Exprs)
	case *ProjectSet:
		p := deriveProject(n, n.Exprs)
		p.Key = nil
		return p
	case *Window:
		return deriveWindow(n)
	case *Process:
		return deriveProcess(n)
	case *Aggregate:
		return deriveAggregate(n)
	case *Expand:
		return deriveExpand(n)
	case *Join:
		return deriveJoin(n)
	case *SetOp:
		return deriveSetOp(n)
	case *Apply:
		return deriveApply(n)
	case *Recursive:
		return newProps(Derive(n.Base).Stream || Derive(n.Step).Stream)
	case *TableFunc:
		if n.Input == nil {
			return newProps(false)
		}
		p := Derive(n.Input)
		p.Key = nil
		return p
	case *Distinct:
		p := Derive(n.Input)
		if n.On == nil || n.By != nil {
			p.Updating = p.Stream
		}
		if n.By != nil {
			p.Key = plainColumns(n.On)
		}
		if n.On == nil && p.Key == nil {
			p.Key = columnIDs(n.Columns())
		}
		return p
	case *TopN:
		return deriveTopN(n)
	case *WindowFunc:
		return deriveWindowFunc(n)
	case *Filter, *Sort, *Limit:
		return Derive(n.Inputs()[0])
	}
	panic("logicalplan: Derive of an unknown node")
}

func newProps(stream bool) *Props {
	return &Props{Stream: stream, Marks: map[expr.ColumnID]Mark{}, Lost: map[expr.ColumnID]Loss{}}
}

func columnIDs(cols []Column) []expr.ColumnID {
	ids := make([]expr.ColumnID, len(cols))
	for i, c := range cols {
		ids[i] = c.ID
	}
	return ids
}

// plainColumns returns the columns that es are, nil if one is something else.
func plainColumns(es []expr.Expr) []expr.ColumnID {
	ids := make([]expr.ColumnID, len(es))
	for i, e := range es {
		c, ok := e.(*expr.Column)
		if !ok {
			return nil
		}
		ids[i] = c.ID
	}
	return ids
}

// keepKey returns key if all its columns are still there, else nil.
func keepKey(key []expr.ColumnID, cols []Column) []expr.ColumnID {
	if key == nil {
		return nil
	}
	have := make(map[expr.ColumnID]bool, len(cols))
	for _, c := range cols {
		have[c.ID] = true
	}
	for _, id := range key {
		if !have[id] {
			return nil
		}
	}
	return key
}

// deriveProject keeps the marks of plain columns and notes which expressions lose one.
func deriveProject(n Node, es []Named) *Props {
	in := Derive(n.Inputs()[0])
	p := newProps(in.Stream)
	p.Updating = in.Updating
	for _, e := range es {
		p.take(in, n, e)
	}
	p.Key = keepKey(in.Key, n.Columns())
	return p
}

// take carries what in knows of an output expression over to p.
func (p *Props) take(in *Props, n Node, e Named) {
	if c, ok := e.Expr.(*expr.Column); ok {
		if m, ok := in.Marks[c.ID]; ok {
			p.Marks[e.Out.ID] = m
		}
		if l, ok := in.Lost[c.ID]; ok {
			p.Lost[e.Out.ID] = l
		}
		return
	}
	if l, ok := in.lossIn(e.Expr, n); ok {
		p.Lost[e.Out.ID] = l
	}
}

// lossIn reports the mark that is lost by computing e.
func (p *Props) lossIn(e expr.Expr, n Node) (loss Loss, lost bool) {
	expr.Columns(e, func(c *expr.Column) {
		if lost {
			return
		}
		if l, ok := p.Lost[c.ID]; ok {
			loss, lost = l, true
		} else if _, ok := p.Marks[c.ID]; ok {
			lost = true
			loss = Loss{Node: n, Column: c.ID, Name: c.Name, Pos: exprPos(e, n), Why: e.String() + " is an expression"}
		}
	})
	return loss, lost
}

// exprPos is the place of the first call in e, else of n.
func exprPos(e expr.Expr, n Node) int {
	pos := 0
	expr.Walk(e, func(x expr.Expr) bool {
		if c, ok := x.(*expr.Call); ok && pos == 0 {
			pos = c.Pos
		}
		return pos == 0
	})
	if pos == 0 {
		return n.At()
	}
	return pos
}

func deriveWindow(n *Window) *Props {
	p := Derive(n.Input)
	p.Key = nil
	m, ok := p.Marks[n.Time]
	switch {
	case ok && m.Kind != MarkWindowStart:
		p.Marks[n.Start.ID] = Mark{Kind: MarkWindowStart, Sources: m.Sources, Window: n}
		p.Marks[n.End.ID] = Mark{Kind: MarkWindowEnd, Sources: m.Sources, Window: n}
		p.Marks[n.WindowTime.ID] = Mark{Kind: MarkWindowTime, Sources: m.Sources, Window: n}
	default:
		if l, ok := p.Lost[n.Time]; ok {
			for _, c := range []Column{n.Start, n.End, n.WindowTime} {
				p.Lost[c.ID] = l
			}
		}
	}
	return p
}

func deriveAggregate(n *Aggregate) *Props {
	in := Derive(n.Input)
	p := newProps(in.Stream)
	p.Updating = in.Stream
	for _, k := range n.Keys {
		p.take(in, n, k)
	}
	for _, a := range n.Aggs {
		for _, x := range a.Agg.Args {
			if l, ok := in.lossIn(x, n); ok {
				l.Why = a.Agg.String() + " is an aggregate"
				l.Pos = a.Pos
				p.Lost[a.Out.ID] = l
			}
		}
	}
	p.Key = columnIDs(outs(n.Keys))
	return p
}

// deriveExpand: a key that is NULL in some copies is no event time any more.
func deriveExpand(n *Expand) *Props {
	p := Derive(n.Input)
	p.Key = nil
	for _, k := range n.Keys {
		loss, ok := p.lossIn(k.Expr, n)
		if c, plain := k.Expr.(*expr.Column); ok && plain && p.Lost[c.ID].Node == nil {
			loss.Why = c.Name + " is not in every grouping set"
		}
		if ok {
			p.Lost[k.Out.ID] = loss
		}
	}
	return p
}

func deriveJoin(n *Join) *Props {
	l, r := Derive(n.Left), Derive(n.Right)
	if l.Stream && r.Stream && n.AsOf() {
		return deriveAsOf(n, l, r)
	}
	if l.Stream && r.Stream {
		return deriveStreamJoin(n, l, r)
	}
	p := &Props{Stream: l.Stream || r.Stream, Marks: l.Marks, Lost: l.Lost, Updating: l.Updating || r.Updating}
	if n.Kind.Tests() {
		p.Key = l.Key
		return p
	}
	for id, m := range r.Marks {
		p.Marks[id] = m
	}
	for id, x := range r.Lost {
		p.Lost[id] = x
	}
	switch {
	case n.AsOf(), n.Kind == SingleJoin:
		p.Key = l.Key
	case l.Key != nil && r.Key != nil && n.Kind != FullJoin:
		p.Key = append(append([]expr.ColumnID{}, l.Key...), r.Key...)
	}
	return p
}

// deriveStreamJoin keeps the marks by which rows wait for their partners.
func deriveStreamJoin(n *Join, l, r *Props) *Props {
	b := joinBound(n, l, r)
	p := newProps(true)
	p.Updating = l.Updating || r.Updating
	b.carryMarks(p, n, 0, l)
	if n.Kind == SemiJoin || n.Kind == AntiJoin {
		p.Key = l.Key
		return p
	}
	b.carryMarks(p, n, 1, r)
	if l.Key != nil && r.Key != nil && n.Kind != FullJoin {
		p.Key = append(append([]expr.ColumnID{}, l.Key...), r.Key...)
	}
	return p
}

func deriveApply(n *Apply) *Props {
	p, sub := Derive(n.Input), Derive(n.Subplan)
	p.Stream = p.Stream || sub.Stream
	if n.Kind == ApplyLateral || n.Kind == ApplyLeftLateral {
		p.Key = nil
		for id, m := range sub.Marks {
			p.Marks[id] = m
		}
	}
	return p
}

// deriveSetOp marks the columns that every input that is a stream marks alike.
func deriveSetOp(n *SetOp) *Props {
	p := newProps(false)
	ins := make([]*Props, len(n.In))
	for i, in := range n.In {
		ins[i] = Derive(in)
		p.Stream = p.Stream || ins[i].Stream
		p.Updating = p.Updating || ins[i].Updating
	}
	for c, out := range n.Cols {
		p.unify(n, ins, c, out)
	}
	if !n.All {
		p.Key = columnIDs(n.Cols)
	}
	return p
}

// unify decides whether column c of a set operation is marked.
func (p *Props) unify(n *SetOp, ins []*Props, c int, out Column) {
	var mark *Mark
	loss := Loss{Node: n}
	lost := false
	for i, in := range ins {
		col := n.In[i].Columns()[c]
		m, ok := in.Marks[col.ID]
		switch {
		case !in.Stream:
		case !ok:
			if l, was := in.Lost[col.ID]; was && !lost {
				loss = l
			} else if !lost {
				loss.Pos = n.In[i].At()
				loss.Why = "input " + ordinal(i+1) + " of the " + n.Title() + " has no watermark on it"
			}
			lost = true
		case mark == nil:
			mark = &Mark{Kind: m.Kind, Sources: append([]*EventTimeWatermark{}, m.Sources...), Window: m.Window}
			if loss.Column == 0 {
				loss.Column, loss.Name = col.ID, col.Name
			}
		case mark.Kind != m.Kind:
			loss.Why, lost = "the inputs of the "+n.Title()+" mark it differently", true
		default:
			mark.Sources = append(mark.Sources, m.Sources...)
		}
	}
	switch {
	case mark != nil && lost:
		p.Lost[out.ID] = loss
	case mark != nil:
		p.Marks[out.ID] = *mark
	case lost && loss.Column != 0:
		p.Lost[out.ID] = loss
	}
}

func ordinal(n int) string { return string(rune('0' + n%10)) }
