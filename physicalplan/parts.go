package physicalplan

import (
	"fmt"
	"regexp"
	"strings"

	"wmsql/logicalplan"
)

// StatePart is one operator that keeps state, with what gives its state its meaning: the operator itself and all that chooses
// and shapes the rows below it. Two plans with equal parts read each other's state. Stateless operators above the last part,
// the delay of a watermark and the output mode are in none.
type StatePart struct {
	Table uint32 // state table number
	Title string // the operator's line, without what may change
	Facts []Fact // the inputs' first
}

// Fact is one named property, as a user reads it: "window", "TUMBLE(event_time, 5 minutes)".
type Fact struct{ Name, Text string }

// StateParts lists the operators of a plan that keep state, bottom up.
func StateParts(p *Plan) []StatePart {
	var out []StatePart
	collectParts(p.Root, &out)
	return out
}

// collectParts appends the parts of n and its inputs to out and returns the facts of all of them.
func collectParts(n Node, out *[]StatePart) []Fact {
	var facts []Fact
	for _, in := range n.Inputs() {
		facts = append(facts, collectParts(in, out)...)
	}
	facts = append(facts, factsOf(n)...)
	if n.Table() != 0 {
		*out = append(*out, StatePart{Table: n.Table(), Title: plainTitle(n), Facts: append([]Fact{}, facts...)})
	}
	return facts
}

// changing is what an operator's line says and its state does not depend on.
var changing = regexp.MustCompile(` (table=\d+|mode=\w+|delay .*)`)

func plainTitle(n Node) string { return changing.ReplaceAllString(n.Title(), "") }

// factsOf is what n itself adds. An operator that is not known here is its whole line, which refuses too much rather than too
// little.
func factsOf(n Node) []Fact {
	switch n := n.(type) {
	case *StreamScan:
		return []Fact{{"stream", n.Stream.Name}}
	case *TableScan:
		return []Fact{{"table", n.Object.Name}}
	case *Project, *LateFilter, *Materialize, *Sort:
		return nil
	case *Filter:
		return []Fact{{"filter", joined(n.Conds, " AND ")}}
	case *Window:
		return []Fact{{"window", strings.TrimPrefix(n.Window.Title(), "Window ")}}
	case *OverTime: // what is stored is rows
		return []Fact{{"row kept", plainTitle(n) + " with " + strings.Join(names(n.Input, nil), ", ")}}
	case *TopN:
		return []Fact{{"row kept", plainTitle(n) + " with " + strings.Join(names(n.Input, nil), ", ")}}
	case *SessionSpans:
		return []Fact{{"window", "SESSION with gap " + logicalplan.GapText(n.Window)}}
	case *Watermark:
		by := ""
		if n.BySplit {
			by = " of each partition"
		}
		return []Fact{{"watermark", n.Schem.Fields[n.Column].Name + by}}
	case *StreamAggregate:
		facts := append(groupingFacts(n, &n.Grouping, n.Input, columnOr(n.Input, n.Expires)), ttlFact(n.TTL)...)
		if n.Panes != nil {
			facts = append(facts, Fact{"form", "pieces of one slide, which late_rows = 'keep' cannot have"})
		}
		return facts
	case *SessionAggregate:
		end := -1
		if n.Evicts {
			end = n.End
		}
		return groupingFacts(n, &n.Grouping, n.Input, columnOr(n.Input, end))
	case *Dedup:
		return []Fact{{"list of keys", typedNames(n.Input, n.On)}, {"deduplication", plainTitle(n)}}
	}
	return []Fact{{"operator", plainTitle(n)}}
}

// ttlFact is there when the state has a TTL, however long.
func ttlFact(ttl int64) []Fact {
	if ttl == 0 {
		return nil
	}
	return []Fact{{"option", "state_ttl"}}
}

func groupingFacts(n Node, g *Grouping, in Node, freed string) []Fact {
	var aggs []string
	for i, a := range g.Aggs {
		aggs = append(aggs, fmt.Sprintf("%s %s", a.Agg, n.Schema().Fields[len(g.Keys)+i].Type))
	}
	return []Fact{{"list of keys", orNone(typedNames(in, g.Keys))}, {"list of aggregates", orNone(strings.Join(aggs, ", "))}, {"column that frees a group", freed}}
}

// typedNames are columns of n with their types.
func typedNames(n Node, ords []int) string {
	var out []string
	for _, o := range ords {
		f := n.Schema().Fields[o]
		out = append(out, fmt.Sprintf("%s %s", f.Name, f.Type))
	}
	return strings.Join(out, ", ")
}

func columnOr(n Node, ord int) string {
	if ord < 0 {
		return "(none)"
	}
	return n.Schema().Fields[ord].Name
}

func orNone(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}
