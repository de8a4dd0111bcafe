package physicalplan

import (
	"fmt"
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
)

// TopN keeps the first rows of every partition up to date: it puts out, as changes, what comes among them, leaves them and moves.
type TopN struct {
	Output
	Input Node
	On    []int // ordinals of the partition
	Order []int // ordinals of what orders its rows
	Desc  []bool
	First []bool // of each of Order: NULLs first
	Count int64
	State uint32
	All   bool // rows may be taken back: all of a partition are kept, not just the first
	// End is the ordinal of when a partition is freed, EndAfter µs later; -1: never.
	End      int
	EndAfter int64
	TTL      int64 // µs without a row after which a partition is freed; 0: never
}

// Inputs returns the input.
func (n *TopN) Inputs() []Node { return []Node{n.Input} }

// Table is the table of the rows.
func (n *TopN) Table() uint32 { return n.State }

// Title is the operator's line.
func (n *TopN) Title() string {
	order := names(n.Input, n.Order)
	for i := range order {
		if n.Desc[i] {
			order[i] += " desc"
		}
	}
	s := fmt.Sprintf("TopN %d by [%s] of every %s table=%d", n.Count, strings.Join(order, ", "), keysTitle(n.Input, n.On), n.State)
	if n.All {
		s += " keeps all"
	}
	if n.End >= 0 {
		s += " expires=" + n.Input.Schema().Fields[n.End].Name
	}
	return s
}

// describeTopN writes what gives the stored rows of n their meaning.
func describeTopN(b *strings.Builder, n *TopN) {
	fmt.Fprintf(b, "top %d: %d on %v by %v %v %v all %v end %d+%d%s:", n.State, n.Count, n.On, n.Order, n.Desc, n.First, n.All, n.End, n.EndAfter, mortal(n.TTL))
	for _, f := range n.Input.Schema().Fields {
		fmt.Fprintf(b, " %s=%s", f.Type, f.Name)
	}
	b.WriteByte('\n')
}

// topN lowers the first rows of partitions.
func (l *lowering) topN(n *logicalplan.TopN) (Node, flow, error) {
	bound := logicalplan.TopNBound(n)
	ends := bound.OK && bound.Column != 0
	if ends {
		l.timed++
	}
	l.undoes++
	in, f, err := l.lower(n.Input)
	l.undoes--
	if ends {
		l.timed--
	}
	switch {
	case err != nil:
		return nil, f, err
	case f == upserts || f == whole:
		return nil, f, unsupported(n.Pos, "row_number() <= n over rows that replace each other")
	}
	t := &TopN{Count: n.Count, State: l.table(), All: f == changes, End: -1, EndAfter: bound.Delay, TTL: n.TTL}
	if ends && f == appends {
		at := ordinal(in, bound.Column)
		in = &LateFilter{Output: same(in), Input: in, Expires: at, After: bound.Delay, For: t.State, Keep: l.keepsLate(), Time: -1, Shown: all(in)}
	}
	width := len(in.Layout())
	var more []expr.Expr
	col := func(e expr.Expr) int {
		if c, ok := plain(e); ok && ordinal(in, c.ID) >= 0 {
			return ordinal(in, c.ID)
		}
		more = append(more, e)
		return width + len(more) - 1
	}
	for _, e := range n.PartitionBy {
		t.On = append(t.On, col(e))
	}
	for _, k := range n.OrderBy {
		t.Order = append(t.Order, col(k.X))
		t.Desc, t.First = append(t.Desc, k.Desc), append(t.First, k.NullsFirst)
	}
	if more != nil {
		in = l.extend(in, more, f)
	}
	if ends {
		t.End = ordinal(in, bound.Column)
	}
	t.Input, t.Output = in, output(append(columnsOf(in), n.Out))
	l.made()
	return onlyColumns(t, n.Columns()), changes, nil
}
