package types

import (
	"math"
	"time"

	"wmsql/sqlerr"
)

// error is Postgres's error for a text of kind k.
func (f dtFault) error(d *dateTime, k Kind, s string) error {
	switch f {
	case dtRange:
		return sqlerr.Newf(sqlerr.DatetimeOverflow, "date/time field value out of range: \"%s\"", s)
	case dtMonthDay:
		return sqlerr.Newf(sqlerr.DatetimeOverflow, "date/time field value out of range: \"%s\"", s).
			WithHint("Perhaps you need a different \"datestyle\" setting.")
	case dtZone:
		return sqlerr.Newf("22009", "time zone displacement out of range: \"%s\"", s)
	case dtZoneName:
		return errZone(d.badZone)
	case dtInterval:
		return sqlerr.Newf(sqlerr.IntervalOverflow, "interval field value out of range: \"%s\"", s)
	}
	name := k.Info().SQLName
	if k == Timestamp || k == Time {
		name = k.Info().PgName
	}
	return sqlerr.Newf(sqlerr.InvalidDatetimeFormat, "invalid input syntax for type %s: \"%s\"", name, s)
}

// ParseTimestampTZ reads a timestamp with time zone: microseconds since 1970 UTC. Without a zone in the text it is in f's.
func ParseTimestampTZ(s string, f *Format) (int64, error) {
	if t, ok := fastTimestamp(s); ok {
		if t.hasZone {
			return t.micros - t.offset*MicrosPerSecond, nil
		}
		return checkTimestamp(LocalToUTC(t.micros, f.Zone), s)
	}
	d := dateTime{order: f.DateOrder}
	if err := d.parse(s, TimestampTZ, f); err != nil {
		return 0, err
	}
	local, done, err := d.timestamp(s)
	if done || err != nil {
		return local, err
	}
	switch {
	case d.zone != nil:
		local = LocalToUTC(local, d.zone)
	case d.have&(partZone|partDST) != 0:
		local -= int64(d.offset) * MicrosPerSecond
	default:
		local = LocalToUTC(local, f.Zone)
	}
	return checkTimestamp(local, s)
}

// ParseTimestamp reads a timestamp without time zone; a zone in the text is read and does not count.
func ParseTimestamp(s string, f *Format) (int64, error) {
	if t, ok := fastTimestamp(s); ok {
		return t.micros, nil
	}
	d := dateTime{order: f.DateOrder}
	if err := d.parse(s, Timestamp, f); err != nil {
		return 0, err
	}
	local, done, err := d.timestamp(s)
	if done || err != nil {
		return local, err
	}
	return checkTimestamp(local, s)
}

// ParseDate reads a date: days since 1970-01-01. A time in the text is read and does not count.
func ParseDate(s string, f *Format) (int64, error) {
	if days, ok := fastDate(s); ok {
		return days, nil
	}
	d := dateTime{order: f.DateOrder}
	if err := d.parse(s, Date, f); err != nil {
		return 0, err
	}
	switch d.reserved {
	case reservedInfinity:
		return int64(Infinity), nil
	case reservedNegInfinity:
		return int64(NegInfinity), nil
	case reservedEpoch:
		return 0, nil
	}
	days := DaysOf(int64(d.year), int64(d.month), int64(d.day))
	if !dateInRange(days) {
		return 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "date out of range: \"%s\"", s)
	}
	return days, nil
}

// ParseTime reads a time of day: microseconds since midnight. A date or a zone in the text is read and does not count.
func ParseTime(s string, f *Format) (int64, error) {
	d, err := parseClockText(s, Time, f)
	return d.ofDay(), err
}

// parseClockText reads the text of a Time or TimeTZ.
func parseClockText(s string, k Kind, f *Format) (d dateTime, err error) {
	d.order = f.DateOrder
	fields, ok := splitFields(s)
	if !ok || len(fields) == 0 {
		return d, dtBad.error(nil, k, s)
	}
	fault := d.decodeTime(fields, f)
	if fault == dtOK && (d.have&partTime == 0 || d.reserved >= 0) {
		fault = dtBad
	}
	if fault == dtOK {
		fault = d.validate()
	}
	if fault == dtOK && (d.hour > 24 || d.min > 59 || d.sec > 60 || d.ofDay() > MicrosPerDay) {
		fault = dtRange
	}
	if fault == dtOK && d.namedZone && d.have&partDate != partDate && !isFixedZone(d.zone) {
		fault = dtBad
	}
	if fault != dtOK {
		return dateTime{}, fault.error(&d, k, s)
	}
	return d, nil
}

// decodeTime decodes the fields of a time alone: a number is a time unless it is a part of a date.
func (d *dateTime) decodeTime(fields []field, f *Format) dtFault {
	d.timeOnly = true
	if fields[0].kind != fieldNumber || len(fields) > 1 && fields[1].kind == fieldDate {
		return d.decode(fields, f.Now, f.Zone)
	}
	d.prefix = wordISOTime // 120000 and 1200 are times here
	d.reserved, d.meridiem = -1, -1
	for i, fl := range fields {
		mask, fault := d.field(fields, i, fl, f.Now, f.Zone)
		if fault != dtOK {
			return fault
		}
		if mask&d.have != 0 {
			return dtBad
		}
		d.have |= mask
	}
	return dtOK
}

// parse decodes and validates a text that must hold a whole date.
func (d *dateTime) parse(s string, k Kind, f *Format) error {
	fields, ok := splitFields(s)
	if !ok || len(fields) == 0 {
		return dtBad.error(d, k, s)
	}
	fault := d.decode(fields, f.Now, f.Zone)
	if fault == dtOK && d.reserved < 0 {
		if fault = d.validate(); fault == dtOK && d.have&partDate != partDate {
			fault = dtBad
		}
	}
	if fault != dtOK {
		return fault.error(d, k, s)
	}
	return nil
}

// timestamp returns the local time; done says that no zone applies any more.
func (d *dateTime) timestamp(s string) (us int64, done bool, err error) {
	switch d.reserved {
	case reservedInfinity:
		return int64(Infinity), true, nil
	case reservedNegInfinity:
		return int64(NegInfinity), true, nil
	case reservedEpoch:
		return 0, true, nil
	}
	days := DaysOf(int64(d.year), int64(d.month), int64(d.day))
	if days < minDate-1 || days > endMicros/MicrosPerDay {
		return 0, false, errTimestampText(s)
	}
	return days*MicrosPerDay + d.ofDay(), false, nil
}

func errTimestampText(s string) error {
	return sqlerr.Newf(sqlerr.DatetimeOverflow, "timestamp out of range: \"%s\"", s)
}

func checkTimestamp(us int64, s string) (int64, error) {
	if !timestampInRange(us) {
		return 0, errTimestampText(s)
	}
	return us, nil
}

// RoundMicros rounds a time or timestamp to the digits after the second that its typmod says, half away from zero.
func RoundMicros(us int64, mod int32) int64 {
	if mod < 0 || mod >= 6 || isInfinite(us) {
		return us
	}
	unit := pow10s[6-mod]
	return dropDigits(us, unit, true) * unit
}

// epoch2000 is 2000-01-01 in microseconds since 1970: what Postgres counts from.
const epoch2000 = 946_684_800_000_000

// RoundTimestamp is RoundMicros of a timestamp: half away from 2000, as Postgres counts.
func RoundTimestamp(us int64, mod int32) int64 {
	if mod < 0 || mod >= 6 || isInfinite(us) {
		return us
	}
	return RoundMicros(us-epoch2000, mod) + epoch2000
}

// fastStamp is a timestamp of the usual form.
type fastStamp struct {
	micros, offset int64
	hasZone        bool
}

// fastTimestamp reads yyyy-mm-dd, a blank or T, hh:mm:ss, a fraction of at most 6 digits, and nothing, Z, +hh or +hh:mm,
// without allocating. All else, and all that is out of range, is left to the long way.
func fastTimestamp(s string) (t fastStamp, ok bool) {
	if len(s) < 19 || s[10] != ' ' && s[10] != 'T' || s[13] != ':' || s[16] != ':' {
		return t, false
	}
	days, ok := fastDate(s[:10])
	h, ok1 := twoDigits(s[11:])
	m, ok2 := twoDigits(s[14:])
	sec, ok3 := twoDigits(s[17:])
	if !ok || !ok1 || !ok2 || !ok3 || h > 23 || m > 59 || sec > 59 {
		return t, false
	}
	t.micros = days*MicrosPerDay + int64(h*3600+m*60+sec)*MicrosPerSecond
	s = s[19:]
	if s != "" && s[0] == '.' {
		n, unit := 1, MicrosPerSecond
		for n < len(s) && isDigit(s[n]) {
			unit /= 10
			t.micros += int64(s[n]-'0') * unit
			n++
		}
		if n > 7 {
			return t, false
		}
		s = s[n:]
	}
	return t, t.fastZone(s)
}

func (t *fastStamp) fastZone(s string) bool {
	switch {
	case s == "":
		return true
	case s == "Z" || s == "z":
		t.hasZone = true
		return true
	case s[0] != '+' && s[0] != '-' || len(s) != 3 && (len(s) != 6 || s[3] != ':'):
		return false
	}
	h, ok := twoDigits(s[1:])
	m := 0
	if len(s) == 6 {
		var okMin bool
		m, okMin = twoDigits(s[4:])
		ok = ok && okMin
	}
	t.hasZone = true
	t.offset = int64(h*3600 + m*60)
	if s[0] == '-' {
		t.offset = -t.offset
	}
	return ok && h <= 15 && m <= 59
}

// fastDate reads yyyy-mm-dd.
func fastDate(s string) (days int64, ok bool) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	hi, ok1 := twoDigits(s)
	lo, ok2 := twoDigits(s[2:])
	m, ok3 := twoDigits(s[5:])
	d, ok4 := twoDigits(s[8:])
	y := int64(hi*100 + lo)
	if !ok1 || !ok2 || !ok3 || !ok4 || y == 0 || m < 1 || m > 12 || d < 1 || d > daysIn(y, m) {
		return 0, false
	}
	return DaysOf(y, int64(m), int64(d)), true
}

func twoDigits(s string) (int, bool) {
	a, b := s[0]-'0', s[1]-'0'
	return int(a)*10 + int(b), a <= 9 && b <= 9
}

// TimeOf converts a time.Time to microseconds since 1970 UTC.
func TimeOf(t time.Time) MicroTime {
	if y := t.Year(); y > 290000 || y < -290000 {
		if y > 0 {
			return math.MaxInt64
		}
		return math.MinInt64
	}
	return MicroTime(t.UnixMicro())
}
