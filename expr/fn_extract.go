package expr

import (
	"math"
	"strings"
	"time"

	"wmsql/sqlerr"
	"wmsql/types"
)

// moment is a point in time taken apart for extract.
type moment struct {
	us     int64 // on the clock it is shown by
	days   int64
	ofDay  int64 // microseconds
	offset int64 // seconds east of Greenwich, of a timestamptz
}

func momentOf(us int64) moment {
	days, ofDay := types.SplitMicros(us)
	return moment{us: us, days: days, ofDay: ofDay}
}

// field computes one field of a moment; nil says that the field is infinite when the time is (years), others are NULL then.
type field struct {
	get     func(m moment) types.Decimal
	endless bool // grows with time, so that it is infinite for an infinite time
	clock   bool // a date does not have it
	zoned   bool // only a timestamptz or timetz has it
}

func whole(f func(m moment) int64) func(moment) types.Decimal {
	return func(m moment) types.Decimal { return types.DecimalFromInt64(f(m)) }
}

func scaled(scale int32, f func(m moment) int64) func(moment) types.Decimal {
	return func(m moment) types.Decimal { return types.NewDecimal(f(m), scale) }
}

const microsPerMinute = 60 * types.MicrosPerSecond

func year(m moment) int64 { y, _, _ := types.Civil(m.days); return y }

// noYearZero turns the astronomers' years into those of the calendar, where 1 BC comes before 1.
func noYearZero(y int64) int64 {
	if y <= 0 {
		return y - 1
	}
	return y
}

func century(y, length int64) int64 {
	if y > 0 {
		return (y + length - 1) / length
	}
	return -((length - (y - 1)) / length)
}

func monthOf(m moment) int64 { _, mon, _ := types.Civil(m.days); return int64(mon) }

func dayOfWeek(days int64) int64 { return ((days+4)%7 + 7) % 7 } // 1970-01-01 was a Thursday

func isoDay(days int64) int64 {
	if d := dayOfWeek(days); d != 0 {
		return d
	}
	return 7
}

// isoWeek is the ISO year and week of a date: week 1 holds the year's first Thursday.
func isoWeek(days int64) (y, week int64) {
	thursday := days - isoDay(days) + 4
	y, _, _ = types.Civil(thursday)
	return y, (thursday-types.DaysOf(y, 1, 1))/7 + 1
}

func dayOfYear(days int64) int64 {
	y, _, _ := types.Civil(days)
	return days - types.DaysOf(y, 1, 1) + 1
}

const julianEpoch = 2440588 // the Julian day of 1970-01-01

func julian(m moment) types.Decimal {
	day := types.DecimalFromInt64(m.days + julianEpoch)
	part, err := types.DecimalFromInt64(m.ofDay).Div(types.DecimalFromInt64(types.MicrosPerDay))
	if err != nil {
		panic("expr: a day has no length")
	}
	return day.Add(part)
}

// momentFields are the fields of extract by their full names.
var momentFields = map[string]field{
	"microseconds": {clock: true, get: whole(func(m moment) int64 { return m.ofDay % microsPerMinute })},
	"milliseconds": {clock: true, get: scaled(3, func(m moment) int64 { return m.ofDay % microsPerMinute })},
	"second":       {clock: true, get: scaled(6, func(m moment) int64 { return m.ofDay % microsPerMinute })},
	"minute":       {clock: true, get: whole(func(m moment) int64 { return m.ofDay / microsPerMinute % 60 })},
	"hour":         {clock: true, get: whole(func(m moment) int64 { return m.ofDay / types.MicrosPerHour })},
	"day":          {get: whole(func(m moment) int64 { _, _, d := types.Civil(m.days); return int64(d) })},
	"month":        {get: whole(monthOf)},
	"quarter":      {get: whole(func(m moment) int64 { return (monthOf(m)-1)/3 + 1 })},
	"week":         {get: whole(func(m moment) int64 { _, w := isoWeek(m.days); return w })},
	"isoyear":      {endless: true, get: whole(func(m moment) int64 { y, _ := isoWeek(m.days); return noYearZero(y) })},
	"year":         {endless: true, get: whole(func(m moment) int64 { return noYearZero(year(m)) })},
	"decade":       {endless: true, get: whole(func(m moment) int64 { return int64(math.Floor(float64(year(m)) / 10)) })},
	"century":      {endless: true, get: whole(func(m moment) int64 { return century(year(m), 100) })},
	"millennium":   {endless: true, get: whole(func(m moment) int64 { return century(year(m), 1000) })},
	"dow":          {get: whole(func(m moment) int64 { return dayOfWeek(m.days) })},
	"isodow":       {get: whole(func(m moment) int64 { return isoDay(m.days) })},
	"doy":          {get: whole(func(m moment) int64 { return dayOfYear(m.days) })},
	"julian":       {endless: true, get: julian},
	"epoch":        {endless: true, get: scaled(6, func(m moment) int64 { return m.us - m.offset*types.MicrosPerSecond })},

	"timezone":        {zoned: true, get: whole(func(m moment) int64 { return m.offset })},
	"timezone_hour":   {zoned: true, get: whole(func(m moment) int64 { return m.offset / 3600 })},
	"timezone_minute": {zoned: true, get: whole(func(m moment) int64 { return m.offset % 3600 / 60 })},
}

// unitNames maps the other spellings of units to the full ones.
var unitNames = map[string]string{
	"us": "microseconds", "usec": "microseconds", "usecs": "microseconds", "microsecond": "microseconds", "usecond": "microseconds",
	"useconds": "microseconds", "ms": "milliseconds", "msec": "milliseconds", "msecs": "milliseconds", "millisecond": "milliseconds",
	"msecond": "milliseconds", "mseconds": "milliseconds", "s": "second", "sec": "second", "secs": "second", "seconds": "second",
	"m": "minute", "min": "minute", "mins": "minute", "minutes": "minute", "h": "hour", "hr": "hour", "hrs": "hour", "hours": "hour",
	"d": "day", "days": "day", "w": "week", "weeks": "week", "mon": "month", "mons": "month", "months": "month", "qtr": "quarter",
	"y": "year", "yr": "year", "yrs": "year", "years": "year", "dec": "decade", "decs": "decade", "decades": "decade",
	"c": "century", "cent": "century", "centuries": "century", "mil": "millennium", "mils": "millennium", "millennia": "millennium",
	"jd": "julian", "j": "julian", "timezone_h": "timezone_hour", "timezone_m": "timezone_minute",
}

func unitName(unit []byte) string {
	u := strings.ToLower(string(unit))
	if full, ok := unitNames[u]; ok {
		return full
	}
	return u
}

func errUnitUnknown(unit []byte, k types.Kind) error {
	return sqlerr.Newf(sqlerr.InvalidParameterValue, "unit \"%s\" not recognized for type %s", strings.ToLower(string(unit)), k.Info().SQLName)
}

func errUnitUnsupported(unit []byte, k types.Kind) error {
	return sqlerr.Newf(sqlerr.FeatureNotSupported, "unit \"%s\" not supported for type %s", strings.ToLower(string(unit)), k.Info().SQLName)
}

// extractor reads one field of values of kind k.
type extractor struct {
	kind types.Kind
	zone *time.Location
	unit string // of the last call
	f    field
}

func (e *extractor) find(unit []byte) error {
	if e.unit == string(unit) && e.f.get != nil {
		return nil
	}
	name := unitName(unit)
	f, ok := momentFields[name]
	switch {
	case !ok:
		return errUnitUnknown(unit, e.kind)
	case f.zoned && e.kind != types.TimestampTZ && e.kind != types.TimeTZ,
		f.clock && e.kind == types.Date,
		(e.kind == types.Time || e.kind == types.TimeTZ) && !f.clock && !f.zoned && name != "epoch":
		return errUnitUnsupported(unit, e.kind)
	}
	e.unit, e.f = string(unit), f
	return nil
}

func (e *extractor) get(unit []byte, v int64) (types.Decimal, error) {
	if err := e.find(unit); err != nil {
		return types.Decimal{}, err
	}
	if e.kind != types.Time && e.kind != types.TimeTZ && isInfinite(v) {
		switch {
		case !e.f.endless:
			return types.Decimal{}, errNull
		case v > 0:
			return types.DecimalInf, nil
		}
		return types.DecimalNegInf, nil
	}
	m := moment{}
	switch e.kind {
	case types.Date:
		m = moment{days: v}
		switch e.unit {
		case "epoch":
			return types.DecimalFromInt64(v * 86400), nil
		case "julian":
			return types.DecimalFromInt64(v + julianEpoch), nil
		}
	case types.TimeTZ:
		ofDay, east := types.UnpackTimeTZ(v)
		m = moment{us: ofDay, ofDay: ofDay, offset: int64(east)}
	case types.TimestampTZ:
		local := toLocal(v, e.zone)
		m = momentOf(local)
		m.offset = (local - v) / types.MicrosPerSecond
	default:
		m = momentOf(v)
	}
	return e.f.get(m), nil
}

// extractInterval reads a field of an interval.
func extractInterval(unit []byte, v types.IntervalValue) (types.Decimal, error) {
	n := func(x int64) (types.Decimal, error) { return types.DecimalFromInt64(x), nil }
	sub := v.Micros % microsPerMinute
	years := int64(v.Months / 12)
	switch name := unitName(unit); name {
	case "microseconds":
		return n(sub)
	case "milliseconds":
		return types.NewDecimal(sub, 3), nil
	case "second":
		return types.NewDecimal(sub, 6), nil
	case "minute":
		return n(v.Micros / microsPerMinute % 60)
	case "hour":
		return n(v.Micros / types.MicrosPerHour)
	case "day":
		return n(int64(v.Days))
	case "month":
		return n(int64(v.Months % 12))
	case "quarter":
		return n(int64(v.Months%12/3) + 1)
	case "year":
		return n(years)
	case "decade":
		return n(years / 10)
	case "century":
		return n(years / 100)
	case "millennium":
		return n(years / 1000)
	case "epoch":
		// A year is 365.25 days, a month beside it 30.
		seconds := years*31557600 + int64(v.Months%12)*30*86400 + int64(v.Days)*86400
		return types.DecimalFromInt64(seconds).Add(types.NewDecimal(v.Micros, 6)), nil
	default:
		if _, ok := momentFields[name]; ok {
			return types.Decimal{}, errUnitUnsupported(unit, types.Interval)
		}
		return types.Decimal{}, errUnitUnknown(unit, types.Interval)
	}
}

func extractFunctions() []*Function {
	asFloat := func(d types.Decimal, err error) (float64, error) { return d.ToFloat64(), err }
	out := []*Function{
		def("extract(text,interval) numeric", fn2e(extractInterval)),
		def("date_part(text,interval) float8", fn2e(func(u []byte, v types.IntervalValue) (float64, error) {
			return asFloat(extractInterval(u, v))
		})),
	}
	for _, k := range []types.Kind{types.Date, types.Time, types.TimeTZ, types.Timestamp, types.TimestampTZ} {
		opts := []option{}
		if k == types.TimestampTZ {
			opts = append(opts, stable)
		}
		t := k.Info().PgName
		out = append(out,
			def("extract(text,"+t+") numeric", fn2s(func(s *site) func([]byte, int64) (types.Decimal, error) {
				e := &extractor{kind: k, zone: s.format().Zone}
				return e.get
			}), opts...),
			def("date_part(text,"+t+") float8", fn2s(func(s *site) func([]byte, int64) (float64, error) {
				e := &extractor{kind: k, zone: s.format().Zone}
				if k != types.Date {
					return func(u []byte, v int64) (float64, error) { return asFloat(e.get(u, v)) }
				}
				e.kind = types.Timestamp
				return func(u []byte, days int64) (float64, error) {
					us, err := dateToMicros(days)
					if err != nil {
						return 0, err
					}
					return asFloat(e.get(u, us))
				}
			}), opts...))
	}
	return out
}
