package types

import (
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
	order            DateOrder
	have             int // parts
	year, month, day int
	dayOfYear        int
	hour, min, sec   int
	micros           int // of the second; 1,000,000 after rounding up
	offset           int // seconds east of Greenwich, when partZone came as a number
	zone             *time.Location
	namedZone        bool // zone came by its whole name
	reserved         int  // a reserved word that is the whole value; -1: none

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
