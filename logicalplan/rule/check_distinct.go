package rule

import (
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sqlerr"
)

// distinctUnbounded is WM009: DISTINCT must remember every row it has seen, unless the event time is among what it compares.
// DISTINCT ON ... WITHIN WATERMARK needs a watermark: without one it is WM001.
var distinctUnbounded = Check{
	Name: "DistinctUnbounded",
	Verify: func(n logicalplan.Node, t *Target) []*sqlerr.Error {
		var out []*sqlerr.Error
		logicalplan.Walk(n, func(x logicalplan.Node) bool {
			if d, ok := x.(*logicalplan.Distinct); ok {
				if err := judgeDistinct(d, t); err != nil {
					out = append(out, err)
				}
			}
			return true
		})
		return out
	},
}

func judgeDistinct(d *logicalplan.Distinct, t *Target) *sqlerr.Error {
	in := logicalplan.Derive(d.Input)
	if !in.Stream || t.complete() {
		return nil
	}
	if d.WithinWatermark {
		if len(watermarks(d.Input)) > 0 {
			return nil
		}
		err := sqlerr.Newf(sqlerr.NoWatermark, "WM001: DISTINCT ON WITHIN WATERMARK has no watermark").At(d.Pos).
			WithDetail("A row is forgotten when the watermark has passed its event time by the delay, and there is no watermark below %s.", d.Title())
		if s, col, ok := timeColumn(d.Input); ok {
			return err.WithHint("%s", createStream(s, streamFix{watermark: col, delay: tenMinutes}))
		}
		return err.WithHint("%s", watermarkClause("event_time", tenMinutes))
	}
	what, names := compared(d)
	for _, id := range what {
		if _, ok := in.Marks[id]; ok {
			return nil
		}
	}
	err := sqlerr.Newf(sqlerr.DistinctUnbounded, "WM009: %s remembers every %s for ever", strings.ToUpper(strings.Fields(d.Title())[0]), names).At(d.Pos).
		WithDetail("The event time is not among the columns that %s compares, so the same values may come again at any time.", d.Title())
	return err.WithHint("%s", t.statement(withinWatermark(d)))
}

// compared is what a Distinct compares: plain columns, and their names.
func compared(d *logicalplan.Distinct) (ids []expr.ColumnID, names string) {
	var list []string
	if d.On == nil {
		for _, c := range d.Columns() {
			ids, list = append(ids, c.ID), append(list, c.Name)
		}
	}
	for _, e := range d.On {
		if c, ok := e.(*expr.Column); ok {
			ids = append(ids, c.ID)
		}
		list = append(list, e.String())
	}
	return ids, strings.Join(list, ", ")
}

// withinWatermark is the query that forgets a row once the watermark has passed it.
func withinWatermark(d *logicalplan.Distinct) string {
	_, names := compared(d)
	from := "clicks"
	if s := onlyStream(d.Input); s != nil {
		from = ident(s.Name)
	}
	var cols []string
	for _, c := range d.Columns() {
		cols = append(cols, ident(c.Name))
	}
	return "SELECT DISTINCT ON (" + names + ") WITHIN WATERMARK " + strings.Join(cols, ", ") + " FROM " + from
}
