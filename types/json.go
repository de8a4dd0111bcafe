package types

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"

	"wmsql/sqlerr"
)

// CheckJSON reports whether s is one JSON value (22P02 if not).
func CheckJSON(s string) error {
	p := jsonParser{s: s}
	return p.whole()
}

// AppendJSONB appends s in jsonb's canonical text: one blank after : and , and no other, keys by length and then bytes, of
// equal keys the last, numbers as numeric writes them.
func AppendJSONB(dst []byte, s string) ([]byte, error) {
	p := jsonParser{s: s, build: true}
	if err := p.whole(); err != nil {
		return dst, err
	}
	return p.root.append(dst), nil
}

// jsonDepthMax bounds nesting, since values are read by recursion.
const jsonDepthMax = 6400

// jsonNode is a value of a jsonb: text for scalars, as it is written; elems for arrays; elems and keys for objects.
type jsonNode struct {
	kind  byte // 's' scalar, 'a' array, 'o' object
	text  []byte
	keys  []string // unescaped
	elems []jsonNode
}

func (n *jsonNode) append(dst []byte) []byte {
	switch n.kind {
	case 'a':
		dst = append(dst, '[')
		for k := range n.elems {
			if k > 0 {
				dst = append(dst, ", "...)
			}
			dst = n.elems[k].append(dst)
		}
		return append(dst, ']')
	case 'o':
		return n.appendObject(dst)
	}
	return append(dst, n.text...)
}

func (n *jsonNode) appendObject(dst []byte) []byte {
	order := make([]int, len(n.keys))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if c := cmp.Compare(len(n.keys[a]), len(n.keys[b])); c != 0 {
			return c
		}
		return cmp.Compare(n.keys[a], n.keys[b])
	})
	dst = append(dst, '{')
	first := true
	for k, at := range order {
		if k+1 < len(order) && n.keys[order[k+1]] == n.keys[at] {
			continue // a later one of the same name wins
		}
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = AppendJSONString(dst, n.keys[at])
		dst = append(dst, ": "...)
		dst = n.elems[at].append(dst)
	}
	return append(dst, '}')
}

// AppendJSONString appends s as a JSON string, escaped as Postgres does: only what must be.
func AppendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for k := range len(s) {
		switch c := s[k]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c == '\b':
			dst = append(dst, `\b`...)
		case c == '\f':
			dst = append(dst, `\f`...)
		case c < ' ':
			dst = append(dst, `\u00`...)
			dst = append(dst, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

type jsonParser struct {
	s     string
	at    int
	build bool // make a tree
	root  jsonNode
}

func (p *jsonParser) bad(format string, args ...any) error {
	return sqlerr.Newf(sqlerr.InvalidTextRepresentation, "invalid input syntax for type json").WithDetail(format, args...)
}

// unexpected names what stands at the present place: a word that JSON does not have, or what was expected instead of it.
func (p *jsonParser) unexpected(expected string) error {
	switch w := p.token(); {
	case w == "true", w == "false", w == "null":
		return p.bad("Expected %s, but found \"%s\".", expected, w)
	case isLetter(w[0]) || w[0] == '_' || w[0] >= 0x80:
		return p.bad("Token \"%s\" is invalid.", w)
	default:
		return p.bad("Expected %s, but found \"%s\".", expected, w)
	}
}

func (p *jsonParser) blanks() {
	for p.at < len(p.s) && (p.s[p.at] == ' ' || p.s[p.at] == '\t' || p.s[p.at] == '\n' || p.s[p.at] == '\r') {
		p.at++
	}
}

func (p *jsonParser) whole() error {
	p.blanks()
	if err := p.value(&p.root, 0); err != nil {
		return err
	}
	p.blanks()
	if p.at < len(p.s) {
		return p.unexpected("end of input")
	}
	return nil
}

// token is the word or sign at the present place, for messages.
func (p *jsonParser) token() string {
	end := p.at
	for end < len(p.s) && (isLetter(p.s[end]) || isDigit(p.s[end]) || p.s[end] == '_' || p.s[end] >= 0x80) {
		end++
	}
	if end == p.at && end < len(p.s) {
		end++
	}
	return p.s[p.at:end]
}

func (p *jsonParser) value(n *jsonNode, depth int) error {
	if depth > jsonDepthMax {
		return sqlerr.Newf(sqlerr.StatementTooComplex, "stack depth limit exceeded")
	}
	if p.at == len(p.s) {
		return p.bad("The input string ended unexpectedly.")
	}
	n.kind = 's'
	start := p.at
	switch c := p.s[p.at]; {
	case c == '{':
		return p.object(n, depth)
	case c == '[':
		return p.array(n, depth)
	case c == '"':
		text, err := p.str()
		if err == nil && p.build {
			n.text = AppendJSONString(nil, text)
		}
		return err
	case c == '-' || isDigit(c):
		return p.number(n)
	}
	switch w := p.token(); w {
	case "true", "false", "null":
		p.at += len(w)
	default:
		return p.bad("Token \"%s\" is invalid.", w)
	}
	n.text = []byte(p.s[start:p.at])
	return nil
}

func (p *jsonParser) array(n *jsonNode, depth int) error {
	n.kind = 'a'
	p.at++
	p.blanks()
	if p.at < len(p.s) && p.s[p.at] == ']' {
		p.at++
		return nil
	}
	for {
		var e jsonNode
		p.blanks()
		if err := p.value(&e, depth+1); err != nil {
			return err
		}
		if p.build {
			n.elems = append(n.elems, e)
		}
		more, err := p.separator(']', `"," or "]"`)
		if err != nil || !more {
			return err
		}
	}
}

func (p *jsonParser) object(n *jsonNode, depth int) error {
	n.kind = 'o'
	p.at++
	p.blanks()
	if p.at < len(p.s) && p.s[p.at] == '}' {
		p.at++
		return nil
	}
	for expected := `string or "}"`; ; expected = "string" {
		p.blanks()
		if p.at == len(p.s) {
			return p.bad("The input string ended unexpectedly.")
		}
		if p.s[p.at] != '"' {
			return p.unexpected(expected)
		}
		key, err := p.str()
		if err != nil {
			return err
		}
		p.blanks()
		if p.at == len(p.s) {
			return p.bad("The input string ended unexpectedly.")
		}
		if p.s[p.at] != ':' {
			return p.unexpected(`":"`)
		}
		p.at++
		p.blanks()
		var e jsonNode
		if err := p.value(&e, depth+1); err != nil {
			return err
		}
		if p.build {
			n.keys, n.elems = append(n.keys, key), append(n.elems, e)
		}
		more, err := p.separator('}', `"," or "}"`)
		if err != nil || !more {
			return err
		}
	}
}

// separator takes a comma (more) or the closing bracket.
func (p *jsonParser) separator(end byte, expected string) (more bool, err error) {
	p.blanks()
	if p.at == len(p.s) {
		return false, p.bad("The input string ended unexpectedly.")
	}
	c := p.s[p.at]
	if c != ',' && c != end {
		return false, p.unexpected(expected)
	}
	p.at++
	return c == ',', nil
}

func (p *jsonParser) number(n *jsonNode) error {
	start := p.at
	digits := func() bool {
		from := p.at
		for p.at < len(p.s) && isDigit(p.s[p.at]) {
			p.at++
		}
		return p.at > from
	}
	if p.s[p.at] == '-' {
		p.at++
	}
	lead := p.at
	ok := digits() && (p.s[lead] != '0' || p.at == lead+1)
	if ok && p.at < len(p.s) && p.s[p.at] == '.' {
		p.at++
		ok = digits()
	}
	if ok && p.at < len(p.s) && p.s[p.at]|0x20 == 'e' {
		p.at++
		if p.at < len(p.s) && (p.s[p.at] == '+' || p.s[p.at] == '-') {
			p.at++
		}
		ok = digits()
	}
	if rest := p.token(); !ok || rest != "" && (isLetter(rest[0]) || rest[0] == '_' || rest[0] >= 0x80) {
		return p.bad("Token \"%s\" is invalid.", p.s[start:p.at]+rest)
	}
	if !p.build {
		return nil
	}
	d, err := ParseDecimal(p.s[start:p.at])
	if err != nil {
		return err
	}
	n.text = d.Append(nil)
	return nil
}

// str reads a string and returns it unescaped when a tree is made.
func (p *jsonParser) str() (string, error) {
	start := p.at
	p.at++
	escaped := false
	for p.at < len(p.s) {
		switch c := p.s[p.at]; {
		case c == '"':
			p.at++
			return p.unescape(p.s[start:p.at], escaped)
		case c < ' ':
			return "", p.bad("Character with value 0x%02x must be escaped.", c)
		case c == '\\':
			escaped = true
			if err := p.escape(); err != nil {
				return "", err
			}
		default:
			p.at++
		}
	}
	return "", p.bad("Token \"%s\" is invalid.", p.s[start:])
}

func (p *jsonParser) escape() error {
	p.at++
	if p.at == len(p.s) {
		return p.bad("The input string ended unexpectedly.")
	}
	if bytes.IndexByte([]byte(`"\/bfnrt`), p.s[p.at]) >= 0 {
		p.at++
		return nil
	}
	if p.s[p.at] != 'u' {
		_, size := utf8.DecodeRuneInString(p.s[p.at:])
		return p.bad("Escape sequence \"\\%s\" is invalid.", p.s[p.at:p.at+size])
	}
	if len(p.s) < p.at+5 {
		return p.bad(`"\u" must be followed by four hexadecimal digits.`)
	}
	if _, err := strconv.ParseUint(p.s[p.at+1:p.at+5], 16, 16); err != nil {
		return p.bad(`"\u" must be followed by four hexadecimal digits.`)
	}
	p.at += 5
	return nil
}

func (p *jsonParser) unescape(quoted string, escaped bool) (string, error) {
	if !p.build {
		return "", nil
	}
	if !escaped {
		return quoted[1 : len(quoted)-1], nil
	}
	return UnquoteJSON(quoted)
}

// UnquoteJSON returns the text of a JSON string with its quotes, which has been checked. It refuses \u0000 and lone
// surrogates, which no text holds.
func UnquoteJSON(quoted string) (string, error) {
	if err := checkSurrogates(quoted); err != nil {
		return "", err
	}
	var out string
	if err := json.Unmarshal([]byte(quoted), &out); err != nil {
		return "", sqlerr.Newf(sqlerr.InvalidTextRepresentation, "invalid input syntax for type json")
	}
	return out, nil
}

func checkSurrogates(s string) error {
	high := false // the escape before was the first half of a pair
	bad := func(detail string) error {
		return sqlerr.Newf(sqlerr.InvalidTextRepresentation, "invalid input syntax for type json").WithDetail("%s", detail)
	}
	const lowAlone = "Unicode low surrogate must follow a high surrogate."
	for k := 0; k < len(s); k++ {
		if s[k] != '\\' || s[k+1] != 'u' {
			if high {
				return bad(lowAlone)
			}
			if s[k] == '\\' {
				k++
			}
			continue
		}
		u, _ := strconv.ParseUint(s[k+2:k+6], 16, 16)
		k += 5
		low := u >= 0xdc00 && u < 0xe000
		switch {
		case u == 0:
			return sqlerr.Newf(sqlerr.UntranslatableCharacter, "unsupported Unicode escape sequence").
				WithDetail("%s", `\u0000 cannot be converted to text.`)
		case high != low:
			return bad(lowAlone)
		}
		high = u >= 0xd800 && u < 0xdc00
	}
	return nil
}
