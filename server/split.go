package server

import "strings"

// Chunk is one statement of a script as psql reads it: psql's own commands (\set, \echo) are left out.
type Chunk struct {
	Text   string
	Offset int // of Text in the script
	// Data is what follows COPY ... FROM STDIN up to the line \. ; Copy tells that there is any.
	Data string
	Copy bool
}

// SplitScript splits a script at the semicolons that end statements. It never fails: what is no SQL comes out as a
// chunk that the parser refuses at the right place.
func SplitScript(script string) []Chunk {
	s := splitter{text: script}
	var out []Chunk
	for s.skipBlanks() {
		start := s.i
		s.statement()
		c := Chunk{Text: s.text[start:s.i], Offset: start}
		s.accept(';')
		if isCopyIn(c.Text) {
			c.Data, c.Copy = s.copyData(), true
		}
		if strings.TrimSpace(c.Text) != "" {
			out = append(out, c)
		}
	}
	return out
}

type splitter struct {
	text string
	i    int
}

func (s *splitter) accept(c byte) {
	if s.i < len(s.text) && s.text[s.i] == c {
		s.i++
	}
}

func (s *splitter) at(prefix string) bool { return strings.HasPrefix(s.text[s.i:], prefix) }

// skipBlanks passes blanks, comments, empty statements and psql's commands; false at the end.
func (s *splitter) skipBlanks() bool {
	for s.i < len(s.text) {
		switch c := s.text[s.i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == ';':
			s.i++
		case s.at("--"), c == '\\':
			s.line()
		case s.at("/*"):
			s.blockComment()
		default:
			return true
		}
	}
	return false
}

// statement passes everything up to the semicolon that ends it, or the end.
func (s *splitter) statement() {
	depth := 0
	for s.i < len(s.text) {
		switch c := s.text[s.i]; {
		case c == ';' && depth <= 0:
			return
		case s.at("--"):
			s.line()
		case s.at("/*"):
			s.blockComment()
		case c == '\'':
			s.quoted('\'', s.i > 0 && (s.text[s.i-1] == 'e' || s.text[s.i-1] == 'E') && (s.i < 2 || !wordByte(s.text[s.i-2])))
		case c == '"':
			s.quoted('"', false)
		case c == '$':
			s.dollar()
		default:
			switch c {
			case '(':
				depth++
			case ')':
				depth--
			}
			s.i++
		}
	}
}

func (s *splitter) line() {
	if end := strings.IndexByte(s.text[s.i:], '\n'); end >= 0 {
		s.i += end + 1
		return
	}
	s.i = len(s.text)
}

func (s *splitter) blockComment() {
	depth := 0
	for s.i < len(s.text) {
		switch {
		case s.at("/*"):
			depth++
			s.i += 2
		case s.at("*/"):
			depth--
			s.i += 2
			if depth == 0 {
				return
			}
		default:
			s.i++
		}
	}
}

func (s *splitter) quoted(q byte, escapes bool) {
	for s.i++; s.i < len(s.text); s.i++ {
		switch {
		case s.text[s.i] == '\\' && escapes:
			s.i++
		case s.text[s.i] == q:
			s.i++
			return
		}
	}
	s.i = min(s.i, len(s.text))
}

// dollar passes a dollar-quoted string, or the one sign of a parameter.
func (s *splitter) dollar() {
	end := s.i + 1
	for end < len(s.text) && wordByte(s.text[end]) {
		end++
	}
	if s.i > 0 && wordByte(s.text[s.i-1]) || end >= len(s.text) || s.text[end] != '$' {
		s.i++
		return
	}
	tag := s.text[s.i : end+1]
	if n := strings.Index(s.text[end+1:], tag); n >= 0 {
		s.i = end + 1 + n + len(tag)
		return
	}
	s.i = len(s.text)
}

func wordByte(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// isCopyIn reports whether a statement is COPY ... FROM STDIN.
func isCopyIn(text string) bool {
	w := strings.Fields(strings.ToLower(text))
	if len(w) == 0 || w[0] != "copy" {
		return false
	}
	for i := 1; i+1 < len(w); i++ {
		if w[i] == "from" && strings.HasPrefix(w[i+1], "stdin") {
			return true
		}
	}
	return false
}

// copyData passes the rows behind a COPY, which begin on the next line and end with the line \. .
func (s *splitter) copyData() string {
	s.line()
	start := s.i
	for s.i < len(s.text) {
		line := s.i
		s.line()
		if strings.TrimRight(s.text[line:s.i], "\r\n") == `\.` {
			return s.text[start:line]
		}
	}
	return s.text[start:]
}
