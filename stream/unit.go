package stream

import (
	"strings"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/types"
)

// year10000 is the first moment with a year of five digits: there lie today's milliseconds when they are read as seconds.
const year10000 = 253_402_300_800 * types.MicrosPerSecond

// guessesUnit reports whether the unit of a stream's numbers can be wrong unseen: nobody compares its times with the clock.
func guessesUnit(s *catalog.Stream) bool {
	return s.Watermark == nil && strings.HasPrefix(s.Options["timestamp_format"], "epoch_")
}

// wrongUnit names the first column of timestamps whose values all lie in 1970 or all beyond the year 9999, with one of them: the stream's
// option timestamp_format then probably names the wrong unit. "" if none does.
func wrongUnit(b *column.Batch) (name string, at types.MicroTime) {
	for i, c := range b.Cols {
		v, ok := c.(*column.Of[int64])
		if kind := c.Type().Kind; !ok || kind != types.Timestamp && kind != types.TimestampTZ {
			continue
		}
		seen, early, far := 0, 0, 0
		for row, us := range v.Values {
			if v.IsNull(row) {
				continue
			}
			at = types.MicroTime(us)
			seen++
			if us >= 0 && us < 365*types.MicrosPerDay {
				early++
			}
			if us >= year10000 && at != types.Infinity {
				far++
			}
		}
		if seen > 0 && (early == seen || far == seen) {
			return b.Schema.Fields[i].Name, at
		}
	}
	return "", 0
}
