package format

import (
	"fmt"
	"strconv"
)

// The reasons are written for the person who reads wm_catalog.rejected_rows: which field, what it wants, what it has.

// maxClip is how many bytes of a value a reason shows.
const maxClip = 60

// clip is the start of a value.
func clip(b []byte) string {
	if len(b) > maxClip {
		return string(b[:maxClip]) + "..."
	}
	return string(b)
}

func quote(name string) string { return `"` + name + `"` }

// mismatch says that the value at d.b[i:end] is of the wrong kind for f.
func (d *JSON) mismatch(f *field, i, end int) string {
	has := kindOf(d.b[i])
	switch d.b[i] {
	case '{', '[':
		has = article(has)
	default:
		has += " " + clip(d.b[i:end])
	}
	s := quote(f.name) + ": wants " + f.t.String() + ", has " + has
	if f.act == actTime && has[0] == 'n' {
		s += "; the stream's option timestamp_format = 'epoch_seconds', 'epoch_millis' or 'epoch_micros' says what numbers count"
	}
	return s
}

func kindOf(c byte) string {
	switch c {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

func article(noun string) string {
	if noun == "object" || noun == "array" {
		return "an " + noun
	}
	return "a " + noun
}

func outOfRange(f *field, raw []byte) string {
	return quote(f.name) + ": " + clip(raw) + " is out of range for type " + f.t.String()
}

// syntax says where the record stops to be JSON.
func (d *JSON) syntax() string {
	switch {
	case d.bad == tooDeep:
		return "nested deeper than " + strconv.Itoa(maxDepth) + " levels"
	case d.bad >= len(d.b):
		return "not valid JSON: it ends too early, after " + strconv.Itoa(len(d.b)) + " bytes"
	}
	return fmt.Sprintf("not valid JSON: unexpected %q at byte %d", d.b[d.bad:d.bad+1], d.bad+1)
}

// notObject says what a record is that is no object.
func (d *JSON) notObject(i int) string {
	if i == len(d.b) {
		return "the record is empty"
	}
	next, ok := d.skip(i, 0)
	if !ok {
		return d.syntax()
	}
	if d.space(next) != len(d.b) {
		d.bad = d.space(next)
		return d.syntax()
	}
	if k := kindOf(d.b[i]); k != "null" {
		return "the record is " + article(k) + ", not an object"
	}
	return "the record is null, not an object"
}
