package types

import (
	"errors"
	"math/big"
	"strconv"
	"strings"

	"wmsql/sqlerr"
)

// ParseDecimal reads a numeric's text as Postgres does: blanks around it, a sign, digits with a point, an
// exponent, NaN, Infinity, inf. The display scale is what is written. 22P02 and 22003 are its errors.
func ParseDecimal(s string) (Decimal, error) {
	t := trimSpace(s)
	d, err := parseDecimal(t, false)
	if errors.Is(err, errNotNumber) {
		return Decimal{}, ErrSyntax(Numeric, s)
	}
	return d, err
}

// errNotNumber is replaced by one that quotes the whole text.
var errNotNumber = sqlerr.Newf(sqlerr.InvalidTextRepresentation, "not a number")

// parseDecimal reads s without blanks around it. With trim, zeros at the end of the fraction do not count.
func parseDecimal(s string, trim bool) (Decimal, error) {
	neg, digits := cutSign(s)
	if digits == "" || !isDigit(digits[0]) && digits[0] != '.' {
		return parseSpecialDecimal(s, digits, neg)
	}
	coef, frac, seen, at := int64(0), 0, false, 0
	point, overflow := false, false
	for ; at < len(digits); at++ {
		c := digits[at]
		if c == '.' && !point {
			point = true
			continue
		}
		if !isDigit(c) {
			break
		}
		seen = true
		if point {
			frac++
		}
		if coef > (1<<63-10)/10 {
			overflow = true
		} else {
			coef = coef*10 + int64(c-'0')
		}
	}
	exp, ok := parseExponent(digits[at:])
	if !seen || !ok {
		return Decimal{}, errNotNumber
	}
	d := Decimal{coef: coef}
	if overflow {
		n, _ := new(big.Int).SetString(strings.Replace(digits[:at], ".", "", 1), 10)
		d = DecimalFromBig(n, 0)
	}
	if neg {
		d = d.Neg()
	}
	return placePoint(d, frac-exp, trim)
}

// placePoint returns d, a whole number, × 10^-scale; a negative scale is written out.
func placePoint(d Decimal, scale int, trim bool) (Decimal, error) {
	errRange := sqlerr.Newf(sqlerr.NumericOutOfRange, "value overflows numeric format")
	if scale > maxScale {
		if d.digits()-scale < -maxScale || d.Sign() == 0 {
			return Decimal{scale: maxScale}, nil
		}
		cut := DecimalFromBig(quoHalfUp(d.unscaled(), pow10(scale-maxScale)), maxScale)
		return cut, nil
	}
	if d.Sign() == 0 {
		return Decimal{scale: int32(max(scale, 0))}, nil
	}
	if d.digits()-scale > maxIntDigits {
		return Decimal{}, errRange
	}
	d.scale = int32(scale)
	if scale < 0 {
		d = d.widen(0)
	}
	if trim {
		d = d.TrimScale()
	}
	return d, nil
}

func parseSpecialDecimal(whole, unsigned string, neg bool) (Decimal, error) {
	switch {
	case strings.EqualFold(whole, "nan"):
		return DecimalNaN, nil
	case strings.EqualFold(unsigned, "infinity") || strings.EqualFold(unsigned, "inf"):
		if neg {
			return DecimalNegInf, nil
		}
		return DecimalInf, nil
	}
	return Decimal{}, errNotNumber
}

func cutSign(s string) (neg bool, rest string) {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return s[0] == '-', s[1:]
	}
	return false, s
}

// parseExponent reads "" or e, a sign and digits; its bound keeps later sums from overflowing.
func parseExponent(s string) (int, bool) {
	if s == "" {
		return 0, true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return 0, false
	}
	neg, digits := cutSign(s[1:])
	if digits == "" {
		return 0, false
	}
	exp := 0
	for i := range len(digits) {
		if !isDigit(digits[i]) {
			return 0, false
		}
		exp = min(exp*10+int(digits[i]-'0'), 1<<30)
	}
	if neg {
		exp = -exp
	}
	return exp, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isSpace is C's isspace, which Postgres's input functions skip.
func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func trimSpace(s string) string {
	for s != "" && isSpace(s[0]) {
		s = s[1:]
	}
	for s != "" && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// ErrSyntax is Postgres's 22P02 for a text that is no value of kind k.
func ErrSyntax(k Kind, s string) *sqlerr.Error {
	return sqlerr.Newf(sqlerr.InvalidTextRepresentation, "invalid input syntax for type %s: \"%s\"", k.Info().SQLName, s)
}

// String returns d as Postgres writes it.
func (d Decimal) String() string { return string(d.Append(nil)) }

// Append appends d as Postgres writes it: all digits of its scale, never an exponent.
func (d Decimal) Append(dst []byte) []byte {
	switch d.form {
	case nan:
		return append(dst, "NaN"...)
	case posInf:
		return append(dst, "Infinity"...)
	case negInf:
		return append(dst, "-Infinity"...)
	}
	if d.Sign() < 0 {
		dst = append(dst, '-')
	}
	start := len(dst)
	if d.big != nil {
		dst = d.big.Append(dst, 10)
		if dst[start] == '-' {
			dst = append(dst[:start], dst[start+1:]...)
		}
	} else {
		dst = strconv.AppendUint(dst, absInt64(d.coef), 10)
	}
	if d.scale == 0 {
		return dst
	}
	return insertPoint(dst, start, int(d.scale))
}

// insertPoint puts a point before the last scale digits of dst[start:], with zeros in front where digits lack.
func insertPoint(dst []byte, start, scale int) []byte {
	digits := len(dst) - start
	if lack := scale + 1 - digits; lack > 0 {
		for range lack {
			dst = append(dst, '0')
		}
		copy(dst[start+lack:], dst[start:start+digits])
		for k := range lack {
			dst[start+k] = '0'
		}
	}
	dst = append(dst, 0)
	at := len(dst) - 1 - scale
	copy(dst[at+1:], dst[at:len(dst)-1])
	dst[at] = '.'
	return dst
}
