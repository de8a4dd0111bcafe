package logicalplan

import "slices"

// Inputs returns the input.
func (n *EventTimeWatermark) Inputs() []Node { return []Node{n.Input} }

// WithInputs returns a copy over another input.
func (n *EventTimeWatermark) WithInputs(in []Node) Node { c := *n; c.Input = only(in); return &c }

// Inputs returns the input.
func (n *Filter) Inputs() []Node { return []Node{n.Input} }

// WithInputs returns a copy over another input.
func (n *Filter) WithInputs(in []Node) Node { c := *n; c.Input = only(in); return &c }

// Inputs returns the input.
func (n *Project) Inputs() []Node { return []Node{n.Input} }

// WithInputs returns a copy over another input.
func (n *Project) WithInputs(in []Node) Node { c := *n; c.Input = only(in); return &c }

// Inputs returns the input.
func (n *Window) Inputs() []Node { return []Node{n.Input} }

// WithInputs returns a copy over another input.
func (n *Window) WithInputs(in []Node) Node { c := *n; c.Input = only(in); return &c }

// Inputs returns the input.
func (n *Aggregate) Inputs() []Node { return []Node{n.Input} }

// WithInputs returns a copy over another input.
func (n *Aggregate) WithInputs(in []Node) Node { c := *n; c.Input = only(in); return &c }

// Inputs returns the input.
func (n *Expand) Inputs() []Node { return []Node{n.Input} }

// WithInputs returns a copy over another input.
func (n *Expand) WithInputs(in []Node) Node { c := *n; c.Input = only(in); return &c }

// Inputs returns the input.
func (n *Distinct) Inputs() []Node { return []Node{n.Input} }

// WithInputs returns a copy over another input.
func (n *Distinct) WithInputs(in []Node) Node { c := *n; c.Input = only(in); return &c }

// Inputs returns the input.
func (n *Sort) Inputs() []Node { return []Node{n.Input} }

// WithInputs returns a copy over another input.
func (n *Sort) WithInputs(in []Node) Node { c := *n; c.Input = only(in); return &c }

// Inputs returns the input.
func (n *Limit) Inputs() []Node { return []Node{n.Input} }

// WithInputs returns a copy over another input.
func (n *Limit) WithInputs(in []Node) Node { c := *n; c.Input = only(in); return &c }

// Inputs returns the input.
func (n *ProjectSet) Inputs() []Node { return []Node{n.Input} }

// WithInputs returns a copy over another input.
func (n *ProjectSet) WithInputs(in []Node) Node { c := *n; c.Input = only(in); return &c }

// Inputs returns the input.
func (n *WindowFunc) Inputs() []Node { return []Node{n.Input} }

// WithInputs returns a copy over another input.
func (n *WindowFunc) WithInputs(in []Node) Node { c := *n; c.Input = only(in); return &c }

// Inputs returns the input.
func (n *Process) Inputs() []Node { return []Node{n.Input} }

// WithInputs returns a copy over another input.
func (n *Process) WithInputs(in []Node) Node { c := *n; c.Input = only(in); return &c }

// Inputs returns nil: a leaf.
func (n *StreamScan) Inputs() []Node { return nil }

// WithInputs returns the leaf itself.
func (n *StreamScan) WithInputs(in []Node) Node { _ = in[:0]; return n }

// Inputs returns nil: a leaf.
func (n *TableScan) Inputs() []Node { return nil }

// WithInputs returns the leaf itself.
func (n *TableScan) WithInputs(in []Node) Node { _ = in[:0]; return n }

// Inputs returns nil: a leaf.
func (n *VirtualScan) Inputs() []Node { return nil }

// WithInputs returns the leaf itself.
func (n *VirtualScan) WithInputs(in []Node) Node { _ = in[:0]; return n }

// Inputs returns nil: a leaf.
func (n *Values) Inputs() []Node { return nil }

// WithInputs returns the leaf itself.
func (n *Values) WithInputs(in []Node) Node { _ = in[:0]; return n }

// Inputs returns nil: a leaf.
func (n *RecursiveScan) Inputs() []Node { return nil }

// WithInputs returns the leaf itself.
func (n *RecursiveScan) WithInputs(in []Node) Node { _ = in[:0]; return n }

// Inputs returns both inputs.
func (n *Join) Inputs() []Node { return []Node{n.Left, n.Right} }

// WithInputs returns a copy over other inputs.
func (n *Join) WithInputs(in []Node) Node { c := *n; c.Left, c.Right = in[0], in[1]; return &c }

// Inputs returns both inputs.
func (n *Apply) Inputs() []Node { return []Node{n.Input, n.Subplan} }

// WithInputs returns a copy over other inputs.
func (n *Apply) WithInputs(in []Node) Node { c := *n; c.Input, c.Subplan = in[0], in[1]; return &c }

// Inputs returns both inputs.
func (n *Recursive) Inputs() []Node { return []Node{n.Base, n.Step} }

// WithInputs returns a copy over other inputs.
func (n *Recursive) WithInputs(in []Node) Node { c := *n; c.Base, c.Step = in[0], in[1]; return &c }

// Inputs returns the inputs.
func (n *SetOp) Inputs() []Node { return n.In }

// WithInputs returns a copy over other inputs.
func (n *SetOp) WithInputs(in []Node) Node { c := *n; c.In = in; return &c }

// Inputs returns the input, if there is one.
func (n *TableFunc) Inputs() []Node {
	if n.Input == nil {
		return nil
	}
	return []Node{n.Input}
}

// WithInputs returns a copy over another input.
func (n *TableFunc) WithInputs(in []Node) Node {
	c := *n
	if n.Input != nil {
		c.Input = only(in)
	}
	return &c
}

// At returns the node's place in the statement.
func (n *EventTimeWatermark) At() int { return n.Pos }
func (*EventTimeWatermark) sealed()   {}

// At returns the node's place in the statement.
func (n *Process) At() int { return n.Pos }
func (*Process) sealed()   {}

// At returns the node's place in the statement.
func (n *Filter) At() int { return n.Pos }
func (*Filter) sealed()   {}

// At returns the node's place in the statement.
func (n *Project) At() int { return n.Pos }
func (*Project) sealed()   {}

// At returns the node's place in the statement.
func (n *Window) At() int { return n.Pos }
func (*Window) sealed()   {}

// At returns the node's place in the statement.
func (n *Aggregate) At() int { return n.Pos }
func (*Aggregate) sealed()   {}

// At returns the node's place in the statement.
func (n *Expand) At() int { return n.Pos }
func (*Expand) sealed()   {}

// At returns the node's place in the statement.
func (n *Distinct) At() int { return n.Pos }
func (*Distinct) sealed()   {}

// At returns the node's place in the statement.
func (n *Sort) At() int { return n.Pos }
func (*Sort) sealed()   {}

// At returns the node's place in the statement.
func (n *Limit) At() int { return n.Pos }
func (*Limit) sealed()   {}

// At returns the node's place in the statement.
func (n *ProjectSet) At() int { return n.Pos }
func (*ProjectSet) sealed()   {}

// At returns the node's place in the statement.
func (n *WindowFunc) At() int { return n.Pos }
func (*WindowFunc) sealed()   {}

// At returns the node's place in the statement.
func (n *StreamScan) At() int { return n.Pos }
func (*StreamScan) sealed()   {}

// At returns the node's place in the statement.
func (n *TableScan) At() int { return n.Pos }
func (*TableScan) sealed()   {}

// At returns the node's place in the statement.
func (n *VirtualScan) At() int { return n.Pos }
func (*VirtualScan) sealed()   {}

// At returns the node's place in the statement.
func (n *Values) At() int { return n.Pos }
func (*Values) sealed()   {}

// At returns the node's place in the statement.
func (n *RecursiveScan) At() int { return n.Pos }
func (*RecursiveScan) sealed()   {}

// At returns the node's place in the statement.
func (n *Join) At() int { return n.Pos }
func (*Join) sealed()   {}

// At returns the node's place in the statement.
func (n *Apply) At() int { return n.Pos }
func (*Apply) sealed()   {}

// At returns the node's place in the statement.
func (n *Recursive) At() int { return n.Pos }
func (*Recursive) sealed()   {}

// At returns the node's place in the statement.
func (n *SetOp) At() int { return n.Pos }
func (*SetOp) sealed()   {}

// At returns the node's place in the statement.
func (n *TableFunc) At() int { return n.Pos }
func (*TableFunc) sealed()   {}

// Columns returns the input's columns.
func (n *EventTimeWatermark) Columns() []Column { return n.Input.Columns() }

// Columns returns the input's columns.
func (n *Filter) Columns() []Column { return n.Input.Columns() }

// Columns returns the input's columns.
func (n *Distinct) Columns() []Column { return n.Input.Columns() }

// Columns returns the input's columns.
func (n *Sort) Columns() []Column { return n.Input.Columns() }

// Columns returns the input's columns.
func (n *Limit) Columns() []Column { return n.Input.Columns() }

// Columns returns the node's columns.
func (n *StreamScan) Columns() []Column { return n.Cols }

// Columns returns the node's columns.
func (n *TableScan) Columns() []Column { return n.Cols }

// Columns returns the node's columns.
func (n *VirtualScan) Columns() []Column { return n.Cols }

// Columns returns the node's columns.
func (n *Values) Columns() []Column { return n.Cols }

// Columns returns the node's columns.
func (n *RecursiveScan) Columns() []Column { return n.Cols }

// Columns returns the node's columns.
func (n *SetOp) Columns() []Column { return n.Cols }

// Columns returns the node's columns.
func (n *Recursive) Columns() []Column { return n.Cols }

// Columns returns the computed columns.
func (n *Project) Columns() []Column { return outs(n.Exprs) }

// Columns returns the input's columns and the window's bounds.
func (n *Window) Columns() []Column {
	return append(slices.Clip(n.Input.Columns()), n.Start, n.End, n.WindowTime)
}

// Columns returns the keys, then the aggregates.
func (n *Aggregate) Columns() []Column {
	cols := outs(n.Keys)
	for _, a := range n.Aggs {
		cols = append(cols, a.Out)
	}
	return cols
}

// Columns returns the keys, the set's number, then the input's columns.
func (n *Expand) Columns() []Column {
	return append(append(outs(n.Keys), n.Set), n.Input.Columns()...)
}

// Columns returns the left columns, then the right ones, or where the join only tests for a partner the mark, if it has one.
func (n *Join) Columns() []Column {
	switch {
	case n.Kind == MarkJoin:
		return append(slices.Clip(n.Left.Columns()), n.Mark)
	case n.Kind.Tests():
		return n.Left.Columns()
	}
	return append(slices.Clip(n.Left.Columns()), n.Right.Columns()...)
}

// Columns returns the input's columns and what the subplan adds.
func (n *Apply) Columns() []Column {
	if n.Kind == ApplyLateral || n.Kind == ApplyLeftLateral {
		return append(slices.Clip(n.Input.Columns()), n.Subplan.Columns()...)
	}
	return append(slices.Clip(n.Input.Columns()), n.Out)
}

// Columns returns the input's columns and the function's.
func (n *TableFunc) Columns() []Column {
	if n.Input == nil {
		return n.Cols
	}
	return append(slices.Clip(n.Input.Columns()), n.Cols...)
}

// Columns returns the scalar items, then the set-returning ones.
func (n *ProjectSet) Columns() []Column { return append(outs(n.Exprs), n.Outs...) }

// Columns returns the input's columns and the functions'.
func (n *WindowFunc) Columns() []Column {
	cols := slices.Clip(n.Input.Columns())
	for _, f := range n.Funcs {
		cols = append(cols, f.Out)
	}
	return cols
}

func outs(es []Named) []Column {
	cols := make([]Column, len(es))
	for i, e := range es {
		cols[i] = e.Out
	}
	return cols
}
