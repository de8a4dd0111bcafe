package types

import (
	"math"
	"strconv"
	"strings"

	"wmsql/sqlerr"
)

// SplitArray calls f with the text of each element of an array's text form, unquoted, or with null, and returns the array's shape.
// int2vector and oidvector are numbers with blanks between.
func SplitArray(s string, t Type, f func(elem []byte, null bool) error) (*ArrayShape, error) {
	if !t.Array {
		for _, w := range strings.Fields(s) {
			if err := f([]byte(w), false); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}
	p := arrayParser{whole: s, s: strings.TrimLeft(s, " \t\n\r\v\f"), emit: f}
	if err := p.bounds(); err != nil {
		return nil, err
	}
	if err := p.level(0); err != nil {
		return nil, err
	}
	if p.blanks(); p.s != "" {
		return nil, p.bad("Junk after closing right brace.")
	}
	return p.shape()
}

type arrayParser struct {
	whole, s string
	buf      []byte
	emit     func(elem []byte, null bool) error
	given    []ArrayDim // written before the braces; nil: none
	lens     []int      // of the levels, as far as one was closed; -1: not yet
	depth    int        // of the elements, -1: not known yet
}

func (p *arrayParser) bad(detail string) error {
	return sqlerr.Newf(sqlerr.InvalidTextRepresentation, "malformed array literal: \"%s\"", p.whole).WithDetail("%s", detail)
}

func (p *arrayParser) blanks() { p.s = strings.TrimLeft(p.s, " \t\n\r\v\f") }

// bounds takes "[1:n][0:m]=" before the braces.
func (p *arrayParser) bounds() error {
	p.depth = -1
	if !strings.HasPrefix(p.s, "[") {
		if !strings.HasPrefix(p.s, "{") {
			return p.bad(`Array value must start with "{" or dimension information.`)
		}
		return nil
	}
	for strings.HasPrefix(p.s, "[") {
		if err := p.bound(); err != nil {
			return err
		}
		p.blanks()
	}
	if !strings.HasPrefix(p.s, "=") {
		return p.bad(`Missing "=" after array dimensions.`)
	}
	p.s = p.s[1:]
	p.blanks()
	if !strings.HasPrefix(p.s, "{") {
		return p.bad("Array contents must start with \"{\".")
	}
	return nil
}

// bound takes [low:high], or [high].
func (p *arrayParser) bound() error {
	p.s = p.s[1:]
	low, ok := p.number()
	if !ok {
		return p.bad(`"[" must introduce explicitly-specified array dimensions.`)
	}
	high := low
	if strings.HasPrefix(p.s, ":") {
		p.s = p.s[1:]
		if high, ok = p.number(); !ok {
			return p.bad("Missing array dimension value.")
		}
	} else {
		low = 1
	}
	if !strings.HasPrefix(p.s, "]") {
		return p.bad(`Missing "]" after array dimensions.`)
	}
	p.s = p.s[1:]
	switch {
	case high < low:
		return sqlerr.Newf("2202E", "upper bound cannot be less than lower bound")
	case high-low >= math.MaxInt32:
		return sqlerr.Newf(sqlerr.ProgramLimitExceeded, "array size exceeds the maximum allowed (%d)", math.MaxInt32)
	}
	p.given = append(p.given, ArrayDim{Len: int32(high - low + 1), Low: int32(low)})
	return CheckDims(len(p.given))
}

func (p *arrayParser) number() (int64, bool) {
	n := 0
	if strings.HasPrefix(p.s, "-") || strings.HasPrefix(p.s, "+") {
		n++
	}
	for n < len(p.s) && isDigit(p.s[n]) {
		n++
	}
	v, err := strconv.ParseInt(p.s[:n], 10, 32)
	p.s = p.s[n:]
	return v, err == nil
}

// level takes a brace, what is in it, and the brace that closes it.
func (p *arrayParser) level(k int) error {
	if err := CheckDims(k + 1); err != nil {
		return err
	}
	if k == len(p.lens) {
		p.lens = append(p.lens, -1)
	}
	p.s = p.s[1:]
	p.blanks()
	n := 0
	if strings.HasPrefix(p.s, "}") {
		if k > 0 {
			return p.bad(`Unexpected "}" character.`)
		}
		p.s = p.s[1:]
		p.lens[0] = 0
		return nil
	}
	for {
		p.blanks()
		if err := p.item(k); err != nil {
			return err
		}
		n++
		p.blanks()
		switch {
		case strings.HasPrefix(p.s, ","):
			p.s = p.s[1:]
		case strings.HasPrefix(p.s, "}"):
			p.s = p.s[1:]
			if p.lens[k] >= 0 && p.lens[k] != n {
				return p.bad("Multidimensional arrays must have sub-arrays with matching dimensions.")
			}
			p.lens[k] = n
			return nil
		case p.s == "":
			return p.bad("Unexpected end of input.")
		default:
			return p.bad("Unexpected array element.")
		}
	}
}

// item takes an element, or an array in the array.
func (p *arrayParser) item(k int) error {
	if !strings.HasPrefix(p.s, "{") {
		if p.depth >= 0 && p.depth != k {
			return p.bad("Unexpected array element.")
		}
		p.depth = k
		return p.element()
	}
	if p.depth >= 0 && p.depth <= k {
		return p.bad(`Unexpected "{" character.`)
	}
	return p.level(k + 1)
}

// shape is the array's, as it is written before the braces or as they are nested.
func (p *arrayParser) shape() (*ArrayShape, error) {
	dims := make([]ArrayDim, len(p.lens))
	for i, n := range p.lens {
		dims[i] = ArrayDim{Len: int32(n), Low: 1}
	}
	if p.given == nil {
		return ShapeOf(dims), nil
	}
	same := len(dims) == len(p.given)
	for i := range dims {
		same = same && dims[i].Len == p.given[i].Len
	}
	if !same {
		return nil, p.bad("Specified array dimensions do not match array contents.")
	}
	return ShapeOf(p.given), nil
}

func (p *arrayParser) element() error {
	switch {
	case p.s == "":
		return p.bad("Unexpected end of input.")
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
