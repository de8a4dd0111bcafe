package types

import (
	"strings"
	"time"

	"wmsql/sqlerr"
)

// AddInterval adds v to a timestamp without zone: months by the calendar (the last day of a shorter month where the day does not
// exist), then days, then microseconds. Infinity stays.
func AddInterval(us int64, v IntervalValue) (int64, error) {
	if isInfinite(us) {
		return us, nil
	}
	us, err := addCalendar(us, v)
	if err != nil {
		return 0, err
	}
	return addMicros(us, v.Micros)
}

// AddIntervalTZ adds v to an instant: months and days on the clock of loc, then microseconds of true time.
func AddIntervalTZ(us int64, v IntervalValue, loc *time.Location) (int64, error) {
	if isInfinite(us) {
		return us, nil
	}
	// Each step goes to local time and back, as Postgres does: the second may start from a moved clock.
	for _, step := range [...]IntervalValue{{Months: v.Months}, {Days: v.Days}} {
		if step == (IntervalValue{}) {
			continue
		}
		local, err := addCalendar(UTCToLocal(us, loc), step)
		if err != nil {
			return 0, err
		}
		us = LocalToUTC(local, loc)
	}
	return addMicros(us, v.Micros)
}

func addMicros(us, by int64) (int64, error) {
	sum, ok := addInt64(us, by)
	if !ok || !timestampInRange(sum) {
		return 0, errTimestampRange()
	}
	return sum, nil
}

func addCalendar(us int64, v IntervalValue) (int64, error) {
	days, ofDay := SplitMicros(us)
	if v.Months != 0 {
		y, m, d := Civil(days)
		total := y*12 + int64(m-1) + int64(v.Months)
		y, m = floorDiv64(total, 12), int(total-floorDiv64(total, 12)*12)+1
		days = DaysOf(y, int64(m), int64(min(d, daysIn(y, m))))
	}
	days += int64(v.Days)
	if days < minDate || days >= endMicros/MicrosPerDay {
		return 0, errTimestampRange()
	}
	return days*MicrosPerDay + ofDay, nil
}

// TimestampDiff returns a - b as Postgres's minus does: days and time, no months.
func TimestampDiff(a, b int64) (IntervalValue, error) {
	if isInfinite(a) || isInfinite(b) {
		return IntervalValue{}, sqlerr.Newf(sqlerr.DatetimeOverflow, "cannot subtract infinite timestamps")
	}
	// Both are within 9.3e18 of each other only if the difference fits.
	if d := a - b; (a^b)&(a^d) >= 0 {
		return IntervalValue{Micros: d}.JustifyHours()
	}
	return IntervalValue{}, errIntervalRange()
}

// truncUnit is a unit of date_trunc.
type truncUnit uint8

const (
	truncMicro truncUnit = iota
	truncMilli
	truncSecond
	truncMinute
	truncHour
	truncDay
	truncWeek
	truncMonth
	truncQuarter
	truncYear
	truncDecade
	truncCentury
	truncMillennium
)

// parseTruncUnit reads the name of a unit as date_trunc takes it. what is the type for the error.
func parseTruncUnit(s, what string) (truncUnit, error) {
	low := strings.ToLower(s)
	key := low
	if len(key) > wordMax {
		key = key[:wordMax]
	}
	switch intervalWords[key] {
	case unitMicro:
		return truncMicro, nil
	case unitMilli:
		return truncMilli, nil
	case unitSecond:
		return truncSecond, nil
	case unitMinute:
		return truncMinute, nil
	case unitHour:
		return truncHour, nil
	case unitDay:
		return truncDay, nil
	case unitWeek:
		return truncWeek, nil
	case unitMonth:
		return truncMonth, nil
	case unitYear:
		return truncYear, nil
	case unitDecade:
		return truncDecade, nil
	case unitCentury:
		return truncCentury, nil
	case unitMillennium:
		return truncMillennium, nil
	case unitOther:
		if key == "qtr" || key == "quarter" {
			return truncQuarter, nil
		}
	}
	return 0, sqlerr.Newf(sqlerr.InvalidParameterValue, "unit \"%s\" not recognized for type %s", low, what)
}

// A Truncator is date_trunc with its unit resolved, for use in a loop.
type Truncator struct {
	unit truncUnit
	step int64 // microseconds of a unit below a day
}

// NewTruncator resolves date_trunc's unit; t is the type for the error (22023).
func NewTruncator(unit string, t Type) (Truncator, error) {
	u, err := parseTruncUnit(unit, t.Kind.Info().SQLName)
	steps := [...]int64{1, 1000, MicrosPerSecond, MicrosPerMinute, MicrosPerHour, MicrosPerDay}
	tr := Truncator{unit: u}
	if int(u) < len(steps) {
		tr.step = steps[u]
	}
	return tr, err
}

// Local truncates a timestamp without zone. Weeks begin on Monday.
func (t Truncator) Local(us int64) int64 {
	if isInfinite(us) {
		return us
	}
	if t.step != 0 {
		return floorDiv64(us, t.step) * t.step
	}
	days, _ := SplitMicros(us)
	if t.unit == truncWeek {
		return (days - floorMod64(days+3, 7)) * MicrosPerDay // 1970-01-01 was a Thursday
	}
	y, m, _ := Civil(days)
	switch t.unit {
	case truncMonth:
	case truncQuarter:
		m -= (m - 1) % 3
	default:
		y, m = truncYears(y, t.unit), 1
	}
	return DaysOf(y, int64(m), 1) * MicrosPerDay
}

// truncYears: decades begin with a year that ends in 0, centuries and millennia with one that ends in 1; year 0 is 1 BC.
func truncYears(y int64, unit truncUnit) int64 {
	switch unit {
	case truncDecade:
		return floorDiv64(y, 10) * 10
	case truncCentury:
		return floorDiv64(y-1, 100)*100 + 1
	case truncMillennium:
		return floorDiv64(y-1, 1000)*1000 + 1
	}
	return y
}

func floorMod64(a, b int64) int64 { return a - floorDiv64(a, b)*b }

// Zoned truncates an instant on the clock of loc. Below a day the offset stays what it was, so that the two passes of a doubled hour
// stay apart.
func (t Truncator) Zoned(us int64, loc *time.Location) int64 {
	if loc == time.UTC || isInfinite(us) {
		return t.Local(us)
	}
	local := UTCToLocal(us, loc)
	if t.step != 0 && t.step < MicrosPerDay {
		return t.Local(local) - (local - us)
	}
	return LocalToUTC(t.Local(local), loc)
}

// Interval truncates an interval: the fields below the unit become 0. A week is 22023's business of the caller.
func (t Truncator) Interval(v IntervalValue) IntervalValue {
	years := v.Months / monthsPerYear
	switch t.unit {
	case truncMillennium:
		return IntervalValue{Months: years / 1000 * 1000 * monthsPerYear}
	case truncCentury:
		return IntervalValue{Months: years / 100 * 100 * monthsPerYear}
	case truncDecade:
		return IntervalValue{Months: years / 10 * 10 * monthsPerYear}
	case truncYear:
		return IntervalValue{Months: years * monthsPerYear}
	case truncQuarter:
		return IntervalValue{Months: v.Months / 3 * 3}
	case truncMonth:
		return IntervalValue{Months: v.Months}
	case truncDay, truncWeek:
		return IntervalValue{Months: v.Months, Days: v.Days}
	}
	v.Micros -= v.Micros % t.step
	return v
}

// IsWeek reports whether the unit is a week, which intervals do not have.
func (t Truncator) IsWeek() bool { return t.unit == truncWeek }
