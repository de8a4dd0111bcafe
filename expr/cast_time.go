package expr

import (
	"time"

	"wmsql/sqlerr"
	"wmsql/types"
)

const (
	infinity    = int64(types.Infinity)
	negInfinity = int64(types.NegInfinity)
)

func isInfinite(v int64) bool { return v == infinity || v == negInfinity }

// dateToMicros is midnight of a date. Dates reach further than timestamps.
func dateToMicros(days int64) (int64, error) {
	if isInfinite(days) {
		return days, nil
	}
	if us := days * types.MicrosPerDay; us/types.MicrosPerDay == days {
		return us, nil
	}
	return 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "date out of range for timestamp")
}

func microsToDate(us int64) int64 {
	if isInfinite(us) {
		return us
	}
	days, _ := types.SplitMicros(us)
	return days
}

// toUTC reads the clock of a zone, toLocal shows it; infinity stays.
func toUTC(us int64, zone *time.Location) int64 {
	if isInfinite(us) {
		return us
	}
	return types.LocalToUTC(us, zone)
}

func toLocal(us int64, zone *time.Location) int64 {
	if isInfinite(us) {
		return us
	}
	return types.UTCToLocal(us, zone)
}

// inZone makes a kernel of a function that needs the session's zone.
func inZone[R any](f func(v int64, zone *time.Location) (R, error)) kernel {
	return fn1s(func(s *site) func(int64) (R, error) {
		zone := s.format().Zone
		return func(v int64) (R, error) { return f(v, zone) }
	})
}

func timeCasts() []castDef {
	ofDay := func(us int64) (int64, error) {
		if isInfinite(us) {
			return 0, errNull
		}
		_, t := types.SplitMicros(us)
		return t, nil
	}
	return []castDef{
		cast(types.Date, types.Timestamp, Implicit, fn1e(dateToMicros)),
		cast(types.Date, types.TimestampTZ, Implicit, inZone(func(v int64, zone *time.Location) (int64, error) {
			us, err := dateToMicros(v)
			return toUTC(us, zone), err
		}), stable),
		cast(types.Timestamp, types.Date, Assignment, fn1(microsToDate), total),
		cast(types.Timestamp, types.TimestampTZ, Implicit, inZone(func(v int64, zone *time.Location) (int64, error) {
			return toUTC(v, zone), nil
		}), stable),
		cast(types.Timestamp, types.Time, Assignment, fn1e(ofDay), total),
		cast(types.TimestampTZ, types.Timestamp, Assignment, inZone(func(v int64, zone *time.Location) (int64, error) {
			return toLocal(v, zone), nil
		}), stable),
		cast(types.TimestampTZ, types.Date, Assignment, inZone(func(v int64, zone *time.Location) (int64, error) {
			return microsToDate(toLocal(v, zone)), nil
		}), stable),
		cast(types.TimestampTZ, types.Time, Assignment, inZone(func(v int64, zone *time.Location) (int64, error) {
			return ofDay(toLocal(v, zone))
		}), stable),
		cast(types.Time, types.Interval, Implicit, fn1(func(v int64) types.IntervalValue { return types.IntervalValue{Micros: v} }), total),
		cast(types.Interval, types.Time, Assignment, fn1(func(v types.IntervalValue) int64 {
			us := v.Micros % types.MicrosPerDay
			if us < 0 {
				us += types.MicrosPerDay
			}
			return us
		}), total),
	}
}

// compareMoments compares two of date, timestamp and timestamptz; those without a zone are read in the session's.
func compareMoments(op cmpOp, l, r types.Kind) kernel {
	return compareWith(op, func(s *site) func(a, b int64) int {
		zone := s.format().Zone
		withZone := l == types.TimestampTZ || r == types.TimestampTZ
		moment := func(v int64, k types.Kind) int64 {
			if k == types.Date {
				us, err := dateToMicros(v)
				if err != nil { // a date beyond every timestamp
					return infinity - 1
				}
				v = us
			}
			if withZone && k != types.TimestampTZ {
				v = toUTC(v, zone)
			}
			return v
		}
		return func(a, b int64) int {
			x, y := moment(a, l), moment(b, r)
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		}
	})
}
