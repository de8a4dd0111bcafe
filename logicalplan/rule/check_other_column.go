package rule

import (
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// windowOtherColumn is WM003: the window is over another column than the watermark's.
var windowOtherColumn = aggregateCheck("WindowOtherColumn", sqlerr.WindowOtherColumn, func(d *diagnosis, t *Target) *sqlerr.Error {
	w := d.window
	over := nameOf(w.Input, w.Time)
	m := nearest(d.marks, w)
	marked := nameOf(m, m.Column)
	shown := over
	if over == marked { // a column that only has the name
		shown = sourceName(w.Input, w.Time)
	}
	err := sqlerr.Newf(sqlerr.WindowOtherColumn, "WM003: the window is over %q, but the watermark is on %q", shown, marked).At(place(d.agg, w)).
		WithDetail("%s says nothing of %q, so no window of %q is ever final: %s.", m.Title(), shown, shown, t.consequence())
	if in := logicalplan.Derive(w.Input); in.Marks[w.Time].Window != nil {
		err.WithDetail("%q is the start of a window: when its row comes, the watermark has passed it. Windows over windows go by window_time.", over)
		marked = "window_time"
	}
	if over == marked {
		name, ok := visibleMark(w.Input)
		if !ok {
			return err.WithHint("Select the column %q that EventTimeWatermark marks below the window, and give the window that one.", marked)
		}
		marked = name
	}
	return err.WithHint("%s", overColumn(t.Text, w, over, marked))
})

// sourceName is the name of a column where it comes from, with its relation.
func sourceName(n logicalplan.Node, id expr.ColumnID) string {
	if s, name, ok := origin(n, id); ok {
		return s.Name + "." + name
	}
	name := nameOf(n, id)
	logicalplan.Walk(n, func(x logicalplan.Node) bool {
		if scan, ok := x.(*logicalplan.TableScan); ok {
			if c, has := logicalplan.FindColumn(x, id); has {
				name = scan.Object.Name + "." + c.Name
			}
		}
		return true
	})
	return name
}

// visibleMark is the name under which the event time is seen in n's output.
func visibleMark(n logicalplan.Node) (name string, ok bool) {
	marks := logicalplan.Derive(n).Marks
	for _, c := range n.Columns() {
		if m, marked := marks[c.ID]; marked && m.Window == nil {
			return c.Name, true
		}
	}
	return "", false
}

// nearest is the watermark in the window's own input, if there is one.
func nearest(marks []*logicalplan.EventTimeWatermark, w *logicalplan.Window) *logicalplan.EventTimeWatermark {
	if below := speaking(w.Input); len(below) > 0 {
		return below[0]
	}
	return marks[0]
}

// overColumn is the statement with the window over another column.
func overColumn(text string, w *logicalplan.Window, from, to string) string {
	if fixed := inWindowCalls(text, from, to); fixed != "" {
		return fixed
	}
	args := "INTERVAL '" + logicalplan.FormatInterval(w.Size) + "'"
	if w.Kind == logicalplan.Session && w.Gap != nil {
		args = sqlText(w.Gap)
	}
	if w.Kind == logicalplan.Hop || w.Kind == logicalplan.Cumulate {
		args = "INTERVAL '" + logicalplan.FormatInterval(w.Slide) + "', " + args
	}
	return w.Spelling + "(" + ident(to) + ", " + args + ")"
}

// windowNames are the calls whose arguments a hint may change.
var windowNames = []string{"tumble", "hop", "cumulate", "session", "window", "session_window", "date_trunc", "date_bin",
	"tumble_start", "tumble_end", "hop_start", "hop_end", "session_start", "session_end"}

// inWindowCalls replaces a column by another inside the calls of window functions; "" if there is none.
func inWindowCalls(text, from, to string) string {
	var out strings.Builder
	changed := false
	for rest := text; rest != ""; {
		i, args := nextWindowCall(rest)
		if i < 0 {
			out.WriteString(rest)
			break
		}
		end := i + args
		fixed := replaceWord(rest[i:end], from, to)
		changed = changed || fixed != rest[i:end]
		out.WriteString(rest[:i])
		out.WriteString(fixed)
		rest = rest[end:]
	}
	if !changed {
		return ""
	}
	return out.String()
}

// nextWindowCall finds the parentheses of the next call of a window function: where they begin and how long they are.
func nextWindowCall(s string) (at, length int) {
	lower := strings.ToLower(s)
	for i := 0; i < len(s); i++ {
		if s[i] != '(' || !endsInWindowName(strings.TrimRight(lower[:i], " \n\t")) {
			continue
		}
		depth := 0
		for k := i; k < len(s); k++ {
			switch s[k] {
			case '(':
				depth++
			case ')':
				if depth--; depth == 0 {
					return i, k + 1 - i
				}
			}
		}
		return -1, 0
	}
	return -1, 0
}

func endsInWindowName(s string) bool {
	for _, n := range windowNames {
		if strings.HasSuffix(s, n) && (len(s) == len(n) || !wordByte(s[len(s)-len(n)-1])) {
			return true
		}
	}
	return false
}

// replaceWord replaces an identifier outside string literals.
func replaceWord(s, from, to string) string {
	var out strings.Builder
	quoted := false
	for i := 0; i < len(s); {
		if s[i] == '\'' {
			quoted = !quoted
		}
		if !quoted && strings.HasPrefix(strings.ToLower(s[i:]), from) && (i == 0 || !wordByte(s[i-1])) &&
			(i+len(from) == len(s) || !wordByte(s[i+len(from)])) {
			out.WriteString(to)
			i += len(from)
			continue
		}
		out.WriteByte(s[i])
		i++
	}
	return out.String()
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
