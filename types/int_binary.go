package types

import (
	"encoding/binary"
	"math"

	"wmsql/sqlerr"
)

// The epoch of Postgres's binary dates is 2000-01-01; ours is 1970-01-01.
const (
	pgEpochDays   int64 = 10957
	pgEpochMicros       = pgEpochDays * MicrosPerDay
)

// AppendInt64Binary appends the binary wire form of a value of LayoutInt64 and kind k.
func AppendInt64Binary(dst []byte, n int64, k Kind) []byte {
	switch k {
	case Int2:
		return binary.BigEndian.AppendUint16(dst, uint16(n))
	case Int8, Time:
		return binary.BigEndian.AppendUint64(dst, uint64(n))
	case TimeTZ:
		return appendTimeTZBinary(dst, n)
	case Timestamp, TimestampTZ:
		if !isInfinite(n) {
			n -= pgEpochMicros
		}
		return binary.BigEndian.AppendUint64(dst, uint64(n))
	case Date:
		switch n {
		case int64(Infinity):
			n = math.MaxInt32
		case int64(NegInfinity):
			n = math.MinInt32
		default:
			n -= pgEpochDays
		}
	}
	return binary.BigEndian.AppendUint32(dst, uint32(n))
}

// isInfinite reports whether a date or timestamp is infinity or -infinity.
func isInfinite(n int64) bool { return n == int64(Infinity) || n == int64(NegInfinity) }

// CheckBinary refuses a binary value of n bytes whose type has values of want bytes: one that is too short as Postgres refuses a message that
// ends too early (08P01), one that is too long as wrong data (22P03).
func CheckBinary(n, want int) error {
	switch {
	case n < want:
		return sqlerr.Newf(sqlerr.ProtocolViolation, "insufficient data left in message")
	case n > want:
		return sqlerr.Newf(sqlerr.InvalidBinary, "incorrect binary data format")
	}
	return nil
}

// Int64OfBinary reads the binary wire form of a value of LayoutInt64 and kind k.
func Int64OfBinary(b []byte, k Kind) (int64, error) {
	if err := CheckBinary(len(b), int(k.Info().Len)); err != nil {
		return 0, err
	}
	switch k {
	case Int2:
		return int64(int16(binary.BigEndian.Uint16(b))), nil
	case Int4:
		return int64(int32(binary.BigEndian.Uint32(b))), nil
	case Int8:
		return int64(binary.BigEndian.Uint64(b)), nil
	case Time:
		n := int64(binary.BigEndian.Uint64(b))
		if n < 0 || n > MicrosPerDay {
			return 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "time out of range")
		}
		return n, nil
	case TimeTZ:
		return timeTZOfBinary(b)
	case Timestamp, TimestampTZ:
		return timestampOfBinary(int64(binary.BigEndian.Uint64(b)))
	case Date:
		return dateOfBinary(int32(binary.BigEndian.Uint32(b)))
	}
	return int64(binary.BigEndian.Uint32(b)), nil
}

func timestampOfBinary(n int64) (int64, error) {
	if isInfinite(n) {
		return n, nil
	}
	n, ok := addInt64(n, pgEpochMicros)
	if !ok || !timestampInRange(n) {
		return 0, errTimestampRange()
	}
	return n, nil
}

func dateOfBinary(n int32) (int64, error) {
	switch n {
	case math.MaxInt32:
		return int64(Infinity), nil
	case math.MinInt32:
		return int64(NegInfinity), nil
	}
	days := int64(n) + pgEpochDays
	if !dateInRange(days) {
		return 0, sqlerr.Newf(sqlerr.DatetimeOverflow, "date out of range")
	}
	return days, nil
}
