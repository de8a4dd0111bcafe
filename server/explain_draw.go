package server

import (
	"encoding/json"
	"strings"
)

// explained is a node of the drawn plan: its line, what is told below it, its inputs.
type explained struct {
	title   string
	details []detail
	inputs  []*explained
}

type detail struct{ name, value string }

// text is the explanation as psql shows it.
func (e *explanation) text() []string {
	var out []string
	e.root.draw(&out, "", "")
	out = append(out, e.rulesText()...)
	if e.physical != "" {
		out = append(out, "Operators:")
		for line := range strings.SplitSeq(strings.TrimRight(e.physical, "\n"), "\n") {
			out = append(out, "  "+line)
		}
	}
	out = append(out, e.notes...)
	out = append(out, e.live...)
	return append(out, e.gateText()...)
}

// draw adds the lines of a node: first before its title, rest before all lines below.
func (n *explained) draw(out *[]string, first, rest string) {
	*out = append(*out, first+n.title)
	for _, d := range n.details {
		*out = append(*out, rest+"  "+d.name+": "+d.value)
	}
	for _, in := range n.inputs {
		in.draw(out, rest+"  ->  ", rest+"      ")
	}
}

// jsonNode is a node of FORMAT JSON, named as Postgres names the parts.
type jsonNode struct {
	Type    string            `json:"Node Type"`
	Title   string            `json:"Title"`
	Details map[string]string `json:"Details,omitempty"`
	Plans   []jsonNode        `json:"Plans,omitempty"`
}

type jsonFault struct {
	Severity string `json:"Severity"`
	Code     string `json:"Code"`
	Message  string `json:"Message"`
	Detail   string `json:"Detail,omitempty"`
	Hint     string `json:"Hint,omitempty"`
}

type jsonGate struct {
	Verdict string      `json:"Verdict"`
	Faults  []jsonFault `json:"Faults,omitempty"`
}

type jsonExplanation struct {
	Plan      jsonNode  `json:"Plan"`
	Rules     []string  `json:"Rules,omitempty"`
	Operators []string  `json:"Operators,omitempty"`
	Notes     []string  `json:"Notes,omitempty"`
	Running   []string  `json:"Running,omitempty"`
	Gate      *jsonGate `json:"Gate,omitempty"`
}

// json is the explanation as one JSON document: an array of one, as Postgres has it.
func (e *explanation) json() string {
	doc := jsonExplanation{Plan: e.root.json(), Notes: e.notes, Running: e.live}
	if e.options.rules {
		doc.Rules = e.fired
	}
	if e.physical != "" {
		doc.Operators = strings.Split(strings.TrimRight(e.physical, "\n"), "\n")
	}
	if e.verdict != "" {
		g := &jsonGate{Verdict: "accepted"}
		if e.refused() {
			g.Verdict = "refused"
		}
		for _, f := range e.gate {
			severity := "error"
			if f.Severity != 0 {
				severity = "warning"
			}
			g.Faults = append(g.Faults, jsonFault{severity, string(f.Code), f.Msg, f.Detail, f.Hint})
		}
		doc.Gate = g
	}
	var sb strings.Builder
	enc := json.NewEncoder(&sb)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode([]jsonExplanation{doc}); err != nil {
		panic("server: EXPLAIN cannot be written as JSON: " + err.Error())
	}
	return strings.TrimRight(sb.String(), "\n")
}

func (n *explained) json() jsonNode {
	kind, _, _ := strings.Cut(n.title, " ")
	out := jsonNode{Type: kind, Title: n.title}
	for _, d := range n.details {
		if out.Details == nil {
			out.Details = map[string]string{}
		}
		out.Details[d.name] = d.value
	}
	for _, in := range n.inputs {
		out.Plans = append(out.Plans, in.json())
	}
	return out
}
