package logicalplan

import (
	"encoding/json"
	"strings"

	"wmsql/sqlerr"
)

// explainedNode is a node of FORMAT JSON. The names follow Postgres's ("Node Type", "Plans").
type explainedNode struct {
	Type      string          `json:"Node Type"`
	Title     string          `json:"Title"`
	State     *explainedState `json:"State,omitempty"`
	Watermark string          `json:"Watermark,omitempty"`
	Plans     []explainedNode `json:"Plans,omitempty"`
}

type explainedState struct {
	Key   []string `json:"Key"`
	Bound string   `json:"Bound"`
	Frees string   `json:"Frees"`
	Emits string   `json:"Emits"`
	First string   `json:"First Result After"`
	Open  string   `json:"Open,omitempty"`
}

type explainedFault struct {
	Severity string `json:"Severity"`
	Code     string `json:"Code"`
	Message  string `json:"Message"`
	Detail   string `json:"Detail,omitempty"`
	Hint     string `json:"Hint,omitempty"`
	Position int    `json:"Position,omitempty"`
}

type explainedGate struct {
	Verdict string           `json:"Verdict"`
	Faults  []explainedFault `json:"Faults,omitempty"`
}

type explanation struct {
	Plan  explainedNode  `json:"Plan"`
	Rules []string       `json:"Rules,omitempty"`
	Gate  *explainedGate `json:"Gate,omitempty"`
}

// ExplainJSON tells the same facts as Explain in the outer form of Postgres's FORMAT JSON: an array of one object.
func ExplainJSON(q *Query, t *ExplainTarget, o ExplainOptions) (string, error) {
	out := explanation{Plan: jsonNode(q.Root, t, o)}
	if o.Rules {
		out.Rules = o.Fired
	}
	if t != nil {
		out.Gate = jsonGate(t.Faults)
	}
	var sb strings.Builder
	enc := json.NewEncoder(&sb)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode([]explanation{out})
	return strings.TrimSuffix(sb.String(), "\n"), err
}

func jsonNode(n Node, t *ExplainTarget, o ExplainOptions) explainedNode {
	kind, _, _ := strings.Cut(n.Title(), " ")
	out := explainedNode{Type: kind, Title: n.Title()}
	if t != nil {
		if f, ok := Facts(n, t.Mode); ok {
			out.State = &explainedState{Key: f.Key, Bound: f.Bound, Frees: f.Frees, Emits: f.Emits, First: f.First, Open: f.Open}
		}
	}
	if o.Watermark {
		out.Watermark = WatermarkFacts(n)
	}
	for _, in := range n.Inputs() {
		out.Plans = append(out.Plans, jsonNode(in, t, o))
	}
	return out
}

func jsonGate(faults []*sqlerr.Error) *explainedGate {
	g := &explainedGate{Verdict: "accepted"}
	for _, f := range faults {
		severity := "WARNING"
		if f.Severity == sqlerr.SevError {
			severity, g.Verdict = "ERROR", "refused"
		}
		g.Faults = append(g.Faults, explainedFault{Severity: severity, Code: string(f.Code), Message: f.Msg, Detail: f.Detail, Hint: f.Hint, Position: f.Pos})
	}
	return g
}
