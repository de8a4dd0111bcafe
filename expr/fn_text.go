package expr

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"unicode"
	"unicode/utf8"

	"wmsql/sqlerr"
	"wmsql/types"
)

// textFunctions are the functions on text, but patterns, arrays and encodings. Positions and lengths count characters.
func textFunctions() []*Function {
	chars := fn1(func(a []byte) int64 { return int64(utf8.RuneCount(a)) })
	octets := fn1(func(a []byte) int64 { return int64(len(a)) })
	out := []*Function{
		def("lower(text) text", tx1(appendLower), total), def("upper(text) text", tx1(appendUpper), total),
		def("initcap(text) text", tx1(appendInitcap), total),
		def("octet_length(text) int4", octets, total), def("octet_length(bytea) int4", octets, total),
		def("octet_length(bpchar) int4", octets, total),
		def("length(bytea) int4", octets, total),
		def("bit_length(text) int4", fn1(func(a []byte) int64 { return 8 * int64(len(a)) }), total),
		def("bit_length(bytea) int4", fn1(func(a []byte) int64 { return 8 * int64(len(a)) }), total),
		def("left(text,int4) text", tx2(appendLeft), total), def("right(text,int4) text", tx2(appendRight), total),
		def("replace(text,text,text) text", tx3e(appendReplaced), total),
		def("translate(text,text,text) text", tx3e(appendTranslated), total),
		def("split_part(text,text,int4) text", tx3e(appendPart)),
		def("repeat(text,int4) text", tx2e(appendRepeated)), def("reverse(text) text", tx1(appendReversed), total),
		def("strpos(text,text) int4", fn2(charIndex), total), def("position(text,text) int4", fn2(charIndex), total),
		def("starts_with(text,text) bool", fn2(bytes.HasPrefix), total), def("ascii(text) int4", fn1(firstCode), total),
		def("chr(int4) text", tx1e(appendCode)),
		def("md5(text) text", tx1(appendMD5), total), def("md5(bytea) text", tx1(appendMD5), total),
		def("sha256(bytea) bytea", tx1(func(dst, a []byte) []byte { h := sha256.Sum256(a); return append(dst, h[:]...) }), total),
		def("to_hex(int4) text", tx1(func(dst []byte, v int64) []byte { return strconv.AppendUint(dst, uint64(uint32(v)), 16) }), total),
		def("to_hex(int8) text", tx1(func(dst []byte, v int64) []byte { return strconv.AppendUint(dst, uint64(v), 16) }), total),
	}
	for _, name := range []string{"length", "char_length", "character_length"} {
		out = append(out, def(name+"(text) int4", chars, total), def(name+"(bpchar) int4", fn1(func(a []byte) int64 {
			return int64(utf8.RuneCount(bytes.TrimRight(a, " ")))
		}), total))
	}
	for _, name := range []string{"substr", "substring"} {
		out = append(out,
			def(name+"(text,int4) text", tx2(func(dst, a []byte, from int64) []byte { return append(dst, charsFrom(a, from)...) }), total),
			def(name+"(text,int4,int4) text", tx3e(appendSubstring)),
			def(name+"(bytea,int4) bytea", tx2(func(dst, a []byte, from int64) []byte {
				return append(dst, a[min(max(from-1, 0), int64(len(a))):]...)
			}), total),
			def(name+"(bytea,int4,int4) bytea", tx3e(appendSubBytes)))
	}
	return append(out, padFunctions()...)
}

func padFunctions() []*Function {
	out := []*Function{
		def("overlay(text,text,int4) text", tx3e(func(dst, a, b []byte, from int64) ([]byte, error) {
			return appendOverlay(dst, a, b, from, int64(utf8.RuneCount(b)))
		})),
		def("overlay(text,text,int4,int4) text", overlayFor),
		def("lpad(text,int4) text", tx2e(func(dst, a []byte, n int64) ([]byte, error) { return appendPadded(dst, a, n, []byte(" "), true) })),
		def("rpad(text,int4) text", tx2e(func(dst, a []byte, n int64) ([]byte, error) { return appendPadded(dst, a, n, []byte(" "), false) })),
		def("lpad(text,int4,text) text", tx3e(func(dst, a []byte, n int64, with []byte) ([]byte, error) { return appendPadded(dst, a, n, with, true) })),
		def("rpad(text,int4,text) text", tx3e(func(dst, a []byte, n int64, with []byte) ([]byte, error) { return appendPadded(dst, a, n, with, false) })),
	}
	for name, cut := range map[string]func(a []byte, set string) []byte{
		"btrim": bytes.Trim, "ltrim": bytes.TrimLeft, "rtrim": bytes.TrimRight,
	} {
		out = append(out,
			def(name+"(text) text", tx1(func(dst, a []byte) []byte { return append(dst, cut(a, " ")...) }), total),
			def(name+"(text,text) text", tx2(func(dst, a, set []byte) []byte { return append(dst, cut(a, string(set))...) }), total))
	}
	return out
}

// appendMapped maps each character.
func appendMapped(dst, a []byte, f func(rune) rune) []byte {
	for len(a) > 0 {
		r, size := utf8.DecodeRune(a)
		dst = utf8.AppendRune(dst, f(r))
		a = a[size:]
	}
	return dst
}

func appendLower(dst, a []byte) []byte {
	for i, c := range a {
		if c >= utf8.RuneSelf {
			return appendMapped(dst, a[i:], unicode.ToLower)
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

func appendUpper(dst, a []byte) []byte {
	for i, c := range a {
		if c >= utf8.RuneSelf {
			return appendMapped(dst, a[i:], unicode.ToUpper)
		}
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

func appendInitcap(dst, a []byte) []byte {
	inside := false
	return appendMapped(dst, a, func(r rune) rune {
		if inside {
			r = unicode.ToLower(r)
		} else {
			r = unicode.ToUpper(r)
		}
		inside = unicode.IsLetter(r) || unicode.IsDigit(r)
		return r
	})
}

// charsFrom is a from character from (1-based) on.
func charsFrom(a []byte, from int64) []byte {
	if from <= 1 {
		return a
	}
	if from > int64(len(a)) {
		return nil
	}
	return a[byteOfChar(a, int(from-1)):]
}

func errNegativeLength() error {
	return sqlerr.Newf("22011", "negative substring length not allowed")
}

// appendSubstring appends n characters from the one numbered from; those before the first count, but are not there.
func appendSubstring(dst, a []byte, from, n int64) ([]byte, error) {
	if n < 0 {
		return nil, errNegativeLength()
	}
	if from < 1 {
		n, from = from+n-1, 1
	}
	rest := charsFrom(a, from)
	if n <= 0 {
		return dst, nil
	}
	if n < int64(len(rest)) {
		rest = rest[:byteOfChar(rest, int(n))]
	}
	return append(dst, rest...), nil
}

func appendSubBytes(dst, a []byte, from, n int64) ([]byte, error) {
	if n < 0 {
		return nil, errNegativeLength()
	}
	size := int64(len(a))
	end := min(max(from-1+n, 0), size)
	start := min(max(from-1, 0), end)
	return append(dst, a[start:end]...), nil
}

// appendLeft appends the first n characters, or all but the last -n.
func appendLeft(dst, a []byte, n int64) []byte {
	if n < 0 {
		n = max(int64(utf8.RuneCount(a))+n, 0)
	}
	if n >= int64(len(a)) {
		return append(dst, a...)
	}
	return append(dst, a[:byteOfChar(a, int(n))]...)
}

// appendRight appends the last n characters, or all but the first -n.
func appendRight(dst, a []byte, n int64) []byte {
	skip := -n
	if n >= 0 {
		skip = max(int64(utf8.RuneCount(a))-n, 0)
	}
	return append(dst, charsFrom(a, skip+1)...)
}

func appendReplaced(dst, a, from, to []byte) ([]byte, error) {
	if len(from) == 0 {
		return append(dst, a...), nil
	}
	for {
		i := bytes.Index(a, from)
		if i < 0 {
			return append(dst, a...), nil
		}
		dst = append(append(dst, a[:i]...), to...)
		a = a[i+len(from):]
	}
}

// appendTranslated replaces each character of a found in from by the one at its place in to; without one it is dropped.
func appendTranslated(dst, a, from, to []byte) ([]byte, error) {
	targets := []rune(string(to))
	for _, r := range string(a) {
		at := 0
		found := false
		for _, f := range string(from) {
			if f == r {
				found = true
				break
			}
			at++
		}
		switch {
		case !found:
			dst = utf8.AppendRune(dst, r)
		case at < len(targets):
			dst = utf8.AppendRune(dst, targets[at])
		}
	}
	return dst, nil
}

// appendPart appends field n of a, separated by sep; a negative n counts from the end.
func appendPart(dst, a, sep []byte, n int64) ([]byte, error) {
	if n == 0 {
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "field position must not be zero")
	}
	if len(a) == 0 {
		return dst, nil
	}
	if len(sep) == 0 {
		if n == 1 || n == -1 {
			dst = append(dst, a...)
		}
		return dst, nil
	}
	if n < 0 {
		n += int64(bytes.Count(a, sep)) + 2
		if n < 1 {
			return dst, nil
		}
	}
	for ; n > 1; n-- {
		i := bytes.Index(a, sep)
		if i < 0 {
			return dst, nil
		}
		a = a[i+len(sep):]
	}
	if i := bytes.Index(a, sep); i >= 0 {
		a = a[:i]
	}
	return append(dst, a...), nil
}

func appendRepeated(dst, a []byte, n int64) ([]byte, error) {
	if n > 0 && int64(len(a)) > maxTextBytes/n {
		return nil, errTextTooLong()
	}
	for range n {
		dst = append(dst, a...)
	}
	return dst, nil
}

// maxTextBytes bounds one text that a function builds, as Postgres's 1 GB bounds it.
const maxTextBytes = 1 << 29

func errTextTooLong() error { return sqlerr.Newf("54000", "requested length too large") }

func appendReversed(dst, a []byte) []byte {
	for len(a) > 0 {
		_, size := utf8.DecodeLastRune(a)
		dst = append(dst, a[len(a)-size:]...)
		a = a[:len(a)-size]
	}
	return dst
}

// charIndex is the number of the first character where b is in a, from 1; 0 if it is not.
func charIndex(a, b []byte) int64 {
	i := bytes.Index(a, b)
	if i < 0 {
		return 0
	}
	return int64(utf8.RuneCount(a[:i])) + 1
}

func firstCode(a []byte) int64 {
	if len(a) == 0 {
		return 0
	}
	r, _ := utf8.DecodeRune(a)
	return int64(r)
}

func appendCode(dst []byte, v int64) ([]byte, error) {
	switch {
	case v < 0:
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "character number must be positive")
	case v == 0:
		return nil, sqlerr.Newf("54000", "null character not permitted")
	case v > unicode.MaxRune || v >= 0xD800 && v < 0xE000:
		return nil, sqlerr.Newf("54000", "requested character not valid for encoding: %d", v)
	}
	return utf8.AppendRune(dst, rune(v)), nil
}

func appendMD5(dst, a []byte) []byte {
	h := md5.Sum(a)
	return hex.AppendEncode(dst, h[:])
}

// appendPadded fills a up to n characters, or cuts it to n.
func appendPadded(dst, a []byte, n int64, with []byte, left bool) ([]byte, error) {
	n = max(n, 0)
	if n > maxTextBytes/utf8.UTFMax {
		return nil, errTextTooLong()
	}
	missing := n - int64(utf8.RuneCount(a))
	if missing <= 0 {
		return append(dst, a[:byteOfChar(a, int(n))]...), nil
	}
	if !left {
		dst = append(dst, a...)
	}
	if len(with) > 0 {
		for rest := with; missing > 0; missing-- {
			if len(rest) == 0 {
				rest = with
			}
			_, size := utf8.DecodeRune(rest)
			dst = append(dst, rest[:size]...)
			rest = rest[size:]
		}
	}
	if left {
		dst = append(dst, a...)
	}
	return dst, nil
}

// appendOverlay puts b in place of n characters of a, from the one numbered from.
func appendOverlay(dst, a, b []byte, from, n int64) ([]byte, error) {
	if from <= 0 {
		return nil, errNegativeLength()
	}
	if n > 0 && from > (1<<31-1)-n {
		return nil, types.ErrIntRange(types.Int4)
	}
	dst, _ = appendSubstring(dst, a, 1, from-1)
	dst = append(dst, b...)
	return append(dst, charsFrom(a, from+n)...), nil
}
