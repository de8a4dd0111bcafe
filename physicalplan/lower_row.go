package physicalplan

import (
	"wmsql/expr"
	"wmsql/logicalplan"
)

// filter tells the scan below what it tests, and takes rows back in update mode.
func (l *lowering) filter(n *logicalplan.Filter) (Node, flow, error) {
	in, f, err := l.lower(n.Input)
	if err != nil {
		return nil, f, err
	}
	if s, ok := in.(*TableScan); ok {
		s.Conds = append(s.Conds, n.Conds...)
	}
	return &Filter{Output: same(in), Input: in, Conds: n.Conds, Retract: f == upserts, Corrects: keptBelow(in) != nil, Reject: l.rejects(f)}, f, nil
}

func (l *lowering) project(n *logicalplan.Project) (Node, flow, error) {
	in, f, err := l.lower(n.Input)
	if err != nil {
		return nil, f, err
	}
	p := &Project{Output: outputOf(n), Input: in, Retract: f == upserts, Corrects: keptBelow(in) != nil, Reject: l.rejects(f)}
	for _, e := range n.Exprs {
		p.Exprs = append(p.Exprs, e.Expr)
	}
	return p, f, nil
}

// window assigns windows. Its time is a column: an expression is computed by a Project below.
func (l *lowering) window(n *logicalplan.Window) (Node, flow, error) {
	if n.Kind == logicalplan.Session {
		return l.sessionWindow(n)
	}
	l.timed++
	in, f, err := l.lower(n.Input)
	l.timed--
	if err != nil {
		return nil, f, err
	}
	if f == upserts {
		return nil, f, unsupported(n.Pos, "a window over rows that replace each other").
			WithHint("Make a materialized view of what is below it, and give the window that.")
	}
	at := ordinal(in, n.Time)
	if n.TimeExpr != nil {
		in = l.extend(in, []expr.Expr{n.TimeExpr}, f)
		at = len(in.Layout()) - 1
	}
	cols := append(columnsOf(in), n.Start, n.End, n.WindowTime)
	return &Window{Output: output(cols), Input: in, Time: at, Window: n, Reject: l.rejects(f)}, f, nil
}

// extend returns in with computed columns added at its end.
func (l *lowering) extend(in Node, more []expr.Expr, f flow) Node {
	cols := columnsOf(in)
	p := &Project{Input: in, Retract: f == upserts, Corrects: keptBelow(in) != nil, Reject: l.rejects(f)}
	for _, c := range cols {
		p.Exprs = append(p.Exprs, &expr.Column{ID: c.ID, Name: c.Name, T: c.Type})
	}
	for _, e := range more {
		cols = append(cols, logicalplan.Column{ID: l.fresh, Name: e.String(), Type: e.Type()})
		l.fresh--
		p.Exprs = append(p.Exprs, e)
	}
	p.Output = output(cols)
	return p
}

// columnsOf returns n's columns with their IDs.
func columnsOf(n Node) []logicalplan.Column {
	fs := n.Schema().Fields
	out := make([]logicalplan.Column, len(fs))
	for i, id := range n.Layout() {
		out[i] = logicalplan.Column{ID: id, Name: fs[i].Name, Type: fs[i].Type}
	}
	return out
}

func (l *lowering) tableFunc(n *logicalplan.TableFunc) (Node, flow, error) {
	t := &TableFunc{Output: outputOf(n), Func: n.Func, Ordinality: n.Ordinality}
	if n.Input == nil {
		return t, whole, nil
	}
	in, f, err := l.lower(n.Input)
	if err != nil {
		return nil, f, err
	}
	if f.alters() {
		return nil, f, unsupported(n.Pos, "a set-returning function over rows that may change")
	}
	t.Input, t.Reject = in, l.rejects(f)
	return t, f, nil
}

func (l *lowering) projectSet(n *logicalplan.ProjectSet) (Node, flow, error) {
	in, f, err := l.lower(n.Input)
	if err != nil {
		return nil, f, err
	}
	if f.alters() {
		return nil, f, unsupported(n.Pos, "a set-returning function over rows that may change")
	}
	p := &ProjectSet{Output: outputOf(n), Input: in, Funcs: n.Funcs, Reject: l.rejects(f)}
	for _, e := range n.Exprs {
		p.Exprs = append(p.Exprs, e.Expr)
	}
	return p, f, nil
}

// batchOnly lowers the input of an operator that needs the whole relation at once.
func (l *lowering) batchOnly(n logicalplan.Node, pos int, what string) (Node, error) {
	in, f, err := l.lower(n)
	if err == nil && f.stateful() {
		err = unsupported(pos, "%s over a stream", what)
	}
	return in, err
}

func (l *lowering) windowFunc(n *logicalplan.WindowFunc) (Node, flow, error) {
	over := l.view != nil && logicalplan.OverStream(n)
	if over {
		l.timed++
	}
	in, f, err := l.lower(n.Input)
	if over {
		l.timed--
	}
	switch {
	case err != nil:
		return nil, f, err
	case f.alters():
		return nil, f, unsupported(n.Pos, "a window function (OVER) over rows that may change")
	case f == appends && over:
		return l.overTime(n, in)
	}
	if a := aggregateBelow(in); a != nil {
		a.Whole = true
	}
	return &WindowFunc{Output: outputOf(n), Input: in, Over: Over{n.PartitionBy, n.OrderBy, n.Funcs}}, f, nil
}

func (l *lowering) recursive(n *logicalplan.Recursive) (Node, flow, error) {
	base, err := l.batchOnly(n.Base, n.Pos, "WITH RECURSIVE")
	if err != nil {
		return nil, whole, err
	}
	step, err := l.batchOnly(n.Step, n.Pos, "WITH RECURSIVE")
	if err != nil {
		return nil, whole, err
	}
	return &Recursive{Output: outputOf(n), Base: base, Step: step, ID: n.ID, All: n.All}, whole, nil
}

// aggregateBelow is the aggregate over a stream whose rows n only chooses from, nil if there is none.
func aggregateBelow(n Node) *StreamAggregate {
	for {
		switch m := n.(type) {
		case *StreamAggregate:
			return m
		case *Filter:
			n = m.Input
		case *Project:
			n = m.Input
		default:
			return nil
		}
	}
}
