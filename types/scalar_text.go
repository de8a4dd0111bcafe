package types

import (
	"cmp"
	"errors"
	"math"
	"strconv"
	"strings"

	"wmsql/sqlerr"
)

// ParseInt64Kind reads the text of a value of LayoutInt64: integers, oids, dates and times.
func ParseInt64Kind(s string, t Type, f *Format) (int64, error) {
	switch t.Kind {
	case Date:
		return ParseDate(s, f)
	case Time:
		n, err := ParseTime(s, f)
		return RoundMicros(n, t.Mod), err
	case TimeTZ:
		n, err := ParseTimeTZ(s, f)
		return RoundTimeTZ(n, t.Mod), err
	case Timestamp:
		n, err := ParseTimestamp(s, f)
		return RoundTimestamp(n, t.Mod), err
	case TimestampTZ:
		n, err := ParseTimestampTZ(s, f)
		return RoundTimestamp(n, t.Mod), err
	}
	if t.Kind.IsReg() {
		return parseReg(s, t.Kind, f)
	}
	return ParseInt(s, t.Kind)
}

// ParseInt reads an Int2, Int4, Int8, OID or XID: blanks around it, a sign, digits. 22P02 and 22003 are its errors.
func ParseInt(s string, k Kind) (int64, error) {
	neg, digits := cutSign(trimSpace(s))
	if digits == "" {
		return 0, ErrSyntax(k, s)
	}
	u, over := uint64(0), false
	for i := range len(digits) {
		if !isDigit(digits[i]) {
			return 0, ErrSyntax(k, s)
		}
		over = over || u > (math.MaxUint64-9)/10
		u = u*10 + uint64(digits[i]-'0')
	}
	n := int64(u)
	if neg {
		n = -n
	}
	if k == OID || k == XID || k.IsReg() {
		if over || u > math.MaxUint32 {
			return 0, errOutOfRange(k, s)
		}
		return int64(uint32(n)), nil
	}
	if over || u > 1<<63 || u == 1<<63 && !neg || !intFits(n, k) {
		return 0, errOutOfRange(k, s)
	}
	return n, nil
}

func errOutOfRange(k Kind, s string) *sqlerr.Error {
	return sqlerr.Newf(sqlerr.NumericOutOfRange, "value \"%s\" is out of range for type %s", s, k.Info().SQLName)
}

// parseReg reads an oid, or a name by the format's Lookup.
func parseReg(s string, k Kind, f *Format) (int64, error) {
	t := trimSpace(s)
	if t == "-" {
		return 0, nil
	}
	if t != "" && isDigit(t[0]) {
		return ParseInt(t, k)
	}
	if f == nil || f.Lookup == nil {
		return 0, sqlerr.Unsupported("reading %s from a name here", k.Info().SQLName)
	}
	return f.Lookup(k, t)
}

// ParseBool reads a boolean: any unambiguous beginning of true, false, yes, no, on, off, or 1, 0.
func ParseBool(s string) (bool, error) {
	t := strings.ToLower(trimSpace(s))
	if t != "" {
		switch {
		case begins(t, "true"), begins(t, "yes"), t == "on", t == "1":
			return true, nil
		case begins(t, "false"), begins(t, "no"), len(t) > 1 && begins(t, "off"), t == "0":
			return false, nil
		}
	}
	return false, ErrSyntax(Bool, s)
}

// begins reports whether s is a beginning of word.
func begins(s, word string) bool { return len(s) <= len(word) && word[:len(s)] == s }

// ParseFloat reads a Float4 or Float8 as Postgres does.
func ParseFloat(s string, k Kind) (float64, error) {
	t := trimSpace(s)
	neg, digits := cutSign(t)
	switch {
	case strings.EqualFold(t, "nan"):
		return math.NaN(), nil
	case strings.EqualFold(digits, "infinity") || strings.EqualFold(digits, "inf"):
		if neg {
			return math.Inf(-1), nil
		}
		return math.Inf(1), nil
	case digits == "" || !isDigit(digits[0]) && digits[0] != '.' || strings.Contains(digits, "_"):
		return 0, ErrSyntax(k, s)
	}
	size := 64
	if k == Float4 {
		size = 32
	}
	x, err := strconv.ParseFloat(t, size)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errFloatRange(t, k)
	case err != nil:
		return 0, ErrSyntax(k, s)
	}
	if x == 0 && strings.ContainsAny(mantissa(digits), "123456789") {
		return 0, errFloatRange(t, k)
	}
	return x, nil
}

func errFloatRange(s string, k Kind) error {
	return sqlerr.Newf(sqlerr.NumericOutOfRange, "\"%s\" is out of range for type %s", s, k.Info().SQLName)
}

// mantissa is the part of a number's text before its exponent.
func mantissa(s string) string {
	if at := strings.IndexAny(s, "eEpP"); at >= 0 && !strings.HasPrefix(s, "0x") {
		return s[:at]
	}
	return s
}

// CompareFloat orders floats as Postgres: NaN equals NaN and is above all others, -0 equals 0.
func CompareFloat(a, b float64) int {
	switch aNaN, bNaN := a != a, b != b; {
	case aNaN && bNaN:
		return 0
	case aNaN:
		return 1
	case bNaN:
		return -1
	}
	return cmp.Compare(a, b)
}

// AppendFloat appends a Float4 or Float8: the shortest text that reads back the same, or with an extra_float_digits
// below 1 that many digits beyond 15 (6). 1e+15 and more, and less than 1e-4, have an exponent of two digits at least.
func AppendFloat(dst []byte, x float64, k Kind, f *Format) []byte {
	switch {
	case x != x:
		return append(dst, "NaN"...)
	case math.IsInf(x, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(x, -1):
		return append(dst, "-Infinity"...)
	}
	size, digits, low, high := 64, 15, 1e-4, 1e15
	if k == Float4 {
		size, digits, low, high = 32, 6, float64(float32(1e-4)), 1e6
	}
	if f != nil && f.ExtraFloatDigits <= 0 {
		return appendFloatG(dst, x, max(digits+f.ExtraFloatDigits, 1))
	}
	format := byte('f')
	if size := math.Abs(x); size != 0 && (size < low || size >= high) {
		format = 'e'
	}
	return strconv.AppendFloat(dst, x, format, -1, size)
}

// appendFloatG is C's %.*g.
func appendFloatG(dst []byte, x float64, digits int) []byte {
	var buf [40]byte
	e := strconv.AppendFloat(buf[:0], x, 'e', digits-1, 64)
	exp := exponentOf(e)
	if exp < -4 || exp >= digits {
		at := len(e) - 1
		for e[at] != 'e' {
			at--
		}
		return append(append(dst, trimFraction(e[:at])...), e[at:]...)
	}
	return append(dst, trimFraction(strconv.AppendFloat(buf[:0], x, 'f', digits-1-exp, 64))...)
}

// exponentOf reads the exponent at the end of a text of strconv's 'e' format.
func exponentOf(text []byte) int {
	exp, unit := 0, 1
	for k := len(text) - 1; ; k-- {
		switch c := text[k]; c {
		case '+':
			return exp
		case '-':
			return -exp
		default:
			exp += int(c-'0') * unit
			unit *= 10
		}
	}
}

// trimFraction drops zeros at the end of a fraction, and its point if nothing is left.
func trimFraction(b []byte) []byte {
	point := false
	for _, c := range b {
		point = point || c == '.'
	}
	if !point {
		return b
	}
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	if b[len(b)-1] == '.' {
		b = b[:len(b)-1]
	}
	return b
}
