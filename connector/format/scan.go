package format

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// maxDepth is how deep values of a record may nest; Postgres's own limit is its stack, near 6,000.
const maxDepth = 1000

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// text is a JSON string as it was scanned: b[start:end] without the quotes.
type text struct {
	start, end int
	escaped    bool
}

// scanner walks one record. It checks the whole of JSON's grammar, and notes what it may not check at once.
type scanner struct {
	b        []byte
	nonASCII bool // some string has a byte over 127: its UTF-8 is checked at the end
	bad      int  // where the fault is, when a function says so
}

// str reads the string whose opening quote is at b[i], eight bytes at a time.
func (s *scanner) str(i int) (t text, next int, ok bool) {
	b := s.b
	i++
	t.start = i
	for {
		for i+8 <= len(b) {
			w := binary.LittleEndian.Uint64(b[i:])
			q := w ^ ones*'"'
			e := w ^ ones*'\\'
			// A byte is zero, or below a space, where subtracting borrows; false hits lie above a true one only.
			hit := ((q - ones) &^ q) | ((e - ones) &^ e) | ((w - ones*' ') &^ w)
			if hit &= highs; hit == 0 {
				if w&highs != 0 {
					s.nonASCII = true
				}
				i += 8
				continue
			}
			at := bits.TrailingZeros64(hit)
			if w&highs&(1<<at-1) != 0 {
				s.nonASCII = true
			}
			if i += at >> 3; b[i] == '"' {
				t.end = i
				return t, i + 1, true
			}
			break
		}
		for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= ' ' {
			if b[i] >= utf8.RuneSelf {
				s.nonASCII = true
			}
			i++
		}
		if i >= len(b) {
			s.bad = i
			return t, i, false
		}
		switch b[i] {
		case '"':
			t.end = i
			return t, i + 1, true
		case '\\':
			t.escaped = true
			n := escapeLen(b, i)
			if n == 0 {
				s.bad = i
				return t, i, false
			}
			i += n
		default:
			s.bad = i
			return t, i, false
		}
	}
}

// escapeLen returns the length of the escape at b[i], 0 if it is none of JSON's.
func escapeLen(b []byte, i int) int {
	if i+1 >= len(b) {
		return 0
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(b, i+2); ok {
			return 6
		}
	}
	return 0
}

func hex4(b []byte, i int) (r rune, ok bool) {
	if i+4 > len(b) {
		return 0, false
	}
	for _, c := range b[i : i+4] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// space returns the first position from i on that is no white space.
func (s *scanner) space(i int) int {
	for i < len(s.b) && (s.b[i] == ' ' || s.b[i] == '\n' || s.b[i] == '\t' || s.b[i] == '\r') {
		i++
	}
	return i
}

// at returns b[i], or 0 past the end: no token begins with 0.
func (s *scanner) at(i int) byte {
	if i < len(s.b) {
		return s.b[i]
	}
	return 0
}

// skip reads any value and returns the position after it.
func (s *scanner) skip(i, depth int) (next int, ok bool) {
	switch c := s.at(i); c {
	case '"':
		_, next, ok = s.str(i)
		return next, ok
	case '{', '[':
		return s.skipNested(i, depth)
	case 't':
		return s.word(i, "true")
	case 'f':
		return s.word(i, "false")
	case 'n':
		return s.word(i, "null")
	default:
		n, ok := scanNumber(s.b, i)
		if !ok {
			s.bad = n.end
			return i, false
		}
		return n.end, true
	}
}

func (s *scanner) word(i int, w string) (int, bool) {
	if i+len(w) <= len(s.b) && string(s.b[i:i+len(w)]) == w {
		return i + len(w), true
	}
	s.bad = i
	return i, false
}

// skipNested reads an object or array that begins at i.
func (s *scanner) skipNested(i, depth int) (next int, ok bool) {
	if depth >= maxDepth {
		s.bad = tooDeep
		return i, false
	}
	object := s.b[i] == '{'
	closing := byte(']')
	if object {
		closing = '}'
	}
	if i = s.space(i + 1); s.at(i) == closing {
		return i + 1, true
	}
	for {
		if object {
			if i, ok = s.skipKey(i); !ok {
				return i, false
			}
		}
		if i, ok = s.skip(i, depth+1); !ok {
			return i, false
		}
		i = s.space(i)
		switch s.at(i) {
		case closing:
			return i + 1, true
		case ',':
			i = s.space(i + 1)
		default:
			s.bad = i
			return i, false
		}
	}
}

// skipKey reads a key and its colon, up to the value.
func (s *scanner) skipKey(i int) (next int, ok bool) {
	if s.at(i) != '"' {
		s.bad = i
		return i, false
	}
	if _, i, ok = s.str(i); !ok {
		return i, false
	}
	return s.colon(i)
}

// colon reads the colon after a key, up to the value.
func (s *scanner) colon(i int) (next int, ok bool) {
	if i = s.space(i); s.at(i) != ':' {
		s.bad = i
		return i, false
	}
	return s.space(i + 1), true
}

// tooDeep in scanner.bad says that the fault is no place but the depth.
const tooDeep = -1

// unescape appends the string t to dst. The reason is not empty for what Postgres's text cannot hold: the character
// zero, and half a surrogate pair.
func (s *scanner) unescape(dst []byte, t text) (_ []byte, reason string) {
	b := s.b[t.start:t.end]
	for i := 0; i < len(b); {
		c := b[i]
		if c != '\\' {
			dst = append(dst, c)
			i++
			continue
		}
		if b[i+1] != 'u' {
			dst = append(dst, unescaped(b[i+1]))
			i += 2
			continue
		}
		r, _ := hex4(b, i+2)
		i += 6
		switch {
		case r == 0:
			return dst, `\u0000 cannot be in text`
		case r >= 0xdc00 && r < 0xe000:
			return dst, "half a surrogate pair cannot be in text"
		case r >= 0xd800 && r < 0xdc00:
			var low rune
			if i+1 < len(b) && b[i] == '\\' && b[i+1] == 'u' {
				low, _ = hex4(b, i+2)
			}
			if low < 0xdc00 || low >= 0xe000 {
				return dst, "half a surrogate pair cannot be in text"
			}
			r = (r-0xd800)<<10 | (low - 0xdc00) + 0x10000
			i += 6
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst, ""
}

func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}
