package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
)

type columnIDs map[expr.ColumnID]bool

// pruner drops the columns that nobody above reads, down to the scans: a source then decodes only what the query needs. A
// stream whose late rows are kept is read whole, because its late rows are shown as they came.
type pruner struct{ changed bool }

func pruneColumns(n logicalplan.Node) (logicalplan.Node, bool) {
	p := &pruner{}
	n = p.prune(n, columnIDs(logicalplan.ColumnSet(n)))
	return n, p.changed
}

// with returns need and what n itself reads.
func (need columnIDs) with(n logicalplan.Node) columnIDs {
	out := columnIDs{}
	for id := range need {
		out[id] = true
	}
	logicalplan.Reads(n, out)
	return out
}

// prune returns n with at least the columns of need.
func (p *pruner) prune(n logicalplan.Node, need columnIDs) logicalplan.Node {
	switch n := n.(type) {
	case *logicalplan.Project:
		return p.project(n, need)
	case *logicalplan.ProjectSet:
		c := *n
		c.Exprs = p.keep(n.Exprs, need)
		return p.over(&c, columnIDs{}.with(&c))
	case *logicalplan.Aggregate:
		return p.aggregate(n, need)
	case *logicalplan.EventTimeWatermark:
		if n.Stream != nil && n.Stream.Options["late_rows"] == "keep" {
			need = logicalplan.ColumnSet(n)
		}
		return p.over(n, need.with(n))
	case *logicalplan.Distinct:
		if n.On == nil {
			need = logicalplan.ColumnSet(n)
		}
		need = need.with(n)
		need[logicalplan.DistinctBound(n).Column] = true // keys are late and freed by it, also where nobody reads it
		return p.over(n, need)
	case *logicalplan.Join:
		need = need.with(n)
		for _, id := range logicalplan.LateColumns(n) {
			need[id] = true
		}
		return p.over(n, need)
	case *logicalplan.Process:
		return p.over(n, columnIDs{}.with(n))
	case *logicalplan.SetOp:
		return p.setOp(n, need)
	case *logicalplan.Apply:
		return p.apply(n, need)
	case *logicalplan.Recursive:
		return n.WithInputs([]logicalplan.Node{p.prune(n.Base, logicalplan.ColumnSet(n.Base)), p.prune(n.Step, logicalplan.ColumnSet(n.Step))})
	case *logicalplan.StreamScan:
		c := *n
		c.Cols, c.Ords = p.scan(n.Cols, n.Ords, need)
		return &c
	case *logicalplan.ResultScan:
		c := *n
		c.Cols, c.Ords = p.scan(n.Cols, n.Ords, need)
		return &c
	case *logicalplan.TableScan:
		c := *n
		c.Cols, c.Ords = p.scan(n.Cols, n.Ords, need)
		return &c
	case *logicalplan.VirtualScan:
		c := *n
		c.Cols, c.Ords = p.scan(n.Cols, n.Ords, need)
		return &c
	case *logicalplan.Values, *logicalplan.RecursiveScan:
		return n
	}
	return p.over(n, need.with(n)) // Filter, Window, Sort, Limit, TableFunc, WindowFunc
}

// over prunes the inputs of n to need.
func (p *pruner) over(n logicalplan.Node, need columnIDs) logicalplan.Node {
	in := n.Inputs()
	if len(in) == 0 {
		return n
	}
	out := make([]logicalplan.Node, len(in))
	for i, x := range in {
		out[i] = p.prune(x, need)
	}
	return n.WithInputs(out)
}

// keep drops the outputs that are not needed; one stays, so that rows can be counted.
func (p *pruner) keep(es []logicalplan.Named, need columnIDs) []logicalplan.Named {
	var out []logicalplan.Named
	for _, e := range es {
		if need[e.Out.ID] {
			out = append(out, e)
		}
	}
	if len(out) == 0 && len(es) > 0 {
		out = es[:1]
	}
	p.changed = p.changed || len(out) < len(es)
	return out
}

func (p *pruner) project(n *logicalplan.Project, need columnIDs) logicalplan.Node {
	c := *n
	c.Exprs = p.keep(n.Exprs, need)
	return p.over(&c, columnIDs{}.with(&c))
}

func (p *pruner) aggregate(n *logicalplan.Aggregate, need columnIDs) logicalplan.Node {
	c := *n
	c.Aggs = nil
	for _, a := range n.Aggs {
		if need[a.Out.ID] {
			c.Aggs = append(c.Aggs, a)
		}
	}
	if len(c.Aggs) == 0 && len(n.Keys) == 0 {
		c.Aggs = n.Aggs
	}
	p.changed = p.changed || len(c.Aggs) < len(n.Aggs)
	return p.over(&c, columnIDs{}.with(&c))
}

// setOp narrows a UNION ALL, whose inputs are then cut to the same positions; any other operation compares whole rows.
func (p *pruner) setOp(n *logicalplan.SetOp, need columnIDs) logicalplan.Node {
	var at []int
	for i, c := range n.Cols {
		if need[c.ID] {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		at = []int{0}
	}
	narrow := n.Kind == logicalplan.Union && n.All && len(at) < len(n.Cols)
	c := *n
	c.In = make([]logicalplan.Node, len(n.In))
	for i, in := range n.In {
		if !narrow {
			c.In[i] = p.prune(in, logicalplan.ColumnSet(in))
			continue
		}
		cols := in.Columns()
		part := &logicalplan.Project{Input: in, Pos: in.At()}
		for _, k := range at {
			x := &expr.Column{ID: cols[k].ID, Name: cols[k].Name, T: cols[k].Type}
			part.Exprs = append(part.Exprs, logicalplan.Named{Out: cols[k], Expr: x})
		}
		c.In[i] = p.prune(part, logicalplan.ColumnSet(part))
	}
	if narrow {
		p.changed = true
		c.Cols = nil
		for _, k := range at {
			c.Cols = append(c.Cols, n.Cols[k])
		}
	}
	return &c
}

// apply keeps what the subplan reads of the input, and all of a subplan whose columns are read by position.
func (p *pruner) apply(n *logicalplan.Apply, need columnIDs) logicalplan.Node {
	in := need.with(n)
	for id := range logicalplan.Free(n.Subplan) {
		in[id] = true
	}
	sub := columnIDs(logicalplan.ColumnSet(n.Subplan))
	switch n.Kind {
	case logicalplan.ApplyLateral, logicalplan.ApplyLeftLateral:
		sub = need
	case logicalplan.ApplyExists:
		sub = columnIDs{}
	}
	return n.WithInputs([]logicalplan.Node{p.prune(n.Input, in), p.prune(n.Subplan, sub)})
}

// scan keeps the columns that are needed; without any, the narrowest one, so that rows can be counted.
func (p *pruner) scan(cols []logicalplan.Column, ords []int, need columnIDs) ([]logicalplan.Column, []int) {
	var outCols []logicalplan.Column
	var outOrds []int
	for i, c := range cols {
		if need[c.ID] {
			outCols, outOrds = append(outCols, c), append(outOrds, ords[i])
		}
	}
	if len(outCols) == 0 && len(cols) > 0 {
		k := narrowest(cols)
		outCols, outOrds = cols[k:k+1], ords[k:k+1]
	}
	p.changed = p.changed || len(outCols) < len(cols)
	return outCols, outOrds
}

// narrowest is the first fixed-width column, else the first.
func narrowest(cols []logicalplan.Column) int {
	for i, c := range cols {
		if c.Type.Kind.Info().Len > 0 && !c.Type.Array {
			return i
		}
	}
	return 0
}
