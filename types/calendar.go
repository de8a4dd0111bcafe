package types

import "wmsql/sqlerr"

// Dates are days since 1970-01-01 of the Gregorian calendar, also before it was made; year 0 is 1 BC.

// The ends of dates are Postgres's: from 4714-11-24 BC to before 5874898-01-01. Timestamps begin there
// too; microseconds from 1970 reach to 294247-01-09, where Postgres's, from 2000, reach 29 years further.
const (
	minDate   int64 = -2440588
	endDate   int64 = 2145042906
	minMicros       = minDate * MicrosPerDay
	endMicros       = 106751991 * MicrosPerDay
)

func dateInRange(days int64) bool { return days >= minDate && days < endDate }

// TimestampInRange reports whether a timestamp can say us, µs since 1970. The infinities are no points in time.
func TimestampInRange(us int64) bool { return timestampInRange(us) }

func timestampInRange(us int64) bool { return us >= minMicros && us < endMicros }

func errTimestampRange() *sqlerr.Error {
	return sqlerr.Newf(sqlerr.DatetimeOverflow, "timestamp out of range")
}

// DaysOf returns the date of a day of the calendar. Month and day may lie outside their ranges and count on.
func DaysOf(year, month, day int64) int64 {
	month--
	year += floorDiv64(month, 12)
	month -= floorDiv64(month, 12) * 12 // 0..11
	// Count years from March: the leap day is then the last of its year.
	m := month - 2
	if m < 0 {
		m += 12
		year--
	}
	era := floorDiv64(year, 400)
	yoe := year - era*400
	doy := (153*m+2)/5 + day - 1
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return era*146097 + doe - 719468
}

// Civil returns the year (0: 1 BC), month and day of a date.
func Civil(days int64) (year int64, month, day int) {
	days += 719468
	era := floorDiv64(days, 146097)
	doe := days - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	m := (5*doy + 2) / 153
	day = int(doy - (153*m+2)/5 + 1)
	month = int(m) + 3
	year = yoe + era*400
	if month > 12 {
		month -= 12
		year++
	}
	return year, month, day
}

// daysIn returns the length of a month, 1 to 12.
func daysIn(year int64, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

func floorDiv64(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// SplitMicros returns the date and the microseconds into it of a timestamp without zone.
func SplitMicros(us int64) (days, ofDay int64) {
	days = floorDiv64(us, MicrosPerDay)
	return days, us - days*MicrosPerDay
}
