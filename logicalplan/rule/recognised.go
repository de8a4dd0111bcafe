package rule

import (
	"wmsql/catalog"
	"wmsql/logicalplan"
)

// recognised is n as the gate judges it: its deduplications written as DISTINCT ON, its first rows as TopN, and its subqueries over streams
// as joins.
func recognised(n logicalplan.Node, mode catalog.OutputMode) logicalplan.Node {
	numbers, subqueries := false, false
	logicalplan.Walk(n, func(x logicalplan.Node) bool {
		switch x := x.(type) {
		case *logicalplan.WindowFunc:
			numbers = numbers || len(x.Funcs) == 1 && x.Funcs[0].Name == "row_number"
		case *logicalplan.Apply:
			subqueries = subqueries || logicalplan.Derive(x.Subplan).Stream
		}
		return !numbers || !subqueries
	})
	if subqueries {
		n = fixpoint(n, []Rewrite{mergeFilters, pushFilterThroughApply, semiJoin}, func(string) {})
	}
	if !numbers {
		return n
	}
	n = fixpoint(n, []Rewrite{mergeFilters, pushFilterThroughProject, rowNumberOne}, func(string) {})
	if mode == catalog.Update {
		n = Changing(n)
	}
	return n
}
