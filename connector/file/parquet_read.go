package file

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	pqformat "github.com/parquet-go/parquet-go/format"

	"wmsql/column"
	"wmsql/connector/format"
	"wmsql/sqlerr"
	"wmsql/types"
)

// reader returns what reads physical type p into SQL type t, nil if nothing does.
func (c *parquetColumn) reader(p parquet.Type, t types.Type, epoch format.EpochUnit) func(*values, int, column.Builder) string {
	kind := p.Kind()
	if kind == parquet.ByteArray || kind == parquet.FixedLenByteArray {
		return readBytes(p, t)
	}
	switch t.Kind {
	case types.Bool:
		if kind == parquet.Boolean {
			return func(v *values, i int, b column.Builder) string {
				b.(*column.FixedBuilder[bool]).Append(v.bools[i>>3]>>(i&7)&1 != 0)
				return ""
			}
		}
	case types.Int2, types.Int4, types.Int8, types.OID:
		if n := whole(kind); n != nil {
			return readInt(t, n)
		}
	case types.Float4, types.Float8:
		return readFloat(kind)
	case types.Numeric:
		return readDecimal(p, t)
	case types.Date:
		if _, ok := logical[*pqformat.DateType](p); ok {
			return readInt(t, whole(kind))
		}
	case types.Time:
		if l, ok := logical[*pqformat.TimeType](p); ok {
			return readTime(kind, l.Unit.Value.Duration(), t)
		}
	case types.Timestamp, types.TimestampTZ:
		return readTimestamp(p, t, epoch)
	}
	return nil
}

func logical[T pqformat.LogicalTypeValue](p parquet.Type) (t T, ok bool) {
	if l := p.LogicalType(); l != nil {
		t, ok = l.Value.(T)
	}
	return t, ok
}

// whole returns what reads an integer of a physical type, nil if it has none.
func whole(kind parquet.Kind) func(*values, int) int64 {
	switch kind {
	case parquet.Int32:
		return func(v *values, i int) int64 { return int64(v.int32s[i]) }
	case parquet.Int64:
		return func(v *values, i int) int64 { return v.int64s[i] }
	}
	return nil
}

func readInt(t types.Type, n func(*values, int) int64) func(*values, int, column.Builder) string {
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	switch t.Kind {
	case types.Int2:
		lo, hi = math.MinInt16, math.MaxInt16
	case types.Int4:
		lo, hi = math.MinInt32, math.MaxInt32
	case types.OID:
		lo, hi = 0, math.MaxUint32
	}
	return func(v *values, i int, b column.Builder) string {
		x := n(v, i)
		if x < lo || x > hi {
			return fmt.Sprintf("%d is out of range for type %s", x, t)
		}
		b.(*column.FixedBuilder[int64]).Append(x)
		return ""
	}
}

func readFloat(kind parquet.Kind) func(*values, int, column.Builder) string {
	var x func(*values, int) float64
	switch kind {
	case parquet.Float:
		x = func(v *values, i int) float64 { return float64(v.floats[i]) }
	case parquet.Double:
		x = func(v *values, i int) float64 { return v.doubles[i] }
	case parquet.Int32:
		x = func(v *values, i int) float64 { return float64(v.int32s[i]) }
	default:
		return nil
	}
	return func(v *values, i int, b column.Builder) string {
		f := x(v, i)
		if math.IsNaN(f) {
			return "NaN is refused"
		}
		b.(*column.FixedBuilder[float64]).Append(f)
		return ""
	}
}

// readTime reads a time of day in units.
func readTime(kind parquet.Kind, unit time.Duration, t types.Type) func(*values, int, column.Builder) string {
	n := whole(kind)
	return func(v *values, i int, b column.Builder) string {
		b.(*column.FixedBuilder[int64]).Append(types.RoundMicros(toMicros(n(v, i), unit), t.Mod))
		return ""
	}
}

// toMicros converts a count of units, rounding nanoseconds half up.
func toMicros(n int64, unit time.Duration) int64 {
	switch unit {
	case time.Millisecond:
		return n * 1000
	case time.Nanosecond:
		q, r := n/1000, n%1000
		if r < 0 {
			q, r = q-1, r+1000
		}
		if r >= 500 {
			q++
		}
		return q
	}
	return n
}

// readTimestamp reads timestamps, Spark's old int96 ones, and plain numbers when the stream says what they count.
func readTimestamp(p parquet.Type, t types.Type, epoch format.EpochUnit) func(*values, int, column.Builder) string {
	var micros func(*values, int) int64
	unit := time.Microsecond
	l, isStamp := logical[*pqformat.TimestampType](p)
	switch {
	case isStamp:
		unit = l.Unit.Value.Duration()
		micros = func(v *values, i int) int64 { return toMicros(v.int64s[i], unit) }
	case p.Kind() == parquet.Int96:
		micros = func(v *values, i int) int64 { return int96Micros(v.int96s[12*i:]) }
	case p.Kind() == parquet.Int64 && epoch != format.NoEpoch:
		scale := [...]int64{0, 1e6, 1e3, 1}[epoch]
		micros = func(v *values, i int) int64 {
			if x := v.int64s[i]; x < math.MaxInt64/scale && x > math.MinInt64/scale {
				return x * scale
			}
			return math.MaxInt64
		}
	default:
		return nil
	}
	return func(v *values, i int, b column.Builder) string {
		us := micros(v, i)
		if us == math.MaxInt64 || us == math.MinInt64 {
			return "timestamp out of range"
		}
		b.(*column.FixedBuilder[int64]).Append(types.RoundMicros(us, t.Mod))
		return ""
	}
}

// int96Micros reads nanoseconds of the day and the Julian day.
func int96Micros(b []byte) int64 {
	const epochDay = 2440588
	nanos, day := int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint32(b[8:]))
	return (day-epochDay)*86400e6 + toMicros(nanos, time.Nanosecond)
}

// readBytes reads byte arrays: as they are into text, bytea, uuid; decimals; all else by the type's text form.
func readBytes(p parquet.Type, t types.Type) func(*values, int, column.Builder) string {
	if _, ok := logical[*pqformat.DecimalType](p); ok {
		return readDecimal(p, t)
	}
	_, isUUID := logical[*pqformat.UUIDType](p)
	switch {
	case t.Kind == types.Bytea, t.Kind == types.UUID && isUUID:
		return func(v *values, i int, b column.Builder) string {
			b.(*column.BytesBuilder).Append(v.blob(i))
			return ""
		}
	case p.Kind() == parquet.FixedLenByteArray:
		return nil
	case t.Kind == types.Text, t.Kind == types.Varchar && t.Mod == types.NoMod:
		return func(v *values, i int, b column.Builder) string {
			x := v.blob(i)
			if !utf8.Valid(x) {
				return "not valid UTF-8"
			}
			b.(*column.BytesBuilder).Append(x)
			return ""
		}
	}
	return func(v *values, i int, b column.Builder) string {
		x := v.blob(i)
		if !utf8.Valid(x) {
			return "not valid UTF-8"
		}
		if err := b.AppendText(x, types.UTC); err != nil {
			return sqlerr.From(err).Msg
		}
		return ""
	}
}

// readDecimal reads unscaled integers of any physical type, and plain integers, into numeric.
func readDecimal(p parquet.Type, t types.Type) func(*values, int, column.Builder) string {
	if t.Kind != types.Numeric {
		return nil
	}
	scale := 0
	l, isDecimal := logical[*pqformat.DecimalType](p)
	if isDecimal {
		scale = int(l.Scale)
	}
	n := whole(p.Kind())
	if n == nil && !isDecimal {
		return nil
	}
	var x big.Int
	return func(v *values, i int, b column.Builder) string {
		if n != nil {
			x.SetInt64(n(v, i))
		} else {
			setTwosComplement(&x, v.blob(i))
		}
		if err := b.AppendText(fmt.Appendf(x.Append(nil, 10), "e-%d", scale), types.UTC); err != nil {
			return sqlerr.From(err).Msg
		}
		return ""
	}
}

// setTwosComplement reads a big-endian signed integer.
func setTwosComplement(x *big.Int, b []byte) {
	x.SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
}
