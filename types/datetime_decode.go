package types

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// dtFault says why a text is no date or time; see dtFault.error.
type dtFault uint8

const (
	dtOK       dtFault = iota
	dtBad              // 22007: not of any known form
	dtRange            // 22008
	dtMonthDay         // 22008, perhaps month and day are exchanged
	dtZone             // 22009
	dtZoneName         // 22023
	dtInterval         // 22015
)

// The parts of a date and time that fields give; each may be given once.
const (
	partYear = 1 << iota
	partMonth
	partDay
	partDOY
	partTime
	partZone
	partDST
	partAMPM
	partEra
	partDOW
	partReserved

	partDate = partYear | partMonth | partDay
)

// dateTime is what a text says, as far as it has been read.
type dateTime struct {
	have             int // parts
	year, month, day int
	dayOfYear        int
	hour, min, sec   int
	micros           int // of the second; 1,000,000 after rounding up
	offset           int // seconds east of Greenwich, when partZone came as a number
	zone             *time.Location
	reserved         int // a reserved word that is the whole value; -1: none

	twoDigitYear, textMonth, julian, bc bool
	meridiem                            int // 0: AM, 12: PM, -1: none
	prefix                              wordKind
	timeOnly                            bool // a T needs no date before it
	badZone                             string
}

// decode reads the fields of a timestamp, date or time. now is the local present for words such as today.
func (d *dateTime) decode(fields []field, now MicroTime, loc *time.Location) dtFault {
	d.reserved, d.meridiem = -1, -1
	for i, f := range fields {
		mask, fault := d.field(fields, i, f, now, loc)
		if fault != dtOK {
			return fault
		}
		if mask&d.have != 0 {
			return dtBad
		}
		d.have |= mask
	}
	if d.prefix != wordIgnore {
		return dtBad
	}
	return dtOK
}

func (d *dateTime) field(fields []field, i int, f field, now MicroTime, loc *time.Location) (mask int, fault dtFault) {
	switch f.kind {
	case fieldDate:
		return d.dateField(f.text)
	case fieldTime:
		if d.prefix != wordIgnore && d.prefix != wordISOTime {
			return 0, dtBad
		}
		d.prefix = wordIgnore
		return d.clock(f.text)
	case fieldZone:
		return d.zoneField(f.text)
	case fieldNumber:
		return d.numberField(f.text)
	}
	return d.wordField(fields, i, f.text, now, loc)
}

// dateField reads a field with separators: a date, or after the date a zone's name or hhmmss-zz.
func (d *dateTime) dateField(s string) (int, dtFault) {
	if d.prefix == wordJulian {
		return d.julianField(s)
	}
	if d.prefix == wordIgnore && d.have&(partMonth|partDay) != partMonth|partDay {
		return d.date(s)
	}
	if !isDigit(s[0]) && d.prefix == wordIgnore {
		loc, _, err := LoadZone(s)
		if err != nil {
			d.badZone = s
			return 0, dtZoneName
		}
		d.zone = loc
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

func (d *dateTime) setClock(us int64) {
	d.hour, d.min = int(us/MicrosPerHour), int(us/MicrosPerMinute%60)
	d.sec, d.micros = int(us/MicrosPerSecond%60), int(us%MicrosPerSecond)
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

// datePart gives a number of a date its part, in the order month, day, year unless the year comes first.
func (d *dateTime) datePart(s string, n, have int) (mask int, fault dtFault) {
	long := len(s) >= 3
	switch have & partDate {
	case 0:
		mask = partMonth
		if long {
			mask = partYear
		}
	case partYear, partDay:
		mask = partMonth
	case partMonth:
		mask = partDay
		if d.textMonth && long {
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

// clock reads hh:mm, hh:mm:ss or mm:ss.fraction.
func (d *dateTime) clock(s string) (mask int, fault dtFault) {
	c, fault := parseClock(s, 0)
	if fault != dtOK {
		return 0, fault
	}
	if c.hour > 24 || c.hour == 24 && (c.min > 0 || c.sec > 0 || c.micros > 0) {
		return 0, dtRange
	}
	d.hour, d.min, d.sec, d.micros = int(c.hour), c.min, c.sec, c.micros
	return partTime, dtOK
}

type clockTime struct {
	hour             int64
	min, sec, micros int
}

// parseClock reads a time with colons. minSec says that two parts are minutes and seconds.
func parseClock(s string, fields int32) (c clockTime, fault dtFault) {
	minSec := fields == IntervalMinute|IntervalSecond
	at := strings.IndexByte(s, ':')
	if at < 0 {
		return c, dtBad
	}
	h, err := strconv.ParseInt(s[:at], 10, 64)
	if err != nil || h > math.MaxInt32 {
		return c, dtRange
	}
	c.hour = h
	var rest string
	if c.min, rest, fault = leadingInt(s[at+1:]); fault != dtOK {
		return c, fault
	}
	switch {
	case rest == "":
		if minSec {
			c.sec, c.min, c.hour = c.min, int(c.hour), 0
		}
	case rest[0] == '.':
		if c.micros, fault = fraction(rest); fault != dtOK {
			return c, fault
		}
		c.sec, c.min, c.hour = c.min, int(c.hour), 0
	case rest[0] == ':':
		if c.sec, rest, fault = leadingInt(rest[1:]); fault != dtOK {
			return c, fault
		}
		if rest != "" {
			if rest[0] != '.' {
				return c, dtBad
			}
			if c.micros, fault = fraction(rest); fault != dtOK {
				return c, fault
			}
		}
	default:
		return c, dtBad
	}
	if c.min > 59 || c.sec > 60 {
		return c, dtRange
	}
	return c, dtOK
}

// zoneField reads +hh, +hhmm, +hh:mm or +hh:mm:ss.
func (d *dateTime) zoneField(s string) (mask int, fault dtFault) {
	h, rest, fault := leadingInt(s[1:])
	if fault != dtOK {
		return 0, dtZone
	}
	m, sec := 0, 0
	if strings.HasPrefix(rest, ":") {
		if m, rest, fault = leadingInt(rest[1:]); fault != dtOK {
			return 0, dtZone
		}
		if strings.HasPrefix(rest, ":") {
			if sec, rest, fault = leadingInt(rest[1:]); fault != dtOK {
				return 0, dtZone
			}
		}
	} else if rest == "" && len(s) > 3 {
		h, m = h/100, h%100
	}
	if h > 15 || m > 59 || sec > 59 {
		return 0, dtZone
	}
	if rest != "" {
		return 0, dtBad
	}
	d.offset = (h*60+m)*60 + sec
	if s[0] == '-' {
		d.offset = -d.offset
	}
	return partZone, dtOK
}

func (d *dateTime) numberField(s string) (mask int, fault dtFault) {
	switch d.prefix {
	case wordJulian:
		return d.julianField(s)
	case wordISOTime:
		d.prefix = wordIgnore
		mask, fault = d.joinedHave(s, d.have|partDate)
		if fault == dtOK && mask != partTime {
			fault = dtBad
		}
		return mask, fault
	}
	at := strings.IndexByte(s, '.')
	switch {
	case at >= 0 && d.have&partDate == 0:
		return d.date(s)
	case at > 2:
		return d.joined(s)
	case len(s) >= 6 && (d.have&partDate == 0 || d.have&partTime == 0):
		return d.joined(s)
	}
	return d.number(s, d.have)
}

func (d *dateTime) wordField(fields []field, i int, s string, now MicroTime, loc *time.Location) (mask int, fault dtFault) {
	key := s
	if len(key) > wordMax {
		key = key[:wordMax]
	}
	if a, ok := zoneAbbrevs[key]; ok {
		d.offset = int(a.offset)
		if a.zone != "" {
			d.zone, _, _ = LoadZone(a.zone)
		}
		return partZone, dtOK
	}
	w, ok := lookupWord(s)
	if !ok {
		loc, _, err := LoadZone(s)
		if err != nil {
			return 0, dtBad
		}
		d.zone = loc
		return partZone, dtOK
	}
	switch w.kind {
	case wordIgnore:
		return 0, dtOK
	case wordMonth:
		return d.monthWord(w.value), dtOK
	case wordDay:
		return partDOW, dtOK
	case wordAMPM:
		d.meridiem = w.value
		return partAMPM, dtOK
	case wordEra:
		d.bc = w.value == 1
		return partEra, dtOK
	case wordDST:
		d.offset += 3600
		return partDST, dtOK
	case wordJulian:
		d.prefix = wordJulian
		return 0, dtOK
	case wordISOTime:
		next := i + 1
		if d.have&partDate != partDate && !d.timeOnly || next >= len(fields) ||
			fields[next].kind != fieldNumber && fields[next].kind != fieldTime && fields[next].kind != fieldDate {
			return 0, dtBad
		}
		d.prefix = wordISOTime
		return 0, dtOK
	case wordReserved:
		return d.reservedWord(w.value, now, loc), dtOK
	}
	return 0, dtBad
}

// monthWord takes a month's name; a number that stood for the month before was the day.
func (d *dateTime) monthWord(month int) (mask int) {
	mask = partMonth
	if d.have&partMonth != 0 && !d.textMonth && d.have&partDay == 0 && d.month >= 1 && d.month <= 31 {
		d.day = d.month
		mask = partDay
	}
	d.textMonth = true
	d.month = month
	return mask
}

func (d *dateTime) reservedWord(value int, now MicroTime, loc *time.Location) (mask int) {
	shift := int64(0)
	switch value {
	case reservedEpoch, reservedInfinity, reservedNegInfinity:
		d.reserved = value
		return partReserved // what else is said does not count
	case reservedZulu:
		d.hour, d.min, d.sec, d.offset = 0, 0, 0, 0
		return partTime | partZone
	case reservedTomorrow:
		shift = 1
	case reservedYesterday:
		shift = -1
	}
	if now == 0 {
		now = MicroTime(time.Now().UnixMicro())
	}
	days, ofDay := SplitMicros(UTCToLocal(int64(now), loc))
	y, m, day := Civil(days + shift)
	d.year, d.month, d.day = int(y), m, day
	if d.year <= 0 {
		d.bc, d.year = true, 1-d.year
	}
	if value != reservedNow {
		return partDate
	}
	d.setClock(ofDay)
	d.offset = int(offsetAt(loc, floorDiv64(int64(now), MicrosPerSecond)))
	return partDate | partTime | partZone
}

// validate brings year, month, day and hour to their final values and checks them.
func (d *dateTime) validate() dtFault {
	if d.have&partYear != 0 && !d.julian {
		switch {
		case d.bc:
			if d.year <= 0 {
				return dtRange
			}
			d.year = 1 - d.year
		case d.twoDigitYear:
			if d.year < 70 {
				d.year += 2000
			} else if d.year < 100 {
				d.year += 1900
			}
		case d.year <= 0:
			return dtRange
		}
	}
	if d.have&partDOY != 0 {
		y, m, day := Civil(DaysOf(int64(d.year), 1, 1) + int64(d.dayOfYear) - 1)
		d.year, d.month, d.day = int(y), m, day
	}
	if d.have&partMonth != 0 && (d.month < 1 || d.month > 12) || d.have&partDay != 0 && (d.day < 1 || d.day > 31) {
		return dtMonthDay
	}
	if d.have&partDate == partDate && d.day > daysIn(int64(d.year), d.month) {
		return dtRange
	}
	return d.applyMeridiem()
}

func (d *dateTime) applyMeridiem() dtFault {
	if d.meridiem < 0 {
		return dtOK
	}
	if d.hour > 12 {
		return dtRange
	}
	d.hour = d.hour%12 + d.meridiem
	return dtOK
}

// ofDay is the time of day in microseconds.
func (d *dateTime) ofDay() int64 {
	return int64(d.hour*3600+d.min*60+d.sec)*MicrosPerSecond + int64(d.micros)
}
