package rule

import "wmsql/sqlerr"

// noWatermark is WM001: a windowed aggregate whose stream has no watermark.
var noWatermark = aggregateCheck("NoWatermark", sqlerr.NoWatermark, func(d *diagnosis, t *Target) *sqlerr.Error {
	column := nameOf(d.window.Input, d.window.Time)
	err := sqlerr.Newf(sqlerr.NoWatermark, "WM001: the windowed aggregate has no watermark").At(place(d.agg, d.window)).
		WithDetail("No EventTimeWatermark lies below %s, so no window of %q is ever final: %s.", d.agg.Title(), column, t.consequence())
	if s, col, ok := origin(d.window.Input, d.window.Time); ok {
		return err.WithHint("%s", fixStream(s, streamFix{watermark: col, delay: tenMinutes}))
	}
	return err.WithHint("%s", watermarkClause(column, tenMinutes))
})
