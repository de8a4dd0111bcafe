package types

import (
	"strings"

	"wmsql/sqlerr"
)

// SplitArray calls f with the text of each element of an array's text form, unquoted, or with null.
// int2vector and oidvector are numbers with blanks between. Only one dimension is supported.
func SplitArray(s string, t Type, f func(elem []byte, null bool) error) error {
	if !t.Array {
		for _, w := range strings.Fields(s) {
			if err := f([]byte(w), false); err != nil {
				return err
			}
		}
		return nil
	}
	p := arrayParser{whole: s, s: strings.TrimLeft(s, " \t\n\r\v\f"), emit: f}
	if err := p.bounds(); err != nil {
		return err
	}
	return p.elements()
}

type arrayParser struct {
	whole, s string
	buf      []byte
	emit     func(elem []byte, null bool) error
}

func (p *arrayParser) bad(detail string) error {
	return sqlerr.Newf(sqlerr.InvalidTextRepresentation, "malformed array literal: \"%s\"", p.whole).WithDetail("%s", detail)
}

func (p *arrayParser) blanks() { p.s = strings.TrimLeft(p.s, " \t\n\r\v\f") }

// bounds takes "[1:n]=" before the braces; another lower bound is not supported.
func (p *arrayParser) bounds() error {
	if !strings.HasPrefix(p.s, "[") {
		if !strings.HasPrefix(p.s, "{") {
			return p.bad(`Array value must start with "{" or dimension information.`)
		}
		return nil
	}
	eq := strings.IndexByte(p.s, '=')
	if eq < 0 {
		return p.bad(`Missing "=" after array dimensions.`)
	}
	if !strings.HasPrefix(p.s, "[1:") || strings.Count(p.s[:eq], "[") > 1 {
		return sqlerr.Unsupported("an array with lower bounds other than 1 or several dimensions")
	}
	p.s = p.s[eq+1:]
	p.blanks()
	if !strings.HasPrefix(p.s, "{") {
		return p.bad("Array contents must start with \"{\".")
	}
	return nil
}

func (p *arrayParser) elements() error {
	p.s = p.s[1:]
	p.blanks()
	if strings.HasPrefix(p.s, "}") {
		return p.end()
	}
	for {
		p.blanks()
		if err := p.element(); err != nil {
			return err
		}
		p.blanks()
		switch {
		case strings.HasPrefix(p.s, ","):
			p.s = p.s[1:]
		case strings.HasPrefix(p.s, "}"):
			return p.end()
		case p.s == "":
			return p.bad("Unexpected end of input.")
		default:
			return p.bad("Unexpected array element.")
		}
	}
}

func (p *arrayParser) end() error {
	p.s = p.s[1:]
	if p.blanks(); p.s != "" {
		return p.bad("Junk after closing right brace.")
	}
	return nil
}

func (p *arrayParser) element() error {
	switch {
	case p.s == "":
		return p.bad("Unexpected end of input.")
	case p.s[0] == '{':
		return sqlerr.Unsupported("an array of several dimensions")
	case p.s[0] == '"':
		return p.quoted()
	}
	p.buf = p.buf[:0]
	keep := 0 // bytes that blanks at the end do not take away
	for p.s != "" && p.s[0] != ',' && p.s[0] != '}' {
		switch c := p.s[0]; {
		case c == '"' || c == '{':
			return p.bad("Unexpected array element.")
		case c == '\\' && len(p.s) > 1:
			p.buf = append(p.buf, p.s[1])
			p.s = p.s[2:]
			keep = len(p.buf)
			continue
		default:
			p.buf = append(p.buf, c)
			if !isSpace(c) {
				keep = len(p.buf)
			}
		}
		p.s = p.s[1:]
	}
	if keep == 0 {
		if p.s == "" {
			return p.bad("Unexpected end of input.")
		}
		return p.bad(`Unexpected "` + p.s[:1] + `" character.`)
	}
	if strings.EqualFold(string(p.buf[:keep]), "null") {
		return p.emit(nil, true)
	}
	return p.emit(p.buf[:keep], false)
}

func (p *arrayParser) quoted() error {
	p.buf = p.buf[:0]
	for k := 1; k < len(p.s); k++ {
		switch c := p.s[k]; {
		case c == '"':
			p.s = p.s[k+1:]
			return p.emit(p.buf, false)
		case c == '\\' && k+1 < len(p.s):
			k++
			p.buf = append(p.buf, p.s[k])
		default:
			p.buf = append(p.buf, c)
		}
	}
	return p.bad("Unexpected end of input.")
}

// QuoteArrayElem quotes dst[start:], the text of one element, where an array's text needs it.
func QuoteArrayElem(dst []byte, start int) []byte {
	if !needsArrayQuotes(dst[start:]) {
		return dst
	}
	return quote(dst, start, '\\')
}

func needsArrayQuotes(b []byte) bool {
	if len(b) == 0 || len(b) == 4 && strings.EqualFold(string(b), "null") {
		return true
	}
	for _, c := range b {
		if c == '"' || c == '\\' || c == '{' || c == '}' || c == ',' || isSpace(c) {
			return true
		}
	}
	return false
}

// QuoteRecordField quotes dst[start:], the text of one field, where a row's text needs it.
func QuoteRecordField(dst []byte, start int) []byte {
	need := len(dst) == start
	for _, c := range dst[start:] {
		need = need || c == '"' || c == '\\' || c == '(' || c == ')' || c == ',' || isSpace(c)
	}
	if !need {
		return dst
	}
	return quote(dst, start, 0)
}

// quote puts dst[start:] in double quotes; escape goes before quotes and backslashes, 0: they are doubled.
func quote(dst []byte, start int, escape byte) []byte {
	more := 2
	for _, c := range dst[start:] {
		if c == '"' || c == '\\' {
			more++
		}
	}
	from := len(dst) - 1
	for range more {
		dst = append(dst, 0)
	}
	to := len(dst) - 1
	dst[to] = '"'
	for to--; from >= start; from-- {
		c := dst[from]
		dst[to] = c
		to--
		if c == '"' || c == '\\' {
			dst[to] = escape
			if escape == 0 {
				dst[to] = c
			}
			to--
		}
	}
	dst[start] = '"'
	return dst
}
