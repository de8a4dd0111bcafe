package types

import (
	"math"
	"strconv"
	"strings"
)

// intervalUnit is a unit of an interval's text.
type intervalUnit uint8

const (
	unitNone intervalUnit = iota
	unitMicro
	unitMilli
	unitSecond
	unitMinute
	unitHour
	unitDay
	unitWeek
	unitMonth
	unitYear
	unitDecade
	unitCentury
	unitMillennium
	unitOther // a word that is known and no unit of an interval
)

// intervalWords holds units as Postgres spells them, cut to ten letters.
var intervalWords = func() map[string]intervalUnit {
	out := map[string]intervalUnit{}
	for unit, words := range map[intervalUnit]string{
		unitMicro:      "us usec usecs usecond useconds microsecon",
		unitMilli:      "ms msec msecs msecond mseconds millisecon",
		unitSecond:     "s sec secs second seconds",
		unitMinute:     "m min mins minute minutes",
		unitHour:       "h hr hrs hour hours",
		unitDay:        "d day days",
		unitWeek:       "w week weeks",
		unitMonth:      "mon mons month months",
		unitYear:       "y yr yrs year years",
		unitDecade:     "dec decs decade decades",
		unitCentury:    "c cent century centuries",
		unitMillennium: "mil mils millennia millennium",
		unitOther:      "qtr quarter timezone timezone_h timezone_m",
	} {
		for _, w := range strings.Fields(words) {
			out[w] = unit
		}
	}
	return out
}()

// ParseInterval reads an interval: Postgres's, the SQL standard's and ISO 8601's forms. mod, NoMod if none, says which
// fields a number alone means and what is kept. 22007, 22008 and 22015 are its errors.
func ParseInterval(s string, mod int32) (IntervalValue, error) {
	fields := IntervalAllFields
	if mod >= 0 {
		fields = mod >> 16 & IntervalAllFields
	}
	p := intervalParser{fields: fields}
	fault := dtBad
	if parts, ok := splitFields(s); ok {
		fault = p.decode(parts)
	}
	if fault == dtBad {
		p = intervalParser{fields: fields}
		fault = p.iso8601(s)
	}
	switch fault {
	case dtOK:
	case dtRange:
		return IntervalValue{}, dtInterval.error(nil, Interval, s)
	default:
		return IntervalValue{}, fault.error(nil, Interval, s)
	}
	v, ok := p.value()
	if !ok {
		return v, errIntervalRange()
	}
	return v.WithMod(mod)
}

type intervalParser struct {
	fields              int32
	months, days, years int64
	micros              int64
	overflow            bool
}

func (p *intervalParser) value() (IntervalValue, bool) {
	months := p.years*12 + p.months
	if p.overflow || int64(int32(months)) != months || int64(int32(p.days)) != p.days {
		return IntervalValue{}, false
	}
	return IntervalValue{Months: int32(months), Days: int32(p.days), Micros: p.micros}, true
}

// decode reads fields from the right, since a unit stands behind its number.
func (p *intervalParser) decode(fields []field) dtFault {
	unit, ago, seen := unitNone, false, 0
	for i := len(fields) - 1; i >= 0; i-- {
		f := fields[i]
		mask := 0
		switch f.kind {
		case fieldTime:
			if fault := p.clock(f.text, false); fault != dtOK {
				return fault
			}
			mask, unit = intervalTimeMask, unitDay
		case fieldZone, fieldDate, fieldNumber:
			if f.kind == fieldZone && strings.Contains(f.text, ":") && p.clock(f.text[1:], f.text[0] == '-') == dtOK {
				mask, unit = intervalTimeMask, unitDay
				break
			}
			if unit == unitNone {
				unit = p.lastUnit()
			}
			m, fault := p.number(f.text, &unit)
			if fault != dtOK {
				return fault
			}
			mask = m
		default:
			w := f.text
			if len(w) > wordMax {
				w = w[:wordMax]
			}
			if w == "ago" {
				ago, unit = true, unitOther
				continue
			}
			u, ok := intervalWords[w]
			if !ok {
				return dtBad
			}
			unit = u
		}
		if mask&seen != 0 {
			return dtBad
		}
		seen |= mask
	}
	if seen == 0 {
		return dtBad
	}
	if ago {
		p.negate()
	}
	return dtOK
}

func (p *intervalParser) negate() {
	p.overflow = p.overflow || p.micros == math.MinInt64
	p.years, p.months, p.days, p.micros = -p.years, -p.months, -p.days, -p.micros
}

// A time gives hours, minutes and seconds at once.
const (
	intervalSecMask  = 1<<unitSecond | 1<<unitMilli | 1<<unitMicro
	intervalTimeMask = 1<<unitHour | 1<<unitMinute | intervalSecMask
)

func (p *intervalParser) clock(s string, neg bool) dtFault {
	c, fault := parseClock(s, p.fields)
	if fault != dtOK {
		return fault
	}
	us := c.hour*MicrosPerHour + int64(c.min*60+c.sec)*MicrosPerSecond + int64(c.micros)
	if neg {
		us = -us
	}
	p.micros = us
	return dtOK
}

// lastUnit is what a number without a unit at the end means.
func (p *intervalParser) lastUnit() intervalUnit {
	for _, u := range [...]struct {
		field int32
		unit  intervalUnit
	}{{IntervalSecond, unitSecond}, {IntervalMinute, unitMinute}, {IntervalHour, unitHour}, {IntervalDay, unitDay}, {IntervalMonth, unitMonth}, {IntervalYear, unitYear}} {
		if p.fields&u.field != 0 {
			return u.unit
		}
	}
	return unitSecond
}

// number adds a signed number of units; "years-months" is one number and makes the unit months.
func (p *intervalParser) number(s string, unit *intervalUnit) (mask int, fault dtFault) {
	neg, digits := cutSign(s)
	k := 0
	for k < len(digits) && isDigit(digits[k]) {
		k++
	}
	val, err := int64(0), error(nil)
	if k > 0 {
		val, err = strconv.ParseInt(digits[:k], 10, 64)
	}
	if err != nil {
		return 0, dtRange
	}
	frac := 0.0
	switch rest := digits[k:]; {
	case strings.HasPrefix(rest, "-"):
		months, tail, fault := leadingInt(rest[1:])
		if fault != dtOK || months >= monthsPerYear {
			return 0, dtRange
		}
		if tail != "" {
			return 0, dtBad
		}
		*unit = unitMonth
		if val > math.MaxInt32 {
			return 0, dtRange
		}
		val = val*monthsPerYear + int64(months)
	case strings.HasPrefix(rest, "."):
		if rest != "." {
			if frac, err = strconv.ParseFloat("0"+rest, 64); err != nil {
				return 0, dtBad
			}
		}
	case rest != "" || digits == "":
		return 0, dtBad
	}
	if neg {
		val, frac = -val, -frac
	}
	mask, ok := p.add(val, frac, *unit)
	if *unit == unitHour {
		*unit = unitDay // of the number before it, if it has none
	}
	if !ok {
		return 0, dtBad
	}
	if p.overflow {
		return 0, dtRange
	}
	return mask, dtOK
}

// add adds val + frac of a unit, with Postgres's way down for the fraction.
func (p *intervalParser) add(val int64, frac float64, unit intervalUnit) (mask int, ok bool) {
	mask = 1 << unit
	switch unit {
	case unitMicro:
		p.addMicros(val, frac, 1)
	case unitMilli:
		p.addMicros(val, frac, 1000)
	case unitSecond:
		p.addMicros(val, frac, MicrosPerSecond)
		if frac != 0 {
			mask = intervalSecMask
		}
	case unitMinute:
		p.addMicros(val, frac, MicrosPerMinute)
	case unitHour:
		p.addMicros(val, frac, MicrosPerHour)
	case unitDay:
		p.bounded(&p.days, val, 1)
		p.addMicros(0, frac, MicrosPerDay)
	case unitWeek:
		p.bounded(&p.days, val, 7)
		p.addDays(frac * 7)
	case unitMonth:
		p.bounded(&p.months, val, 1)
		p.addDays(frac * daysPerMonth)
	case unitYear:
		p.addYears(val, frac, 1)
	case unitDecade:
		p.addYears(val, frac, 10)
	case unitCentury:
		p.addYears(val, frac, 100)
	case unitMillennium:
		p.addYears(val, frac, 1000)
	default:
		return 0, false
	}
	return mask, true
}

func (p *intervalParser) bounded(to *int64, val, scale int64) {
	n, ok := mulInt64(val, scale)
	*to += n
	if !ok || n > math.MaxInt32 || n < math.MinInt32 || int64(int32(*to)) != *to {
		p.overflow = true
	}
}

func (p *intervalParser) addYears(val int64, frac float64, scale int64) {
	p.bounded(&p.years, val, scale)
	p.bounded(&p.months, int64(math.RoundToEven(frac*float64(scale)*monthsPerYear)), 1)
}

func (p *intervalParser) addDays(days float64) {
	whole := math.Trunc(days)
	p.bounded(&p.days, int64(whole), 1)
	p.addMicros(0, days-whole, MicrosPerDay)
}

func (p *intervalParser) addMicros(val int64, frac float64, scale int64) {
	n, ok := mulInt64(val, scale)
	us := frac * float64(scale)
	whole := math.Trunc(us)
	if us -= whole; us > 0.5 {
		whole++
	} else if us < -0.5 {
		whole--
	}
	sum, ok1 := addInt64(p.micros, n)
	sum, ok2 := addInt64(sum, int64(whole))
	p.micros = sum
	p.overflow = p.overflow || !ok || !ok1 || !ok2
}

// WithMod drops the fields that an interval's typmod does not keep and rounds its seconds.
func (v IntervalValue) WithMod(mod int32) (IntervalValue, error) {
	if mod < 0 {
		return v, nil
	}
	fields, precision := mod>>16&IntervalAllFields, mod&IntervalAllPrecision
	if fields != IntervalAllFields {
		switch {
		case fields&(IntervalSecond) != 0:
		case fields&IntervalMinute != 0:
			v.Micros -= v.Micros % MicrosPerMinute
		case fields&IntervalHour != 0:
			v.Micros -= v.Micros % MicrosPerHour
		case fields&IntervalDay != 0:
			v.Micros = 0
		case fields&IntervalMonth != 0:
			v.Days, v.Micros = 0, 0
		case fields&IntervalYear != 0:
			v.Months -= v.Months % monthsPerYear
			v.Days, v.Micros = 0, 0
		}
	}
	if precision < 6 {
		v.Micros = RoundMicros(v.Micros, precision)
	}
	return v, nil
}
