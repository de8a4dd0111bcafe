package types

import (
	"time"
)

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
		d.zone, d.namedZone = loc, true
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
