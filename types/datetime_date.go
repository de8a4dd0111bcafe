package types

import (
	"math"
	"strconv"
	"strings"
)

// dateField reads a field with separators: a date, or after the date a zone's name or hhmmss-zz.
func (d *dateTime) dateField(s string) (int, dtFault) {
	if d.prefix == wordJulian {
		return d.julianField(s)
	}
	zoneOfTime := d.timeOnly && d.have&partTime != 0 && !isDigit(s[0])
	if d.prefix == wordIgnore && d.have&(partMonth|partDay) != partMonth|partDay && !zoneOfTime {
		return d.date(s)
	}
	if !isDigit(s[0]) && d.prefix == wordIgnore {
		loc, _, err := LoadZone(s)
		if err != nil {
			d.badZone = s
			return 0, dtZoneName
		}
		d.zone, d.namedZone = loc, true
		return partZone, dtOK
	}
	d.prefix = wordIgnore
	at := strings.IndexByte(s, '-')
	if d.have&partTime != 0 || at < 0 {
		return 0, dtBad
	}
	if _, fault := d.zoneField(s[at:]); fault != dtOK {
		return 0, fault
	}
	mask, fault := d.joined(s[:at])
	return mask | partZone, fault
}

// julianField reads a Julian day number, with a fraction or a zone behind it.
func (d *dateTime) julianField(s string) (int, dtFault) {
	d.prefix = wordIgnore
	n, rest, fault := leadingInt(s)
	if fault != dtOK || n < 0 {
		return 0, dtRange
	}
	days := int64(n) + minDate
	y, m, day := Civil(days)
	d.year, d.month, d.day, d.julian = int(y), m, day, true
	switch {
	case rest == "":
		return partDate, dtOK
	case rest[0] == '.':
		frac, err := strconv.ParseFloat("0"+rest, 64)
		if err != nil {
			return 0, dtBad
		}
		us := int64(math.RoundToEven(frac * float64(MicrosPerDay)))
		d.setClock(us)
		return partDate | partTime, dtOK
	case rest[0] == '-':
		_, fault := d.zoneField(rest)
		return partDate | partTime | partZone, fault
	}
	return 0, dtBad
}

// date reads a date with separators: parts of digits and letters; text is a month.
func (d *dateTime) date(s string) (mask int, fault dtFault) {
	var parts [fieldsMax]string
	n, hadMonth := 0, d.textMonth
	for s != "" && n < fieldsMax {
		k := 0
		for k < len(s) && !isDigit(s[k]) && !isLetter(s[k]) {
			k++
		}
		if s = s[k:]; s == "" {
			return 0, dtBad
		}
		is := isDigit
		if isLetter(s[0]) {
			is = isLetter
		}
		for k = 0; k < len(s) && is(s[k]); k++ {
		}
		parts[n] = s[:k]
		n++
		if s = s[k:]; s != "" {
			s = s[1:] // exactly one separator, or one character more, is passed over
		}
	}
	have := d.have
	d.textMonth = false
	for k, p := range parts[:n] {
		if !isLetter(p[0]) {
			continue
		}
		w, ok := lookupWord(p)
		if ok && w.kind == wordIgnore {
			parts[k] = ""
			continue
		}
		if !ok || w.kind != wordMonth || have&partMonth != 0 {
			return 0, dtBad
		}
		d.month, d.textMonth = w.value, true
		have |= partMonth
		mask |= partMonth
		parts[k] = ""
	}
	for _, p := range parts[:n] {
		if p == "" {
			continue
		}
		m, fault := d.number(p, have)
		if fault != dtOK {
			return 0, fault
		}
		if have&m != 0 {
			return 0, dtBad
		}
		have |= m
		mask |= m
	}
	d.textMonth = d.textMonth || hadMonth
	if have&^(partDOY|partZone) != partDate {
		return 0, dtBad
	}
	return mask, dtOK
}

// leadingInt reads the digits at the front of s as C's int.
func leadingInt(s string) (n int, rest string, fault dtFault) {
	k := 0
	for k < len(s) && isDigit(s[k]) {
		n = n*10 + int(s[k]-'0')
		if n > math.MaxInt32 {
			return 0, s, dtRange
		}
		k++
	}
	return n, s[k:], dtOK
}

// fraction reads ".digits" as microseconds, rounded.
func fraction(s string) (micros int, fault dtFault) {
	if s == "." {
		return 0, dtOK
	}
	for k := 1; k < len(s); k++ {
		if !isDigit(s[k]) {
			return 0, dtBad
		}
	}
	f, err := strconv.ParseFloat("0"+s, 64)
	if err != nil {
		return 0, dtBad
	}
	return int(math.RoundToEven(f * 1e6)), dtOK
}

// number reads one number of a date, or after the date a time; have is what is known of the date.
func (d *dateTime) number(s string, have int) (mask int, fault dtFault) {
	n, rest, fault := leadingInt(s)
	if fault != dtOK {
		return 0, fault
	}
	if strings.HasPrefix(rest, ".") {
		if len(s)-len(rest) > 2 {
			return d.joinedHave(s, have|partDate)
		}
		if d.micros, fault = fraction(rest); fault != dtOK {
			return 0, fault
		}
	} else if rest != "" || s == "" {
		return 0, dtBad
	}
	if len(s) == 3 && have&partDate == partYear && n >= 1 && n <= 366 {
		d.dayOfYear = n
		return partDOY | partMonth | partDay, dtOK
	}
	return d.datePart(s, n, have)
}

// datePart gives a number of a date its part, in the session's order unless the year comes first.
func (d *dateTime) datePart(s string, n, have int) (mask int, fault dtFault) {
	long := len(s) >= 3
	switch have & partDate {
	case 0:
		switch {
		case long || d.order == OrderYMD:
			mask = partYear
		case d.order == OrderDMY:
			mask = partDay
		default:
			mask = partMonth
		}
	case partYear, partDay:
		mask = partMonth
	case partMonth:
		mask = partDay
		if d.textMonth && (long || d.order == OrderYMD) {
			mask = partYear
		}
	case partYear | partMonth:
		mask = partDay
		if d.textMonth && long && d.twoDigitYear {
			// What was taken for the year was the day: 01 Mar 2026.
			d.day, d.year, d.twoDigitYear = d.year, n, false
			return partDay, dtOK
		}
	case partMonth | partDay:
		mask = partYear
	case partDate:
		return d.joinedHave(s, have)
	default:
		return 0, dtBad
	}
	switch mask {
	case partYear:
		d.year, d.twoDigitYear = n, len(s) <= 2
	case partMonth:
		d.month = n
	case partDay:
		d.day = n
	}
	return mask, dtOK
}

// joined reads digits without separators: yyyymmdd, hhmmss, hhmm, with a fraction of seconds.
func (d *dateTime) joined(s string) (mask int, fault dtFault) { return d.joinedHave(s, d.have) }

func (d *dateTime) joinedHave(s string, have int) (mask int, fault dtFault) {
	if at := strings.IndexByte(s, '.'); at >= 0 {
		if d.micros, fault = fraction(s[at:]); fault != dtOK {
			return 0, fault
		}
		s = s[:at]
	} else if have&partDate != partDate && len(s) >= 6 {
		k := len(s)
		d.day, d.month = cInt(s[k-2:]), cInt(s[k-4:k-2])
		d.year = cInt(s[:k-4])
		d.twoDigitYear = k-4 == 2
		return partDate, dtOK
	}
	if have&partTime != 0 {
		return 0, dtBad
	}
	switch len(s) {
	case 6:
		d.hour, d.min, d.sec = cInt(s[:2]), cInt(s[2:4]), cInt(s[4:])
		return partTime, dtOK
	case 4:
		d.hour, d.min, d.sec = cInt(s[:2]), cInt(s[2:]), 0
		return partTime, dtOK
	}
	return 0, dtBad
}

// cInt reads the digits at the front of s, as C's atoi; more than an int32 is its end.
func cInt(s string) int {
	n, _, fault := leadingInt(s)
	if fault != dtOK {
		return math.MaxInt32
	}
	return n
}
