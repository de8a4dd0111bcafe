package server

import (
	"encoding/json"
	"strings"

	"wmsql/logicalplan"
)

// text is the explanation as psql shows it.
func (e *explanation) text() []string {
	out := e.root.Lines()
	out = append(out, e.rulesText()...)
	if e.physical != "" {
		out = append(out, "Operators:")
		for line := range strings.SplitSeq(strings.TrimRight(e.physical, "\n"), "\n") {
			text := strings.TrimLeft(line, " ")
			out = append(out, logicalplan.Wrap("  "+line[:len(line)-len(text)], text)...)
		}
	}
	out = append(out, e.notes...)
	out = append(out, e.live...)
	return append(out, e.gateText()...)
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
	Plan      *logicalplan.Explained `json:"Plan"`
	Rules     []string               `json:"Rules,omitempty"`
	Operators []string               `json:"Operators,omitempty"`
	Notes     []string               `json:"Notes,omitempty"`
	Running   []string               `json:"Running,omitempty"`
	Gate      *jsonGate              `json:"Gate,omitempty"`
}

// json is the explanation as one JSON document: an array of one, as Postgres has it.
func (e *explanation) json() string {
	doc := jsonExplanation{Plan: e.root, Notes: e.notes, Running: e.live}
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
