package types

import (
	"strconv"
	"time"
)

// isISO reports that dates are written as ISO 8601 does; f may be nil.
func (f *Format) isISO() bool { return f == nil || f.DateStyle == DateISO }

// AppendDate appends a date in the session's style.
func (f *Format) AppendDate(dst []byte, days int64) []byte {
	if f.isISO() || isInfinite(days) {
		return AppendDate(dst, days)
	}
	y, m, d := Civil(days)
	separator := byte('-')
	switch f.DateStyle {
	case DateSQL:
		separator = '/'
	case DateGerman:
		separator = '.'
	}
	return appendEra(f.appendDayMonthYear(dst, y, m, d, separator), y)
}

// appendDayMonthYear appends month and day in the session's order, then the year.
func (f *Format) appendDayMonthYear(dst []byte, y int64, m, d int, separator byte) []byte {
	if f.DateOrder == OrderDMY || f.DateStyle == DateGerman {
		m, d = d, m
	}
	dst = appendTwo(dst, m)
	dst = appendTwo(append(dst, separator), d)
	return appendYear(append(dst, separator), y)
}

// AppendTimestamp appends a timestamp without time zone in the session's style.
func (f *Format) AppendTimestamp(dst []byte, us int64) []byte {
	if f.isISO() || isInfinite(us) {
		return AppendTimestamp(dst, us)
	}
	return f.appendStyled(dst, us, "")
}

// AppendTimestampTZ appends a timestamp with time zone, local to the session's zone, in its style.
func (f *Format) AppendTimestampTZ(dst []byte, us int64) []byte {
	if f.isISO() || isInfinite(us) {
		return AppendTimestampTZ(dst, us, f)
	}
	seconds := floorDiv64(us, MicrosPerSecond)
	zone, _ := time.Unix(seconds, 0).In(f.Zone).Zone()
	return f.appendStyled(dst, us+offsetAt(f.Zone, seconds)*MicrosPerSecond, zone)
}

// appendStyled appends a local time, and the zone's name behind it.
func (f *Format) appendStyled(dst []byte, us int64, zone string) []byte {
	days, ofDay := SplitMicros(us)
	y, m, d := Civil(days)
	switch f.DateStyle {
	case DatePostgres:
		dst = append(append(dst, time.Weekday(floorMod64(days+4, 7)).String()[:3]...), ' ') // 1970-01-01 was a Thursday
		month := time.Month(m).String()[:3]
		if f.DateOrder == OrderDMY {
			dst = append(append(appendTwo(dst, d), ' '), month...)
		} else {
			dst = appendTwo(append(append(dst, month...), ' '), d)
		}
		dst = AppendTime(append(dst, ' '), ofDay)
		dst = appendYear(append(dst, ' '), y)
	case DateGerman:
		dst = AppendTime(append(f.appendDayMonthYear(dst, y, m, d, '.'), ' '), ofDay)
	default:
		dst = AppendTime(append(f.appendDayMonthYear(dst, y, m, d, '/'), ' '), ofDay)
	}
	if zone != "" {
		dst = append(append(dst, ' '), zone...)
	}
	return appendEra(dst, y)
}

// appendYear appends a year, of four digits at least.
func appendYear(dst []byte, y int64) []byte {
	if y <= 0 {
		y = 1 - y
	}
	if y >= 10000 {
		return strconv.AppendInt(dst, y, 10)
	}
	return appendTwo(appendTwo(dst, int(y/100)), int(y%100))
}
