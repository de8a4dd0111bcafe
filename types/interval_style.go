package types

import (
	"math"
	"strconv"
)

// AppendInterval appends an interval in the session's style; f may be nil.
func (f *Format) AppendInterval(dst []byte, v IntervalValue) []byte {
	if f == nil {
		return AppendInterval(dst, v)
	}
	switch f.IntervalStyle {
	case IntervalVerbose:
		return appendIntervalVerbose(dst, v)
	case IntervalSQL:
		return appendIntervalSQL(dst, v)
	case IntervalISO:
		return appendIntervalISO(dst, v)
	}
	return AppendInterval(dst, v)
}

// clockParts are the fields of a time, each with its sign.
type clockParts struct{ hours, minutes, seconds, micros int64 }

func clockOf(us int64) clockParts {
	return clockParts{us / MicrosPerHour, us / MicrosPerMinute % 60, us / MicrosPerSecond % 60, us % MicrosPerSecond}
}

// appendSeconds appends seconds and microseconds of one sign, of which the sign is left out.
func appendSeconds(dst []byte, c clockParts) []byte {
	dst = strconv.AppendInt(dst, max(c.seconds, -c.seconds), 10)
	return appendFraction(dst, max(c.micros, -c.micros))
}

// appendIntervalVerbose is IntervalStyle postgres_verbose: the sign of the first field is said at the end, by ago.
func appendIntervalVerbose(dst []byte, v IntervalValue) []byte {
	dst = append(dst, '@')
	first, ago := true, false
	part := func(n int64, unit string) {
		if n == 0 {
			return
		}
		if first {
			first, ago = false, n < 0
		}
		if ago {
			n = -n
		}
		dst = strconv.AppendInt(append(dst, ' '), n, 10)
		dst = append(append(dst, ' '), unit...)
		if n != 1 {
			dst = append(dst, 's')
		}
	}
	part(int64(v.Months/monthsPerYear), "year")
	part(int64(v.Months%monthsPerYear), "mon")
	part(int64(v.Days), "day")
	c := clockOf(v.Micros)
	part(c.hours, "hour")
	part(c.minutes, "min")
	if c.seconds != 0 || c.micros != 0 {
		negative := c.seconds < 0 || c.micros < 0
		if first {
			first, ago = false, negative
		}
		dst = append(dst, ' ')
		if negative != ago {
			dst = append(dst, '-')
		}
		dst = append(appendSeconds(dst, c), " sec"...)
		if max(c.seconds, -c.seconds) != 1 || c.micros != 0 {
			dst = append(dst, 's')
		}
	}
	switch {
	case first:
		return append(dst, " 0"...)
	case ago:
		return append(dst, " ago"...)
	}
	return dst
}

// appendIntervalSQL is IntervalStyle sql_standard: years-months or days and time, all of one sign, or else both, each with its sign.
func appendIntervalSQL(dst []byte, v IntervalValue) []byte {
	c := clockOf(v.Micros)
	negative := v.Months < 0 || v.Days < 0 || v.Micros < 0
	positive := v.Months > 0 || v.Days > 0 || v.Micros > 0
	ym, dt := v.Months != 0, v.Days != 0 || v.Micros != 0
	switch {
	case !negative && !positive:
		return append(dst, '0')
	case negative && positive || ym && dt:
		dst = appendYearMonth(appendSign(dst, v.Months < 0), v.Months)
		dst = append(appendSign(append(dst, ' '), v.Days < 0), strconv.FormatUint(absInt64(int64(v.Days)), 10)...)
		return appendSQLClock(appendSign(append(dst, ' '), v.Micros < 0), c)
	}
	if negative {
		dst = append(dst, '-')
	}
	switch {
	case ym:
		return appendYearMonth(dst, v.Months)
	case v.Days != 0:
		dst = append(strconv.AppendUint(dst, absInt64(int64(v.Days)), 10), ' ')
	}
	return appendSQLClock(dst, c)
}

func appendSign(dst []byte, negative bool) []byte {
	if negative {
		return append(dst, '-')
	}
	return append(dst, '+')
}

func appendYearMonth(dst []byte, months int32) []byte {
	n := absInt64(int64(months))
	dst = strconv.AppendUint(dst, n/monthsPerYear, 10)
	return strconv.AppendUint(append(dst, '-'), n%monthsPerYear, 10)
}

func appendSQLClock(dst []byte, c clockParts) []byte {
	dst = strconv.AppendUint(dst, absInt64(c.hours), 10)
	dst = appendTwo(append(dst, ':'), int(absInt64(c.minutes)))
	dst = appendTwo(append(dst, ':'), int(absInt64(c.seconds)))
	return appendFraction(dst, int64(absInt64(c.micros)))
}

// appendIntervalISO is IntervalStyle iso_8601, with designators.
func appendIntervalISO(dst []byte, v IntervalValue) []byte {
	if v == (IntervalValue{}) {
		return append(dst, "PT0S"...)
	}
	part := func(n int64, unit byte) {
		if n != 0 {
			dst = append(strconv.AppendInt(dst, n, 10), unit)
		}
	}
	dst = append(dst, 'P')
	part(int64(v.Months/monthsPerYear), 'Y')
	part(int64(v.Months%monthsPerYear), 'M')
	part(int64(v.Days), 'D')
	if v.Micros == 0 {
		return dst
	}
	c := clockOf(v.Micros)
	dst = append(dst, 'T')
	part(c.hours, 'H')
	part(c.minutes, 'M')
	if c.seconds != 0 || c.micros != 0 {
		if c.seconds < 0 || c.micros < 0 {
			dst = append(dst, '-')
		}
		dst = append(appendSeconds(dst, c), 'S')
	}
	return dst
}

// ParseInterval reads an interval by the session's style; f may be nil. In sql_standard a sign in front, if it is the only one, is that of all
// fields.
func (f *Format) ParseInterval(s string, mod int32) (IntervalValue, error) {
	v, err := ParseInterval(s, mod)
	if err != nil || f == nil || f.IntervalStyle != IntervalSQL {
		return v, err
	}
	fields, ok := splitFields(s)
	if !ok || len(fields) == 0 || fields[0].text == "" || fields[0].text[0] != '-' {
		return v, nil
	}
	for _, more := range fields[1:] {
		if more.text != "" && (more.text[0] == '-' || more.text[0] == '+') || more.text == "ago" {
			return v, nil
		}
	}
	if v.Micros == math.MinInt64 {
		return v, nil
	}
	return IntervalValue{-max(v.Months, -v.Months), -max(v.Days, -v.Days), -max(v.Micros, -v.Micros)}, nil
}
