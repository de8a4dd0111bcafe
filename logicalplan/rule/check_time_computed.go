package rule

import (
	"wmsql/logicalplan"
	"wmsql/sqlerr"
	"wmsql/types"
)

// windowTimeComputed is WM004: the window's time is computed inside GROUP BY, above the watermark.
var windowTimeComputed = aggregateCheck("WindowTimeComputed", sqlerr.WindowTimeComputed, func(d *diagnosis, t *Target) *sqlerr.Error {
	w := d.window
	err := sqlerr.Newf(sqlerr.WindowTimeComputed, "WM004: the window's time is computed inside GROUP BY: %s", w.TimeExpr).At(place(d.agg, w)).
		WithDetail("The expression is computed above %s, which knows nothing of its value, so no window is ever final: %s.",
			markedBelow(d.marks, w), t.consequence())
	if h, ok := generatedHint(w.Input, w.TimeExpr, "", delayOf(d.marks)); ok {
		return err.WithHint("%s", h)
	}
	return err.WithHint("event_time TIMESTAMPTZ GENERATED ALWAYS AS (%s) STORED, %s", w.TimeExpr, watermarkClause("event_time", delayOf(d.marks)))
})

func markedBelow(marks []*logicalplan.EventTimeWatermark, w *logicalplan.Window) string {
	if len(marks) > 0 {
		return nearest(marks, w).Title()
	}
	if s := onlyStream(w.Input); s != nil {
		return "the stream \"" + s.Name + "\", which has no watermark and"
	}
	return "the streams"
}

// delayOf is the delay that the query already has, for hints.
func delayOf(marks []*logicalplan.EventTimeWatermark) types.IntervalValue {
	if len(marks) > 0 {
		return marks[0].Delay
	}
	return tenMinutes
}
