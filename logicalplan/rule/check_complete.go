package rule

import (
	"regexp"

	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// completeUnbounded is WM010: complete mode shows every group with every micro-batch, so it drops none, windows too.
var completeUnbounded = Check{
	Name: "CompleteUnbounded",
	Verify: func(n logicalplan.Node, t *Target) []*sqlerr.Error {
		if !t.complete() {
			return nil
		}
		var out []*sqlerr.Error
		streamAggregates(n, func(a *logicalplan.Aggregate, above *logicalplan.EventTimeWatermark) {
			if len(a.Keys) == 0 || above != nil || a.TTL > 0 {
				return
			}
			out = append(out, sqlerr.Newf(sqlerr.CompleteUnbounded, "WM010: complete mode keeps every group by %s for ever", keyNames(a)).At(a.Pos).
				WithDetail("The whole result is emitted with every micro-batch, so no group of %s may be dropped, whatever the watermark says.", a.Title()).
				WithHint("%s", t.notComplete(a)))
		})
		return out
	},
}

var completeOption = regexp.MustCompile(`(?i)(output_mode\s*=\s*)'complete'`)

// notComplete is the statement in update mode where that frees the groups of a, or else the statement with a TTL.
func (t *Target) notComplete(a *logicalplan.Aggregate) string {
	if logicalplan.AggregateBound(a).OK && completeOption.MatchString(t.Text) {
		return completeOption.ReplaceAllString(t.Text, "${1}'update'")
	}
	return t.mortal(a.Input)
}
