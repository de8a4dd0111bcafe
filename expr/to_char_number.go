package expr

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
	"strings"

	"wmsql/sqlerr"
	"wmsql/types"
)

// numberWriter writes one number by a template, place by place, as Postgres's NUM_processor does.
type numberWriter struct {
	t        *numberTemplate
	dst      []byte
	number   []byte // the digits, without sign
	at       int    // of the next digit in number
	place    int    // in the template, counting digits and the point
	blanks   int    // places before the first digit
	negative bool
	signed   bool // the sign has been written, or needs none
	inNumber bool // a digit has been written
	last     int  // with FM: the last digit of the fraction that counts; -1 otherwise
	places   int
	bracket  bool
	after    bool // S is written behind the number
}

// appendNumber writes v by the template.
func (t *numberTemplate) appendNumber(dst []byte, v types.Decimal) ([]byte, error) {
	switch {
	case t.roman:
		return t.appendRoman(dst, v)
	case !v.IsFinite():
		return nil, sqlerr.Unsupported("to_char of NaN and infinity")
	case t.scientific:
		return t.appendScientific(dst, v), nil
	}
	pre := t.pre + t.multi
	if t.multi > 0 {
		shifted, err := v.Mul(types.DecimalFromInt64(10))
		for k := 1; k < t.multi && err == nil; k++ {
			shifted, err = shifted.Mul(types.DecimalFromInt64(10))
		}
		if err != nil {
			return nil, err
		}
		v = shifted
	}
	r := v.Round(int32(t.post))
	w := &numberWriter{t: t, dst: dst, negative: r.Sign() < 0 || t.minusZero, last: -1, bracket: t.bracket}
	w.number = r.Abs().Append(nil)
	whole := bytes.IndexByte(w.number, '.')
	if whole < 0 {
		whole = len(w.number)
	}
	if whole > pre {
		w.number = append(append(bytes.Repeat([]byte("#"), pre), '.'), bytes.Repeat([]byte("#"), t.post)...)
	} else {
		w.blanks = pre - whole
	}
	w.begin(pre)
	for _, n := range t.nodes {
		w.node(n)
	}
	return w.dst, nil
}

// begin decides how the sign is written and which zeros at the end are dropped.
func (w *numberWriter) begin(pre int) {
	t := w.t
	w.after = t.signAfter
	if t.plus || t.minus {
		w.signed = !t.plus || t.minus
	} else {
		w.bracket = w.bracket && (w.negative || !t.fill)
		w.signed = !w.negative && t.fill && !t.sign
		w.after = w.after || t.sign && pre == t.signPre
	}
	if t.fill && t.decimal {
		w.last = lastRelevant(w.number)
		if w.last >= 0 && t.zeroEnd > w.blanks {
			w.last = max(w.last, min(len(w.number)-1, t.zeroEnd-w.blanks))
		}
	}
	w.places = t.post + pre - 1
	if !w.signed && w.blanks == 0 {
		w.places++
	}
}

// lastRelevant is the place of the last digit of the fraction that is not 0, or of the point.
func lastRelevant(number []byte) int {
	at := bytes.IndexByte(number, '.')
	for k := at + 1; at >= 0 && k < len(number); k++ {
		if number[k] != '0' {
			at = k
		}
	}
	return at
}

func (w *numberWriter) node(n numberNode) {
	pad := func(c byte, show bool) {
		if show {
			w.dst = append(w.dst, c)
		} else if !w.t.fill {
			w.dst = append(w.dst, ' ')
		}
	}
	switch strings.ToUpper(n.key) {
	case "":
		w.dst = append(w.dst, n.text...)
	case "9", "0", ".", "D":
		w.digit(n.key)
	case ",", "G":
		pad(',', w.inNumber)
	case "L":
		w.dst = append(w.dst, ' ')
	case "MI":
		pad('-', w.negative)
	case "PL":
		pad('+', !w.negative)
	case "SG":
		if w.negative {
			w.dst = append(w.dst, '-')
		} else {
			w.dst = append(w.dst, '+')
		}
	case "TH":
		if w.number[0] != '#' && !w.negative && !w.t.decimal {
			w.dst = append(w.dst, ordinalSuffix(w.number, n.key)...)
		}
	}
}

// leadingZero reports whether the number begins with a 0 that the template does not ask for: 0.1 by 9.9.
func (w *numberWriter) leadingZero() bool {
	return w.t.zeroStart == 0 && w.at == 0 && w.number[0] == '0' && w.t.post != 0
}

func (w *numberWriter) onlyPoint() bool { return w.last >= 0 && w.number[w.last] == '.' }

// digit writes one place: a blank, a zero, a digit or the point; the sign in front of the first.
func (w *numberWriter) digit(key string) {
	t := w.t
	zeroHere := t.zeroStart > 0 && t.zeroStart-1 <= w.place
	if !w.signed && (w.place >= w.blanks || t.zeroStart > 0 && t.zeroStart-1 == w.place) && (!w.leadingZero() || w.onlyPoint()) {
		w.writeSign()
	}
	if w.place < w.blanks {
		switch {
		case zeroHere:
			w.dst, w.inNumber = append(w.dst, '0'), true
		case !t.fill:
			w.dst = append(w.dst, ' ')
		}
	} else {
		w.writeDigit(key)
	}
	end := w.places
	if w.blanks > 0 {
		end++
	}
	if t.decimal {
		end++
	}
	if w.last >= 0 && w.last == w.at {
		end = w.place
	}
	if w.place+1 == end {
		w.endSign()
	}
	w.place++
}

func (w *numberWriter) writeDigit(key string) {
	if w.at >= len(w.number) {
		return
	}
	c := w.number[w.at]
	switch {
	case c == '.':
		w.dst = append(w.dst, '.')
	case w.last >= 0 && w.at > w.last && key != "0":
	case w.leadingZero():
		if !w.t.fill {
			w.dst = append(w.dst, ' ')
		} else if w.onlyPoint() {
			w.dst = append(w.dst, '0')
		}
	default:
		w.dst, w.inNumber = append(w.dst, c), true
	}
	w.at++
}

func (w *numberWriter) signChar() byte {
	if w.negative {
		return '-'
	}
	return '+'
}

func (w *numberWriter) writeSign() {
	switch {
	case w.t.sign:
		if w.after {
			return
		}
		w.dst = append(w.dst, w.signChar())
	case w.bracket && w.negative:
		w.dst = append(w.dst, '<')
	case w.bracket:
		w.dst = append(w.dst, ' ')
	case w.negative:
		w.dst = append(w.dst, '-')
	case !w.t.fill:
		w.dst = append(w.dst, ' ')
	}
	w.signed = true
}

// endSign closes the bracket or writes S behind the number.
func (w *numberWriter) endSign() {
	switch {
	case w.signed && w.bracket && w.negative:
		w.dst = append(w.dst, '>')
	case w.signed && w.bracket:
		w.dst = append(w.dst, ' ')
	case w.t.sign && w.after:
		w.dst = append(w.dst, w.signChar())
	}
}

// appendScientific writes v as Postgres writes a numeric: the exponent is that of v before it is rounded, so that 99.99 may be 10.0e+01.
func (t *numberTemplate) appendScientific(dst []byte, v types.Decimal) []byte {
	f, _, err := big.ParseFloat(v.String(), 10, 512, big.ToNearestEven)
	if err != nil {
		panic("expr: a numeric's own text is no number")
	}
	if v.Sign() >= 0 {
		dst = append(dst, ' ')
	}
	text := f.Text('e', -1) // all digits
	mantissa, exponent, _ := strings.Cut(text, "e")
	m, err := types.ParseDecimal(mantissa)
	if err != nil {
		panic("expr: a mantissa is no number")
	}
	return append(append(m.Round(int32(t.post)).Append(dst), 'e'), exponent...)
}

// appendRoman writes 1 to 3999; what is beyond is 15 #.
func (t *numberTemplate) appendRoman(dst []byte, v types.Decimal) ([]byte, error) {
	n, ok := v.ToInt64()
	text := strings.Repeat("#", 15)
	if ok && n > 0 && n < 4000 {
		text = roman(n)
	}
	for _, node := range t.nodes {
		if node.key == "rn" {
			text = strings.ToLower(text)
		}
	}
	if !t.fill {
		dst = append(dst, strings.Repeat(" ", 15-len(text))...)
	}
	return append(dst, text...), nil
}

func roman(n int64) string {
	steps := []struct {
		value int64
		text  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}}
	var sb strings.Builder
	for _, s := range steps {
		for n >= s.value {
			sb.WriteString(s.text)
			n -= s.value
		}
	}
	return sb.String()
}

// toCharFloat makes to_char of floats of so many digits: what is beyond them is not written.
func toCharFloat(digits int) kernel {
	return tx2s(func(*site) func(dst []byte, v float64, tmpl []byte) ([]byte, error) {
		return func(dst []byte, v float64, tmpl []byte) ([]byte, error) {
			t, err := parseNumberTemplate(string(tmpl))
			if err != nil {
				return nil, err
			}
			if math.IsNaN(v) || math.IsInf(v, 0) || t.roman {
				return t.appendNumber(dst, types.DecimalFromFloat64(v))
			}
			if t.scientific {
				if v >= 0 {
					dst = append(dst, ' ')
				}
				return strconv.AppendFloat(dst, v, 'e', t.post, 64), nil
			}
			whole := len(strconv.FormatFloat(math.Abs(v), 'f', 0, 64))
			text := strconv.FormatFloat(v, 'f', max(0, min(t.post, digits-whole)), 64)
			short := *t
			short.minusZero = text[0] == '-'
			short.post = max(0, min(t.post, digits-whole))
			d, err := types.ParseDecimal(text)
			if err != nil {
				return nil, err
			}
			return short.appendNumber(dst, d)
		}
	})
}

// toCharNumber makes to_char of numbers that toDecimal reads.
func toCharNumber[A any](toDecimal func(A) types.Decimal) kernel {
	return tx2s(func(*site) func(dst []byte, v A, tmpl []byte) ([]byte, error) {
		var last *numberTemplate
		return func(dst []byte, v A, tmpl []byte) ([]byte, error) {
			if last == nil || last.source != string(tmpl) {
				t, err := parseNumberTemplate(string(tmpl))
				if err != nil {
					return nil, err
				}
				last = t
			}
			return last.appendNumber(dst, toDecimal(v))
		}
	})
}

func numberTemplateFunctions() []*Function {
	return []*Function{
		def("to_char(int4,text) text", toCharNumber(types.DecimalFromInt64), stable),
		def("to_char(int8,text) text", toCharNumber(types.DecimalFromInt64), stable),
		def("to_char(numeric,text) text", toCharNumber(func(v types.Decimal) types.Decimal { return v }), stable),
		def("to_char(float4,text) text", toCharFloat(6), stable),
		def("to_char(float8,text) text", toCharFloat(15), stable),
	}
}
