package server

import (
	"fmt"
	"strings"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/types"
)

// explainTree draws a logical plan. With a view, the nodes that keep state tell what bounds it.
func explainTree(n logicalplan.Node, mv *catalog.MaterializedView, o explainOptions) *explained {
	out := &explained{title: n.Title()}
	if mv != nil {
		switch n := n.(type) {
		case *logicalplan.Aggregate:
			out.details = aggregateDetails(n, mv)
		case *logicalplan.Distinct:
			out.details = []detail{{"Key", distinctKey(n)}, {"State", "every key seen"}}
		case *logicalplan.Join:
			if bothStreams(n) {
				out.details = []detail{{"State", "the rows of both sides that may still meet a partner"}}
			}
		}
	}
	if o.watermark {
		out.details = append(out.details, watermarkDetails(n)...)
	}
	for _, in := range n.Inputs() {
		out.inputs = append(out.inputs, explainTree(in, mv, o))
	}
	return out
}

// aggregateDetails tell of an aggregate its key, what bounds its state, what frees it, when it emits, and when
// the first result comes.
func aggregateDetails(n *logicalplan.Aggregate, mv *catalog.MaterializedView) []detail {
	if !logicalplan.Derive(n.Input).Stream {
		return nil
	}
	b := logicalplan.AggregateBound(n)
	out := []detail{{"Key", keyNames(n)}}
	switch {
	case len(n.Keys) == 0:
		return append(out, detail{"State", "one group, kept for ever"}, detail{"Emits", "the one row, whenever it changes"},
			detail{"First result", "at once"})
	case !b.OK:
		out = append(out, detail{"State", "unbounded: " + b.Why}, detail{"Freed", "never"})
	case b.Column == 0:
		out = append(out, detail{"State", "bounded"}, detail{"Freed", "when " + b.Why})
	case mv.Mode == catalog.Complete:
		out = append(out, detail{"State", "all groups, for complete mode shows the whole result"}, detail{"Freed", "never"})
	default:
		out = append(out, detail{"State", "bounded by the watermark"}, detail{"Freed", "when " + b.Why})
	}
	return append(out, detail{"Emits", emits(mv.Mode, b)}, detail{"First result", firstResult(n, mv.Mode, b)})
}

func keyNames(n *logicalplan.Aggregate) string {
	if len(n.Keys) == 0 {
		return "(none)"
	}
	var names []string
	for _, k := range n.Keys {
		names = append(names, k.Out.Name)
	}
	return strings.Join(names, ", ")
}

func emits(m catalog.OutputMode, b logicalplan.Bound) string {
	switch m {
	case catalog.Complete:
		return "the whole result, with every micro-batch"
	case catalog.Append:
		if b.OK && b.Column != 0 {
			return "each row once, when it is final: " + b.Why
		}
		return "never: no row is ever final"
	case catalog.Update:
	}
	return "every changed row, with every micro-batch"
}

// firstResult estimates how much event time passes before a row comes out.
func firstResult(n *logicalplan.Aggregate, m catalog.OutputMode, b logicalplan.Bound) string {
	if m != catalog.Append {
		return "with the first micro-batch"
	}
	if !b.OK || b.Column == 0 {
		return "never"
	}
	props := logicalplan.Derive(n.Input)
	for _, k := range n.Keys {
		c, ok := k.Expr.(*expr.Column)
		if k.Out.ID != b.Column || !ok {
			continue
		}
		mark := props.Marks[c.ID]
		delay := longestDelay(mark)
		if mark.Window == nil {
			return fmt.Sprintf("%s of event time after the first row", interval(delay))
		}
		return fmt.Sprintf("after %s of event time (%s window + %s delay)",
			interval(addIntervals(mark.Window.Size, delay)), interval(mark.Window.Size), interval(delay))
	}
	return "when the first group is final"
}

func longestDelay(m logicalplan.Mark) types.IntervalValue {
	var out types.IntervalValue
	for _, s := range m.Sources {
		if intervalMicros(s.Delay) > intervalMicros(out) {
			out = s.Delay
		}
	}
	return out
}

func addIntervals(a, b types.IntervalValue) types.IntervalValue {
	return types.IntervalValue{Months: a.Months + b.Months, Days: a.Days + b.Days, Micros: a.Micros + b.Micros}
}

func intervalMicros(v types.IntervalValue) int64 {
	return (int64(v.Months)*31+int64(v.Days))*86_400_000_000 + v.Micros
}

func interval(v types.IntervalValue) string { return logicalplan.FormatInterval(v) }

// watermarkDetails tell which watermark a node's output is under.
func watermarkDetails(n logicalplan.Node) []detail {
	if w, ok := n.(*logicalplan.EventTimeWatermark); ok {
		return []detail{{"Watermark", fmt.Sprintf("newest %s - %s; it never moves back", columnOf(n, w.Column), interval(w.Delay))}}
	}
	var out []detail
	props := logicalplan.Derive(n)
	for _, c := range n.Columns() {
		m, ok := props.Marks[c.ID]
		if !ok || len(m.Sources) == 0 {
			continue
		}
		kind := [...]string{"the event time", "the start of a window of it", "the end of a window of it", "the last moment of a window of it"}[m.Kind]
		out = append(out, detail{"Watermark on " + c.Name, kind})
	}
	switch n.(type) {
	case *logicalplan.Aggregate, *logicalplan.Distinct:
		if props.Stream && len(out) > 0 {
			out = append(out, detail{"Late", "a row that expires at or before the watermark of the micro-batch before"},
				detail{"Evicts", "what expires at or before the watermark of this micro-batch"})
		}
	}
	return out
}

func columnOf(n logicalplan.Node, id expr.ColumnID) string {
	for _, c := range n.Columns() {
		if c.ID == id {
			return c.Name
		}
	}
	return "event time"
}

func distinctKey(n *logicalplan.Distinct) string {
	var names []string
	if n.On == nil {
		for _, c := range n.Input.Columns() {
			names = append(names, c.Name)
		}
	}
	for _, e := range n.On {
		names = append(names, e.String())
	}
	return strings.Join(names, ", ")
}

func bothStreams(n *logicalplan.Join) bool {
	return logicalplan.Derive(n.Left).Stream && logicalplan.Derive(n.Right).Stream
}

// live tells what the continuous query of a view is doing, in lines; nothing for other relations.
func (s *Session) live(e catalog.Entry) []string {
	mv, ok := e.(*catalog.MaterializedView)
	if !ok {
		return nil
	}
	c := s.srv.queries.get(mv.ID)
	if c == nil {
		return nil
	}
	st := c.status()
	out := []string{fmt.Sprintf("Continuous query %s: %s, epoch %d", mv.Name, st.State, st.Epoch)}
	if st.Err != nil {
		out = append(out, "  Failed: "+errorText(st.Err))
	}
	out = append(out, fmt.Sprintf("  Rows: %d in, %d late, %d without event time, %d rejected, %d out", st.RowsIn, st.RowsLate, st.RowsNull, st.RowsRejected, st.RowsOut))
	if c.query == nil {
		return out
	}
	p := c.query.Last()
	for _, op := range p.Operators {
		out = append(out, fmt.Sprintf("  %s", op.Title),
			fmt.Sprintf("    State: %d rows, %d bytes; last epoch: %d updated, %d removed, %d dropped as late, %d partly late, %d out",
				op.RowsTotal, op.StateBytes, op.RowsUpdated, op.RowsRemoved, op.RowsDropped, op.RowsPartlyLate, op.RowsOut))
	}
	for _, w := range p.Watermarks {
		at := "none yet"
		if w.Watermark != types.MinTime {
			at = string(types.AppendTimestampTZ(nil, int64(w.Watermark), s.vars.format))
		}
		out = append(out, fmt.Sprintf("  Watermark %s.%s: %s, delay %s", w.Stream, w.Column, at, interval(w.Delay)))
	}
	if took := p.Took.Milliseconds(); p.Epoch > 0 {
		out = append(out, fmt.Sprintf("  Last epoch: %d rows in, %d ms", p.RowsIn, took))
	}
	return out
}
