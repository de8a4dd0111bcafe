package types

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"wmsql/sqlerr"
)

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
