package types

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"

	"wmsql/sqlerr"
)

// Microseconds of the units of time.
const (
	MicrosPerSecond int64 = 1_000_000
	MicrosPerMinute       = 60 * MicrosPerSecond
	MicrosPerHour         = 60 * MicrosPerMinute
	MicrosPerDay          = 24 * MicrosPerHour
	daysPerMonth          = 30 // where Postgres must compare or divide months
	monthsPerYear         = 12
)

// span is the length of an interval in microseconds, a month being 30 days, as a 128-bit number.
func (v IntervalValue) span() (hi int64, lo uint64) {
	days := int64(v.Months)*daysPerMonth + int64(v.Days)
	h, l := bits.Mul64(absInt64(days), uint64(MicrosPerDay))
	hi, lo = int64(h), l
	if days < 0 {
		lo = -lo
		hi = ^hi
		if lo == 0 {
			hi++
		}
	}
	lo, carry := bits.Add64(lo, uint64(v.Micros), 0)
	return hi + v.Micros>>63 + int64(carry), lo
}

// Cmp orders intervals as Postgres: a month is 30 days, a day 24 hours.
func (v IntervalValue) Cmp(w IntervalValue) int {
	ahi, alo := v.span()
	bhi, blo := w.span()
	if c := cmp.Compare(ahi, bhi); c != 0 {
		return c
	}
	return cmp.Compare(alo, blo)
}

// AppendKey appends a form of 16 bytes whose order is Cmp's: equal intervals have one key.
func (v IntervalValue) AppendKey(dst []byte) []byte {
	hi, lo := v.span()
	dst = binary.BigEndian.AppendUint64(dst, uint64(hi)^1<<63)
	return binary.BigEndian.AppendUint64(dst, lo)
}

// IntervalOfKey reads what AppendKey wrote from the front of b and returns the rest. The interval has days and
// microseconds, no months.
func IntervalOfKey(b []byte) (v IntervalValue, rest []byte, ok bool) {
	if len(b) < 16 {
		return v, nil, false
	}
	hi := binary.BigEndian.Uint64(b) ^ 1<<63
	lo := binary.BigEndian.Uint64(b[8:])
	neg := int64(hi) < 0
	if neg {
		lo, hi = -lo, ^hi
		if lo == 0 {
			hi++
		}
	}
	if hi >= uint64(MicrosPerDay) {
		return v, nil, false
	}
	days, micros := bits.Div64(hi, lo, uint64(MicrosPerDay))
	// More days than fit, as '178000000 years' has, stay in whole months.
	months := uint64(0)
	if days > math.MaxInt32 {
		months, days = days/daysPerMonth, days%daysPerMonth
	}
	v = IntervalValue{Months: int32(months), Days: int32(days), Micros: int64(micros)}
	if neg {
		v = IntervalValue{Months: -v.Months, Days: -v.Days, Micros: -v.Micros}
	}
	return v, b[16:], true
}

func errIntervalRange() *sqlerr.Error {
	return sqlerr.Newf(sqlerr.DatetimeOverflow, "interval out of range")
}

// Neg returns -v.
func (v IntervalValue) Neg() (IntervalValue, error) {
	if v.Months == math.MinInt32 || v.Days == math.MinInt32 || v.Micros == math.MinInt64 {
		return v, errIntervalRange()
	}
	return IntervalValue{Months: -v.Months, Days: -v.Days, Micros: -v.Micros}, nil
}

// Add returns v + w, field by field.
func (v IntervalValue) Add(w IntervalValue) (IntervalValue, error) {
	months, days := int64(v.Months)+int64(w.Months), int64(v.Days)+int64(w.Days)
	micros, ok := addInt64(v.Micros, w.Micros)
	if !ok || int64(int32(months)) != months || int64(int32(days)) != days {
		return v, errIntervalRange()
	}
	return IntervalValue{Months: int32(months), Days: int32(days), Micros: micros}, nil
}

// Sub returns v - w.
func (v IntervalValue) Sub(w IntervalValue) (IntervalValue, error) {
	n, err := w.Neg()
	if err != nil {
		return v, err
	}
	return v.Add(n)
}

func addInt64(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (a^sum)&(b^sum) >= 0
}

// Mul returns v × x: parts of months go to days, parts of days to time, as in Postgres.
func (v IntervalValue) Mul(x float64) (IntervalValue, error) {
	return v.scaled(float64(v.Months)*x, float64(v.Days)*x, float64(v.Micros)*x)
}

// Div returns v / x. Division by 0 is 22012.
func (v IntervalValue) Div(x float64) (IntervalValue, error) {
	if x == 0 {
		return v, errDivZero()
	}
	return v.scaled(float64(v.Months)/x, float64(v.Days)/x, float64(v.Micros)/x)
}

// scaled builds the interval of fractional months, days and microseconds, with Postgres's cascade.
func (v IntervalValue) scaled(months, days, micros float64) (IntervalValue, error) {
	if months != months || math.Abs(months) >= 1<<31 || days != days || math.Abs(days) >= 1<<31 {
		return v, errIntervalRange()
	}
	wholeMonths, wholeDays := math.Trunc(months), math.Trunc(days)
	monthDays := roundMicro((months - wholeMonths) * daysPerMonth)
	seconds := roundMicro((days - wholeDays + monthDays - math.Trunc(monthDays)) * 86400)
	if math.Abs(seconds) >= 86400 {
		wholeDays += math.Trunc(seconds / 86400)
		seconds -= math.Trunc(seconds/86400) * 86400
	}
	wholeDays += math.Trunc(monthDays)
	total := math.RoundToEven(micros + seconds*1e6)
	if math.Abs(wholeDays) >= 1<<31 || total != total || math.Abs(total) >= 1<<63 {
		return v, errIntervalRange()
	}
	return IntervalValue{Months: int32(wholeMonths), Days: int32(wholeDays), Micros: int64(total)}, nil
}

func roundMicro(x float64) float64 { return math.RoundToEven(x*1e6) / 1e6 }

// JustifyHours turns every 24 hours into a day.
func (v IntervalValue) JustifyHours() (IntervalValue, error) {
	days := int64(v.Days) + v.Micros/MicrosPerDay
	micros := v.Micros % MicrosPerDay
	if days > 0 && micros < 0 {
		micros, days = micros+MicrosPerDay, days-1
	} else if days < 0 && micros > 0 {
		micros, days = micros-MicrosPerDay, days+1
	}
	if int64(int32(days)) != days {
		return v, errIntervalRange()
	}
	return IntervalValue{Months: v.Months, Days: int32(days), Micros: micros}, nil
}

// JustifyDays turns every 30 days into a month.
func (v IntervalValue) JustifyDays() (IntervalValue, error) {
	months := int64(v.Months) + int64(v.Days)/daysPerMonth
	days := int64(v.Days) % daysPerMonth
	if months > 0 && days < 0 {
		days, months = days+daysPerMonth, months-1
	} else if months < 0 && days > 0 {
		days, months = days-daysPerMonth, months+1
	}
	if int64(int32(months)) != months {
		return v, errIntervalRange()
	}
	return IntervalValue{Months: int32(months), Days: int32(days), Micros: v.Micros}, nil
}

// JustifyInterval does both, and gives all fields one sign.
func (v IntervalValue) JustifyInterval() (IntervalValue, error) {
	days := int64(v.Days) + v.Micros/MicrosPerDay
	micros := v.Micros % MicrosPerDay
	months := int64(v.Months) + days/daysPerMonth
	days %= daysPerMonth
	if months > 0 && (days < 0 || days == 0 && micros < 0) {
		days, months = days+daysPerMonth, months-1
	} else if months < 0 && (days > 0 || days == 0 && micros > 0) {
		days, months = days-daysPerMonth, months+1
	}
	if days > 0 && micros < 0 {
		micros, days = micros+MicrosPerDay, days-1
	} else if days < 0 && micros > 0 {
		micros, days = micros-MicrosPerDay, days+1
	}
	if int64(int32(months)) != months {
		return v, errIntervalRange()
	}
	return IntervalValue{Months: int32(months), Days: int32(days), Micros: micros}, nil
}
