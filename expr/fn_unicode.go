package expr

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"wmsql/sqlerr"
)

// unicodeFunctions are Unicode's normal forms and escapes.
func unicodeFunctions() []*Function {
	return []*Function{
		def("normalize(text) text", tx1(func(dst, a []byte) []byte { return norm.NFC.Append(dst, a...) }), total),
		def("normalize(text,text) text", tx2e(func(dst, a, form []byte) ([]byte, error) {
			f, err := normalForm(form)
			return f.Append(dst, a...), err
		})),
		def("is_normalized(text) bool", fn1(norm.NFC.IsNormal), total),
		def("is_normalized(text,text) bool", fn2e(func(a, form []byte) (bool, error) {
			f, err := normalForm(form)
			return err == nil && f.IsNormal(a), err
		})),
		def("unistr(text) text", tx1e(appendUnescaped)),
	}
}

func normalForm(name []byte) (norm.Form, error) {
	switch strings.ToUpper(string(name)) {
	case "NFC":
		return norm.NFC, nil
	case "NFD":
		return norm.NFD, nil
	case "NFKC":
		return norm.NFKC, nil
	case "NFKD":
		return norm.NFKD, nil
	}
	return norm.NFC, sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid normalization form: %s", name)
}

// appendUnescaped replaces \XXXX, \+XXXXXX, \uXXXX and \UXXXXXXXX by the character of that number.
func appendUnescaped(dst, a []byte) ([]byte, error) {
	bad := func() error {
		return sqlerr.Newf(sqlerr.SyntaxError, "invalid Unicode escape").WithHint("Unicode escapes must be \\XXXX, \\+XXXXXX, \\uXXXX, or \\UXXXXXXXX.")
	}
	high := rune(0)
	for i := 0; i < len(a); {
		if a[i] != '\\' {
			if high != 0 {
				return nil, sqlerr.Newf(sqlerr.SyntaxError, "invalid Unicode surrogate pair")
			}
			dst = append(dst, a[i])
			i++
			continue
		}
		if i+1 < len(a) && a[i+1] == '\\' {
			dst = append(dst, '\\')
			i += 2
			continue
		}
		skip, digits := 1, 4
		if i+1 < len(a) {
			switch a[i+1] {
			case '+':
				skip, digits = 2, 6
			case 'u':
				skip = 2
			case 'U':
				skip, digits = 2, 8
			}
		}
		end := i + skip + digits
		if end > len(a) {
			return nil, bad()
		}
		code, err := strconv.ParseUint(string(a[i+skip:end]), 16, 32)
		if err != nil {
			return nil, bad()
		}
		r := rune(code)
		switch {
		case r >= 0xd800 && r < 0xdc00 && high == 0:
			high = r
		case r >= 0xdc00 && r < 0xe000 && high != 0:
			dst, high = utf8.AppendRune(dst, (high-0xd800)<<10+(r-0xdc00)+0x10000), 0
		case high != 0 || r >= 0xd800 && r < 0xe000:
			return nil, sqlerr.Newf(sqlerr.SyntaxError, "invalid Unicode surrogate pair")
		case code > utf8.MaxRune || code == 0:
			return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid Unicode code point: %04X", code)
		default:
			dst = utf8.AppendRune(dst, r)
		}
		i = end
	}
	if high != 0 {
		return nil, sqlerr.Newf(sqlerr.SyntaxError, "invalid Unicode surrogate pair")
	}
	return dst, nil
}
