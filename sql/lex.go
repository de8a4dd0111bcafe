package sql

import (
	"strings"
	"unicode/utf8"

	"wmsql/sqlerr"
)

// scanner cuts a text into tokens by the rules of Postgres's scanner with
// standard_conforming_strings on.
type scanner struct {
	src  string
	i    int // next byte to read
	toks []token
}

// lex returns the tokens of src, the last of which is tokEOF.
func lex(src string) []token { return lexInto(make([]token, 0, len(src)/4+2), src) }

// lexInto is lex with the memory of toks, which is empty.
func lexInto(toks []token, src string) []token {
	s := &scanner{src: src, toks: toks}
	for {
		s.skipSpace()
		if s.i >= len(src) {
			s.add(tokEOF, "", s.i)
			return s.toks
		}
		s.next()
	}
}

func (s *scanner) add(kind tokenKind, text string, pos int) {
	s.toks = append(s.toks, token{kind: kind, text: text, pos: pos, end: s.i})
}

// peek returns the byte k places ahead, or 0 behind the end.
func (s *scanner) peek(k int) byte {
	if s.i+k < len(s.src) {
		return s.src[s.i+k]
	}
	return 0
}

// fail gives up with a syntax error in the scanner's wording: the text from pos to the current
// place is what it is "near".
func (s *scanner) fail(pos int, format string, args ...any) {
	bail(sqlerr.Newf(sqlerr.SyntaxError, format+` at or near "%s"`, append(args, s.src[pos:s.i])...).At(pos + 1))
}

// next scans one token that begins at the current byte.
func (s *scanner) next() {
	pos, c := s.i, s.src[s.i]
	switch {
	case c == '\'':
		s.add(tokString, s.quoted(pos, false), pos)
	case c == '"':
		s.add(tokIdent, truncateName(s.quotedName(pos)), pos)
	case c == '$':
		s.dollar(pos)
	case isDigit(c) || c == '.' && isDigit(s.peek(1)):
		s.number(pos)
	case isNameStart(c):
		if !s.prefixedString(pos, c|0x20) {
			s.word(pos)
		}
	case strings.IndexByte("()[],;.:", c) >= 0:
		s.punct(pos)
	case strings.IndexByte(operatorChars, c) >= 0:
		s.operator(pos)
	default:
		s.i++
		s.fail(pos, "syntax error")
	}
}

// prefixedString scans E'..', B'..', X'..', N'..', U&'..' and U&"..". It reports whether there
// was one; c is the lower-case letter at pos.
func (s *scanner) prefixedString(pos int, c byte) bool {
	if s.peek(1) == '\'' {
		switch c {
		case 'e':
			s.i++
			s.add(tokString, s.quoted(pos, true), pos)
			return true
		case 'b', 'x':
			s.i++
			s.add(tokBits, bitDigits(c, s.quoted(pos, false), pos), pos)
			return true
		case 'n': // Postgres reads N'x' as NCHAR 'x'
			s.i++
			s.add(tokWord, "nchar", pos)
			return true
		}
	}
	if c == 'u' && s.peek(1) == '&' && (s.peek(2) == '\'' || s.peek(2) == '"') {
		s.i += 2
		s.unicode(pos)
		return true
	}
	return false
}

// word scans an unquoted name and folds its ASCII letters.
func (s *scanner) word(pos int) {
	upper := false
	for s.i < len(s.src) && isNameByte(s.src[s.i]) {
		upper = upper || s.src[s.i] >= 'A' && s.src[s.i] <= 'Z'
		s.i++
	}
	w := s.src[pos:s.i]
	if upper {
		w = foldASCII(w)
	}
	s.add(tokWord, truncateName(w), pos)
}

func (s *scanner) punct(pos int) {
	s.i++
	two := s.src[pos:min(pos+2, len(s.src))]
	if two == "::" || two == ":=" || two == ".." {
		s.i++
	}
	s.add(tokPunct, s.src[pos:s.i], pos)
}

// skipSpace steps over white space and comments.
func (s *scanner) skipSpace() {
	for s.i < len(s.src) {
		switch c := s.src[s.i]; {
		case isSpace(c):
			s.i++
		case c == '-' && s.peek(1) == '-':
			s.lineComment()
		case c == '/' && s.peek(1) == '*':
			s.blockComment()
		default:
			return
		}
	}
}

func (s *scanner) lineComment() {
	for s.i < len(s.src) && s.src[s.i] != '\n' && s.src[s.i] != '\r' {
		s.i++
	}
}

// blockComment steps over a comment; comments nest.
func (s *scanner) blockComment() {
	pos, depth := s.i, 0
	for s.i < len(s.src) {
		switch {
		case s.src[s.i] == '/' && s.peek(1) == '*':
			depth++
			s.i += 2
		case s.src[s.i] == '*' && s.peek(1) == '/':
			depth--
			s.i += 2
			if depth == 0 {
				return
			}
		default:
			s.i++
		}
	}
	s.fail(pos, "unterminated /* comment")
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'
}

func isNameStart(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func isDigit(c byte) bool    { return c >= '0' && c <= '9' }
func isNameByte(c byte) bool { return isNameStart(c) || isDigit(c) || c == '$' }

// foldASCII lower-cases the ASCII letters of w and no others, as Postgres does in UTF-8.
func foldASCII(w string) string {
	b := []byte(w)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// maxNameBytes is the longest identifier; Postgres cuts longer ones.
const maxNameBytes = 63

// truncateName cuts a name to maxNameBytes without splitting a character.
func truncateName(name string) string {
	if len(name) <= maxNameBytes {
		return name
	}
	n := maxNameBytes
	for !utf8.RuneStart(name[n]) {
		n--
	}
	return name[:n]
}
