package sql

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"wmsql/sqlerr"
)

// quoted scans a string whose opening quote is the current byte and returns its value; pos is
// where the token began. With escapes, backslashes are E” escapes.
func (s *scanner) quoted(pos int, escapes bool) string {
	s.i++
	start := s.i
	if end := strings.IndexAny(s.src[start:], `'\`); end >= 0 && s.src[start+end] == '\'' && s.peek(end+1) != '\'' {
		s.i = start + end + 1 // the common case: nothing to decode
		if !s.continues() {
			return s.src[start : start+end]
		}
		s.i = start
	}
	var b strings.Builder
	for {
		switch c := s.peek(0); {
		case s.i >= len(s.src):
			s.fail(pos, "unterminated quoted string")
		case c == '\'' && s.peek(1) == '\'':
			b.WriteByte('\'')
			s.i += 2
		case c == '\'':
			s.i++
			if !s.continues() {
				return s.checked(b.String(), pos, escapes)
			}
		case c == '\\' && escapes && s.i+1 < len(s.src):
			s.escape(&b)
		default:
			b.WriteByte(c)
			s.i++
		}
	}
}

// checked refuses a value that escapes have made invalid UTF-8.
func (s *scanner) checked(v string, pos int, escapes bool) string {
	if escapes && (!utf8.ValidString(v) || strings.IndexByte(v, 0) >= 0) {
		bail(invalidUTF8(v).At(pos + 1))
	}
	return v
}

// invalidUTF8 returns the error for text that is no UTF-8 or holds a zero byte.
func invalidUTF8(v string) *sqlerr.Error {
	for i := 0; i < len(v); {
		r, n := utf8.DecodeRuneInString(v[i:])
		if r == utf8.RuneError && n == 1 || r == 0 {
			return sqlerr.Newf(sqlerr.CharacterNotInRepertoire, `invalid byte sequence for encoding "UTF8": 0x%02x`, v[i])
		}
		i += n
	}
	return sqlerr.Newf(sqlerr.CharacterNotInRepertoire, `invalid byte sequence for encoding "UTF8"`)
}

// continues says whether the string just closed goes on: SQL joins two strings that are separated
// by white space with a newline in it. If so, the next opening quote has been read.
func (s *scanner) continues() bool {
	save, newline := s.i, false
	for s.i < len(s.src) {
		switch c := s.src[s.i]; {
		case isSpace(c):
			newline = newline || c == '\n' || c == '\r'
			s.i++
			continue
		case c == '-' && s.peek(1) == '-':
			s.lineComment()
			continue
		case c == '\'' && newline:
			s.i++
			return true
		}
		break
	}
	s.i = save
	return false
}

// escape decodes one backslash escape of an E” string.
func (s *scanner) escape(b *strings.Builder) {
	pos := s.i
	c := s.src[s.i+1]
	s.i += 2
	switch c {
	case 'b':
		b.WriteByte('\b')
	case 'f':
		b.WriteByte('\f')
	case 'n':
		b.WriteByte('\n')
	case 'r':
		b.WriteByte('\r')
	case 't':
		b.WriteByte('\t')
	case 'v':
		b.WriteByte('\v')
	case 'x':
		if v, n := s.hexDigits(2); n > 0 {
			b.WriteByte(byte(v))
		} else {
			b.WriteByte('x')
		}
	case 'u', 'U':
		width := 4
		if c == 'U' {
			width = 8
		}
		b.WriteRune(s.unicodeEscape(pos, width))
	case '0', '1', '2', '3', '4', '5', '6', '7':
		v := int(c - '0')
		for k := 0; k < 2 && s.peek(0) >= '0' && s.peek(0) <= '7'; k++ {
			v = v*8 + int(s.peek(0)-'0')
			s.i++
		}
		b.WriteByte(byte(v))
	default:
		b.WriteByte(c)
	}
}

// unicodeEscape reads the digits of \uXXXX or \UXXXXXXXX, and a second escape when the first is
// half of a surrogate pair; pos is where the backslash stood.
func (s *scanner) unicodeEscape(pos, width int) rune {
	v, n := s.hexDigits(width)
	if n < width {
		bail(sqlerr.Newf(sqlerr.InvalidEscape, "invalid Unicode escape").At(pos + 1).
			WithHint(`Unicode escapes must be \uXXXX or \UXXXXXXXX.`))
	}
	r := rune(v)
	if utf16.IsSurrogate(r) {
		second := rune(0)
		if s.peek(0) == '\\' && (s.peek(1) == 'u' || s.peek(1) == 'U') {
			width = 4
			if s.peek(1) == 'U' {
				width = 8
			}
			s.i += 2
			v, _ = s.hexDigits(width)
			second = rune(v)
		}
		if r = utf16.DecodeRune(r, second); r == utf8.RuneError {
			s.fail(pos, "invalid Unicode surrogate pair")
		}
	}
	if r == 0 || r > utf8.MaxRune || v > utf8.MaxRune {
		s.fail(pos, "invalid Unicode escape value")
	}
	return r
}

// hexDigits reads at most limit hexadecimal digits and returns their value and number.
func (s *scanner) hexDigits(limit int) (v uint64, n int) {
	for n < limit && strings.IndexByte("0123456789abcdefABCDEF", s.peek(n)) >= 0 {
		n++
	}
	v, _ = strconv.ParseUint(s.src[s.i:s.i+n], 16, 64)
	s.i += n
	return v, n
}

// quotedName scans a "quoted" identifier whose opening quote is the current byte.
func (s *scanner) quotedName(pos int) string {
	s.i++
	start := s.i
	doubled := false
	for {
		k := strings.IndexByte(s.src[s.i:], '"')
		if k < 0 {
			s.i = len(s.src)
			s.fail(pos, "unterminated quoted identifier")
		}
		s.i += k + 1
		if s.peek(0) != '"' {
			break
		}
		doubled = true
		s.i++
	}
	name := s.src[start : s.i-1]
	if name == "" {
		s.fail(pos, "zero-length delimited identifier")
	}
	if doubled {
		name = strings.ReplaceAll(name, `""`, `"`)
	}
	return name
}

// dollar scans $1 or a $tag$ string.
func (s *scanner) dollar(pos int) {
	if isDigit(s.peek(1)) {
		s.i++
		for isDigit(s.peek(0)) {
			s.i++
		}
		digits := s.src[pos+1 : s.i]
		s.noJunk(pos, "trailing junk after parameter")
		s.add(tokParam, digits, pos)
		return
	}
	end := pos + 1
	for end < len(s.src) && isNameByte(s.src[end]) && s.src[end] != '$' {
		end++
	}
	if end >= len(s.src) || s.src[end] != '$' {
		s.i++
		s.fail(pos, "syntax error")
	}
	tag := s.src[pos : end+1]
	body := s.src[end+1:]
	n := strings.Index(body, tag)
	if n < 0 {
		s.i = len(s.src)
		s.fail(pos, "unterminated dollar-quoted string")
	}
	s.i = end + 1 + n + len(tag)
	s.add(tokString, body[:n], pos)
}

// bitDigits returns the binary digits of B'..' (base 'b') or X'..' (base 'x').
func bitDigits(base byte, text string, pos int) string {
	var b strings.Builder
	for i := range len(text) {
		v, err := strconv.ParseUint(text[i:i+1], map[byte]int{'b': 2, 'x': 16}[base], 8)
		if err != nil {
			kind := "binary"
			if base == 'x' {
				kind = "hexadecimal"
			}
			bail(sqlerr.Newf(sqlerr.InvalidTextRepresentation, `"%s" is not a valid %s digit`, text[i:i+1], kind).At(pos + 1))
		}
		width := 1
		if base == 'x' {
			width = 4
		}
		for k := width - 1; k >= 0; k-- {
			b.WriteByte('0' + byte(v>>k)&1)
		}
	}
	return b.String()
}
