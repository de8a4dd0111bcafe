package expr

import (
	"math"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// makeTimeFunctions build dates, times and intervals from their fields.
func makeTimeFunctions() []*Function {
	return []*Function{
		def("make_date(int4,int4,int4) date", fn3e(makeDate)),
		def("make_time(int4,int4,float8) time", fn3e(makeClock)),
		def("timestamp(date,time) timestamp", fn2e(dateTime)),
		def("timestamptz(date,time) timestamptz", fn2s(func(s *site) func(int64, int64) (int64, error) {
			zone := s.format().Zone
			return func(days, ofDay int64) (int64, error) {
				us, err := dateTime(days, ofDay)
				return toUTC(us, zone), err
			}
		}), stable),
		def("make_timestamp(int4,int4,int4,int4,int4,float8) timestamp", makeStamp(false)),
		def("make_timestamptz(int4,int4,int4,int4,int4,float8) timestamptz", makeStamp(true), stable),
		def("make_timestamptz(int4,int4,int4,int4,int4,float8,text) timestamptz", makeStamp(true), stable),
	}
}

// intervalFunctions are make_interval with its trailing arguments left out one by one; seconds, the last, is a float.
func intervalFunctions() []*Function {
	sigs := []string{
		"make_interval() interval", "make_interval(int4) interval", "make_interval(int4,int4) interval",
		"make_interval(int4,int4,int4) interval", "make_interval(int4,int4,int4,int4) interval",
		"make_interval(int4,int4,int4,int4,int4) interval", "make_interval(int4,int4,int4,int4,int4,int4) interval",
		"make_interval(int4,int4,int4,int4,int4,int4,float8) interval",
	}
	var out []*Function
	for _, sig := range sigs {
		out = append(out, def(sig, makeInterval))
	}
	return out
}

func makeDate(y, m, d int64) (int64, error) {
	if y < 0 {
		y++ // there is no year 0
	} else if y == 0 {
		m = 0
	}
	days := types.DaysOf(y, m, d)
	if cy, cm, cd := types.Civil(days); m < 1 || m > 12 || cy != y || int64(cm) != m || int64(cd) != d {
		if y <= 0 {
			y--
		}
		return 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "date field value out of range: %d-%02d-%02d", y, m, d)
	}
	return days, nil
}

func makeClock(h, m int64, s float64) (int64, error) {
	us := int64(math.RoundToEven(s * 1e6))
	if h < 0 || h > 24 || m < 0 || m > 59 || s < 0 || s > 60 || s != s || h == 24 && (m > 0 || s > 0) {
		return 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "time field value out of range: %d:%02d:%02v", h, m, s)
	}
	return h*types.MicrosPerHour + m*microsPerMinute + us, nil
}

// makeStamp is make_timestamp and make_timestamptz.
func makeStamp(zoned bool) kernel {
	return func(s *site) body {
		out, zones, zone := output[int64]{t: s.ret}, zoneCache{}, s.format().Zone
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			var ints [5]func(int) int64
			for k := range ints {
				ints[k] = reader[int64](in[k])
			}
			seconds := reader[float64](in[5])
			return out.fill(nulls, n, func(i int) (int64, error) {
				days, err := makeDate(ints[0](i), ints[1](i), ints[2](i))
				if err != nil {
					return 0, err
				}
				ofDay, err := makeClock(ints[3](i), ints[4](i), seconds(i))
				if err != nil {
					return 0, err
				}
				us := days*types.MicrosPerDay + ofDay
				if len(in) == 7 {
					if zone, err = zones.get(in[6].(*column.Bytes).Value(i)); err != nil {
						return 0, err
					}
				}
				if zoned {
					us = toUTC(us, zone)
				}
				return us, nil
			})
		}
	}
}

// makeInterval takes years, months, weeks, days, hours, minutes and seconds; those left out are 0.
func makeInterval(s *site) body {
	out := output[types.IntervalValue]{t: s.ret}
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		at := func(k, i int) int64 {
			if k >= len(in) {
				return 0
			}
			return in[k].(*column.Of[int64]).Values[i]
		}
		return out.fill(nulls, n, func(i int) (types.IntervalValue, error) {
			seconds := 0.0
			if len(in) == 7 {
				seconds = in[6].(*column.Of[float64]).Values[i]
			}
			months, days := at(0, i)*12+at(1, i), at(2, i)*7+at(3, i)
			if math.IsNaN(seconds) || math.IsInf(seconds, 0) || int64(int32(months)) != months || int64(int32(days)) != days {
				return types.IntervalValue{}, sqlerr.Newf(sqlerr.DatetimeOverflow, "interval out of range")
			}
			micros := at(4, i)*types.MicrosPerHour + at(5, i)*microsPerMinute + int64(math.RoundToEven(seconds*1e6))
			return types.IntervalValue{Months: int32(months), Days: int32(days), Micros: micros}, nil
		})
	}
}
