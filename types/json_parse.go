package types

import "wmsql/sqlerr"

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
