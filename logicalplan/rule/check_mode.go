package rule

import (
	"strings"

	"wmsql/catalog"
	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// unsupportedMode refuses what the output mode makes impossible, as Spark does: rows that are sorted or limited while they
// change, one global row that is never final, a complete result without an aggregate.
var unsupportedMode = Check{
	Name: "UnsupportedMode",
	Verify: func(n logicalplan.Node, t *Target) []*sqlerr.Error {
		if !logicalplan.Derive(n).Stream {
			return nil
		}
		var out []*sqlerr.Error
		refuse := func(pos int, msg, detail, hint string) {
			err := sqlerr.Newf(sqlerr.FeatureNotSupported, "%s", msg).At(pos).WithDetail("%s", detail)
			if hint != "" {
				err.WithHint("%s", hint)
			}
			out = append(out, err)
		}
		aggregates := 0
		logicalplan.Walk(n, func(x logicalplan.Node) bool {
			if len(x.Inputs()) == 0 || !logicalplan.Derive(x).Stream {
				return true
			}
			switch x := x.(type) {
			case *logicalplan.Sort:
				if !t.complete() {
					refuse(x.Pos, "ORDER BY in a continuous query needs complete mode",
						"In "+t.Mode.String()+" mode rows come as they are final or change, never as a whole.",
						"SELECT * FROM "+ident(t.view())+" ORDER BY "+strings.TrimSuffix(strings.TrimPrefix(x.Title(), "Sort ["), "]"))
				}
			case *logicalplan.Limit:
				if t.Mode == catalog.Update {
					refuse(x.Pos, "LIMIT in a continuous query is not supported in update mode",
						"Rows that change would have to leave and enter the limit.", "SELECT * FROM "+ident(t.view())+" LIMIT ...")
				}
			case *logicalplan.Aggregate:
				aggregates++
				if len(x.Keys) == 0 && t.Mode == catalog.Append {
					refuse(x.Pos, "an aggregate without GROUP BY is not supported in append mode",
						"Its one row changes with every micro-batch and is never final.", "EMIT ON UPDATE")
				}
			}
			return true
		})
		if t.complete() && aggregates == 0 {
			refuse(n.At(), "complete mode needs an aggregate",
				"Without one the whole result is the whole input, kept for ever.", "EMIT ON UPDATE")
		}
		return out
	},
}
