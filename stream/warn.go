package stream

import (
	"fmt"
	"time"

	"wmsql/exec"
	"wmsql/types"
)

// aheadMax is how far an event time may be ahead of the clock before it is told: max_future_skew's default.
const aheadMax = 24 * time.Hour

// warnOfTimes tells of rows from the future: each batch of them that was rejected, and the one that carries a watermark ahead of the
// clock, where nothing guards it: from then on honest rows are late. It tells of a stream that begins in 1970 too: there lie today's
// seconds when they are read as milliseconds, and milliseconds as microseconds.
func (e *epoch) warnOfTimes(marks []exec.WatermarkStats) {
	limit := e.Now + types.MicroTime(aheadMax.Microseconds())
	for i := range marks {
		w := &marks[i]
		if w.Skewed > 0 {
			e.q.cfg.Notify("event times ahead of the clock were rejected", "stream", w.Stream, "count", w.Skewed)
		}
		before := types.MinTime
		if i < len(e.q.last.Watermarks) {
			before = e.q.last.Watermarks[i].MaxSeen
		}
		if w.MaxSeen > limit && before <= limit {
			e.q.cfg.Notify("an event time ahead of the clock moved the watermark", "stream", w.Stream, "event_time", utc(w.MaxSeen),
				"ahead", fmt.Sprintf("%d days", int64(w.MaxSeen-e.Now)/types.MicrosPerDay), "watermark", utc(w.Watermark))
		}
		if before == types.MinTime && w.MaxSeen >= 0 && w.MaxSeen < 365*types.MicroTime(types.MicrosPerDay) {
			e.q.cfg.Notify("event times lie in 1970; timestamp_format may name the wrong unit", "stream", w.Stream, "event_time", utc(w.MaxSeen))
		}
	}
}

func utc(t types.MicroTime) string { return string(types.AppendTimestampTZ(nil, int64(t), types.UTC)) }
