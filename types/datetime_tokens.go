package types

import "strings"

// Postgres reads a date or time in two steps: its text is cut into fields by their look, then each
// field is read in the light of those before it. These files do the same, so that what is taken, what is refused and with
// which SQLSTATE agree.

// fieldKind is what a field looks like.
type fieldKind uint8

const (
	fieldNumber  fieldKind = iota // 2026, 120000.5
	fieldDate                     // 2026-03-01, 1-Mar-2026, America/New_York
	fieldTime                     // 12:00:00.5
	fieldZone                     // +05:30, -8
	fieldWord                     // march, pst, t
	fieldSpecial                  // -infinity
)

type field struct {
	kind fieldKind
	text string // lower case
}

// fieldsMax bounds the fields of one value, as Postgres does.
const fieldsMax = 25

// textMax bounds the text of one date, time or interval; Postgres's work buffer is of this order.
const textMax = 256

// splitFields cuts s into fields; ok is false when a character or the number of fields is impossible.
func splitFields(s string) (fields []field, ok bool) {
	if len(s) > textMax {
		return nil, false
	}
	t := tokenizer{s: strings.ToLower(s)}
	for t.at < len(t.s) {
		c := t.s[t.at]
		if isSpace(c) {
			t.at++
			continue
		}
		start := t.at
		kind, found, ok := t.next(c)
		if !ok || len(fields) == fieldsMax {
			return nil, false
		}
		if found {
			text := t.s[start:t.at]
			if kind == fieldZone || kind == fieldSpecial {
				text = text[:1] + strings.TrimLeft(text[1:], " \t\n\r\v\f")
			}
			fields = append(fields, field{kind, text})
		}
	}
	return fields, true
}

type tokenizer struct {
	s  string
	at int
}

func (t *tokenizer) peek() byte {
	if t.at < len(t.s) {
		return t.s[t.at]
	}
	return 0
}

func (t *tokenizer) while(f func(byte) bool) {
	for t.at < len(t.s) && f(t.s[t.at]) {
		t.at++
	}
}

// next takes the field that begins with c; found is false when c only separates fields.
func (t *tokenizer) next(c byte) (kind fieldKind, found, ok bool) {
	switch {
	case isDigit(c):
		return t.number(), true, true
	case c == '.':
		t.at++
		t.while(isDigit)
		return fieldNumber, true, true
	case isLetter(c):
		return t.word(), true, true
	case c == '+' || c == '-':
		kind, ok = t.signed()
		return kind, true, ok
	case c > ' ' && c < 0x7f: // other punctuation
		t.at++
		return 0, false, true
	}
	return 0, false, false
}

func (t *tokenizer) number() fieldKind {
	t.while(isDigit)
	switch sep := t.peek(); sep {
	case ':':
		t.while(func(c byte) bool { return isDigit(c) || c == ':' || c == '.' })
		return fieldTime
	case '-', '/', '.':
		t.at++
		if !isDigit(t.peek()) {
			t.while(func(c byte) bool { return isDigit(c) || isLetter(c) || c == sep })
			return fieldDate
		}
		kind := fieldDate
		if sep == '.' {
			kind = fieldNumber
		}
		t.while(isDigit)
		if t.peek() == sep {
			kind = fieldDate
			t.while(func(c byte) bool { return isDigit(c) || c == sep })
		}
		return kind
	}
	return fieldNumber
}

func (t *tokenizer) word() fieldKind {
	start := t.at
	t.while(isLetter)
	c := t.peek()
	date := c == '-' || c == '/' || c == '.'
	if c == '+' || isDigit(c) {
		_, known := lookupWord(t.s[start:t.at])
		date = !known
	}
	if !date {
		return fieldWord
	}
	t.while(func(c byte) bool {
		return isDigit(c) || isLetter(c) || strings.IndexByte("+-/_.:", c) >= 0
	})
	return fieldDate
}

func (t *tokenizer) signed() (fieldKind, bool) {
	t.at++
	t.while(isSpace)
	switch c := t.peek(); {
	case isDigit(c) || c == '.':
		t.while(func(c byte) bool { return isDigit(c) || c == ':' || c == '.' || c == '-' })
		return fieldZone, true
	case isLetter(c):
		t.while(isLetter)
		return fieldSpecial, true
	}
	return 0, false
}
