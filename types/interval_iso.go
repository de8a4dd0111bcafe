package types

import (
	"math"
	"strconv"
)

// iso8601 reads PnYnMnWnDTnHnMnS, P00021015T103020 and P0002-10-15T10:30:20.
func (p *intervalParser) iso8601(s string) dtFault {
	if len(s) < 2 || s[0] != 'P' {
		return dtBad
	}
	s = s[1:]
	date, had := true, false
	for s != "" {
		if s[0] == 'T' {
			date, had, s = false, false, s[1:]
			continue
		}
		digits := isoDigits(s)
		val, frac, rest, fault := isoNumber(s)
		if fault != dtOK {
			return fault
		}
		unit := byte(0)
		if rest != "" {
			unit = rest[0]
			rest = rest[1:]
		}
		done := false
		if date {
			rest, done, fault = p.isoDate(val, frac, unit, rest, digits == 8 && !had, had)
		} else {
			rest, done, fault = p.isoTime(val, frac, unit, rest, digits == 6 && !had, had)
		}
		if fault != dtOK {
			return fault
		}
		if p.overflow {
			return dtRange
		}
		if done {
			date, had = false, false
		} else {
			had = true
		}
		s = rest
	}
	return dtOK
}

// isoDigits counts the digits at the front of s, behind a sign.
func isoDigits(s string) int {
	_, s = cutSign(s)
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// isoNumber reads a number and parts it in whole and fraction, of one sign.
func isoNumber(s string) (val int64, frac float64, rest string, fault dtFault) {
	k := 0
	for k < len(s) && (isDigit(s[k]) || s[k] == '.' || s[k] == '+' || s[k] == '-' || s[k] == 'e' || s[k] == 'E') {
		if k > 0 && (s[k] == '-' || s[k] == '+') && s[k-1]|0x20 != 'e' {
			break
		}
		k++
	}
	x, err := strconv.ParseFloat(s[:k], 64)
	if err != nil {
		return 0, 0, s, dtBad
	}
	if math.Abs(x) > 1e15 {
		return 0, 0, s, dtRange
	}
	whole := math.Trunc(x)
	return int64(whole), x - whole, s[k:], dtOK
}

// isoDate takes one part of the date. done says that the date ended here and a time may follow.
func (p *intervalParser) isoDate(val int64, frac float64, unit byte, rest string, basic, had bool) (_ string, done bool, _ dtFault) {
	switch unit {
	case 'Y':
		p.add(val, frac, unitYear)
	case 'M':
		p.add(val, frac, unitMonth)
	case 'W':
		p.add(val, frac, unitWeek)
	case 'D':
		p.add(val, frac, unitDay)
	case 0, 'T':
		if basic {
			p.add(val/10000, 0, unitYear)
			p.add(val/100%100, 0, unitMonth)
			p.add(val%100, frac, unitDay)
			return rest, true, dtOK
		}
		if had {
			return rest, false, dtBad
		}
		p.add(val, frac, unitYear)
		return rest, true, dtOK
	case '-':
		if had {
			return rest, false, dtBad
		}
		p.add(val, frac, unitYear)
		return p.isoParts(rest, '-', 'T', unitMonth, unitDay)
	default:
		return rest, false, dtBad
	}
	return rest, false, dtOK
}

func (p *intervalParser) isoTime(val int64, frac float64, unit byte, rest string, basic, had bool) (_ string, done bool, _ dtFault) {
	switch unit {
	case 'H':
		p.add(val, frac, unitHour)
	case 'M':
		p.add(val, frac, unitMinute)
	case 'S':
		p.add(val, frac, unitSecond)
	case 0:
		if basic {
			p.add(val/10000, 0, unitHour)
			p.add(val/100%100, 0, unitMinute)
			p.add(val%100, frac, unitSecond)
			return rest, true, dtOK
		}
		if had {
			return rest, false, dtBad
		}
		p.add(val, frac, unitHour)
	case ':':
		if had {
			return rest, false, dtBad
		}
		p.add(val, frac, unitHour)
		return p.isoParts(rest, ':', 0, unitMinute, unitSecond)
	default:
		return rest, false, dtBad
	}
	return rest, false, dtOK
}

// isoParts reads the second and third part of a form with separators, up to end.
func (p *intervalParser) isoParts(s string, sep, end byte, units ...intervalUnit) (_ string, done bool, _ dtFault) {
	for k, unit := range units {
		val, frac, rest, fault := isoNumber(s)
		if fault != dtOK {
			return s, false, fault
		}
		p.add(val, frac, unit)
		if rest == "" {
			return rest, true, dtOK
		}
		s = rest[1:]
		switch {
		case rest[0] == end:
			return s, true, dtOK
		case rest[0] != sep || k == len(units)-1:
			return s, false, dtBad
		}
	}
	return s, true, dtOK
}
