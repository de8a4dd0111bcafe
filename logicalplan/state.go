package logicalplan

import (
	"fmt"
	"strings"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/types"
)

// State is what EXPLAIN says of a node that keeps state: each a phrase for the user.
type State struct {
	Key    []string    // columns the state is kept by
	Bound  string      // what bounds it
	Frees  string      // when a row of it is freed
	Emits  string      // which rows come out, and when
	First  string      // after how much event time the first result comes
	Open   string      // how much is kept at a time, as far as it is known
	Undoes string      // how rows that change below are taken back, "" if none does
	Keeps  string      // what is kept of what was final, "" if nothing is
	Sides  []SideState // of a join of two streams, in place of Key, Bound and Frees
}

// StateOf returns what is known of the state that n keeps in a query of the given mode; ok is false if it keeps none.
func StateOf(n Node, mode catalog.OutputMode) (_ State, ok bool) {
	if len(n.Inputs()) == 0 || !Derive(n.Inputs()[0]).Stream {
		return State{}, false
	}
	switch n := n.(type) {
	case *Aggregate:
		return aggregateFacts(n, mode), true
	case *Distinct:
		return distinctFacts(n, mode), true
	case *Process:
		return processFacts(n), true
	case *Limit:
		return State{Bound: "one counter", Frees: "never", Emits: "rows until the limit is reached", First: "the first row"}, true
	case *TopN:
		return topNFacts(n), true
	case *WindowFunc:
		if o, bad := OverOf(n); bad == "" && OverStream(n) {
			return overFacts(n, o), true
		}
		return State{}, false
	case *Join:
		if !Derive(n.Left).Stream || !Derive(n.Right).Stream {
			return State{}, false
		}
		if n.AsOf() {
			return asOfFacts(n), true
		}
		return joinFacts(n), true
	}
	return State{}, false
}

func aggregateFacts(a *Aggregate, mode catalog.OutputMode) State {
	f := State{Emits: emits(a, mode), First: "the first micro-batch"}
	for _, k := range a.Keys {
		f.Key = append(f.Key, k.Out.Name)
	}
	b := AggregateBound(a)
	switch {
	case len(a.Keys) == 0:
		f.Bound, f.Frees, f.Open = "one group", "never: it is one row", "1 group"
	case !b.OK:
		f.Bound, f.Frees = "NONE: "+b.Why, "never"
	case a.TTL > 0:
		f.Bound, f.Frees = "time since a group's last change", "when it is "+b.Why
	case mode == catalog.Complete:
		f.Bound, f.Frees = "NONE: complete mode shows every group", "never"
	default:
		f.watermarked(a, b, mode)
	}
	if mode == catalog.Append && (!b.OK || b.Column == 0) {
		f.First = "never: no group is ever final"
	}
	if TakesBack(a.Input, mode) {
		f.Undoes = undoes(a)
	}
	return f
}

// watermarked fills in what the watermark bounds.
func (f *State) watermarked(a *Aggregate, b Bound, mode catalog.OutputMode) {
	m := Derive(a).Marks[b.Column]
	var of []string
	delay := int64(0)
	for _, s := range m.Sources {
		of = append(of, columnName(s, s.Column))
		delay = max(delay, Micros(s.Delay))
	}
	lag := inputLag(a)
	mark := watermarkOf(of, lag)
	key := columnName(a, b.Column)
	f.Bound = "groups whose " + key + " is after the " + mark
	f.Frees = "when " + key + " <= " + mark
	wait := "delay " + FormatMicros(delay)
	if lag > 0 {
		wait += " + join " + FormatMicros(lag)
	}
	delay += lag
	total := types.IntervalValue{Micros: delay}
	if m.Window != nil {
		size, slide := Micros(m.Window.Size), Micros(m.Window.Slide)
		total = sum(m.Window.Size, delay)
		wait = "window " + FormatInterval(sum(m.Window.Size, 0)) + " + " + wait
		if slide > 0 {
			f.Open = fmt.Sprintf("%d windows of every other key at a time, while events come in order", (delay+size+slide-1)/slide+1)
		}
	}
	if mode == catalog.Append {
		f.First = FormatInterval(total) + " of event time (" + wait + ")"
	}
	f.keeps(a, m)
	if m.Window != nil && m.Window.Kind == Session && SessionsOf(a) == m.Window {
		f.sessions(m.Window, delay, mode == catalog.Append)
	}
}

// keeps tells of closed windows that are kept for late rows.
func (f *State) keeps(a *Aggregate, m Mark) {
	if m.Window == nil || m.Window.Kind == Session {
		return
	}
	for _, s := range m.Sources {
		if s.Stream == nil || s.Stream.Options["late_rows"] != "keep" {
			continue
		}
		span := s.Stream.Options["retention"]
		if span == "" {
			span = "7 days"
		}
		f.Keeps = "groups that are final, for " + span + " of event time, so that REFRESH ... WITH LATE ROWS can add to them"
		if strings.EqualFold(span, "off") {
			f.Keeps = "groups that are final, for ever, so that REFRESH ... WITH LATE ROWS can add to them"
		}
	}
}

// sum adds µs to an interval; its days, but not its months, have a length.
func sum(v types.IntervalValue, us int64) types.IntervalValue {
	return types.IntervalValue{Months: v.Months, Micros: int64(v.Days)*MicrosPerDay + v.Micros + us}
}

func emits(a *Aggregate, mode catalog.OutputMode) string {
	switch {
	case mode == catalog.Complete:
		return "all groups, after every micro-batch (complete)"
	case mode == catalog.Append:
		return "each group once, when it is final (append)"
	case len(a.Keys) == 0:
		return "its row, after every micro-batch (update)"
	}
	return "every group that a micro-batch touched, after it (update)"
}

// distinctFacts tells of DISTINCT ON; SELECT DISTINCT is told as the GROUP BY that it is.
func distinctFacts(d *Distinct, mode catalog.OutputMode) State {
	if d.On == nil {
		return aggregateFacts(d.Grouped(), mode)
	}
	f := State{Emits: "the first row of every key, at once (append)", First: "the first row"}
	if d.By != nil {
		f.Emits = "a row that is before its key's first by " + sortKeys([]expr.SortKey{*d.By}) + ", at once (update)"
	}
	for _, e := range d.On {
		f.Key = append(f.Key, e.String())
	}
	b := DistinctBound(d)
	if !b.OK {
		f.Bound, f.Frees = "NONE: "+b.Why, "never"
		return f
	}
	if d.TTL > 0 {
		f.Bound, f.Frees = "time since a key was noted", "when it was "+b.Why
		return f
	}
	m := Derive(d.Input).Marks[b.Column]
	of := make([]string, len(m.Sources))
	for i, s := range m.Sources {
		of[i] = columnName(s, s.Column)
	}
	mark := "watermark(" + strings.Join(of, ", ") + ")"
	key := columnName(d.Input, b.Column)
	if d.WithinWatermark {
		key = "the first row's " + key + " + " + FormatMicros(b.Delay)
		f.Bound, f.Frees = "keys for which "+key+" is after the "+mark, "when "+key+" <= "+mark
		return f
	}
	f.Bound, f.Frees = "keys whose "+key+" is after the "+mark, "when "+key+" <= "+mark
	return f
}
