package expr

import (
	"bytes"

	"wmsql/sqlerr"
	"wmsql/types"
)

// What there is on bit strings, but comparison. Their values are the characters 0 and 1: see types/bits.go.

func bitStringFunctions() []*Function {
	return []*Function{
		def("length(bit) int4", bitLength, total), def("bit_length(bit) int4", bitLength, total),
		def("octet_length(bit) int4", fn1(func(a []byte) int64 { return int64(len(a)+7) / 8 }), total),
		def("bit_count(bit) int8", fn1(func(a []byte) int64 { return int64(bytes.Count(a, []byte{'1'})) }), total),
		def("get_bit(bit,int4) int4", fn2e(func(a []byte, at int64) (int64, error) {
			if err := inBits(at, len(a)); err != nil {
				return 0, err
			}
			return int64(a[at] - '0'), nil
		})),
		def("set_bit(bit,int4,int4) bit", tx3e(func(dst, a []byte, at, bit int64) ([]byte, error) {
			if err := inBits(at, len(a)); err != nil {
				return nil, err
			}
			if bit != 0 && bit != 1 {
				return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "new bit must be 0 or 1")
			}
			dst = append(dst, a...)
			dst[len(dst)-len(a)+int(at)] = '0' + byte(bit)
			return dst, nil
		})),
		def("position(bit,bit) int4", fn2(func(a, part []byte) int64 {
			if len(a) == 0 {
				return 0
			}
			return int64(bytes.Index(a, part)) + 1
		}), total),
		def("substring(bit,int4) bit", tx2(func(dst, a []byte, from int64) []byte {
			return append(dst, a[min(max(from-1, 0), int64(len(a))):]...)
		}), total),
		def("substring(bit,int4,int4) bit", tx3e(func(dst, a []byte, from, n int64) ([]byte, error) {
			if n < 0 {
				return nil, errNegativeLength()
			}
			size := int64(len(a))
			return append(dst, a[min(max(from-1, 0), size):min(max(from-1+n, 0), size)]...), nil
		})),
		def("overlay(bit,bit,int4) bit", tx3e(func(dst, a, with []byte, from int64) ([]byte, error) {
			return appendBytesOverlay(dst, a, with, from, int64(len(with)))
		})),
		def("overlay(bit,bit,int4,int4) bit", overlayFor),
	}
}

var bitLength = fn1(func(a []byte) int64 { return int64(len(a)) })

func inBits(at int64, n int) error {
	if at < 0 || at >= int64(n) {
		return sqlerr.Newf("2202E", "bit index %d out of valid range (0..%d)", at, n-1)
	}
	return nil
}

func bitStringOperators() []*Function {
	return []*Function{
		def("&(bit,bit) bit", bitwise("AND", func(a, b byte) byte { return a & b })),
		def("|(bit,bit) bit", bitwise("OR", func(a, b byte) byte { return a | b })),
		def("#(bit,bit) bit", bitwise("XOR", xorBits)),
		def("~(bit) bit", tx1(func(dst, a []byte) []byte {
			for _, c := range a {
				dst = append(dst, c^1)
			}
			return dst
		}), total),
		def("<<(bit,int4) bit", tx2(appendShifted), total),
		def(">>(bit,int4) bit", tx2(func(dst, a []byte, n int64) []byte { return appendShifted(dst, a, -n) }), total),
		def("||(varbit,varbit) varbit", tx2(func(dst, a, b []byte) []byte { return append(append(dst, a...), b...) }), total),
	}
}

func xorBits(a, b byte) byte { return a ^ b | '0' }

// bitwise combines two bit strings of one length.
func bitwise(name string, f func(a, b byte) byte) kernel {
	return tx2e(func(dst, a, b []byte) ([]byte, error) { return appendBitwise(dst, a, b, name, f) })
}

func appendBitwise(dst, a, b []byte, name string, f func(a, b byte) byte) ([]byte, error) {
	if len(a) != len(b) {
		return nil, sqlerr.Newf(sqlerr.BitLengthMismatch, "cannot %s bit strings of different sizes", name)
	}
	for i := range a {
		dst = append(dst, f(a[i], b[i]))
	}
	return dst, nil
}

// appendShifted appends the bits moved n places to the left, right if it is negative; zeros come in at the other end.
func appendShifted(dst, a []byte, n int64) []byte {
	size := int64(len(a))
	for i := range size {
		if from := i + n; from >= 0 && from < size {
			dst = append(dst, a[from])
		} else {
			dst = append(dst, '0')
		}
	}
	return dst
}

func bitCasts() []castDef {
	out := []castDef{same(types.Bit, types.VarBit, Implicit), same(types.VarBit, types.Bit, Implicit)}
	for _, k := range []types.Kind{types.Int4, types.Int8} {
		limits := limitsOf(k)
		width := 32
		if k == types.Int8 {
			width = 64
		}
		out = append(out, cast(types.Bit, k, Explicit, fn1e(func(a []byte) (int64, error) {
			if len(a) > width {
				return 0, types.ErrIntRange(k)
			}
			n := uint64(0)
			for _, c := range a {
				n = n<<1 | uint64(c&1)
			}
			if limits.hold(int64(n)) {
				return int64(n), nil
			}
			return int64(int32(n)), nil
		})), cast(k, types.Bit, Explicit, tx1(func(dst []byte, v int64) []byte { return appendLowBits(dst, v, 1) }), total))
	}
	return out
}

// intToBits is the cast of an integer to bit(n): its n lowest bits, behind copies of the sign if there are less.
func intToBits(from types.Type, n int32) *Function {
	return &Function{
		Name: "cast", Args: []types.Type{plain(from)}, Return: types.Of(types.Bit), Strict: true, total: true,
		kernel: tx1(func(dst []byte, v int64) []byte { return appendLowBits(dst, v, int(n)) }),
	}
}

func appendLowBits(dst []byte, v int64, n int) []byte {
	for k := n - 1; k >= 0; k-- {
		dst = append(dst, '0'+byte(v>>min(k, 63)&1))
	}
	return dst
}

// bitStringKernel is bit_and, bit_or and bit_xor of bit strings; a slot owns its value.
func bitStringKernel(name string, f func(a, b byte) byte) *cellKernel[extreme[[]byte]] {
	fold := func(s *extreme[[]byte], v []byte) (err error) {
		if !s.ok {
			s.v, s.ok = append(s.v[:0], v...), true
			return nil
		}
		s.v, err = appendBitwise(nil, s.v, v, name, f)
		return err
	}
	k := bytesExtreme(1)
	k.add = eachRow(fold)
	k.merge = func(dst, src *extreme[[]byte]) error {
		if src.ok {
			return fold(dst, src.v)
		}
		return nil
	}
	return k
}
