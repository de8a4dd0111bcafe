package expr

import (
	"bytes"
	"strings"

	"wmsql/sqlerr"
	"wmsql/types"
)

// toNumberFunctions is to_number, which reads a number by the template that to_char writes one by.
func toNumberFunctions() []*Function {
	return []*Function{def("to_number(text,text) numeric", fn2s(func(*site) func(a, format []byte) (types.Decimal, error) {
		var last *numberTemplate
		return func(a, format []byte) (types.Decimal, error) {
			if len(format) == 0 {
				return types.Decimal{}, errNull
			}
			if last == nil || last.source != string(format) {
				t, err := parseNumberTemplate(string(format))
				if err != nil {
					return types.Decimal{}, err
				}
				last = t
			}
			return last.read(a)
		}
	}))}
}

// numberReader is a number being read: what is left of the input, and the digits found.
type numberReader struct {
	t        *numberTemplate
	in       []byte
	out      []byte // digits and perhaps a point
	negative bool
	signed   bool // a sign was read
	post     int  // digits behind the point
	point    bool
}

func (t *numberTemplate) read(a []byte) (types.Decimal, error) {
	switch {
	case t.roman:
		return types.Decimal{}, sqlerr.Newf(sqlerr.FeatureNotSupported, "\"RN\" not supported for input")
	case t.scientific:
		return types.Decimal{}, sqlerr.Newf(sqlerr.FeatureNotSupported, "\"EEEE\" not supported for input")
	}
	r := &numberReader{t: t, in: a}
	for _, n := range t.nodes {
		if len(r.in) == 0 {
			break
		}
		r.node(n)
	}
	text := string(r.out)
	if r.negative {
		text = "-" + text
	}
	if len(r.out) == 0 || text == "." {
		text = " "
	}
	d, err := types.ParseDecimal(text)
	if err == nil && t.hasV {
		d, err = d.Div(types.DecimalFromInt64(pow10(t.multi)))
	}
	return d, err
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

// node reads what one part of the template stands for.
func (r *numberReader) node(n numberNode) {
	switch key := strings.ToUpper(n.key); key {
	case "9", "0", ".", "D":
		r.digit()
	case ",", "G":
		if r.in[0] == ',' {
			r.in = r.in[1:]
		}
	case "L":
		r.in = bytes.TrimPrefix(r.in, []byte("$"))
	case "MI", "SG", "PL":
		switch {
		case r.in[0] == '-' && key != "PL":
			r.negative, r.in = true, r.in[1:]
		case r.in[0] == '+' && key != "MI":
			r.in = r.in[1:]
		}
	case "TH":
		r.skipLetters(2)
	case "S":
		r.sign()
	case "PR":
		r.in = bytes.TrimPrefix(r.in, []byte(">"))
	case "":
		for range n.text {
			if len(r.in) == 0 || isNumberByte(r.in[0]) {
				return
			}
			r.in = r.in[byteOfChar(r.in, 1):]
		}
	}
}

// isNumberByte reports whether text of a template may not skip c, for it is part of the number.
func isNumberByte(c byte) bool {
	return c >= '0' && c <= '9' || c == '.' || c == ',' || c == '+' || c == '-'
}

// skipLetters skips up to n characters that are no part of a number.
func (r *numberReader) skipLetters(n int) {
	for range n {
		if len(r.in) == 0 || isNumberByte(r.in[0]) {
			return
		}
		r.in = r.in[byteOfChar(r.in, 1):]
	}
}

// sign reads a sign in front of the number, or behind it.
func (r *numberReader) sign() {
	if len(r.in) == 0 || r.signed {
		return
	}
	switch {
	case r.in[0] == '-', r.in[0] == '<' && r.t.bracket:
		r.negative = true
	case r.in[0] != '+':
		return
	}
	r.signed, r.in = true, r.in[1:]
}

// digit reads one digit, or the point; blanks and a sign may stand before the first.
func (r *numberReader) digit() {
	if len(r.out) == 0 {
		r.in = bytes.TrimLeft(r.in, " ")
		r.sign()
	}
	if len(r.in) == 0 {
		return
	}
	switch c := r.in[0]; {
	case c >= '0' && c <= '9':
		if r.point && r.post == r.t.post {
			return
		}
		if r.point {
			r.post++
		}
		r.out, r.in = append(r.out, c), r.in[1:]
	case c == '.' && r.t.decimal && !r.point:
		r.point, r.out, r.in = true, append(r.out, '.'), r.in[1:]
	}
}
