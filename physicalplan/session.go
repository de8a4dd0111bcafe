package physicalplan

import (
	"fmt"
	"strings"

	"wmsql/catalog"
	"wmsql/logicalplan"
)

type (
	// SessionSpans adds to each row the span that it keeps a session open for: from its event time to one gap later. A row
	// without a time, or whose gap is not positive, is in no session.
	SessionSpans struct {
		Output
		Input  Node
		Time   int // ordinal
		Gap    int // ordinal, -1: the window's Size
		Window *logicalplan.Window
		Reject *Rejects
	}
	// Sessions makes the spans of the whole input into those of their sessions.
	Sessions struct {
		Output
		Input      Node
		Partition  []int // ordinals
		Start, End int   // ordinals of the bounds; the window time follows
	}
	// SessionAggregate keeps an aggregate's sessions from epoch to epoch. Spans of one key that overlap or touch are one session.
	SessionAggregate struct {
		Output
		Input Node
		// Grouping's Fixed keys are the bounds of the session, by Roles; the others tell sessions of one time apart.
		Grouping
		Roles      []Role
		Start, End int // ordinals of a row's span
		Mode       catalog.OutputMode
		State      uint32
		Evicts     bool     // a session is freed, and in append mode put out, when its end is at or before the watermark
		Why        string   // what frees a session, or why nothing does
		Reject     *Rejects // of sessions that cannot be computed
	}
)

// Inputs returns the input.
func (n *SessionSpans) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the input.
func (n *Sessions) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the input.
func (n *SessionAggregate) Inputs() []Node { return []Node{n.Input} }

// Table is the table of the sessions.
func (n *SessionAggregate) Table() uint32 { return n.State }

// Title is the operator's line.
func (n *SessionSpans) Title() string {
	return "SessionSpans " + n.Input.Schema().Fields[n.Time].Name + " gap " + logicalplan.GapText(n.Window)
}

// Title is the operator's line.
func (n *Sessions) Title() string {
	return strings.TrimSpace("Sessions " + strings.Join(names(n.Input, append([]int{}, n.Partition...)), ", "))
}

// Title is the operator's line.
func (n *SessionAggregate) Title() string {
	s := fmt.Sprintf("SessionAggregate %s%s mode=%s table=%d", keysTitle(n.Input, n.Keys), aggsTitle(n.Aggs), n.Mode, n.State)
	if n.Evicts {
		s += " expires=" + n.Input.Schema().Fields[n.End].Name
	}
	return s
}

// describeSessions writes what gives the stored sessions of n their meaning.
func describeSessions(b *strings.Builder, n *SessionAggregate) {
	fmt.Fprintf(b, "sessions %d keys", n.State)
	for i, f := range n.Schem.Fields {
		fmt.Fprintf(b, " %s", f.Type)
		if i < len(n.Keys) {
			fmt.Fprintf(b, "=%s", n.Input.Schema().Fields[n.Keys[i]].Name)
		}
	}
	fmt.Fprintf(b, " aggs%s expires %v\n", aggsTitle(n.Aggs), n.Evicts)
}
