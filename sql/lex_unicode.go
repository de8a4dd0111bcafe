package sql

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"wmsql/sqlerr"
)

// unicode scans the quoted part of U&'..' or U&".." and an UESCAPE clause after it. The current
// byte is the opening quote, pos where the token began.
func (s *scanner) unicode(pos int) {
	kind, raw := tokString, ""
	if s.src[s.i] == '"' {
		kind, raw = tokIdent, s.quotedName(pos)
	} else {
		raw = s.quoted(pos, false)
	}
	text := decodeUnicode(raw, s.uescape(), pos)
	if kind == tokIdent {
		text = truncateName(text)
	}
	s.add(kind, text, pos)
}

// uescape reads UESCAPE 'c' if it comes next and returns the escape character, a backslash if not.
func (s *scanner) uescape() byte {
	save := s.i
	s.skipSpace()
	word := s.src[s.i:min(s.i+len("uescape"), len(s.src))]
	if !strings.EqualFold(word, "uescape") || isNameByte(s.peek(len("uescape"))) {
		s.i = save
		return '\\'
	}
	s.i += len("uescape")
	s.skipSpace()
	at := s.i
	if s.peek(0) != '\'' {
		bail(sqlerr.Newf(sqlerr.SyntaxError, "UESCAPE must be followed by a simple string literal").At(at + 1))
	}
	c := s.quoted(at, false)
	if len(c) != 1 || strings.ContainsAny(c, "0123456789abcdefABCDEF+'\" \t\n\r\f\v") {
		bail(sqlerr.Newf(sqlerr.SyntaxError, "invalid Unicode escape character").At(at + 1))
	}
	return c[0]
}

// decodeUnicode replaces \XXXX and \+XXXXXX, with esc for the backslash.
func decodeUnicode(raw string, esc byte, pos int) string {
	if strings.IndexByte(raw, esc) < 0 {
		return raw
	}
	var b strings.Builder
	var high rune // first half of a surrogate pair, 0 if none is open
	for i := 0; i < len(raw); {
		if raw[i] != esc || i+1 < len(raw) && raw[i+1] == esc {
			if high != 0 {
				badSurrogate(pos)
			}
			if raw[i] == esc {
				i++
			}
			b.WriteByte(raw[i])
			i++
			continue
		}
		r, n := unicodeDigits(raw[i+1:])
		if n == 0 {
			bail(sqlerr.Newf(sqlerr.SyntaxError, "invalid Unicode escape").At(pos + 1).
				WithHint(`Unicode escapes must be \XXXX or \+XXXXXX.`))
		}
		i += 1 + n
		switch {
		case high != 0:
			if r = utf16.DecodeRune(high, r); r == utf8.RuneError {
				badSurrogate(pos)
			}
			high = 0
			b.WriteRune(r)
		case utf16.IsSurrogate(r):
			high = r
		case r == 0 || r > utf8.MaxRune:
			bail(sqlerr.Newf(sqlerr.SyntaxError, "invalid Unicode escape value").At(pos + 1))
		default:
			b.WriteRune(r)
		}
	}
	if high != 0 {
		badSurrogate(pos)
	}
	return b.String()
}

// unicodeDigits reads XXXX or +XXXXXX and returns the value and the bytes read, 0 if malformed.
func unicodeDigits(s string) (rune, int) {
	start, width := 0, 4
	if strings.HasPrefix(s, "+") {
		start, width = 1, 6
	}
	if len(s) < start+width {
		return 0, 0
	}
	v, err := strconv.ParseUint(s[start:start+width], 16, 32)
	if err != nil {
		return 0, 0
	}
	return rune(v), start + width
}

func badSurrogate(pos int) {
	bail(sqlerr.Newf(sqlerr.SyntaxError, "invalid Unicode surrogate pair").At(pos + 1))
}
