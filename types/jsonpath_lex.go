package types

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"wmsql/sqlerr"
)

// pathToken is a token of a path.
type pathToken struct {
	kind pathTokenKind
	text string // of a word, string or variable, without quotes; of a sign, itself
	raw  string // as it is written
}

type pathTokenKind uint8

const (
	pathEnd pathTokenKind = iota
	pathWord
	pathQuoted
	pathVar // $name
	pathNumeric
	pathSign
)

// pathSpecial ends a word.
const pathSpecial = "?%$.[]{}()|&!=<>@#,*:-+/\" \t\n\r\f\\"

// pathLexer cuts a path into tokens.
type pathLexer struct {
	s   string
	err error
}

func errPath(token, format string, args ...any) *sqlerr.Error {
	where := " at end of jsonpath input"
	if token != "" {
		where = ` at or near "` + token + `" of jsonpath input`
	}
	e := sqlerr.Newf(sqlerr.SyntaxError, format, args...)
	e.Msg += where
	return e
}

// next reads the next token.
func (l *pathLexer) next() pathToken {
	for l.s != "" {
		switch {
		case strings.IndexByte(" \t\n\r\f", l.s[0]) >= 0:
			l.s = l.s[1:]
			continue
		case strings.HasPrefix(l.s, "/*"):
			end := strings.Index(l.s[2:], "*/")
			if end < 0 {
				return l.fail("", "unexpected end of comment")
			}
			l.s = l.s[end+4:]
			continue
		}
		break
	}
	if l.s == "" {
		return pathToken{}
	}
	switch c := l.s[0]; {
	case c == '"':
		return l.quoted(pathQuoted, 0)
	case c == '$' && len(l.s) > 1 && l.s[1] == '"':
		return l.quoted(pathVar, 1)
	case c == '$' && len(l.s) > 1 && strings.IndexByte(pathSpecial, l.s[1]) < 0:
		t := l.word(1)
		t.kind = pathVar
		return t
	case isDigit(c), c == '.' && len(l.s) > 1 && isDigit(l.s[1]):
		return l.number()
	case c != '\\' && strings.IndexByte(pathSpecial, c) >= 0:
		return l.sign()
	}
	return l.word(0)
}

func (l *pathLexer) fail(token, format string, args ...any) pathToken {
	if l.err == nil {
		l.err = errPath(token, format, args...)
	}
	l.s = ""
	return pathToken{}
}

// sign reads the longest sign.
func (l *pathLexer) sign() pathToken {
	n := 1
	for _, s := range []string{"&&", "||", "==", "!=", "<>", "<=", ">=", "**"} {
		if strings.HasPrefix(l.s, s) {
			n = 2
		}
	}
	t := pathToken{kind: pathSign, text: l.s[:n], raw: l.s[:n]}
	l.s = l.s[n:]
	return t
}

// number reads digits, a fraction and an exponent.
func (l *pathLexer) number() pathToken {
	n := 0
	digits := func() {
		for n < len(l.s) && isDigit(l.s[n]) {
			n++
		}
	}
	digits()
	if n < len(l.s) && l.s[n] == '.' {
		n++
		digits()
	}
	if n < len(l.s) && l.s[n]|0x20 == 'e' {
		sign := n + 1
		if sign < len(l.s) && (l.s[sign] == '+' || l.s[sign] == '-') {
			sign++
		}
		if sign < len(l.s) && isDigit(l.s[sign]) {
			n = sign
			digits()
		}
	}
	if n < len(l.s) && strings.IndexByte(pathSpecial, l.s[n]) < 0 {
		_, size := utf8.DecodeRuneInString(l.s[n:])
		return l.fail(l.s[:n+size], "trailing junk after numeric literal")
	}
	t := pathToken{kind: pathNumeric, text: l.s[:n], raw: l.s[:n]}
	l.s = l.s[n:]
	return t
}

// word reads a name, in which a backslash takes the meaning of what is behind it.
func (l *pathLexer) word(from int) pathToken {
	var sb strings.Builder
	n := from
	for n < len(l.s) {
		c := l.s[n]
		if c == '\\' {
			size := l.escape(&sb, l.s[n:])
			if size == 0 {
				return pathToken{}
			}
			n += size
			continue
		}
		if strings.IndexByte(pathSpecial, c) >= 0 {
			break
		}
		sb.WriteByte(c)
		n++
	}
	t := pathToken{kind: pathWord, text: sb.String(), raw: l.s[:n]}
	l.s = l.s[n:]
	return t
}

// quoted reads a string in double quotes that stands behind from bytes.
func (l *pathLexer) quoted(kind pathTokenKind, from int) pathToken {
	var sb strings.Builder
	for n := from + 1; n < len(l.s); {
		switch c := l.s[n]; c {
		case '"':
			t := pathToken{kind: kind, text: sb.String(), raw: l.s[:n+1]}
			l.s = l.s[n+1:]
			return t
		case '\\':
			size := l.escape(&sb, l.s[n:])
			if size == 0 {
				return pathToken{}
			}
			n += size
		default:
			sb.WriteByte(c)
			n++
		}
	}
	return l.fail("", "unexpected end of quoted string")
}

// escape reads a backslash sequence and returns its length, 0 after an error.
func (l *pathLexer) escape(sb *strings.Builder, s string) int {
	if len(s) < 2 {
		l.fail("", "unexpected end after backslash")
		return 0
	}
	if at := strings.IndexByte("bfnrtv", s[1]); at >= 0 {
		sb.WriteByte("\b\f\n\r\t\v"[at])
		return 2
	}
	hex, size := "", 2
	switch {
	case s[1] == 'x' && len(s) >= 4:
		hex, size = s[2:4], 4
	case strings.HasPrefix(s, `\u{`):
		if end := strings.IndexByte(s, '}'); end > 3 && end <= 9 {
			hex, size = s[3:end], end+1
		}
	case s[1] == 'u' && len(s) >= 6:
		hex, size = s[2:6], 6
	default:
		r, n := utf8.DecodeRuneInString(s[1:])
		if s[1] == 'x' || s[1] == 'u' {
			break
		}
		sb.WriteRune(r)
		return 1 + n
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if err == nil && n >= 0xd800 && n < 0xdc00 && len(s) >= 12 && s[6:8] == `\u` {
		if low, bad := strconv.ParseUint(s[8:12], 16, 32); bad == nil && low >= 0xdc00 && low < 0xe000 {
			n, size = 0x10000+(n-0xd800)<<10+low-0xdc00, 12
		}
	}
	if err != nil || n == 0 || !utf8.ValidRune(rune(n)) {
		l.fail(s[:min(size, len(s))], "invalid Unicode escape sequence")
		return 0
	}
	sb.WriteRune(rune(n))
	return size
}
