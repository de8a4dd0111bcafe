package rule

import (
	"wmsql/catalog"
	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// unsupportedNode refuses the operators that do not run over a stream yet.
var unsupportedNode = Check{
	Name: "UnsupportedNode",
	Verify: func(n logicalplan.Node, t *Target) []*sqlerr.Error {
		var out []*sqlerr.Error
		logicalplan.Walk(n, func(x logicalplan.Node) bool {
			if what := unsupported(x, t); what != "" {
				err := sqlerr.Unsupported("%s in a continuous query", what).At(x.At())
				switch x.(type) {
				case *logicalplan.WindowFunc:
					err.WithHint("%s", overHint)
				case *logicalplan.Apply:
					err.WithHint("%s", subqueryHint)
				}
				out = append(out, err)
			}
			return true
		})
		return out
	},
}

// unsupported names what x does that no streaming operator does; "" if it is all right.
func unsupported(x logicalplan.Node, t *Target) string {
	streams := 0
	for _, in := range x.Inputs() {
		if logicalplan.Derive(in).Stream {
			streams++
		}
	}
	if streams == 0 {
		return ""
	}
	switch x := x.(type) {
	case *logicalplan.Join:
		if streams == 2 && t.complete() {
			return "a join of two streams outside append and update mode"
		}
	case *logicalplan.SetOp:
		if x.Kind != logicalplan.Union || !x.All {
			return x.Title() + " of streams (other than UNION ALL)"
		}
	case *logicalplan.Distinct:
		if x.By != nil && t.Mode != catalog.Update {
			return "row_number() = 1 by the event time outside update mode"
		}
	case *logicalplan.WindowFunc:
		return unsupportedOver(x, t)
	case *logicalplan.Apply:
		if logicalplan.Derive(x.Subplan).Stream {
			return "a subquery over a stream"
		}
	case *logicalplan.Recursive:
		return "WITH RECURSIVE over a stream"
	}
	return ""
}

// subqueryHint is what can be told of rows of another stream.
const subqueryHint = "WHERE [NOT] EXISTS (SELECT FROM b WHERE b.id = a.id AND b.at BETWEEN a.at AND a.at + INTERVAL '1 hour') tests for rows of " +
	"stream b with the same key in a range of time; a join brings their columns."

// overHint is how a partition of a stream is bounded.
const overHint = "Order by the event time and give a frame (RANGE BETWEEN INTERVAL '1 hour' PRECEDING AND CURRENT ROW), " +
	"or PARTITION BY the end of a window."

// unsupportedOver names what of a window function does not run over a stream.
func unsupportedOver(n *logicalplan.WindowFunc, t *Target) string {
	if logicalplan.WholePartitions(n) && t.Mode == catalog.Append {
		return ""
	}
	_, what := logicalplan.OverOf(n)
	return what
}
