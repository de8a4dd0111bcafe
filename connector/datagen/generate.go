package datagen

import (
	"math"
	"strconv"
	"strings"

	"wmsql/column"
	"wmsql/connector"
	"wmsql/sqlerr"
	"wmsql/types"
)

// generator appends the value of one column for rows [lo, hi).
type generator func(b column.Builder, lo, hi, start int64)

// settings are the options of one column.
type settings struct {
	kind     string
	min, max float64
	given    bool // min or max is
	length   int
	values   []string
}

// The kinds of a column.
const (
	kindRandom   = "random"
	kindSequence = "sequence"
)

// compile chooses what fills column i of the stream.
func (c *config) compile(o *connector.Options, i int, f types.Field) (generator, error) {
	s, err := c.settings(o, f)
	if err != nil {
		return nil, err
	}
	seed := func(n int64) uint64 { return hash(c.seed, uint64(i)+1, uint64(n)) }
	if s.values != nil {
		return c.fromValues(f, s, seed)
	}
	if f.Type.Array {
		return nil, unsupported(f)
	}
	switch f.Type.Kind {
	case types.Timestamp, types.TimestampTZ:
		return c.times(f.Type), nil
	case types.Int2, types.Int4, types.Int8:
		return c.ints(f, s, seed), nil
	case types.Float4, types.Float8:
		return floats(f, s, seed), nil
	case types.Bool:
		return func(b column.Builder, lo, hi, _ int64) {
			for n := lo; n < hi; n++ {
				b.(*column.FixedBuilder[bool]).Append(seed(n)&1 != 0)
			}
		}, nil
	case types.Text, types.Varchar:
		return c.texts(f, s, seed), nil
	case types.Numeric, types.Date, types.UUID, types.JSON, types.JSONB, types.Bytea:
		return c.formatted(f, s, seed), nil
	}
	return nil, unsupported(f)
}

func (c *config) settings(o *connector.Options, f types.Field) (settings, error) {
	at := fieldPrefix + f.Name + "."
	s := settings{kind: kindRandom}
	if o.OneOf(at+"kind", kindRandom, kindSequence) == 1 {
		s.kind = kindSequence
	}
	lo, hi := defaultRange(f, c.keys)
	s.min = o.Float(at+"min", lo, -math.MaxFloat64, math.MaxFloat64)
	s.max = o.Float(at+"max", max(hi, s.min), -math.MaxFloat64, math.MaxFloat64)
	s.given = o.Text(at+"min", "") != "" || o.Text(at+"max", "") != ""
	s.length = int(o.Int(at+"length", 0, 0, 1<<20))
	if v := o.Text(at+"values", ""); v != "" {
		s.values = strings.Split(v, ",")
	}
	if s.max < s.min {
		o.Fail("option %q is less than %q", at+"max", at+"min")
	}
	return s, o.Err()
}

// defaultRange is the range of a column that says nothing: small for money and counts, the number of keys else.
func defaultRange(f types.Field, keys int64) (lo, hi float64) {
	switch f.Type.Kind {
	case types.Float4, types.Float8, types.Numeric:
		return 0, 100
	case types.Int2:
		return 0, float64(min(keys, math.MaxInt16) - 1)
	}
	return 0, float64(keys - 1)
}

// times puts row n at start + n steps, moved back within the disorder, or behind the delay when it is to be late. The columns
// of a row agree.
func (c *config) times(t types.Type) generator {
	return func(b column.Builder, lo, hi, start int64) {
		out := b.(*column.FixedBuilder[int64])
		for n := lo; n < hi; n++ {
			out.Append(types.RoundMicros(c.timeOf(n, start), t.Mod))
		}
	}
}

func (c *config) timeOf(n, start int64) int64 {
	t := start + n*c.step
	h := hash(c.seed, 0, uint64(n))
	if c.late > 0 && unit(h) < c.late && n > 0 {
		return t - c.lateBy - 1 - below(hash(h, 1, 0), max(c.lateBy, 60e6))
	}
	if c.disorder > 0 {
		t -= below(hash(h, 2, 0), c.disorder)
	}
	return t
}

func (c *config) ints(f types.Field, s settings, seed func(int64) uint64) generator {
	lo, hi := int64(s.min), int64(s.max)
	span := hi - lo + 1
	random := s.kind == kindRandom
	if !s.given && random && isID(f.Name) {
		random = false // an id counts
		span = math.MaxInt64
	}
	return func(b column.Builder, from, to, _ int64) {
		out := b.(*column.FixedBuilder[int64])
		for n := from; n < to; n++ {
			if random {
				out.Append(lo + below(seed(n), span))
			} else {
				out.Append(lo + n%span)
			}
		}
	}
}

// isID reports whether a name is that of a row's own number; user_id and the like are keys.
func isID(name string) bool { return name == "id" || name == "event_id" || name == "seq" }

func floats(f types.Field, s settings, seed func(int64) uint64) generator {
	return func(b column.Builder, lo, hi, _ int64) {
		out := b.(*column.FixedBuilder[float64])
		for n := lo; n < hi; n++ {
			x := s.min + math.Floor(unit(seed(n))*(s.max-s.min)*100)/100
			if f.Type.Kind == types.Float4 {
				x = float64(float32(x))
			}
			out.Append(x)
		}
	}
}

// texts makes names of keys, such as /p12 for a page and user_12 for a user, or letters when a length is given.
func (c *config) texts(f types.Field, s settings, seed func(int64) uint64) generator {
	prefix := prefixOf(f.Name)
	width := s.length
	if f.Type.Kind == types.Varchar && f.Type.Mod >= 4 {
		width = int(f.Type.Mod - 4)
		if s.length > 0 {
			width = min(width, s.length)
		}
	}
	return func(b column.Builder, lo, hi, _ int64) {
		out := b.(*column.BytesBuilder)
		for n := lo; n < hi; n++ {
			h := seed(n)
			switch {
			case width > 0:
				out.EndValue(appendLetters(out.Buffer(), h, width))
			case isID(f.Name):
				out.EndValue(strconv.AppendInt(append(out.Buffer(), 'e'), n, 10))
			default:
				out.EndValue(strconv.AppendInt(append(out.Buffer(), prefix...), int64(s.min)+below(h, int64(s.max-s.min)+1), 10))
			}
		}
	}
}

func prefixOf(name string) string {
	switch {
	case strings.Contains(name, "page"), strings.Contains(name, "url"), strings.Contains(name, "path"):
		return "/p"
	case strings.HasSuffix(name, "_id"):
		return strings.TrimSuffix(name, "_id") + "_"
	}
	return name + "_"
}

func appendLetters(dst []byte, h uint64, n int) []byte {
	for i := range n {
		if i%12 == 11 {
			h = hash(h, 0, uint64(i))
		}
		dst = append(dst, 'a'+byte(h%26))
		h /= 26
	}
	return dst
}

// formatted makes values by their text form: types that no hot loop needs.
func (c *config) formatted(f types.Field, s settings, seed func(int64) uint64) generator {
	return func(b column.Builder, lo, hi, start int64) {
		var buf []byte
		for n := lo; n < hi; n++ {
			buf = c.appendFormatted(buf[:0], f.Type.Kind, s, n, seed(n), start)
			if err := b.AppendText(buf, types.UTC); err != nil {
				b.AppendNull() // a modifier that the value does not fit, such as numeric(1)
			}
		}
	}
}

func (c *config) appendFormatted(dst []byte, k types.Kind, s settings, n int64, h uint64, start int64) []byte {
	switch k {
	case types.Numeric:
		return strconv.AppendFloat(dst, s.min+math.Floor(unit(h)*(s.max-s.min)*100)/100, 'f', 2, 64)
	case types.Date:
		return types.MicroTime(c.timeOf(n, start)).Time().AppendFormat(dst, "2006-01-02")
	case types.UUID:
		const digits = "0123456789abcdef"
		for i := range 32 {
			if i == 16 {
				h = hash(h, 1, 0)
			}
			dst = append(dst, digits[h&15])
			h >>= 4
		}
		dst[len(dst)-32+12], dst[len(dst)-32+16] = '4', '8' // version 4
		return dst
	case types.Bytea:
		return strconv.AppendUint(append(dst, `\x1`...), 1<<60|h>>4, 16)[:len(dst)+18]
	}
	dst = strconv.AppendInt(append(dst, `{"n": `...), n, 10)
	dst = strconv.AppendInt(append(dst, `, "key": `...), below(h, c.keys), 10)
	return append(dst, '}')
}

// fromValues picks among given values.
func (c *config) fromValues(f types.Field, s settings, seed func(int64) uint64) (generator, error) {
	all := column.NewBuilder(f.Type, len(s.values))
	for _, v := range s.values {
		if err := all.AppendText([]byte(strings.TrimSpace(v)), types.UTC); err != nil {
			return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "option %q: %s", fieldPrefix+f.Name+".values", sqlerr.From(err).Msg)
		}
	}
	v := all.Build()
	return func(b column.Builder, lo, hi, _ int64) {
		for n := lo; n < hi; n++ {
			i := n % int64(v.Len())
			if s.kind == kindRandom {
				i = below(seed(n), int64(v.Len()))
			}
			b.AppendFrom(v, int(i))
		}
	}, nil
}
