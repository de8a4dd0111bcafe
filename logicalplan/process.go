package logicalplan

import (
	"strings"

	"wmsql/catalog"
	"wmsql/types"
)

// Columns is what the function returns.
func (n *Process) Columns() []Column { return n.Cols }

// Title is the call.
func (n *Process) Title() string {
	t := "Process " + n.Func.Name
	if len(n.Args) > 0 {
		t += "(" + exprs(n.Args) + ")"
	}
	if len(n.Keys) > 0 {
		t += " partition by " + exprs(n.Keys)
	}
	if n.Ordered {
		t += " order by " + n.EventTime().Name
	}
	return t
}

// EventTime is the column of the input that the watermark is of; its ID is 0 if there is none.
func (n *Process) EventTime() Column { return eventTime(n.Input, Derive(n.Input)) }

// Unbounded are the states that nothing frees.
func (n *Process) Unbounded() []catalog.State {
	var out []catalog.State
	for _, s := range n.Func.States {
		if !s.Bounded() && (len(n.Keys) > 0 || s.Kind != "value") {
			out = append(out, s)
		}
	}
	return out
}

// deriveProcess marks the column that the function promises to carry the watermark on. All other times are the function's own.
func deriveProcess(n *Process) *Props {
	in := Derive(n.Input)
	p := newProps(in.Stream)
	p.Updating = in.Updating
	event := eventTime(n.Input, in)
	if event.ID == 0 {
		return p
	}
	for i, c := range n.Cols {
		switch {
		case i == n.Func.TimeColumn:
			p.Marks[c.ID] = Mark{Kind: MarkTime, Sources: in.Marks[event.ID].Sources}
		case !c.Type.Array && (c.Type.Kind == types.TimestampTZ || c.Type.Kind == types.Timestamp):
			p.Lost[c.ID] = Loss{Node: n, Column: event.ID, Name: event.Name, Pos: n.Pos,
				Why: c.Name + " is made by function " + n.Func.Name + ", which does not declare WATERMARK FOR " + c.Name}
		}
	}
	return p
}

// processFacts tells of a function's state.
func processFacts(n *Process) State {
	f := State{Emits: "what the function emits, at once (append)", First: "the first row"}
	for _, k := range n.Keys {
		f.Key = append(f.Key, k.String())
	}
	event := n.EventTime()
	mark := "watermark(" + event.Name + ")"
	if n.Ordered {
		f.Emits = "what the function emits, once the rows are in order (append)"
		f.First = "the delay of the watermark"
	}
	var bounds, frees []string
	for _, s := range n.Func.States {
		switch {
		case s.TTL > 0:
			bounds = append(bounds, s.Name+": entries changed in the last "+FormatMicros(s.TTL))
			frees = append(frees, s.Name+": "+FormatMicros(s.TTL)+" of time after its last change")
		case s.WithTimer:
			bounds = append(bounds, s.Name+": keys with a timer")
			frees = append(frees, s.Name+": with the key's last timer")
		case len(n.Keys) == 0 && s.Kind == "value":
			bounds = append(bounds, s.Name+": one value")
			frees = append(frees, s.Name+": by the function alone")
		default:
			bounds = append(bounds, s.Name+": NONE, it is kept until the function clears it")
			frees = append(frees, s.Name+": by the function alone")
		}
	}
	if n.Ordered {
		bounds = append(bounds, "rows in waiting: "+event.Name+" after the "+mark)
		frees = append(frees, "rows in waiting: when "+event.Name+" <= "+mark)
	}
	if n.Func.FiresTimers {
		bounds = append(bounds, "timers: those still to come")
		frees = append(frees, "timers: when they fire, at their time by the watermark or by the clock")
	}
	if bounds == nil {
		bounds, frees = []string{"no state"}, []string{"-"}
	}
	f.Bound, f.Frees = strings.Join(bounds, "; "), strings.Join(frees, "; ")
	return f
}
