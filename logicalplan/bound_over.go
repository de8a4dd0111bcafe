package logicalplan

import (
	"strconv"

	"wmsql/expr"
	"wmsql/types"
)

// maxLast is how many rows a key may hold back or reach back over a stream by number.
const maxLast = 10_000

// Over says how functions OVER an event-time order run over a stream. A row comes out when the watermark has passed its event time: no
// row before it can come then. It is kept as long as the frame of a later row may reach it.
type Over struct {
	Time Column // the event time, or the end of a window, that they are ordered by
	// TimeAfter is how long after Time a row has all rows before it, µs: 1 for window_time.
	TimeAfter int64
	// Keep is how long after its event time a row is kept, µs; -1: until the window of its partition has ended.
	Keep int64
	// Last is how many rows before a row its frames and lag() reach, whatever their times.
	Last int
	// Lead is how many later rows of its partition a row waits for.
	Lead int
	// End is the end of a window that the partition is of, or its last µs with After 1; its ID is 0 if there is none.
	End   Column
	After int64
	// Why is the reason that nothing frees the last rows of a partition; "" if something does, or there is one partition.
	Why string
}

// OverOf returns how n runs over a stream; else what of it does not.
func OverOf(n *WindowFunc) (o Over, unsupported string) {
	in := Derive(n.Input)
	m, ok := orderMark(n, in)
	if !ok {
		return o, "a window function (OVER) that is not ordered by the event time"
	}
	o.Time, _ = FindColumn(n.Input, n.OrderBy[0].X.(*expr.Column).ID)
	if m.Kind == MarkWindowTime {
		o.TimeAfter = 1
	}
	o.End, o.After = partitionEnd(n.PartitionBy, n.Input, in)
	for i := range n.Funcs {
		if unsupported = o.reach(&n.Funcs[i]); unsupported != "" {
			return o, unsupported
		}
	}
	if o.Keep < 0 {
		o.Last = 0
	}
	if o.Lead > 0 && o.Keep != 0 {
		return o, "lead() beside a frame by time"
	}
	if o.Last+o.Lead > 0 && o.End.ID == 0 && len(n.PartitionBy) > 0 {
		o.Why = "a partition may have its next row at any time"
	}
	return o, ""
}

// orderMark is the mark of the event time, or of the end of a window, that n is ordered by, oldest first.
func orderMark(n *WindowFunc, in *Props) (m Mark, ok bool) {
	if len(n.OrderBy) != 1 || n.OrderBy[0].Desc || n.OrderBy[0].NullsFirst {
		return m, false
	}
	c, ok := n.OrderBy[0].X.(*expr.Column)
	if !ok {
		return m, false
	}
	m, ok = in.Marks[c.ID]
	return m, ok && m.Kind != MarkWindowStart
}

// partitionEnd is the column of PARTITION BY over n that says when the partition has all its rows, after so many µs.
func partitionEnd(by []expr.Expr, n Node, in *Props) (Column, int64) {
	for _, e := range by {
		c, ok := e.(*expr.Column)
		if !ok {
			continue
		}
		m, marked := in.Marks[c.ID]
		if !marked || m.Kind != MarkWindowEnd && m.Kind != MarkWindowTime {
			continue
		}
		col, _ := FindColumn(n, c.ID)
		if m.Kind == MarkWindowTime {
			return col, 1
		}
		return col, 0
	}
	return Column{}, 0
}

// reach adds what one function needs.
func (o *Over) reach(f *WindowCall) string {
	switch f.Name {
	case "lag", "lead":
		return o.shift(f)
	case "percent_rank", "cume_dist", "ntile":
		return f.Name + "()"
	case "row_number", "rank", "dense_rank":
		return o.all(f.Name + "()")
	}
	return o.frame(f.Frame)
}

// all keeps the whole partition.
func (o *Over) all(what string) string {
	if o.End.ID == 0 {
		return what + " from the first row of a partition on"
	}
	o.Keep = -1
	return ""
}

// shift is lag and lead by a constant number of rows.
func (o *Over) shift(f *WindowCall) string {
	by := int64(1)
	if len(f.Args) > 1 {
		k, ok := expr.Fold(f.Args[1]).(*expr.Const)
		if !ok {
			return f.Name + "() by a number that is not constant"
		}
		if k.Value == nil {
			return ""
		}
		by = k.Value.(int64)
	}
	if f.Name == "lead" {
		by = -by
	}
	switch {
	case by > maxLast || by < -maxLast:
		return f.Name + "() by so many rows"
	case by < 0:
		o.Lead = max(o.Lead, int(-by))
	default:
		o.Last = max(o.Last, int(by))
	}
	return ""
}

// frame adds the rows that a frame reaches; nil is Postgres's default.
func (o *Over) frame(f *Frame) string {
	if f == nil {
		return o.all("a frame (OVER)")
	}
	if f.EndKind != "current row" && f.EndKind != "preceding" {
		return "a frame (OVER) that reaches rows after the current one"
	}
	if f.StartKind == "unbounded preceding" || f.Unit == "groups" {
		return o.all("a frame (OVER)")
	}
	if f.StartKind == "current row" {
		return ""
	}
	k, ok := expr.Fold(f.Start).(*expr.Const)
	if !ok {
		return "a frame (OVER) whose bound is not constant"
	}
	switch v := k.Value.(type) {
	case int64:
		if f.Unit == "rows" && v >= 0 && v <= maxLast {
			o.Last = max(o.Last, int(v))
			return ""
		}
	case types.IntervalValue:
		if us := Micros(v); f.Unit == "range" && us >= 0 && !TooLong(v) {
			if o.Keep >= 0 {
				o.Keep = max(o.Keep, us)
			}
			return ""
		}
	}
	return "a frame (OVER) of " + k.String() + " PRECEDING"
}

// OverStream reports whether n is computed from epoch to epoch, in the order of event time.
func OverStream(n *WindowFunc) bool { return Derive(n.Input).Stream && !WholePartitions(n) }

// deriveWindowFunc keeps the marks of columns that are not before the time at which a row comes out.
func deriveWindowFunc(n *WindowFunc) *Props {
	p := Derive(n.Input)
	if !p.Stream || WholePartitions(n) {
		return p
	}
	o, bad := OverOf(n)
	if bad != "" {
		return p
	}
	at := p.Marks[o.Time.ID]
	why := "a row waits for the end of its window"
	if o.Lead > 0 {
		at, why = p.Marks[o.End.ID], "a row waits for a later one of its partition"
	} else if at.Kind == MarkTime {
		return p
	}
	for id, m := range p.Marks {
		if m.Kind == MarkTime || at.Window == nil || m.Window != at.Window {
			delete(p.Marks, id)
			p.Lost[id] = Loss{Node: n, Column: id, Name: columnName(n.Input, id), Pos: n.Pos, Why: why}
		}
	}
	return p
}

// overFacts tells of functions OVER an event-time order.
func overFacts(n *WindowFunc, o Over) State {
	m := Derive(n.Input).Marks[o.Time.ID]
	var of []string
	delay := int64(0)
	for _, s := range m.Sources {
		of = append(of, columnName(s, s.Column))
		delay = max(delay, Micros(s.Delay))
	}
	lag := inputLag(n)
	mark := watermarkOf(of, lag)
	f := State{Key: []string{"(none)"}, Emits: "each row once, when " + o.Time.Name + " <= " + mark + ", in the order of " + o.Time.Name,
		First: FormatMicros(delay+lag) + " of event time after a row (delay)"}
	if m.Kind != MarkTime {
		f.First = "the first row whose " + o.Time.Name + " <= " + mark
	}
	if len(n.PartitionBy) > 0 {
		f.Key = nil
		for _, e := range n.PartitionBy {
			f.Key = append(f.Key, e.String())
		}
	}
	row := o.Time.Name
	switch {
	case o.Keep < 0:
		row = o.End.Name
	case o.Keep > 0:
		row += " + " + FormatMicros(o.Keep)
	}
	f.Bound, f.Frees = "rows whose "+row+" is after the "+mark, "when "+row+" <= "+mark
	if o.Lead > 0 {
		f.Emits = "each row once, when " + countOf(o.Lead, "later row") + " of its partition cannot change any more"
		f.First = "the row after the next one"
	}
	if kept := o.Last + o.Lead; kept > 0 {
		f.last(n, o, kept, mark)
	}
	return f
}

// last adds what is kept of each partition whatever its rows' times.
func (f *State) last(n *WindowFunc, o Over, kept int, mark string) {
	each := "; the last " + countOf(kept, "row") + " of every partition"
	switch {
	case len(n.PartitionBy) == 0:
		f.Bound += "; the last " + countOf(kept, "row")
	case o.End.ID != 0:
		f.Bound += each + " whose " + o.End.Name + " is after it"
		f.Frees += "; when " + o.End.Name + " <= " + mark
	case n.TTL > 0:
		f.Bound += each + " since its last change"
		f.Frees += "; when a partition is unchanged for " + FormatMicros(n.TTL)
	default:
		f.Bound = "NONE: " + o.Why + each
		f.Frees += "; the last ones never"
	}
}

func countOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
