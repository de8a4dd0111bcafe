package types

import (
	"bytes"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"wmsql/sqlerr"
)

// AppendParsedBytes appends to dst the stored form of a value of LayoutBytes whose text is s, with
// the type's length limit applied as an input function does. dst is unchanged on an error.
func AppendParsedBytes(dst []byte, s string, t Type) ([]byte, error) {
	switch t.Kind {
	case Bytea:
		return AppendParsedBytea(dst, s)
	case UUID:
		return AppendParsedUUID(dst, s)
	case JSON:
		if err := CheckJSON(s); err != nil {
			return dst, err
		}
		return append(dst, s...), nil
	case JSONB:
		return AppendJSONB(dst, s)
	case JSONPathKind:
		p, err := ParseJSONPath(s)
		if err != nil {
			return dst, err
		}
		return append(dst, p.String()...), nil
	case Varchar, BPChar:
		return appendLimited(dst, s, t, false)
	case Bit, VarBit:
		return appendParsedBits(dst, s, t)
	case Name:
		if len(s) > 63 {
			s = cutRunes(s[:63])
		}
	case Char:
		if len(s) > 1 {
			s = s[:1]
		}
	}
	return append(dst, s...), nil
}

// ApplyLength is the cast of s to varchar(n) or char(n): with explicit a longer text is cut, else only
// blanks may be cut and more is 22001. Other types are left alone.
func ApplyLength(s string, t Type, explicit bool) (string, error) {
	if t.Mod < 4 || t.Kind != Varchar && t.Kind != BPChar {
		return s, nil
	}
	out, err := appendLimited(nil, s, t, explicit)
	return string(out), err
}

func appendLimited(dst []byte, s string, t Type, explicit bool) ([]byte, error) {
	if t.Mod < 4 {
		return append(dst, s...), nil
	}
	limit := int(t.Mod - 4)
	n := utf8.RuneCountInString(s)
	if n > limit {
		at := 0
		for range limit {
			_, size := utf8.DecodeRuneInString(s[at:])
			at += size
		}
		if !explicit && strings.Trim(s[at:], " ") != "" {
			return dst, sqlerr.Newf(sqlerr.StringTooLong, "value too long for type %s", t)
		}
		s, n = s[:at], limit
	}
	dst = append(dst, s...)
	if t.Kind == BPChar {
		dst = append(dst, bytes.Repeat([]byte{' '}, limit-n)...)
	}
	return dst, nil
}

// cutRunes drops a character that is cut in two at the end of s.
func cutRunes(s string) string {
	for k := 0; k < utf8.UTFMax && s != ""; k++ {
		if r, size := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || size > 1 {
			return s
		}
		s = s[:len(s)-1]
	}
	return s
}

// AppendParsedBytea appends the bytes that a bytea's text stands for: \x and hex digits with
// blanks between the pairs, or the escape form.
func AppendParsedBytea(dst []byte, s string) ([]byte, error) {
	start := len(dst)
	if strings.HasPrefix(s, `\x`) {
		out, err := appendHex(dst, s[2:])
		if err != nil {
			return dst[:start], err
		}
		return out, nil
	}
	for k := 0; k < len(s); k++ {
		switch {
		case s[k] != '\\':
			dst = append(dst, s[k])
		case k+1 < len(s) && s[k+1] == '\\':
			dst = append(dst, '\\')
			k++
		case k+3 < len(s) && s[k+1] >= '0' && s[k+1] <= '3' && isOctal(s[k+2]) && isOctal(s[k+3]):
			dst = append(dst, (s[k+1]-'0')<<6|(s[k+2]-'0')<<3|(s[k+3]-'0'))
			k += 3
		default:
			return dst[:start], sqlerr.Newf(sqlerr.InvalidTextRepresentation, "invalid input syntax for type bytea")
		}
	}
	return dst, nil
}

func isOctal(c byte) bool { return c >= '0' && c <= '7' }

func appendHex(dst []byte, s string) ([]byte, error) {
	for k := 0; k < len(s); {
		if c := s[k]; c == ' ' || c == '\n' || c == '\t' || c == '\r' {
			k++
			continue
		}
		hi, ok := hexDigit(s[k])
		if !ok {
			return nil, errHexDigit(s[k:])
		}
		if k+1 >= len(s) {
			return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid hexadecimal data: odd number of digits")
		}
		lo, ok := hexDigit(s[k+1])
		if !ok {
			return nil, errHexDigit(s[k+1:])
		}
		dst = append(dst, hi<<4|lo)
		k += 2
	}
	return dst, nil
}

func errHexDigit(s string) error {
	_, size := utf8.DecodeRuneInString(s)
	return sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid hexadecimal digit: \"%s\"", s[:size])
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case isDigit(c):
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// AppendBytea appends the text of a bytea, in hex or in the escape form.
func AppendBytea(dst, b []byte, escape bool) []byte {
	if !escape {
		return hex.AppendEncode(append(dst, '\\', 'x'), b)
	}
	for _, c := range b {
		switch {
		case c == '\\':
			dst = append(dst, '\\', '\\')
		case c < 0x20 || c > 0x7e:
			dst = append(dst, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// AppendParsedUUID appends the 16 bytes of a UUID's text: 32 hex digits, a hyphen after any group of four, braces around.
func AppendParsedUUID(dst []byte, s string) ([]byte, error) {
	start, t := len(dst), s
	if strings.HasPrefix(t, "{") && strings.HasSuffix(t, "}") {
		t = t[1 : len(t)-1]
	}
	for k := range 16 {
		if len(t) < 2 {
			return dst[:start], ErrSyntax(UUID, s)
		}
		hi, ok1 := hexDigit(t[0])
		lo, ok2 := hexDigit(t[1])
		if !ok1 || !ok2 {
			return dst[:start], ErrSyntax(UUID, s)
		}
		dst = append(dst, hi<<4|lo)
		t = t[2:]
		if k%2 == 1 && k < 15 && strings.HasPrefix(t, "-") {
			t = t[1:]
		}
	}
	if t != "" {
		return dst[:start], ErrSyntax(UUID, s)
	}
	return dst, nil
}

// AppendUUID appends the text of the UUID whose 16 bytes are b.
func AppendUUID(dst, b []byte) []byte {
	for k, c := range b {
		if k == 4 || k == 6 || k == 8 || k == 10 {
			dst = append(dst, '-')
		}
		dst = append(dst, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
	}
	return dst
}
