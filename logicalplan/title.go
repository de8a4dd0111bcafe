package logicalplan

import (
	"fmt"
	"strings"

	"wmsql/expr"
)

// Title is the scan with the connector it reads from.
func (n *StreamScan) Title() string {
	c := n.Stream.Connector
	if c == "" {
		c = "internal"
	}
	return "StreamScan " + named(n.Stream.Name, n.Alias) + " (" + c + ")"
}

// Title is the table's name and alias.
func (n *TableScan) Title() string { return "TableScan " + named(n.Object.Name, n.Alias) }

// Title is the table's full name.
func (n *VirtualScan) Title() string { return "VirtualScan " + n.Schema + "." + n.Name }

// Title is the rows themselves while they are few.
func (n *Values) Title() string {
	switch {
	case len(n.Cols) == 0 && len(n.Rows) <= 1:
		return "Values (one empty row)"
	case len(n.Rows) > 3:
		return fmt.Sprintf("Values (%d rows)", len(n.Rows))
	}
	rows := make([]string, len(n.Rows))
	for i, r := range n.Rows {
		rows[i] = "(" + exprs(r) + ")"
	}
	return "Values " + strings.Join(rows, ", ")
}

// Title is the watermark's column and delay.
func (n *EventTimeWatermark) Title() string {
	return "EventTimeWatermark " + columnName(n, n.Column) + ", delay " + FormatInterval(n.Delay)
}

// Title is the condition.
func (n *Filter) Title() string { return "Filter " + conjunction(n.Conds) }

// Title is the output columns, with their expressions where they are computed.
func (n *Project) Title() string { return "Project [" + namedExprs(n.Exprs) + "]" }

// Title is the window function as the query spells it.
func (n *Window) Title() string {
	t := columnName(n.Input, n.Time)
	if n.TimeExpr != nil {
		t = n.TimeExpr.String()
	}
	name := n.Spelling
	if name == "" {
		name = [...]string{"TUMBLE", "HOP", "CUMULATE", "SESSION"}[n.Kind]
	}
	args := []string{t}
	if n.Kind == Session {
		return "Window " + name + "(" + t + ", " + sessionTitle(n) + ")"
	}
	if n.Kind == Hop || n.Kind == Cumulate {
		args = append(args, FormatInterval(n.Slide))
	}
	args = append(args, FormatInterval(n.Size))
	if n.Offset != 0 {
		args = append(args, "offset "+FormatMicros(n.Offset))
	}
	if n.Zone != "" {
		args = append(args, "zone "+n.Zone)
	}
	return "Window " + name + "(" + strings.Join(args, ", ") + ")"
}

// Title is the aggregates and the keys.
func (n *Aggregate) Title() string {
	aggs := make([]string, len(n.Aggs))
	for i, a := range n.Aggs {
		aggs[i] = alias(a.Agg.String(), a.Out.Name)
	}
	t := "Aggregate"
	if len(aggs) > 0 {
		t += " [" + strings.Join(aggs, ", ") + "]"
	}
	if len(n.Keys) > 0 {
		t += " by [" + namedExprs(n.Keys) + "]"
	}
	return t
}

// maxTitleSets is how many grouping sets a title lists.
const maxTitleSets = 8

// Title is the grouping sets, by the keys that are not in all of them.
func (n *Expand) Title() string {
	if len(n.Sets) > maxTitleSets {
		return fmt.Sprintf("Expand %d grouping sets of [%s]", len(n.Sets), namedExprs(n.Keys))
	}
	sets := make([]string, len(n.Sets))
	for i, in := range n.Sets {
		var keys []string
		for k, ok := range in {
			if ok {
				keys = append(keys, n.Keys[k].Expr.String())
			}
		}
		sets[i] = "(" + strings.Join(keys, ", ") + ")"
	}
	return "Expand GROUPING SETS (" + strings.Join(sets, ", ") + ")"
}

// Title names what must be distinct.
func (n *Distinct) Title() string {
	if n.On == nil {
		return "Distinct"
	}
	t := "Distinct on [" + exprs(n.On) + "]"
	if n.WithinWatermark {
		t += " within watermark"
	}
	if n.By != nil {
		t += " first by " + sortKeys([]expr.SortKey{*n.By})
	}
	return t
}

// Title is the sort keys.
func (n *Sort) Title() string { return "Sort [" + sortKeys(n.Keys) + "]" }

// Title is the bounds.
func (n *Limit) Title() string {
	t := "Limit"
	if n.Count != nil {
		t += " " + n.Count.String()
	}
	if n.Offset != nil {
		t += " offset " + n.Offset.String()
	}
	if n.Ties != nil {
		t += " with ties"
	}
	return t
}

// Title is the set-returning functions.
func (n *ProjectSet) Title() string {
	fs := make([]string, len(n.Funcs))
	for i, f := range n.Funcs {
		fs[i] = alias(call(f), n.Outs[i].Name)
	}
	return "ProjectSet [" + strings.Join(fs, ", ") + "]"
}

// Title is the functions and their window.
func (n *WindowFunc) Title() string {
	fs := make([]string, len(n.Funcs))
	for i, f := range n.Funcs {
		text := f.Name + "(" + exprs(f.Args) + ")"
		if f.Agg != nil {
			text = f.Agg.String()
		}
		fs[i] = alias(text, f.Out.Name)
	}
	t := "WindowFunc [" + strings.Join(fs, ", ") + "]"
	if len(n.PartitionBy) > 0 {
		t += " partition by [" + exprs(n.PartitionBy) + "]"
	}
	if len(n.OrderBy) > 0 {
		t += " order by [" + sortKeys(n.OrderBy) + "]"
	}
	return t
}

// Title is the kind and the condition.
func (n *Join) Title() string {
	t := [...]string{"Join", "LeftJoin", "RightJoin", "FullJoin", "SemiJoin", "AntiJoin", "CrossJoin", "AsOfJoin", "AsOfLeftJoin", "MarkJoin", "SingleJoin"}[n.Kind]
	conds := make([]string, 0, len(n.L)+len(n.On))
	for i := range n.L {
		conds = append(conds, n.L[i].String()+" = "+n.R[i].String())
	}
	for _, c := range n.On {
		conds = append(conds, c.String())
	}
	if len(conds) == 0 {
		return t
	}
	return t + " on " + strings.Join(conds, " AND ")
}

// Title is the kind of subquery.
func (n *Apply) Title() string {
	switch n.Kind {
	case ApplyExists:
		return "Apply exists"
	case ApplyIn:
		quantifier := "any"
		if n.All {
			quantifier = "all"
		}
		return "Apply " + quantifier + " " + n.Test.String()
	case ApplyArray:
		return "Apply array"
	case ApplyLateral:
		return "Apply lateral"
	case ApplyLeftLateral:
		return "Apply left lateral"
	}
	return "Apply scalar"
}

// Title is the operation.
func (n *Recursive) Title() string {
	if n.All {
		return "RecursiveAll"
	}
	return "Recursive"
}

// Title says which recursion is read.
func (n *RecursiveScan) Title() string { return fmt.Sprintf("RecursiveScan #%d", n.ID) }

// Title is the operation.
func (n *SetOp) Title() string {
	t := [...]string{"Union", "Intersect", "Except"}[n.Kind]
	if n.All {
		t += "All"
	}
	return t
}

// Title is the call.
func (n *TableFunc) Title() string {
	t := "TableFunc " + call(n.Func)
	if n.Ordinality {
		t += " with ordinality"
	}
	return t
}

func call(f *expr.TableFunction) string { return f.Name + "(" + exprs(f.Args) + ")" }

func named(name, as string) string {
	if as == "" || as == name {
		return name
	}
	return name + " AS " + as
}

func alias(text, name string) string {
	if text == name {
		return text
	}
	return text + " AS " + name
}

func exprs(es []expr.Expr) string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = e.String()
	}
	return strings.Join(out, ", ")
}

func conjunction(es []expr.Expr) string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = e.String()
		if _, or := e.(*expr.Or); or && len(es) > 1 && !strings.HasPrefix(out[i], "(") {
			out[i] = "(" + out[i] + ")"
		}
	}
	return strings.Join(out, " AND ")
}

func namedExprs(es []Named) string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = alias(e.Expr.String(), e.Out.Name)
		if c, ok := e.Expr.(*expr.Column); ok && strings.HasSuffix(c.Name, "."+e.Out.Name) {
			out[i] = c.Name
		}
	}
	return strings.Join(out, ", ")
}

func sortKeys(keys []expr.SortKey) string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = k.X.String()
		if k.Desc {
			out[i] += " desc"
		}
		if k.NullsFirst != k.Desc {
			out[i] += map[bool]string{true: " nulls first", false: " nulls last"}[k.NullsFirst]
		}
	}
	return strings.Join(out, ", ")
}

// columnName is the name that n's output gives the column.
func columnName(n Node, id expr.ColumnID) string {
	if c, ok := FindColumn(n, id); ok {
		return c.Name
	}
	return fmt.Sprintf("#%d", id)
}

// FindColumn returns n's output column with the given ID.
func FindColumn(n Node, id expr.ColumnID) (Column, bool) {
	for _, c := range n.Columns() {
		if c.ID == id {
			return c, true
		}
	}
	return Column{}, false
}
