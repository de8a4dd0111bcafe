package expr

import (
	"time"

	"wmsql/sqlerr"
	"wmsql/types"
)

// timeOperators are + - * / on dates, times and intervals.
func timeOperators() []*Function {
	type iv = types.IntervalValue
	negated := func(f func(int64, iv) (int64, error)) func(int64, iv) (int64, error) {
		return func(a int64, b iv) (int64, error) {
			n, err := b.Neg()
			if err != nil {
				return 0, err
			}
			return f(a, n)
		}
	}
	flip := func(f func(int64, iv) (int64, error)) func(iv, int64) (int64, error) {
		return func(a iv, b int64) (int64, error) { return f(b, a) }
	}
	return []*Function{
		def("+(timestamp,interval) timestamp", fn2e(types.AddInterval)),
		def("-(timestamp,interval) timestamp", fn2e(negated(types.AddInterval))),
		def("+(interval,timestamp) timestamp", fn2e(flip(types.AddInterval))),
		def("+(timestamptz,interval) timestamptz", shiftZoned(1), stable),
		def("-(timestamptz,interval) timestamptz", shiftZoned(-1), stable),
		def("+(interval,timestamptz) timestamptz", fn2s(func(s *site) func(iv, int64) (int64, error) {
			zone := s.format().Zone
			return func(a iv, b int64) (int64, error) { return types.AddIntervalTZ(b, a, zone) }
		}), stable),
		def("-(timestamp,timestamp) interval", fn2e(types.TimestampDiff)),
		def("-(timestamptz,timestamptz) interval", fn2e(types.TimestampDiff)),

		def("+(date,interval) timestamp", fn2e(dateShift(types.AddInterval))),
		def("-(date,interval) timestamp", fn2e(dateShift(negated(types.AddInterval)))),
		def("+(interval,date) timestamp", fn2e(flip(dateShift(types.AddInterval)))),
		def("+(date,int4) date", fn2e(addDays)),
		def("+(int4,date) date", fn2e(func(a, b int64) (int64, error) { return addDays(b, a) })),
		def("-(date,int4) date", fn2e(func(a, b int64) (int64, error) { return addDays(a, -b) })),
		def("-(date,date) int4", fn2e(dateDiff)),
		def("+(date,time) timestamp", fn2e(dateTime)),
		def("+(time,date) timestamp", fn2e(func(a, b int64) (int64, error) { return dateTime(b, a) })),

		def("+(time,interval) time", fn2(func(a int64, b iv) int64 { return wrapDay(a + b.Micros%types.MicrosPerDay) })),
		def("-(time,interval) time", fn2(func(a int64, b iv) int64 { return wrapDay(a - b.Micros%types.MicrosPerDay) })),
		def("+(interval,time) time", fn2(func(a iv, b int64) int64 { return wrapDay(b + a.Micros%types.MicrosPerDay) })),
		def("-(time,time) interval", fn2(func(a, b int64) iv { return iv{Micros: a - b} })),

		def("+(interval,interval) interval", fn2e(iv.Add)),
		def("-(interval,interval) interval", fn2e(iv.Sub)),
		def("-(interval) interval", fn1e(iv.Neg)),
		def("*(interval,float8) interval", fn2e(iv.Mul)),
		def("*(float8,interval) interval", fn2e(func(a float64, b iv) (iv, error) { return b.Mul(a) })),
		def("/(interval,float8) interval", fn2e(iv.Div)),
	}
}

// shiftZoned adds an interval to instants on the clock of the session's zone; sign -1 subtracts.
func shiftZoned(sign int) kernel {
	return fn2s(func(s *site) func(int64, types.IntervalValue) (int64, error) {
		zone := s.format().Zone
		return func(a int64, b types.IntervalValue) (int64, error) {
			if sign < 0 {
				var err error
				if b, err = b.Neg(); err != nil {
					return 0, err
				}
			}
			return types.AddIntervalTZ(a, b, zone)
		}
	})
}

func dateShift(f func(int64, types.IntervalValue) (int64, error)) func(int64, types.IntervalValue) (int64, error) {
	return func(days int64, v types.IntervalValue) (int64, error) {
		us, err := dateToMicros(days)
		if err != nil {
			return 0, err
		}
		return f(us, v)
	}
}

// The ends of dates: 4714-11-24 BC and the day after 5874897-12-31.
const (
	firstDate = -2440588
	endOfDate = 2145042541
)

func addDays(a, b int64) (int64, error) {
	if isInfinite(a) {
		return a, nil
	}
	if r := a + b; r >= firstDate && r < endOfDate {
		return r, nil
	}
	return 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "date out of range")
}

func dateDiff(a, b int64) (int64, error) {
	if isInfinite(a) || isInfinite(b) {
		return 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "cannot subtract infinite dates")
	}
	return a - b, nil
}

func dateTime(days, ofDay int64) (int64, error) {
	us, err := dateToMicros(days)
	if err != nil || isInfinite(us) {
		return us, err
	}
	return us + ofDay, nil
}

// wrapDay brings a time of day that ran over midnight, either way, back into the day.
func wrapDay(us int64) int64 {
	us %= types.MicrosPerDay
	if us < 0 {
		us += types.MicrosPerDay
	}
	return us
}

// zoneOf is the zone that a text or an interval names in AT TIME ZONE.
func zoneOf(name []byte) (*time.Location, error) { return types.ZoneOf(string(name)) }

func zoneOfInterval(v types.IntervalValue) (*time.Location, error) {
	if v.Months != 0 || v.Days != 0 {
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "interval time zone \"%s\" must not include months or days", v)
	}
	loc, _ := types.FixedZone(int(v.Micros / types.MicrosPerSecond))
	return loc, nil
}
