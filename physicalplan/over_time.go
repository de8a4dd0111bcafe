package physicalplan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"wmsql/expr"
	"wmsql/logicalplan"
)

// OverTime computes functions over partitions of a stream in the order of event time. A row comes out when the watermark has passed its
// time, and is kept until no frame of a later row reaches it.
type OverTime struct {
	Output
	Input Node
	Over
	State uint32
	// Time is the ordinal of the time that orders the rows; a row is ready TimeAfter µs after it.
	Time      int
	TimeAfter int64
	Keep      int64 // how long after its time a row is kept, µs; -1: until End
	Last      int   // rows before a row that are reached by number
	Lead      int   // later rows that a row waits for
	// End is the ordinal of when a row's partition has had all its rows, EndAfter µs later; -1 if it never has.
	End      int
	EndAfter int64
	Span     int64 // of the buckets in which rows are stored, µs
	TTL      int64 // µs without a row after which the last rows of a partition are freed; 0: never
	Reject   *Rejects
}

// Inputs returns the input.
func (n *OverTime) Inputs() []Node { return []Node{n.Input} }

// Table is the table of the rows.
func (n *OverTime) Table() uint32 { return n.State }

// Title is the operator's line.
func (n *OverTime) Title() string {
	s := fmt.Sprintf("OverTime%s table=%d", n.title(), n.State)
	switch {
	case n.Keep < 0:
		s += " keep=" + n.Input.Schema().Fields[n.End].Name
	case n.Keep > 0:
		s += " keep=" + (time.Duration(n.Keep) * time.Microsecond).String()
	}
	if n.Last > 0 {
		s += fmt.Sprintf(" last=%d", n.Last)
	}
	if n.Lead > 0 {
		s += fmt.Sprintf(" lead=%d", n.Lead)
	}
	return s
}

// title is the functions and their window.
func (n *Over) title() string {
	s := ""
	for i, f := range n.Funcs {
		if i > 0 {
			s += ","
		}
		if f.Agg != nil {
			s += " " + f.Agg.String()
		} else {
			s += " " + f.Name + "(" + joined(f.Args, ", ") + ")"
		}
	}
	if len(n.PartitionBy) > 0 {
		s += " partition by " + joined(n.PartitionBy, ", ")
	}
	if len(n.OrderBy) > 0 {
		s += " order by " + SortTitle(n.OrderBy)
	}
	return s
}

// describeOver writes what gives the stored rows of n their meaning.
func describeOver(b *strings.Builder, n *OverTime) {
	fmt.Fprintf(b, "over %d by %s time %d+%d keep %d last %d lead %d end %d+%d%s:", n.State, joined(n.PartitionBy, ","), n.Time, n.TimeAfter,
		n.Keep, n.Last, n.Lead, n.End, n.EndAfter, mortal(n.TTL))
	for _, f := range n.Input.Schema().Fields {
		fmt.Fprintf(b, " %s=%s", f.Type, f.Name)
	}
	b.WriteByte('\n')
}

// overBuckets is about how many buckets the rows of an OverTime are cut into.
const overBuckets = 16

// overTime lowers functions over a stream. What they compute with is made columns below, where a row that cannot be evaluated is rejected.
func (l *lowering) overTime(n *logicalplan.WindowFunc, in Node) (Node, flow, error) {
	o, bad := logicalplan.OverOf(n)
	if bad != "" {
		return nil, appends, unsupported(n.Pos, "%s", bad)
	}
	x := &OverTime{State: l.table(), TimeAfter: o.TimeAfter, Keep: o.Keep, Last: o.Last, Lead: o.Lead, End: -1, EndAfter: o.After, TTL: n.TTL}
	in = &LateFilter{Output: same(in), Input: in, Expires: ordinal(in, o.Time.ID), After: o.TimeAfter, For: x.State, Keep: l.keepsLate(),
		Time: -1, Shown: all(in)}
	in, c := l.computed(n, in)
	x.Over = Over{c.PartitionBy, c.OrderBy, c.Funcs}
	x.Input, x.Time = in, ordinal(in, o.Time.ID)
	if o.End.ID != 0 {
		x.End = ordinal(in, o.End.ID)
	}
	delay := int64(0)
	for _, s := range logicalplan.Derive(n.Input).Marks[o.Time.ID].Sources {
		delay = max(delay, Micros(s.Delay))
	}
	x.Span = max(1e6, (delay+max(0, o.Keep))/overBuckets)
	cols := columnsOf(in)
	for _, f := range n.Funcs {
		cols = append(cols, f.Out)
	}
	x.Output = output(cols)
	l.made()
	x.Reject = l.rejects(appends)
	return onlyColumns(x, n.Columns()), appends, nil
}

// computed makes what n computes with columns of in; frames are constant.
func (l *lowering) computed(n *logicalplan.WindowFunc, in Node) (Node, *logicalplan.WindowFunc) {
	var more []expr.Expr
	place := func(e expr.Expr) int {
		return slices.IndexFunc(more, func(x expr.Expr) bool { return logicalplan.Equal(x, e) })
	}
	for _, e := range logicalplan.Exprs(n) {
		_, isColumn := e.(*expr.Column)
		_, isConst := e.(*expr.Const)
		if !isColumn && !isConst && place(e) < 0 {
			more = append(more, e)
		}
	}
	if more == nil {
		return in, n
	}
	width := len(in.Layout())
	in = l.extend(in, more, appends)
	cols := columnsOf(in)[width:]
	return in, logicalplan.MapExprs(n, func(e expr.Expr) expr.Expr {
		if at := place(e); at >= 0 {
			return &expr.Column{ID: cols[at].ID, Name: cols[at].Name, T: cols[at].Type}
		}
		return e
	}).(*logicalplan.WindowFunc)
}

// all lists the ordinals of n's columns.
func all(n Node) []int {
	out := make([]int, len(n.Layout()))
	for i := range out {
		out[i] = i
	}
	return out
}

// onlyColumns returns n with the given columns of it alone.
func onlyColumns(n Node, cols []logicalplan.Column) Node {
	if len(n.Layout()) == len(cols) {
		return n
	}
	p := &Project{Output: output(cols), Input: n}
	for _, c := range cols {
		p.Exprs = append(p.Exprs, &expr.Column{ID: c.ID, Name: c.Name, T: c.Type})
	}
	return p
}
