package expr

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// bytesFunctions are the functions on bytea, and the few that belong to no other family.
func bytesFunctions() []*Function {
	return []*Function{
		def("encode(bytea,text) text", tx2e(appendEncoded)), def("decode(text,text) bytea", tx2e(appendDecoded)),
		def("gen_random_uuid() uuid", tx0(func(_ *site, dst []byte) []byte { return appendRandomUUID(dst) }), volatile, total),
		def("num_nulls(variadic any) int4", countNulls(true), called, total),
		def("num_nonnulls(variadic any) int4", countNulls(false), called, total),
		def("bit_count(bytea) int8", fn1(func(a []byte) int64 {
			n := int64(0)
			for _, c := range a {
				for ; c != 0; c &= c - 1 {
					n++
				}
			}
			return n
		}), total),
	}
}

// base64Line is the length of the lines that encode writes.
const base64Line = 76

func appendEncoded(dst, a, format []byte) ([]byte, error) {
	switch strings.ToLower(string(format)) {
	case "hex":
		return hex.AppendEncode(dst, a), nil
	case "base64":
		for len(a) > base64Line/4*3 {
			dst = base64.StdEncoding.AppendEncode(dst, a[:base64Line/4*3])
			dst = append(dst, '\n')
			a = a[base64Line/4*3:]
		}
		return base64.StdEncoding.AppendEncode(dst, a), nil
	case "escape":
		for _, c := range a {
			switch {
			case c == '\\':
				dst = append(dst, '\\', '\\')
			case c == 0 || c >= 0x80:
				dst = append(dst, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
			default:
				dst = append(dst, c)
			}
		}
		return dst, nil
	}
	return nil, errFormat("unrecognized encoding: \"%s\"", format)
}

func appendDecoded(dst, a, format []byte) ([]byte, error) {
	switch strings.ToLower(string(format)) {
	case "hex":
		return appendHexDecoded(dst, a)
	case "base64":
		clean := bytes.Map(func(r rune) rune {
			if strings.ContainsRune(" \t\r\n", r) {
				return -1
			}
			return r
		}, a)
		for _, c := range clean {
			if !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=", rune(c)) {
				return nil, errFormat("invalid symbol \"%c\" found while decoding base64 sequence", c)
			}
		}
		out, err := base64.StdEncoding.AppendDecode(dst, clean)
		if err != nil {
			return nil, errFormat("invalid base64 end sequence").WithHint("Input data is missing padding, is truncated, or is otherwise corrupted.")
		}
		return out, nil
	case "escape":
		return types.AppendParsedBytea(dst, string(a))
	}
	return nil, errFormat("unrecognized encoding: \"%s\"", format)
}

func appendHexDecoded(dst, a []byte) ([]byte, error) {
	digits := bytes.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n", r) {
			return -1
		}
		return r
	}, a)
	for _, c := range digits {
		if !strings.ContainsRune("0123456789abcdefABCDEF", rune(c)) {
			return nil, errFormat("invalid hexadecimal digit: \"%c\"", c)
		}
	}
	out, err := hex.AppendDecode(dst, digits)
	if err != nil {
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid hexadecimal data: odd number of digits")
	}
	return out, nil
}

// appendRandomUUID appends a version 4 UUID.
func appendRandomUUID(dst []byte) []byte {
	var u [16]byte
	rand.Read(u[:]) //nolint:errcheck // it never fails
	u[6] = u[6]&0x0f | 0x40
	u[8] = u[8]&0x3f | 0x80
	return append(dst, u[:]...)
}

func countNulls(null bool) kernel {
	return func(s *site) body {
		out := output[int64]{t: s.ret}
		return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
			return out.fill(nil, n, func(i int) (int64, error) {
				count := int64(0)
				for _, v := range in {
					if v.IsNull(i) == null {
						count++
					}
				}
				return count, nil
			})
		}
	}
}
