package rule

import (
	"slices"
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
)

// keyOf is the expression of a key that is not in every grouping set.
func keyOf(e *logicalplan.Expand, id expr.ColumnID) (expr.Expr, bool) {
	if e == nil {
		return nil, false
	}
	for _, k := range e.Keys {
		if k.Out.ID == id {
			return k.Expr, true
		}
	}
	return nil, false
}

// setsText is the grouping sets as the query has them, without the keys that are the event time or made of it.
func setsText(e *logicalplan.Expand) string {
	p := logicalplan.Derive(e)
	var kept []int
	for k := range e.Keys {
		if _, lost := p.Lost[e.Keys[k].Out.ID]; !lost {
			kept = append(kept, k)
		}
	}
	var sets []string
	for _, in := range e.Sets {
		var keys []string
		for _, k := range kept {
			if in[k] {
				keys = append(keys, sqlText(e.Keys[k].Expr))
			}
		}
		if s := "(" + strings.Join(keys, ", ") + ")"; !slices.Contains(sets, s) {
			sets = append(sets, s)
		}
	}
	return "GROUPING SETS (" + strings.Join(sets, ", ") + ")"
}

// boundsInAll is the GROUP BY that has the bounds of the window in every grouping set; "" if none is over the event time.
func (d *diagnosis) boundsInAll(e *logicalplan.Expand) string {
	w := timeWindow(e.Input)
	if w == nil {
		return ""
	}
	keys := []string{w.Start.Name, w.End.Name}
	for _, k := range d.agg.Keys {
		if _, optional := keyOf(e, k.Out.ID); optional || k.Out.ID == e.Set.ID {
			continue
		}
		if text := sqlText(k.Expr); !slices.Contains(keys, text) {
			keys = append(keys, text)
		}
	}
	return "GROUP BY " + strings.Join(append(keys, setsText(e)), ", ")
}
