package format

import (
	"fmt"
	"unicode/utf8"
)

// JSON decodes records that are one JSON object each. Fields are found by name; of two with one name the last counts,
// as in jsonb; a missing field is NULL.
type JSON struct {
	scanner
	shape *Shape
	byKey map[string]int    // field by name
	order []expected        // the keys of the record before, in its order
	alien map[string]string // the keys that are no field, as expected.text
	row   uint64            // number of the record, to mark the fields it has
	seen  []uint64          // the record that last had the field
	days  dayCache
	buf   []byte // scratch for escapes
}

// expected is a key as it stands before its value, "name":, and the field it is, -1 for none.
type expected struct {
	text  string
	field int
}

// Bounds of what a decoder remembers of keys: a record of a stream has fewer and shorter ones.
const (
	maxOrder = 256
	maxAlien = 256
	maxKey   = 64
)

// NewJSON returns a decoder for rows of shape s.
func NewJSON(s *Shape) *JSON {
	d := &JSON{shape: s, byKey: map[string]int{}, alien: map[string]string{}, seen: make([]uint64, len(s.fields))}
	for i := range s.fields {
		d.byKey[s.fields[i].name] = i
	}
	return d
}

// Decode appends the row of one record.
func (d *JSON) Decode(out *Rows, rec []byte) (reason string) {
	d.b, d.nonASCII = rec, false
	d.row++
	if reason = d.object(out); reason == "" && d.nonASCII && !utf8.Valid(rec) {
		reason = notUTF8
	}
	if reason != "" {
		out.Truncate(out.N)
		return reason
	}
	out.N++
	return ""
}

const notUTF8 = "not valid UTF-8"

// object reads the record, an object, to its end.
func (d *JSON) object(out *Rows) (reason string) {
	i := d.space(0)
	if d.at(i) != '{' {
		return d.notObject(i)
	}
	found := 0
	i = d.space(i + 1)
	if d.at(i) == '}' {
		return d.finish(out, i+1, found)
	}
	for pos := 0; ; pos++ {
		f, next, ok := d.key(i, pos)
		if !ok {
			return d.syntax()
		}
		if i = next; i < len(d.b) && d.b[i] <= ' ' {
			i = d.space(i)
		}
		if f < 0 {
			if i, ok = d.skip(i, 1); !ok {
				return d.syntax()
			}
		} else {
			if d.seen[f] == d.row {
				out.sinks[f].drop(out.N)
			} else {
				d.seen[f] = d.row
				found++
			}
			if i, reason = d.value(&d.shape.fields[f], &out.sinks[f], i); reason != "" {
				return reason
			}
		}
		if i < len(d.b) && d.b[i] <= ' ' {
			i = d.space(i)
		}
		switch d.at(i) {
		case ',':
			if i++; i < len(d.b) && d.b[i] <= ' ' {
				i = d.space(i)
			}
		case '}':
			return d.finish(out, i+1, found)
		default:
			d.bad = i
			return d.syntax()
		}
	}
}

// finish checks that nothing follows the object and fills in the fields that it has not.
func (d *JSON) finish(out *Rows, i, found int) (reason string) {
	if i = d.space(i); i != len(d.b) {
		d.bad = i
		return d.syntax()
	}
	if found == len(d.seen) {
		return ""
	}
	for f := range d.seen {
		if d.seen[f] == d.row {
			continue
		}
		if d.shape.fields[f].notNull {
			return fmt.Sprintf("%q is missing, but the column is NOT NULL", d.shape.fields[f].name)
		}
		out.sinks[f].null()
	}
	return ""
}

// key reads the key at i, the pos-th of the record, with its colon, and returns its field, -1 if the stream has none
// of that name. Most records have the keys of the one before in the same order: then one comparison does it.
func (d *JSON) key(i, pos int) (field, next int, ok bool) {
	if pos < len(d.order) {
		e := &d.order[pos]
		if end := i + len(e.text); end <= len(d.b) && string(d.b[i:end]) == e.text {
			return e.field, end, true
		}
	}
	return d.keySlow(i, pos)
}

func (d *JSON) keySlow(i, pos int) (field, next int, ok bool) {
	if d.at(i) != '"' {
		d.bad = i
		return 0, i, false
	}
	t, next, ok := d.str(i)
	if !ok {
		return 0, next, false
	}
	name := d.b[t.start:t.end]
	if t.escaped {
		buf, reason := d.unescape(d.buf[:0], t)
		d.buf = buf
		f, found := d.byKey[string(buf)]
		if !found || reason != "" {
			f = -1
		}
		next, ok = d.colon(next)
		return f, next, ok
	}
	f, found := d.byKey[string(name)]
	if !found {
		f = -1
	}
	d.expect(pos, name, f)
	next, ok = d.colon(next)
	return f, next, ok
}

// expect remembers the key for the records to come. Keys of no field are remembered once, so that records that
// change their order cost no memory.
func (d *JSON) expect(pos int, name []byte, f int) {
	if pos > len(d.order) || pos >= maxOrder {
		return
	}
	e := expected{field: f}
	if f >= 0 {
		e.text = d.shape.fields[f].key
	} else if e.text = d.alien[string(name)]; e.text == "" {
		if e.text = string(appendKey(nil, name)); len(d.alien) == maxAlien || len(name) > maxKey {
			return
		}
		d.alien[string(name)] = e.text
	}
	if e.text == "" {
		return
	}
	if pos == len(d.order) {
		d.order = append(d.order, e)
		return
	}
	d.order[pos] = e
}

// appendKey appends name as it stands in JSON before a value, or nothing if it needs an escape, or is not ASCII: such
// a key is read byte by byte in every record.
func appendKey(dst, name []byte) []byte {
	for _, c := range name {
		if c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return dst
		}
	}
	dst = append(dst, '"')
	dst = append(dst, name...)
	return append(dst, '"', ':')
}
