package format

import (
	"bytes"

	"wmsql/types"
)

// value reads the value at i into a field and returns the position after it.
func (d *JSON) value(f *field, s *sink, i int) (next int, reason string) {
	c := d.at(i)
	switch {
	case c == '"':
		if f.act != actJSON {
			return d.stringValue(f, s, i)
		}
	case c == '-' || c-'0' <= 9:
		if f.act != actJSON {
			return d.numberValue(f, s, i)
		}
	case c == 'n':
		return d.nullValue(f, s, i)
	case c == '[' && f.act == actList:
		return d.listValue(f, s, i)
	case c == 't' && f.act == actBool:
		return d.boolValue(s, i, "true", true)
	case c == 'f' && f.act == actBool:
		return d.boolValue(s, i, "false", false)
	}
	if f.act == actJSON {
		return d.jsonValue(f, s, i)
	}
	next, ok := d.skip(i, 1)
	if !ok {
		return i, d.syntax()
	}
	return next, d.mismatch(f, i, next)
}

func (d *JSON) nullValue(f *field, s *sink, i int) (int, string) {
	next, ok := d.word(i, "null")
	if !ok {
		return i, d.syntax()
	}
	if f.notNull {
		return next, quote(f.name) + " is null, but the column is NOT NULL"
	}
	s.null()
	return next, ""
}

func (d *JSON) boolValue(s *sink, i int, word string, v bool) (int, string) {
	next, ok := d.word(i, word)
	if !ok {
		return i, d.syntax()
	}
	if s.bools != nil {
		s.bools.Append(v)
	}
	return next, ""
}

// stringValue reads a JSON string into a field of text, or of a type that is written as text.
func (d *JSON) stringValue(f *field, s *sink, i int) (next int, reason string) {
	t, next, ok := d.str(i)
	if !ok {
		return i, d.syntax()
	}
	raw := d.b[t.start:t.end]
	switch f.act {
	case actText:
		return next, d.textValue(f, s, t)
	case actTime:
		if micros, ok := d.days.parse(raw); ok && f.t.Mod == types.NoMod {
			if s.ints != nil {
				s.ints.Append(micros)
			}
			return next, ""
		}
	case actDecimal:
		if bytes.ContainsAny(raw, "nN") { // NaN, Infinity
			return next, d.mismatch(f, i, next)
		}
	case actParsed:
	default:
		return next, d.mismatch(f, i, next)
	}
	if t.escaped {
		if d.buf, reason = d.unescape(d.buf[:0], t); reason != "" {
			return next, quote(f.name) + ": " + reason
		}
		raw = d.buf
	}
	return next, parsed(f, s, raw)
}

func (d *JSON) textValue(f *field, s *sink, t text) (reason string) {
	if !t.escaped {
		if s.bytes != nil {
			s.bytes.Append(d.b[t.start:t.end])
		}
		return ""
	}
	if s.bytes == nil {
		d.buf, reason = d.unescape(d.buf[:0], t)
	} else {
		var data []byte
		if data, reason = d.unescape(s.bytes.Buffer(), t); reason == "" {
			s.bytes.EndValue(data)
		}
	}
	if reason != "" {
		return quote(f.name) + ": " + reason
	}
	return ""
}

func (d *JSON) numberValue(f *field, s *sink, i int) (next int, reason string) {
	n, ok := scanNumber(d.b, i)
	if !ok {
		d.bad = n.end
		return i, d.syntax()
	}
	raw := d.b[i:n.end]
	switch f.act {
	case actInt:
		return n.end, d.intValue(f, s, &n, raw)
	case actFloat:
		v, ok := n.float(raw, f.t.Kind)
		if !ok {
			return n.end, outOfRange(f, raw)
		}
		if s.floats != nil {
			s.floats.Append(v)
		}
		return n.end, ""
	case actDecimal:
		return n.end, parsed(f, s, raw)
	case actTime:
		if d.shape.epoch != NoEpoch {
			return n.end, d.epochValue(f, s, raw)
		}
	}
	return n.end, d.mismatch(f, i, n.end)
}

func (d *JSON) intValue(f *field, s *sink, n *number, raw []byte) (reason string) {
	v, whole, fits := n.integer(raw)
	if !whole {
		return quote(f.name) + ": wants " + f.t.String() + ", has number " + clip(raw)
	}
	if f.t.Kind != types.Int8 {
		lo, hi := intRange(f.t.Kind)
		fits = fits && v >= lo && v <= hi
	}
	if !fits {
		return outOfRange(f, raw)
	}
	if s.ints != nil {
		s.ints.Append(v)
	}
	return ""
}

func (d *JSON) epochValue(f *field, s *sink, raw []byte) (reason string) {
	v, _, fits := scaled(raw, d.shape.epoch.shift())
	if !fits || v < minTimestamp || isInfinite(v) {
		return outOfRange(f, raw)
	}
	if s.ints != nil {
		s.ints.Append(types.RoundMicros(v, f.t.Mod))
	}
	return ""
}

// jsonValue takes any value as it stands.
func (d *JSON) jsonValue(f *field, s *sink, i int) (next int, reason string) {
	next, ok := d.skip(i, 1)
	if !ok {
		return i, d.syntax()
	}
	if f.t.Kind == types.JSON {
		if s.bytes != nil {
			s.bytes.Append(d.b[i:next])
		}
		return next, ""
	}
	return next, parsed(f, s, d.b[i:next])
}

// listValue reads an array of scalars.
func (d *JSON) listValue(f *field, s *sink, i int) (next int, reason string) {
	if i = d.space(i + 1); d.at(i) == ']' {
		s.endList()
		return i + 1, ""
	}
	for {
		if i, reason = d.value(f.elem, s.elem, i); reason != "" {
			return i, reason
		}
		i = d.space(i)
		switch d.at(i) {
		case ',':
			i = d.space(i + 1)
		case ']':
			s.endList()
			return i + 1, ""
		default:
			d.bad = i
			return i, d.syntax()
		}
	}
}
