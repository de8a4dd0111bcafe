package expr

import (
	"time"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// timeFunctions are the functions on dates, times and intervals, but to_char, to_timestamp and extract.
func timeFunctions() []*Function {
	type iv = types.IntervalValue
	return []*Function{
		def("date_trunc(text,timestamp) timestamp", truncKernel(false)),
		def("date_trunc(text,timestamptz) timestamptz", truncKernel(true), stable),
		def("date_trunc(text,timestamptz,text) timestamptz", truncInZone, stable),
		def("date_trunc(text,interval) interval", fn2s(truncInterval)),
		def("date_bin(interval,timestamp,timestamp) timestamp", fn3e(dateBin)),
		def("date_bin(interval,timestamptz,timestamptz) timestamptz", fn3e(dateBin)),
		def("timezone(text,timestamptz) timestamp", atZone(toLocal)),
		def("timezone(text,timestamp) timestamptz", atZone(toUTC)),
		def("timezone(interval,timestamptz) timestamp", atOffset(toLocal)),
		def("timezone(interval,timestamp) timestamptz", atOffset(toUTC)),
		def("isfinite(date) bool", fn1(func(v int64) bool { return !isInfinite(v) }), total),
		def("isfinite(timestamp) bool", fn1(func(v int64) bool { return !isInfinite(v) }), total),
		def("isfinite(timestamptz) bool", fn1(func(v int64) bool { return !isInfinite(v) }), total),
		def("isfinite(interval) bool", fn1(func(iv) bool { return true }), total),
		def("justify_hours(interval) interval", fn1e(iv.JustifyHours)),
		def("justify_days(interval) interval", fn1e(iv.JustifyDays)),
		def("justify_interval(interval) interval", fn1e(iv.JustifyInterval)),
		def("age(timestamp,timestamp) interval", fn2e(age)),
		def("age(timestamptz,timestamptz) interval", zonedAge, stable),
		def("age(timestamp) interval", ageToday(false), stable),
		def("age(timestamptz) interval", ageToday(true), stable),
		def("to_timestamp(float8) timestamptz", fn1e(fromEpoch)),
	}
}

// truncators keeps the last unit that date_trunc was asked for; it is nearly always one constant.
type truncators struct {
	unit string
	t    types.Type
	tr   types.Truncator
	ok   bool
}

func (c *truncators) get(unit []byte) (types.Truncator, error) {
	if !c.ok || c.unit != string(unit) {
		tr, err := types.NewTruncator(string(unit), c.t)
		if err != nil {
			return tr, err
		}
		c.unit, c.tr, c.ok = string(unit), tr, true
	}
	return c.tr, nil
}

// truncKernel is date_trunc of timestamps; zoned ones on the clock of the session's zone.
func truncKernel(zoned bool) kernel {
	return func(s *site) body {
		out, cache, zone := output[int64]{t: s.ret}, truncators{t: s.ret}, s.format().Zone
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			units, v := in[0].(*column.Bytes), in[1].(*column.Of[int64]).Values
			return out.fill(nulls, n, func(i int) (int64, error) {
				tr, err := cache.get(units.Value(i))
				if zoned {
					return tr.Zoned(v[i], zone), err
				}
				return tr.Local(v[i]), err
			})
		}
	}
}

func truncInZone(s *site) body {
	cache, zones := truncators{t: s.ret}, zoneCache{}
	return fn3e(func(unit []byte, v int64, name []byte) (int64, error) {
		tr, err := cache.get(unit)
		if err != nil {
			return 0, err
		}
		zone, err := zones.get(name)
		if err != nil {
			return 0, err
		}
		return tr.Zoned(v, zone), nil
	})(s)
}

func truncInterval(s *site) func([]byte, types.IntervalValue) (types.IntervalValue, error) {
	cache := truncators{t: types.Of(types.Interval)}
	return func(unit []byte, v types.IntervalValue) (types.IntervalValue, error) {
		tr, err := cache.get(unit)
		if err == nil && tr.IsWeek() {
			err = sqlerr.Newf(sqlerr.FeatureNotSupported, "unit \"%s\" not supported for type interval", unit).
				WithDetail("Months usually have fractional weeks.")
		}
		if err != nil {
			return v, err
		}
		return tr.Interval(v), nil
	}
}

// dateBin is date_bin: the start of the bin of width stride, counted from origin, that holds v.
func dateBin(stride types.IntervalValue, v, origin int64) (int64, error) {
	if isInfinite(v) {
		return v, nil
	}
	if isInfinite(origin) {
		return 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "origin out of range")
	}
	if stride.Months != 0 {
		return 0, sqlerr.Newf(sqlerr.FeatureNotSupported, "timestamps cannot be binned into intervals containing months or years")
	}
	width := int64(stride.Days)*types.MicrosPerDay + stride.Micros
	if width <= 0 {
		return 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "stride must be greater than zero")
	}
	diff, ok := subInt(v, origin)
	if !ok {
		return 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "interval out of range")
	}
	rest := diff % width
	if rest < 0 {
		rest += width
	}
	return v - rest, nil
}

// zoneCache keeps the last zone asked for by name.
type zoneCache struct {
	name string
	zone *time.Location
}

func (c *zoneCache) get(name []byte) (*time.Location, error) {
	if c.zone == nil || c.name != string(name) {
		zone, err := zoneOf(name)
		if err != nil {
			return nil, err
		}
		c.name, c.zone = string(name), zone
	}
	return c.zone, nil
}

func atZone(f func(us int64, zone *time.Location) int64) kernel {
	return fn2s(func(*site) func([]byte, int64) (int64, error) {
		zones := zoneCache{}
		return func(name []byte, us int64) (int64, error) {
			zone, err := zones.get(name)
			if err != nil {
				return 0, err
			}
			return f(us, zone), nil
		}
	})
}

func atOffset(f func(us int64, zone *time.Location) int64) kernel {
	return fn2e(func(offset types.IntervalValue, us int64) (int64, error) {
		zone, err := zoneOfInterval(offset)
		if err != nil {
			return 0, err
		}
		return f(us, zone), nil
	})
}

// age is a - b in years, months, days and time by the calendar.
func age(a, b int64) (types.IntervalValue, error) {
	if isInfinite(a) || isInfinite(b) {
		return types.IntervalValue{}, sqlerr.Newf(sqlerr.DatetimeOverflow, "timestamp out of range")
	}
	if a < b {
		v, err := age(b, a)
		if err != nil {
			return v, err
		}
		return v.Neg()
	}
	aDays, aTime := types.SplitMicros(a)
	bDays, bTime := types.SplitMicros(b)
	ay, am, ad := types.Civil(aDays)
	by, bm, bd := types.Civil(bDays)
	months := (ay-by)*12 + int64(am-bm)
	days, micros := int64(ad-bd), aTime-bTime
	if micros < 0 {
		micros += types.MicrosPerDay
		days--
	}
	for days < 0 {
		// The month borrowed is the one of the earlier time.
		days += types.DaysOf(by, int64(bm)+1, 1) - types.DaysOf(by, int64(bm), 1)
		months--
	}
	return types.IntervalValue{Months: int32(months), Days: int32(days), Micros: micros}, nil
}

func zonedAge(s *site) body {
	zone := s.format().Zone
	return fn2e(func(a, b int64) (types.IntervalValue, error) {
		if isInfinite(a) || isInfinite(b) {
			return age(a, b)
		}
		return age(toLocal(a, zone), toLocal(b, zone))
	})(s)
}

// ageToday is age(midnight today, v).
func ageToday(zoned bool) kernel {
	return func(s *site) body {
		zone := s.format().Zone
		today, _ := types.SplitMicros(toLocal(int64(s.ctx.Now), zone))
		return fn1e(func(v int64) (types.IntervalValue, error) {
			if zoned {
				v = toLocal(v, zone)
			}
			return age(today*types.MicrosPerDay, v)
		})(s)
	}
}

// fromEpoch is to_timestamp(seconds).
func fromEpoch(seconds float64) (int64, error) {
	switch {
	case seconds != seconds:
		return 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "timestamp cannot be NaN")
	case seconds > 1e300:
		return infinity, nil
	case seconds < -1e300:
		return negInfinity, nil
	case seconds < -210866803200 || seconds >= 9223371331200:
		return 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "timestamp out of range: \"%s\"", string(types.AppendFloat(nil, seconds, types.Float8, types.UTC)))
	}
	const epoch2000 = 946684800 // Postgres rounds after it has moved to its own epoch
	return int64(roundEven((seconds-epoch2000)*1e6)) + epoch2000*types.MicrosPerSecond, nil
}
