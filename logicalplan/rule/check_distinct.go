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

// selectDistinct marks the WM009 of SELECT DISTINCT, which in append mode would never put anything out.
const selectDistinct = "SELECT DISTINCT"

func judgeDistinct(d *logicalplan.Distinct, t *Target) *sqlerr.Error {
	in := logicalplan.Derive(d.Input)
	if !in.Stream || d.On == nil && t.complete() || logicalplan.DistinctBound(d).OK {
		return nil
	}
	if d.WithinWatermark {
		return withoutTime(d)
	}
	_, names := compared(d)
	detail := "The event time is not among the columns that " + d.Title() + " compares, so the same values may come again at any time."
	hint := t.statement(withinWatermark(d))
	if end, ok := startOnly(d, in); ok {
		detail = startAlone
		hint = end + ", " + names
	}
	err := sqlerr.Newf(sqlerr.DistinctUnbounded, "WM009: DISTINCT remembers every %s for ever", names).At(d.Pos).WithDetail("%s", detail).WithHint("%s", hint)
	if d.On == nil {
		err.Where = selectDistinct
	}
	return err
}

// startOnly finds a window of which d compares the start but not the end.
func startOnly(d *logicalplan.Distinct, in *logicalplan.Props) (end string, ok bool) {
	ids, _ := compared(d)
	for _, id := range ids {
		if m, marked := in.Marks[id]; marked && m.Kind == logicalplan.MarkWindowStart {
			return m.Window.End.Name, true
		}
	}
	return "", false
}

// withoutTime is the fault of a WITHIN WATERMARK that has no watermark (WM001), or no event time any more (WM006).
func withoutTime(d *logicalplan.Distinct) *sqlerr.Error {
	if marks := speaking(d.Input); len(marks) > 0 {
		column := nameOf(marks[0], marks[0].Column)
		err := sqlerr.Newf(sqlerr.WatermarkLost, "WM006: the watermark on %q is lost on the way to DISTINCT ON", column).At(d.Pos).
			WithDetail("WITHIN WATERMARK goes by the event time of every row, and %s has no event time: no key is ever freed.", d.Input.Title())
		return err.WithHint("Put DISTINCT ON below what loses %s, or hand %s on.", column, column)
	}
	err := sqlerr.Newf(sqlerr.NoWatermark, "WM001: DISTINCT ON WITHIN WATERMARK has no watermark").At(d.Pos).
		WithDetail("A row is forgotten when the watermark has passed its event time by the delay, and there is no watermark below %s.", d.Title())
	if s, col, ok := timeColumn(d.Input); ok {
		return err.WithHint("%s", fixStream(s, streamFix{watermark: col, delay: tenMinutes}))
	}
	return err.WithHint("%s", watermarkClause("event_time", tenMinutes))
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
