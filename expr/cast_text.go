package expr

import (
	"reflect"
	"strings"
	"time"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// probes are formats like no other; reading a literal in them too shows whether the zone, the order of a date's parts or the style of
// intervals matters.
func probes() []*types.Format {
	zone := time.FixedZone("probe", 7*3600+1234)
	return []*types.Format{
		{Zone: zone, ZoneName: "probe", ExtraFloatDigits: 1, DateOrder: types.OrderDMY, IntervalStyle: types.IntervalSQL},
		{Zone: zone, ZoneName: "probe", ExtraFloatDigits: 1, DateOrder: types.OrderYMD},
	}
}

// dependsOnSession reports whether text, which reads as value in UTC (or cannot be read there: bad), may read otherwise in another session or
// at another time.
func dependsOnSession(text string, t types.Type, value any, bad error) bool {
	switch t.Kind {
	case types.TimestampTZ, types.Timestamp, types.Date, types.Time, types.TimeTZ, types.Interval:
	default:
		return false
	}
	for _, f := range probes() {
		other, err := readText(text, t, f)
		if (err == nil) != (bad == nil) || err == nil && !reflect.DeepEqual(other, value) {
			return true
		}
	}
	return bad == nil && t.Kind != types.Interval && namesNow(text)
}

// namesNow reports whether a date literal names the present: now, today, tomorrow, yesterday.
func namesNow(text string) bool {
	for _, w := range [...]string{"now", "today", "tomorrow", "yesterday"} {
		if strings.Contains(strings.ToLower(text), w) {
			return true
		}
	}
	return false
}

// relabelCast changes the name of a type only.
func relabelCast(from, to types.Type) *Function {
	return &Function{
		Name: "cast", Args: []types.Type{plain(from)}, Return: plain(to), Strict: true, total: true,
		kernel: func(s *site) body {
			return func(in []column.Vector, _ []bool, _ int) (column.Vector, error) { return in[0].WithType(s.ret), nil }
		},
	}
}

// throughTextCast writes a value as text and reads that as the other type (CoerceViaIO).
func throughTextCast(from, to types.Type) *Function {
	f := &Function{Name: "cast", Args: []types.Type{plain(from)}, Return: plain(to), Strict: true, kernel: textCastKernel}
	if textDependsOnSession(from) || textDependsOnSession(to) {
		f.Volatility = Stable
	}
	return f
}

// textDependsOnSession reports whether the text of a type's values varies with the session.
func textDependsOnSession(t types.Type) bool {
	switch t.Kind {
	case types.Date, types.Time, types.TimeTZ, types.Timestamp, types.TimestampTZ, types.Interval, types.Bytea,
		types.Float4, types.Float8, types.Record, types.JSON:
		return t.Kind != types.JSON
	}
	return t.Kind.IsReg()
}

func textCastKernel(s *site) body {
	from, to, format := s.args[0], s.ret, s.format()
	switch {
	case from.Kind.IsReg() && !from.Array:
		return regOut(s)
	case to.Kind.IsReg() && !to.Array:
		return regIn(s)
	case to.Kind == types.Name && !to.Array:
		return tx1(func(dst, a []byte) []byte { return append(dst, clipName(a)...) })(textSite(s))
	}
	if toText := !to.Array && isString(to); toText {
		out := bytesOutput{t: to}
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) {
				return column.AppendText(dst, in[0], i, format), nil
			})
		}
	}
	return readTextBody(s)
}

// readTextBody parses each row's text; a value that is not text yet is written first.
func readTextBody(s *site) body {
	var scratch []byte
	format := s.format()
	isText := !s.args[0].Array && (isString(s.args[0]) || isUnknown(s.args[0]))
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		b := column.NewBuilder(s.ret, n)
		texts, _ := in[0].(*column.Bytes)
		for i := range n {
			if nulls != nil && nulls[i] {
				b.AppendNull()
				continue
			}
			var text []byte
			if isText {
				text = texts.Value(i)
			} else {
				scratch = column.AppendText(scratch[:0], in[0], i, format)
				text = scratch
			}
			if err := b.AppendText(text, format); err != nil {
				return nil, err
			}
		}
		return b.Build(), nil
	}
}

// textSite is s with an argument that is text already.
func textSite(s *site) *site { c := *s; c.args = []types.Type{types.Of(types.Text)}; return &c }

// clipName cuts a name to the 63 bytes that an identifier may have.
func clipName(b []byte) []byte {
	const nameBytesMax = 63
	if len(b) <= nameBytesMax {
		return b
	}
	n := nameBytesMax
	for n > 0 && b[n]&0xC0 == 0x80 {
		n--
	}
	return b[:n]
}

// format is the session's text rules, with what the statement knows filled in.
func (s *site) format() *types.Format {
	f := types.UTC
	if s.ctx != nil && s.ctx.Format != nil {
		f = s.ctx.Format
	}
	if s.ctx == nil || f.Now != 0 && f.Lookup != nil {
		return f
	}
	own := *f
	if own.Now == 0 {
		own.Now = s.ctx.Now
	}
	if own.Lookup == nil {
		own.Lookup = s.readReg
	}
	if own.RegName == nil {
		own.RegName = s.regName
	}
	return &own
}

// maxVectorBytes bounds the text of one vector, whose offsets are int32.
const maxVectorBytes = 1 << 30

func errTooLarge() error {
	return sqlerr.Newf("54000", "result of a text function is too large").
		WithDetail("One batch of a column may hold at most 1 GB of text.")
}
