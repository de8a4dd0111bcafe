package exec

import (
	"math"

	"wmsql/sqlerr"
	"wmsql/types"
)

// plusMicros adds d µs to a time without leaving the range of times: what is beyond is at infinity.
func plusMicros(t, d int64) int64 {
	s := t + d
	switch {
	case d > 0 && s < t:
		return math.MaxInt64
	case d < 0 && s > t:
		return math.MinInt64
	}
	return s
}

// expiredBy is the last time whose row has expired by the watermark w, if rows expire d µs after their times. At infinity all have.
func expiredBy(w types.MicroTime, d int64) int64 {
	if w == types.Infinity {
		return int64(w)
	}
	return plusMicros(int64(w), -d)
}

// outOfRange is the error of a row at time t whose window, or whose session, has a bound that no timestamp can say.
func outOfRange(t int64, what string) error {
	return sqlerr.Newf(sqlerr.DatetimeOverflow, "timestamp out of range: the %s of %s reaches beyond what a timestamp can say", what, types.AppendTimestamp(nil, t))
}
