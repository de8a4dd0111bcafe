package rule

import (
	"fmt"

	"wmsql/logicalplan"
	"wmsql/sqlerr"
	"wmsql/types"
)

// manyWindows is how many windows a delay may span, and manyCopies how many windows a row may lie in, before a warning.
const (
	manyWindows = 100
	manyCopies  = 1000
)

// suspicious is WM011: legal, but with an effect that can be foretold.
var suspicious = Check{
	Name: "Suspicious",
	Verify: func(n logicalplan.Node, t *Target) []*sqlerr.Error {
		var out []*sqlerr.Error
		warn := func(pos int, detail, hint, format string, args ...any) {
			err := sqlerr.Newf(sqlerr.WatermarkSuspicious, "WM011: %s", fmt.Sprintf(format, args...)).At(pos).WithDetail("%s", detail).WithHint("%s", hint)
			err.Severity = sqlerr.SevWarning
			out = append(out, err)
		}
		marks := watermarks(n)
		for _, m := range marks {
			if logicalplan.Micros(m.Delay) == 0 {
				col := nameOf(m, m.Column)
				warn(m.Pos, "Every row that is older than the newest one seen before its micro-batch may be late: any disorder loses rows.",
					watermarkClause(col, tenMinutes), "the delay of the watermark on %q is 0", col)
			}
		}
		logicalplan.Walk(n, func(x logicalplan.Node) bool {
			w, ok := x.(*logicalplan.Window)
			if !ok || w.Kind == logicalplan.Session {
				return true
			}
			size, slide := logicalplan.Micros(w.Size), logicalplan.Micros(w.Slide)
			if w.Kind != logicalplan.Tumble && size/slide > manyCopies {
				warn(w.Pos, fmt.Sprintf("Each row is counted in %d windows.", size/slide),
					"INTERVAL '"+logicalplan.FormatInterval(types.IntervalValue{Micros: size / manyCopies})+"' or more as the slide",
					"%s puts every row into %d windows", w.Title()[len("Window "):], size/slide)
			}
			for _, m := range watermarks(w.Input) {
				if d := logicalplan.Micros(m.Delay); d > manyWindows*slide {
					warn(w.Pos, fmt.Sprintf("%d windows of every key are open at a time.", (d+size)/slide),
						watermarkClause(nameOf(m, m.Column), w.Size), "the delay of %s is more than %d windows of %s",
						logicalplan.FormatInterval(m.Delay), manyWindows, logicalplan.FormatInterval(w.Slide))
				}
			}
			return true
		})
		policy(marks, t, warn)
		return out
	},
}

// policy warns about several watermarks: the maximum makes rows of the slower input late, the minimum waits for a quiet one.
func policy(marks []*logicalplan.EventTimeWatermark, t *Target, warn func(pos int, detail, hint, format string, args ...any)) {
	streams := map[string]bool{}
	idle := true
	for _, m := range marks {
		if m.Stream != nil {
			streams[m.Stream.Name] = true
			idle = idle && m.Stream.Options["idle_timeout"] != "" && m.Stream.Options["idle_timeout"] != "off"
		}
	}
	if len(streams) < 2 {
		return
	}
	switch {
	case t.Policy == "max":
		warn(marks[0].Pos, "The watermark follows the fastest stream: rows of a slower one may be late though they are inside its own delay.",
			"SET wmsql.multiple_watermark_policy = 'min';", "the watermark of %d streams is their maximum", len(streams))
	case !idle:
		warn(marks[0].Pos, "The watermark is the minimum over the streams: while one of them sends nothing, no window closes.",
			"ALTER STREAM "+ident(marks[0].Stream.Name)+" SET (idle_timeout = '1 minute');", "one quiet stream of %d holds the watermark back", len(streams))
	}
}
