package format

import (
	"encoding/binary"
	"math"

	"wmsql/types"
)

// EpochUnit says what a number in a timestamp field counts since 1970: option timestamp_format.
type EpochUnit uint8

// The units. NoEpoch refuses numbers: a guess would land in 1970.
const (
	NoEpoch EpochUnit = iota
	EpochSeconds
	EpochMillis
	EpochMicros
)

// TimestampFormats are the values of option timestamp_format, in the order of EpochUnit.
var TimestampFormats = []string{"iso", "epoch_seconds", "epoch_millis", "epoch_micros"}

// shift is the power of ten from the unit to microseconds.
func (u EpochUnit) shift() int { return [...]int{0, 6, 3, 0}[u] }

// minTimestamp is the first of Postgres's timestamps, 4714-11-24 BC, in microseconds since 1970.
const minTimestamp = -210866803200000000

// dayCache remembers the last day that was read: the rows of a stream are mostly of one day.
type dayCache struct {
	lo     uint64 // the bytes yyyy-mm-
	hi     uint16 // the bytes dd
	micros int64
}

// parse reads YYYY-MM-DD, T or a space, hh:mm:ss, up to six digits of fraction and nothing, Z or +00:00 after
// them. ok is false for all other forms, which Postgres's own parser reads.
func (d *dayCache) parse(b []byte) (micros int64, ok bool) {
	if len(b) < 19 || b[10] != 'T' && b[10] != ' ' || b[13] != ':' || b[16] != ':' {
		return 0, false
	}
	lo, hi := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint16(b[8:])
	if lo != d.lo || hi != d.hi {
		day, ok := parseDay(b)
		if !ok {
			return 0, false
		}
		d.lo, d.hi, d.micros = lo, hi, day*86400e6
	}
	h, m, s := two(b[11:]), two(b[14:]), two(b[17:])
	if h > 23 || m > 59 || s > 59 {
		return 0, false
	}
	micros = d.micros + int64(h*3600+m*60+s)*1e6
	i := 19
	if i < len(b) && b[i] == '.' {
		unit := int64(100_000)
		for i++; i < len(b) && b[i]-'0' <= 9; i++ {
			micros += int64(b[i]-'0') * unit
			unit /= 10
		}
		if i == 20 || i > 26 {
			return 0, false
		}
	}
	switch {
	case i == len(b), i == len(b)-1 && b[i] == 'Z':
		return micros, true
	case string(b[i:]) == "+00:00":
		return micros, true
	}
	return 0, false
}

// two reads two digits; anything else gives a number over 99.
func two(b []byte) uint {
	t, u := uint(b[0]-'0'), uint(b[1]-'0')
	if t > 9 || u > 9 {
		return 100
	}
	return t*10 + u
}

// parseDay reads YYYY-MM-DD as days since 1970.
func parseDay(b []byte) (int64, bool) {
	y, m, d := two(b)*100+two(b[2:]), two(b[5:]), two(b[8:])
	if b[4] != '-' || b[7] != '-' || two(b) > 99 || two(b[2:]) > 99 || y == 0 || m < 1 || m > 12 || d < 1 || d > daysIn(y, m) {
		return 0, false
	}
	return types.DaysOf(int64(y), int64(m), int64(d)), true
}

func daysIn(y, m uint) uint {
	switch m {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

func isInfinite(micros int64) bool { return micros == math.MinInt64 || micros == math.MaxInt64 }
