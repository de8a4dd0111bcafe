package physicalplan

import (
	"fmt"
	"strings"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/types"
)

type (
	// Process calls a user-defined function for the rows of every key, and for the timers it set.
	Process struct {
		Output
		Input Node
		Func  *catalog.Function
		Args  []expr.Expr // without columns
		Shown []int       // ordinals of the columns that a row shows
		Names []string    // their names
		Keys  []int       // ordinals of PARTITION BY
		// Marked says that the input has a watermark: timers may go by it.
		Marked bool
		State  uint32
		Reject *Rejects
	}
	// EventOrder holds rows back until the watermark has come to their time, and then passes them in the order of it. Rows of one
	// time keep the order of their arrival; those without a time pass at once.
	EventOrder struct {
		Output
		Input Node
		Time  int // ordinal
		State uint32
	}
)

// process lowers a function: late rows are dropped, those in the order of event time wait for their turn.
func (l *lowering) process(n *logicalplan.Process) (Node, flow, error) {
	in, f, err := l.lower(n.Input)
	switch {
	case err != nil:
		return nil, f, err
	case f != appends:
		return nil, f, unsupported(n.Pos, "a function over rows that may change, or over a table")
	}
	p := &Process{Output: outputOf(n), Func: n.Func, Args: n.Args, State: l.table(), Reject: l.rejects(f)}
	if event := n.EventTime(); event.ID != 0 {
		at := ordinal(in, event.ID)
		in = l.lateTest(in, at, logicalplan.Bound{}, nil, p.State)
		if n.Ordered {
			in = &EventOrder{Output: same(in), Input: in, Time: at, State: l.table()}
		}
		p.Marked = true
	}
	for _, c := range n.In {
		p.Shown, p.Names = append(p.Shown, ordinal(in, c.ID)), append(p.Names, c.Name)
	}
	var more []expr.Expr
	for _, k := range n.Keys {
		c, ok := plain(k)
		if ok && ordinal(in, c.ID) >= 0 {
			p.Keys = append(p.Keys, ordinal(in, c.ID))
			continue
		}
		p.Keys = append(p.Keys, len(in.Layout())+len(more))
		more = append(more, k)
	}
	if more != nil {
		in = l.extend(in, more, f)
	}
	p.Input = in
	l.made()
	return p, appends, nil
}

// InSchema is the row type that the function sees.
func (n *Process) InSchema() *types.Schema {
	s := &types.Schema{}
	for i, o := range n.Shown {
		s.Fields = append(s.Fields, types.Field{Name: n.Names[i], Type: n.Input.Schema().Fields[o].Type})
	}
	return s
}

// Inputs returns the input.
func (n *Process) Inputs() []Node { return []Node{n.Input} }

// Table is the table of the states and timers.
func (n *Process) Table() uint32 { return n.State }

// Title is the operator's line.
func (n *Process) Title() string {
	s := "Process " + n.Func.Name
	if len(n.Args) > 0 {
		s += "(" + joined(n.Args, ", ") + ")"
	}
	if len(n.Keys) > 0 {
		s += " " + keysTitle(n.Input, n.Keys)
	}
	return s + fmt.Sprintf(" table=%d", n.State)
}

// describe writes what gives the stored state its meaning.
func (n *Process) describe(b *strings.Builder) {
	fmt.Fprintf(b, "function %d %d keys", n.Func.ID, n.State)
	for _, o := range n.Keys {
		f := n.Input.Schema().Fields[o]
		fmt.Fprintf(b, " %s=%s", f.Type, f.Name)
	}
	for _, s := range n.Func.States {
		fmt.Fprintf(b, " state %s", s.String())
	}
	b.WriteByte('\n')
}

// Inputs returns the input.
func (n *EventOrder) Inputs() []Node { return []Node{n.Input} }

// Table is the table of the rows that wait.
func (n *EventOrder) Table() uint32 { return n.State }

// Title is the operator's line.
func (n *EventOrder) Title() string {
	return fmt.Sprintf("EventOrder %s table=%d", n.Input.Schema().Fields[n.Time].Name, n.State)
}

// describe writes what gives the stored rows their meaning.
func (n *EventOrder) describe(b *strings.Builder) {
	fmt.Fprintf(b, "order %d by %d:", n.State, n.Time)
	for _, f := range n.Input.Schema().Fields {
		fmt.Fprintf(b, " %s=%s", f.Type, f.Name)
	}
	b.WriteByte('\n')
}
