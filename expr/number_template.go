package expr

import (
	"strings"

	"wmsql/sqlerr"
)

// numberKeys are the fields of a number template; upper and lower case mean the same but for TH and RN.
var numberKeys = []string{"EEEE", "FM", "MI", "PL", "PR", "RN", "SG", "SP", "TH", ",", ".", "0", "9", "B", "C", "D", "G", "L", "S", "V"}

// numberNode is one part of a number template: a field, or text to be copied.
type numberNode struct{ key, text string }

// numberTemplate is a number template taken apart, with what the fields together say.
type numberTemplate struct {
	source string
	nodes  []numberNode

	pre, post          int // digits before and after the point
	multi              int // digits behind V
	zeroStart, zeroEnd int // places, from 1, of the first and last 0; 0 for none
	fill               bool
	decimal            bool
	bracket            bool // PR
	minus, plus        bool // MI, PL; both for SG
	sign               bool // S
	signPre            int  // digits before S
	signAfter          bool // S stands behind the number
	roman, scientific  bool
	minusZero          bool // of a float that is written as -0
	hasV               bool
}

func errTemplate(msg string, args ...any) *sqlerr.Error {
	return sqlerr.Newf(sqlerr.SyntaxError, msg, args...)
}

func parseNumberTemplate(s string) (*numberTemplate, error) {
	t := &numberTemplate{source: s}
	for i := 0; i < len(s); {
		if s[i] == '"' {
			end := strings.IndexByte(s[i+1:], '"')
			if end < 0 {
				end = len(s) - i - 1
			}
			t.nodes = append(t.nodes, numberNode{text: s[i+1 : i+1+end]})
			i += end + 2
			continue
		}
		key := ""
		for _, k := range numberKeys {
			if strings.HasPrefix(strings.ToUpper(s[i:min(len(s), i+4)]), k) {
				key = s[i : i+len(k)]
				break
			}
		}
		if key == "" {
			size := byteOfChar([]byte(s[i:min(len(s), i+4)]), 1)
			t.nodes = append(t.nodes, numberNode{text: s[i : i+size]})
			i += size
			continue
		}
		if err := t.prepare(strings.ToUpper(key)); err != nil {
			return nil, err
		}
		t.nodes = append(t.nodes, numberNode{key: key})
		i += len(key)
	}
	return t, nil
}

// prepare notes what a field says of the whole.
func (t *numberTemplate) prepare(key string) error {
	switch key {
	case "9":
		switch {
		case t.bracket:
			return errTemplate("\"9\" must be ahead of \"PR\"")
		case t.hasV:
			t.multi++
		case t.decimal:
			t.post++
		default:
			t.pre++
		}
	case "0":
		if t.bracket {
			return errTemplate("\"0\" must be ahead of \"PR\"")
		}
		if t.zeroStart == 0 && !t.decimal {
			t.zeroStart = t.pre + 1
		}
		if t.decimal {
			t.post++
		} else {
			t.pre++
		}
		t.zeroEnd = t.pre + t.post
	case ".", "D":
		if t.decimal {
			return errTemplate("multiple decimal points")
		}
		if t.hasV {
			return errTemplate("cannot use \"V\" and decimal point together")
		}
		t.decimal = true
	case "FM":
		t.fill = true
	case "S":
		if t.sign {
			return errTemplate("cannot use \"S\" twice")
		}
		if t.minus || t.plus || t.bracket {
			return errTemplate("cannot use \"S\" and \"PL\"/\"MI\"/\"SG\"/\"PR\" together")
		}
		t.sign, t.signPre, t.signAfter = true, t.pre, t.decimal
	case "MI", "PL", "SG":
		if t.sign {
			return errTemplate("cannot use \"S\" and \"%s\" together", key)
		}
		t.minus = t.minus || key != "PL"
		t.plus = t.plus || key != "MI"
	case "PR":
		if t.sign || t.minus || t.plus {
			return errTemplate("cannot use \"PR\" and \"S\"/\"PL\"/\"MI\"/\"SG\" together")
		}
		t.bracket = true
	case "RN":
		t.roman = true
	case "V":
		if t.decimal {
			return errTemplate("cannot use \"V\" and decimal point together")
		}
		t.hasV = true
	case "EEEE":
		t.scientific = true
	}
	return nil
}
