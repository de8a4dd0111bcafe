package logicalplan

import (
	"strings"

	"wmsql/expr"
)

// sessionTitle is the gap and the partition of a session window.
func sessionTitle(n *Window) string {
	s := "gap " + GapText(n)
	if len(n.Partition) > 0 {
		s += ", partition by " + exprs(n.Partition)
	}
	return s
}

// GapText is the gap of a session window as EXPLAIN says it.
func GapText(n *Window) string {
	if n.Gap != nil {
		return n.Gap.String()
	}
	return FormatInterval(n.Size)
}

// SessionsOf returns the session window that a groups by, nil if it groups by none.
func SessionsOf(a *Aggregate) *Window {
	keys := map[expr.ColumnID]bool{}
	for _, k := range a.Keys {
		if c, ok := k.Expr.(*expr.Column); ok {
			keys[c.ID] = true
		}
	}
	var out *Window
	Walk(a.Input, func(n Node) bool {
		switch n := n.(type) {
		case *Window:
			if out == nil && n.Kind == Session && (keys[n.Start.ID] || keys[n.End.ID] || keys[n.WindowTime.ID]) {
				out = n
			}
		case *Aggregate:
			return false
		}
		return out == nil
	})
	return out
}

// sessions fills in what is particular to the sessions of a.
func (f *State) sessions(w *Window, delay int64, appends bool) {
	f.Open, f.Bound = "", "sessions"+strings.TrimPrefix(f.Bound, "groups")
	if !appends {
		f.Emits = "every session that a micro-batch touched, after it; the rows it had before it grew are deleted (update)"
		return
	}
	f.Emits = "each session once, when it is final (append)"
	wait := " + delay " + FormatMicros(delay)
	if w.Gap != nil {
		f.First = "the row's gap" + wait + " of event time after the last row of a session"
		return
	}
	f.First = FormatInterval(sum(w.Size, delay)) + " of event time after the last row of a session (gap " + FormatInterval(w.Size) + wait + ")"
}
