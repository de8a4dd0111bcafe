package types

import (
	"encoding/binary"
	"time"

	"wmsql/sqlerr"
)

// A time with time zone is a time of day and the offset of the clock that shows it. Vectors hold both in one int64 whose order is that of
// Postgres: first the microseconds of Greenwich's day, which may lie outside 0 to 24 hours, then the offset, west after east.

// zoneBits hold an offset in seconds west of Greenwich, from -zoneLimit to zoneLimit.
const (
	zoneBits  = 17
	zoneLimit = 16*3600 - 1
)

// PackTimeTZ makes a value of TimeTZ of the microseconds of its own day and its offset in seconds east of Greenwich.
func PackTimeTZ(ofDay int64, east int) int64 {
	return (ofDay-int64(east)*MicrosPerSecond)<<zoneBits | int64(zoneLimit-east)
}

// UnpackTimeTZ takes a value of TimeTZ apart.
func UnpackTimeTZ(v int64) (ofDay int64, east int) {
	east = zoneLimit - int(v&(1<<zoneBits-1))
	return v>>zoneBits + int64(east)*MicrosPerSecond, east
}

// AppendTimeTZ appends a time with time zone: 12:00:00+02.
func AppendTimeTZ(dst []byte, v int64) []byte {
	ofDay, east := UnpackTimeTZ(v)
	return appendOffset(AppendTime(dst, ofDay), east)
}

// ParseTimeTZ reads a time of day with its zone, f's if it has none. A zone whose offset changes over the year needs a date in the text.
func ParseTimeTZ(s string, f *Format) (int64, error) {
	d, err := parseClockText(s, TimeTZ, f)
	if err != nil {
		return 0, err
	}
	if d.have&(partZone|partDST) != 0 && d.zone == nil {
		return PackTimeTZ(d.ofDay(), d.offset), nil
	}
	zone := d.zone
	if zone == nil {
		zone = f.Zone
	}
	if d.have&partDate != partDate {
		return PackTimeTZ(d.ofDay(), OffsetToday(d.ofDay(), zone, f.Now)), nil
	}
	local := DaysOf(int64(d.year), int64(d.month), int64(d.day))*MicrosPerDay + d.ofDay()
	return PackTimeTZ(d.ofDay(), int(local-LocalToUTC(local, zone))/int(MicrosPerSecond)), nil
}

// OffsetToday is the offset, in seconds east of Greenwich, that a zone keeps at a time of the day that now is in it.
func OffsetToday(ofDay int64, zone *time.Location, now MicroTime) int {
	if now == 0 {
		now = MicroTime(time.Now().UnixMicro())
	}
	days, _ := SplitMicros(UTCToLocal(int64(now), zone))
	local := days*MicrosPerDay + ofDay
	return int((local - LocalToUTC(local, zone)) / MicrosPerSecond)
}

// RoundTimeTZ rounds a time with time zone to the digits after the second that its typmod says.
func RoundTimeTZ(v int64, mod int32) int64 {
	ofDay, east := UnpackTimeTZ(v)
	return PackTimeTZ(RoundMicros(ofDay, mod), east)
}

// appendTimeTZBinary appends microseconds of the day and seconds west of Greenwich.
func appendTimeTZBinary(dst []byte, v int64) []byte {
	ofDay, east := UnpackTimeTZ(v)
	dst = binary.BigEndian.AppendUint64(dst, uint64(ofDay))
	return binary.BigEndian.AppendUint32(dst, uint32(-east))
}

func timeTZOfBinary(b []byte) (int64, error) {
	ofDay, west := int64(binary.BigEndian.Uint64(b)), int32(binary.BigEndian.Uint32(b[8:]))
	if ofDay < 0 || ofDay > MicrosPerDay {
		return 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "time out of range")
	}
	if west < -zoneLimit || west > zoneLimit {
		return 0, sqlerr.Newf("22009", "time zone displacement out of range")
	}
	return PackTimeTZ(ofDay, -int(west)), nil
}
