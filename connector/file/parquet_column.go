package file

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	pqformat "github.com/parquet-go/parquet-go/format"

	"wmsql/column"
	"wmsql/connector/format"
	"wmsql/sqlerr"
	"wmsql/types"
)

// parquetColumn reads one column of a Parquet file into builders.
type parquetColumn struct {
	field types.Field
	leaf  *parquet.Column // nil: the file has no such column
	read  func(v *values, i int, b column.Builder) (reason string)

	pages parquet.Pages
	page  parquet.Page
	row   int    // next row of the page
	value int    // next value of the page: NULLs have none
	vals  values // of the page
}

// values are the values of a page as they lie in memory: the slice of its physical type is set.
type values struct {
	index   []int32 // into the slices, nil: one after the other
	bools   []byte
	int32s  []int32
	int64s  []int64
	int96s  []byte // 12 bytes each
	floats  []float32
	doubles []float64
	bytes   []byte
	offsets []uint32 // of bytes
	size    int      // of a fixed-length byte array
}

// load takes the values of a page, through its dictionary if it has one.
func (v *values) load(p parquet.Page, k parquet.Kind) {
	*v = values{}
	data := p.Data()
	if d := p.Dictionary(); d != nil {
		v.index = data.Int32()
		data = d.Page().Data()
	}
	v.set(data, k)
}

func (v *values) set(data encoding.Values, k parquet.Kind) {
	switch k {
	case parquet.Boolean:
		v.bools = data.Boolean()
	case parquet.Int32:
		v.int32s = data.Int32()
	case parquet.Int64:
		v.int64s = data.Int64()
	case parquet.Int96:
		for _, x := range data.Int96() {
			for _, w := range x {
				v.int96s = binary.LittleEndian.AppendUint32(v.int96s, w)
			}
		}
	case parquet.Float:
		v.floats = data.Float()
	case parquet.Double:
		v.doubles = data.Double()
	case parquet.ByteArray:
		v.bytes, v.offsets = data.ByteArray()
	case parquet.FixedLenByteArray:
		v.bytes, v.size = data.FixedLenByteArray()
	}
}

// blob returns byte array i.
func (v *values) blob(i int) []byte {
	if v.size > 0 {
		return v.bytes[i*v.size : (i+1)*v.size]
	}
	return v.bytes[v.offsets[i]:v.offsets[i+1]]
}

// append reads n rows; row is the number of the first in its stretch, for bad. A bad value becomes NULL until its row
// is taken out.
func (c *parquetColumn) append(b column.Builder, n, row int, bad *badRows) error {
	if c.leaf == nil {
		for range n {
			b.AppendNull()
		}
		return nil
	}
	for n > 0 {
		if c.page == nil || c.row == int(c.page.NumRows()) {
			if err := c.nextPage(); err != nil {
				return err
			}
			continue
		}
		k := min(n, int(c.page.NumRows())-c.row)
		c.run(b, k, row, bad)
		n -= k
		row += k
	}
	return nil
}

// run reads k rows of the page.
func (c *parquetColumn) run(b column.Builder, k, row int, bad *badRows) {
	levels := c.page.DefinitionLevels()
	defined := byte(c.leaf.MaxDefinitionLevel())
	for r := range k {
		if len(levels) > 0 && levels[c.row+r] != defined {
			if c.field.NotNull {
				bad.add(row+r, `"`+c.field.Name+`" is null, but the column is NOT NULL`)
			}
			b.AppendNull()
			continue
		}
		i := c.value
		c.value++
		if c.vals.index != nil {
			i = int(c.vals.index[i])
		}
		if reason := c.read(&c.vals, i, b); reason != "" {
			bad.add(row+r, `"`+c.field.Name+`": `+reason)
			b.AppendNull()
		}
	}
	c.row += k
}

func (c *parquetColumn) nextPage() error {
	c.releasePage()
	p, err := c.pages.ReadPage()
	if errors.Is(err, io.EOF) {
		return errors.New("a column has fewer rows than its row group")
	}
	if err != nil {
		return err
	}
	c.page, c.row, c.value = p, 0, 0
	c.vals.load(p, c.leaf.Type().Kind())
	return nil
}

func (c *parquetColumn) releasePage() {
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
}

func (c *parquetColumn) closePages() {
	c.releasePage()
	if c.pages != nil {
		c.pages.Close()
		c.pages = nil
	}
}

// bind chooses how the file's values become the column's. The error names the file's type.
func (c *parquetColumn) bind(epoch format.EpochUnit) error {
	if !c.leaf.Leaf() || c.leaf.MaxRepetitionLevel() > 0 {
		return errors.New("a group or a list")
	}
	t := c.leaf.Type()
	c.read = c.reader(t, c.field.Type, epoch)
	if c.read == nil {
		return errors.New(t.String())
	}
	return nil
}

// reader returns what reads physical type p into SQL type t, nil if nothing does.
func (c *parquetColumn) reader(p parquet.Type, t types.Type, epoch format.EpochUnit) func(*values, int, column.Builder) string {
	if t.Array {
		return nil
	}
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
