package physicalplan

import (
	"fmt"
	"strings"
	"time"

	"wmsql/expr"
	"wmsql/types"
)

// Title is the operator's line.
func (n *StreamScan) Title() string {
	if n.View != nil {
		return "ResultScan " + n.Stream.Name + " (" + strings.Join(names(n, nil), ", ") + ")"
	}
	return "StreamScan " + n.Stream.Name + " (" + strings.Join(names(n, nil), ", ") + ")"
}

// Title is the operator's line.
func (n *TableScan) Title() string {
	return "TableScan " + n.Object.Name + " (" + strings.Join(names(n, nil), ", ") + ")"
}

// Title is the operator's line.
func (n *VirtualScan) Title() string { return "VirtualScan " + n.In + "." + n.Name }

// Title is the operator's line.
func (n *Values) Title() string { return fmt.Sprintf("Values rows=%d", len(n.Rows)) }

// Title is the operator's line.
func (n *RecursiveScan) Title() string { return fmt.Sprintf("RecursiveScan %d", n.ID) }

// Title is the operator's line.
func (n *Watermark) Title() string {
	if n.Carried {
		return fmt.Sprintf("CarriedWatermark %s table=%d", n.Stream.Name, n.State)
	}
	return fmt.Sprintf("EventTimeWatermark %s delay %s table=%d", n.Schem.Fields[n.Column].Name, delayText(n.Delay), n.State)
}

// Title is the operator's line.
func (n *LateFilter) Title() string {
	s := "LateFilter " + n.Schem.Fields[n.Expires].Name
	if n.Keep {
		s += " keep"
	}
	return s
}

// Title is the operator's line.
func (n *Filter) Title() string {
	s := "Filter " + joined(n.Conds, " AND ")
	if n.Retract {
		s += " retract"
	}
	return s
}

// Title is the operator's line.
func (n *Project) Title() string { return "Project " + joined(n.Exprs, ", ") }

// Title is the operator's line.
func (n *Window) Title() string {
	s := "AssignWindows" + strings.TrimPrefix(n.Window.Title(), "Window")
	if n.Pane {
		s += " panes"
	}
	if n.Late {
		s += " late=drop"
	}
	return s
}

// Title is the operator's line.
func (n *StreamAggregate) Title() string {
	s := fmt.Sprintf("StreamAggregate %s%s mode=%s table=%d", keysTitle(n.Input, n.Keys), aggsTitle(n.Aggs), n.Mode, n.State)
	if n.Expires >= 0 {
		s += " expires=" + n.Input.Schema().Fields[n.Expires].Name
	}
	s += ttlTitle(n.TTL)
	if n.Retracts {
		s += " retracts"
	}
	if n.Changes {
		s += " changes"
	}
	if n.Panes != nil {
		s += fmt.Sprintf(" panes=%d", n.Panes.Size/n.Panes.Slide)
	}
	return s
}

// ttlTitle is how long state lives that no watermark frees; "" if that is for ever.
func ttlTitle(us int64) string {
	if us == 0 {
		return ""
	}
	return " ttl=" + duration(us)
}

// Title is the operator's line.
func (n *HashAggregate) Title() string {
	return "HashAggregate " + keysTitle(n.Input, n.Keys) + aggsTitle(n.Aggs)
}

// Title is the operator's line.
func (n *Expand) Title() string {
	return fmt.Sprintf("Expand %d sets of %s", len(n.Sets), keysTitle(n.Input, n.Keys))
}

// Title is the operator's line.
func (n *Distinct) Title() string { return "Distinct " + strings.Join(names(n.Input, n.On), ", ") }

// Title is the operator's line.
func (n *Dedup) Title() string {
	s := "Dedup " + keysTitle(n.Input, n.On)
	if n.By >= 0 {
		s += map[bool]string{false: " first by ", true: " last by "}[n.Desc] + n.Input.Schema().Fields[n.By].Name
	}
	s += fmt.Sprintf(" table=%d", n.State)
	if n.Expires < 0 {
		return s + ttlTitle(n.TTL)
	}
	s += " expires=" + n.Input.Schema().Fields[n.Expires].Name
	if n.After > 0 {
		s += "+" + (time.Duration(n.After) * time.Microsecond).String()
	}
	return s
}

// Title is the operator's line.
func (n *HashJoin) Title() string {
	kind := joinKindName(n.Kind)
	if len(n.L) == 0 {
		return strings.TrimSpace("NestedLoopJoin " + kind + " " + joined(n.On, " AND "))
	}
	var eq []string
	for i := range n.L {
		eq = append(eq, n.L[i].String()+" = "+n.R[i].String())
	}
	s := "HashJoin " + kind + " " + strings.Join(eq, " AND ")
	if len(n.On) > 0 {
		s += " residual " + joined(n.On, " AND ")
	}
	return s
}

// Title is the operator's line.
func (n *SetOp) Title() string {
	s := [...]string{"Union", "Intersect", "Except"}[n.Kind]
	if n.All {
		s += " all"
	}
	return s
}

// Title is the operator's line.
func (n *Sort) Title() string {
	name := "Sort "
	if n.Top != nil {
		name = "TopN "
	}
	return name + SortTitle(n.Keys)
}

// Title is the operator's line.
func (n *Limit) Title() string {
	s := "Limit"
	if n.Count != nil {
		s += " " + n.Count.String()
	}
	if n.Offset != nil {
		s += " offset " + n.Offset.String()
	}
	if n.State != 0 {
		s += fmt.Sprintf(" table=%d", n.State)
	}
	return s
}

// Title is the operator's line.
func (n *Apply) Title() string {
	s := "Apply " + [...]string{"scalar", "exists", "in", "array", "lateral", "left lateral"}[n.Kind]
	if len(n.Free) > 0 {
		s += " for each " + strings.Join(names(n.Input, n.Free), ", ")
	}
	return s
}

// Title is the operator's line.
func (n *TableFunc) Title() string {
	return "TableFunc " + n.Func.Name + "(" + joined(n.Func.Args, ", ") + ")"
}

// Title is the operator's line.
func (n *ProjectSet) Title() string {
	var fs []string
	for _, f := range n.Funcs {
		fs = append(fs, f.Name+"("+joined(f.Args, ", ")+")")
	}
	return "ProjectSet " + strings.Join(fs, ", ")
}

// Title is the operator's line.
func (n *WindowFunc) Title() string { return "WindowFunc" + n.title() }

// Title is the operator's line.
func (n *Recursive) Title() string { return fmt.Sprintf("Recursive %d", n.ID) }

// Title is the operator's line.
func (n *Materialize) Title() string {
	s := "Materialize " + n.View.Name + " " + n.How.String()
	if len(n.Key) > 0 {
		s += " key " + strings.Join(names(n.Input, n.Key), ", ")
	}
	return s
}

// SortTitle is an ordering as SQL.
func SortTitle(keys []expr.SortKey) string {
	var out []string
	for _, k := range keys {
		s := k.X.String()
		if k.Desc {
			s += " DESC"
		}
		if k.NullsFirst != k.Desc {
			s += map[bool]string{true: " NULLS FIRST", false: " NULLS LAST"}[k.NullsFirst]
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func joined(es []expr.Expr, sep string) string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = e.String()
	}
	return strings.Join(out, sep)
}

// names returns the names of n's columns at ords; all with nil.
func names(n Node, ords []int) []string {
	fs := n.Schema().Fields
	var out []string
	if ords == nil {
		for _, f := range fs {
			out = append(out, f.Name)
		}
	}
	for _, o := range ords {
		out = append(out, fs[o].Name)
	}
	return out
}

func keysTitle(in Node, keys []int) string {
	return "[" + strings.Join(names(in, append([]int{}, keys...)), ", ") + "]"
}

func aggsTitle(aggs []AggColumn) string {
	s := ""
	for i, a := range aggs {
		if i > 0 {
			s += ","
		}
		s += " " + a.Agg.String()
	}
	return s
}

// delayText is a delay as the sum of its parts.
func delayText(v types.IntervalValue) string {
	var out []string
	if v.Months != 0 {
		out = append(out, fmt.Sprintf("%d mon", v.Months))
	}
	if v.Days != 0 {
		out = append(out, fmt.Sprintf("%d days", v.Days))
	}
	if v.Micros != 0 || len(out) == 0 {
		out = append(out, (time.Duration(v.Micros) * time.Microsecond).String())
	}
	return strings.Join(out, " ")
}
