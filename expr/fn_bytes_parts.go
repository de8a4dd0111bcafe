package expr

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"slices"
	"strings"
	"unicode/utf8"

	"wmsql/column"
	"wmsql/sqlerr"
)

// bytesPartFunctions read and change single bytes and bits of a bytea, cut and hash it, and make it of text and back.
func bytesPartFunctions() []*Function {
	out := []*Function{
		def("get_byte(bytea,int4) int4", fn2e(func(a []byte, at int64) (int64, error) {
			if err := inBytes(at, len(a)); err != nil {
				return 0, err
			}
			return int64(a[at]), nil
		})),
		def("set_byte(bytea,int4,int4) bytea", tx3e(func(dst, a []byte, at, v int64) ([]byte, error) {
			if err := inBytes(at, len(a)); err != nil {
				return nil, err
			}
			dst = append(dst, a...)
			dst[len(dst)-len(a)+int(at)] = byte(v)
			return dst, nil
		})),
		def("get_bit(bytea,int8) int4", fn2e(func(a []byte, at int64) (int64, error) {
			if err := inBytes(at, 8*len(a)); err != nil {
				return 0, err
			}
			return int64(a[at/8] >> (at % 8) & 1), nil
		})),
		def("set_bit(bytea,int8,int4) bytea", tx3e(appendWithBit)),
		def("position(bytea,bytea) int4", fn2(func(a, part []byte) int64 { return int64(bytes.Index(a, part)) + 1 }), total),
		def("overlay(bytea,bytea,int4) bytea", tx3e(func(dst, a, with []byte, from int64) ([]byte, error) {
			return appendBytesOverlay(dst, a, with, from, int64(len(with)))
		})),
		def("overlay(bytea,bytea,int4,int4) bytea", overlayBytesFor),
		def("length(bytea,name) int4", fn2e(func(a, name []byte) (int64, error) {
			text, err := appendFromEncoding(nil, a, name)
			return int64(utf8.RuneCount(text)), err
		})),
		def("convert(bytea,name,name) bytea", tx3e(func(dst, a, from, to []byte) ([]byte, error) {
			text, err := appendFromEncoding(nil, a, from)
			if err != nil {
				return nil, err
			}
			return appendToEncoding(dst, text, to)
		})),
		def("sha224(bytea) bytea", tx1(func(dst, a []byte) []byte { h := sha256.Sum224(a); return append(dst, h[:]...) }), total),
		def("sha384(bytea) bytea", tx1(func(dst, a []byte) []byte { h := sha512.Sum384(a); return append(dst, h[:]...) }), total),
		def("sha512(bytea) bytea", tx1(func(dst, a []byte) []byte { h := sha512.Sum512(a); return append(dst, h[:]...) }), total),
		def("convert_from(bytea,name) text", tx2e(appendFromEncoding)), def("convert_to(text,name) bytea", tx2e(appendToEncoding)),
	}
	for name, cut := range map[string]func(a []byte, set []byte) []byte{
		"btrim": func(a, set []byte) []byte { return trimBytesLeft(trimBytesRight(a, set), set) },
		"ltrim": trimBytesLeft, "rtrim": trimBytesRight,
	} {
		out = append(out, def(name+"(bytea,bytea) bytea", tx2(func(dst, a, set []byte) []byte { return append(dst, cut(a, set)...) }), total))
	}
	return out
}

func inBytes(at int64, n int) error {
	if at < 0 || at >= int64(n) {
		return sqlerr.Newf("2202E", "index %d out of valid range, 0..%d", at, n-1)
	}
	return nil
}

func appendWithBit(dst, a []byte, at, bit int64) ([]byte, error) {
	if err := inBytes(at, 8*len(a)); err != nil {
		return nil, err
	}
	if bit != 0 && bit != 1 {
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "new bit must be 0 or 1")
	}
	dst = append(dst, a...)
	c := &dst[len(dst)-len(a)+int(at/8)]
	*c = *c&^(1<<(at%8)) | byte(bit)<<(at%8)
	return dst, nil
}

// appendBytesOverlay replaces length bytes from number from (1 is the first) on.
func appendBytesOverlay(dst, a, with []byte, from, length int64) ([]byte, error) {
	if from <= 0 {
		return nil, sqlerr.Newf("22011", "negative substring length not allowed")
	}
	n := int64(len(a))
	dst = append(append(dst, a[:min(from-1, n)]...), with...)
	return append(dst, a[min(max(from-1+length, 0), n):]...), nil
}

// overlayBytesFor is overlay(a placing b from c for d) of bytea.
func overlayBytesFor(s *site) body {
	out := bytesOutput{t: s.ret}
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		a, b, from, count := reader[[]byte](in[0]), reader[[]byte](in[1]), reader[int64](in[2]), reader[int64](in[3])
		return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) {
			return appendBytesOverlay(dst, a(i), b(i), from(i), count(i))
		})
	}
}

func trimBytesLeft(a, set []byte) []byte {
	for len(a) > 0 && slices.Contains(set, a[0]) {
		a = a[1:]
	}
	return a
}

func trimBytesRight(a, set []byte) []byte {
	for len(a) > 0 && slices.Contains(set, a[len(a)-1]) {
		a = a[:len(a)-1]
	}
	return a
}

// encodingOf is an encoding's canonical name.
func encodingOf(name []byte) (string, error) {
	switch strings.ToUpper(strings.NewReplacer("-", "", "_", "", " ", "").Replace(string(name))) {
	case "UTF8", "UNICODE":
		return "UTF8", nil
	case "LATIN1", "ISO88591":
		return "LATIN1", nil
	case "SQLASCII":
		return "SQL_ASCII", nil
	}
	return "", sqlerr.Unsupported("encoding \"%s\"", name).WithHint("UTF8 and LATIN1 are known.")
}

func appendFromEncoding(dst, a, name []byte) ([]byte, error) {
	enc, err := encodingOf(name)
	if err != nil {
		return nil, err
	}
	if enc == "LATIN1" {
		for _, c := range a {
			dst = utf8.AppendRune(dst, rune(c))
		}
		return dst, nil
	}
	for rest := a; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size <= 1 || r == 0 {
			return nil, sqlerr.Newf("22021", "invalid byte sequence for encoding \"%s\": 0x%02x", enc, rest[0])
		}
		rest = rest[size:]
	}
	return append(dst, a...), nil
}

func appendToEncoding(dst, a, name []byte) ([]byte, error) {
	enc, err := encodingOf(name)
	if err != nil {
		return nil, err
	}
	if enc != "LATIN1" {
		return append(dst, a...), nil
	}
	for len(a) > 0 {
		r, size := utf8.DecodeRune(a)
		if r > 0xff {
			return nil, sqlerr.Newf("22P05", "character with byte sequence % x in encoding \"UTF8\" has no equivalent in encoding \"LATIN1\"", a[:size])
		}
		dst, a = append(dst, byte(r)), a[size:]
	}
	return dst, nil
}
