package logicalplan

import (
	"strings"

	"wmsql/catalog"
	"wmsql/sqlerr"
)

// ExplainTarget is the continuous query that a plan is explained for.
type ExplainTarget struct {
	Name   string
	Mode   catalog.OutputMode
	Faults []*sqlerr.Error // the gate's verdict
}

// ExplainOptions are what EXPLAIN was asked to show beside the tree and the state.
type ExplainOptions struct {
	Watermark bool     // which columns carry a watermark at every node
	State     bool     // how much state is open at a time
	Rules     bool     // the rules that fired
	Fired     []string // their names
}

// explainWidth is the width that EXPLAIN's lines keep to.
const explainWidth = 100

// Explain tells a plan in lines: the tree; under every node that keeps state its key, bound, and what frees it, when it
// emits and after how much event time the first result comes; the rules that fired; the gate's verdict. Without a target
// (a SELECT) there is no state and no verdict.
func Explain(q *Query, t *ExplainTarget, o ExplainOptions) []string {
	e := &explainer{t: t, o: o}
	e.node(q.Root, "", "")
	if o.Rules {
		e.wrap("Rules: ", orNone(o.Fired))
	}
	if t != nil {
		e.verdict()
	}
	return e.lines
}

type explainer struct {
	t     *ExplainTarget
	o     ExplainOptions
	lines []string
}

// node draws n: first stands before its title, rest before what is below.
func (e *explainer) node(n Node, first, rest string) {
	e.wrapAt(first, rest+"    ", n.Title())
	for _, d := range e.details(n) {
		e.wrap(rest+"  "+d[0]+": ", d[1])
	}
	for _, in := range n.Inputs() {
		e.node(in, rest+"  ->  ", rest+"      ")
	}
}

// details are the named facts under a node.
func (e *explainer) details(n Node) [][2]string {
	var out [][2]string
	if e.t != nil {
		if f, ok := Facts(n, e.t.Mode); ok {
			out = f.lines(e.o.State)
		}
	}
	if e.o.Watermark {
		if w := WatermarkFacts(n); w != "" {
			out = append(out, [2]string{"watermark", w})
		}
	}
	return out
}

func (f *StateFacts) lines(open bool) [][2]string {
	key := "(none)"
	if len(f.Key) > 0 {
		key = strings.Join(f.Key, ", ")
	}
	out := [][2]string{{"key", key}, {"bound", f.Bound}, {"frees", f.Frees}, {"emits", f.Emits}, {"first result after", f.First}}
	if open && f.Open != "" {
		out = append(out, [2]string{"open", f.Open})
	}
	return out
}

// WatermarkFacts says which output columns of n carry a watermark, and which lost one; "" if none has to do with any.
func WatermarkFacts(n Node) string {
	p := Derive(n)
	var parts []string
	for _, c := range n.Columns() {
		if m, ok := p.Marks[c.ID]; ok {
			parts = append(parts, c.Name+[...]string{" (event time)", " (window start)", " (window end)", " (window time)"}[m.Kind])
		}
		if l, ok := p.Lost[c.ID]; ok {
			parts = append(parts, c.Name+" (lost: "+l.Why+")")
		}
	}
	return strings.Join(parts, ", ")
}

// verdict tells what the gate says.
func (e *explainer) verdict() {
	refused := false
	for _, f := range e.t.Faults {
		refused = refused || f.Severity == sqlerr.SevError
	}
	switch {
	case len(e.t.Faults) == 0:
		e.lines = append(e.lines, "Gate: accepted")
	case refused:
		e.lines = append(e.lines, "Gate: refused")
	default:
		e.lines = append(e.lines, "Gate: accepted, with warnings")
	}
	for _, f := range e.t.Faults {
		severity := "WARNING"
		if f.Severity == sqlerr.SevError {
			severity = "ERROR"
		}
		e.wrap("  "+severity+": ", f.Msg)
		if f.Detail != "" {
			e.wrap("    DETAIL: ", f.Detail)
		}
		if f.Hint != "" {
			e.verbatim("    HINT: ", f.Hint)
		}
	}
}

// verbatim keeps the lines of SQL that is to be pasted.
func (e *explainer) verbatim(label, text string) {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			label = strings.Repeat(" ", len(label))
		}
		e.lines = append(e.lines, label+line)
	}
}

func (e *explainer) wrap(label, text string) {
	e.wrapAt(label, strings.Repeat(" ", len(label)), text)
}

// wrapAt breaks text at spaces so that lines keep to the width.
func (e *explainer) wrapAt(first, rest, text string) {
	line := first
	empty := true
	for _, word := range strings.Split(text, " ") {
		if !empty && len(line)+1+len(word) > explainWidth {
			e.lines = append(e.lines, line)
			line, empty = rest, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	e.lines = append(e.lines, line)
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "(none fired)"
	}
	return strings.Join(names, ", ")
}
