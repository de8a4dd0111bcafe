package logicalplan

import (
	"strings"

	"wmsql/catalog"
	"wmsql/expr"
)

// TakesBack reports whether rows of n may be changed or taken away later in a query of the given mode, so that an operator above has
// to take them back. In complete mode an aggregate hands on its whole result each time, in append mode only what is final.
func TakesBack(n Node, mode catalog.OutputMode) bool {
	switch n := n.(type) {
	case *ResultScan:
		return n.Below.Changes
	case *Aggregate:
		return mode == catalog.Update && Derive(n.Input).Stream
	case *TopN:
		return mode == catalog.Update && Derive(n.Input).Stream
	case *Distinct:
		if n.On == nil || n.By != nil {
			return mode == catalog.Update && Derive(n.Input).Stream
		}
	}
	for _, in := range n.Inputs() {
		if TakesBack(in, mode) {
			return true
		}
	}
	return false
}

// undoes says what an aggregate keeps to take rows back.
func undoes(a *Aggregate) string {
	var kept []string
	for _, g := range a.Aggs {
		if !expr.RetractsByItself(g.Agg) {
			kept = append(kept, g.Agg.String())
		}
	}
	out := "rows as they were, by a count of each group's rows"
	if len(kept) > 0 {
		out += "; for " + strings.Join(kept, ", ") + " the rows of the group are kept"
	}
	return out
}
