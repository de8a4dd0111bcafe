package expr

import (
	"time"

	"wmsql/types"
)

// What there is on times with time zone, but extract and comparison: see types.PackTimeTZ for their values.

func timeTZFunctions() []*Function {
	return []*Function{
		def("timezone(text,timetz) timetz", fn2s(func(s *site) func([]byte, int64) (int64, error) {
			zones, now := zoneCache{}, s.format().Now
			return func(name []byte, v int64) (int64, error) {
				zone, err := zones.get(name)
				if err != nil {
					return 0, err
				}
				return timeTZAt(v, offsetNow(zone, now)), nil
			}
		}), stable),
		def("timezone(interval,timetz) timetz", fn2e(func(offset types.IntervalValue, v int64) (int64, error) {
			zone, err := zoneOfInterval(offset)
			if err != nil {
				return 0, err
			}
			return timeTZAt(v, offsetNow(zone, 0)), nil
		})),
		def("timestamptz(date,timetz) timestamptz", fn2e(dateTimeTZ)),
		def("current_time() timetz", fn0s(func(s *site) func() (int64, error) {
			v := timeTZNow(s)
			return func() (int64, error) { return v, nil }
		}), stable, total),
		def("current_time(int4) timetz", fn1s(func(s *site) func(int64) (int64, error) {
			v := timeTZNow(s)
			return func(digits int64) (int64, error) { return types.RoundTimeTZ(v, int32(max(0, digits))), nil }
		}), stable),
		def("localtime(int4) time", fn1s(func(s *site) func(int64) (int64, error) {
			_, v := types.SplitMicros(toLocal(int64(s.ctx.Now), s.format().Zone))
			return func(digits int64) (int64, error) { return types.RoundMicros(v, int32(max(0, digits))), nil }
		}), stable),
	}
}

func timeTZOperators() []*Function {
	type iv = types.IntervalValue
	return []*Function{
		def("+(timetz,interval) timetz", fn2(func(a int64, b iv) int64 { return shiftTimeTZ(a, b.Micros) })),
		def("+(interval,timetz) timetz", fn2(func(a iv, b int64) int64 { return shiftTimeTZ(b, a.Micros) })),
		def("-(timetz,interval) timetz", fn2(func(a int64, b iv) int64 { return shiftTimeTZ(a, -b.Micros) })),
		def("+(date,timetz) timestamptz", fn2e(dateTimeTZ)),
		def("+(timetz,date) timestamptz", fn2e(func(a, b int64) (int64, error) { return dateTimeTZ(b, a) })),
	}
}

func timeTZCasts() []castDef {
	return []castDef{
		cast(types.TimeTZ, types.Time, Assignment, fn1(func(v int64) int64 { ofDay, _ := types.UnpackTimeTZ(v); return ofDay }), total),
		cast(types.Time, types.TimeTZ, Implicit, fn1s(func(s *site) func(int64) (int64, error) {
			f := s.format()
			return func(v int64) (int64, error) { return types.PackTimeTZ(v, types.OffsetToday(v, f.Zone, f.Now)), nil }
		}), stable),
		cast(types.TimestampTZ, types.TimeTZ, Assignment, inZone(timeTZOf), stable),
	}
}

// timeTZOf is the time of day of an instant with the offset of the zone then.
func timeTZOf(us int64, zone *time.Location) (int64, error) {
	if isInfinite(us) {
		return 0, errNull
	}
	local := toLocal(us, zone)
	_, ofDay := types.SplitMicros(local)
	return types.PackTimeTZ(ofDay, int((local-us)/types.MicrosPerSecond)), nil
}

func timeTZNow(s *site) int64 {
	v, err := timeTZOf(int64(s.ctx.Now), s.format().Zone)
	if err != nil {
		panic("expr: the present is infinite")
	}
	return v
}

// offsetNow is the offset that a zone keeps at present, in seconds east of Greenwich.
func offsetNow(zone *time.Location, now types.MicroTime) int {
	return int((types.UTCToLocal(int64(now), zone) - int64(now)) / types.MicrosPerSecond)
}

// timeTZAt is the same moment of the day on a clock with another offset.
func timeTZAt(v int64, east int) int64 {
	ofDay, old := types.UnpackTimeTZ(v)
	return types.PackTimeTZ(wrapDay(ofDay+int64(east-old)*types.MicrosPerSecond), east)
}

func shiftTimeTZ(v, micros int64) int64 {
	ofDay, east := types.UnpackTimeTZ(v)
	return types.PackTimeTZ(wrapDay(ofDay+micros%types.MicrosPerDay), east)
}

// dateTimeTZ is the instant at which a clock with an offset shows a time of a date.
func dateTimeTZ(days, v int64) (int64, error) {
	ofDay, east := types.UnpackTimeTZ(v)
	us, err := dateTime(days, ofDay)
	if err != nil || isInfinite(us) {
		return us, err
	}
	return us - int64(east)*types.MicrosPerSecond, nil
}
