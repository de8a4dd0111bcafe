package expr

import (
	"encoding/binary"
)

// boolCounts is bool_and and bool_or: how many values were true and false, so that they can be taken out again.
type boolCounts struct{ yes, no int64 }

func boolKernel(result func(*boolCounts) bool) *cellKernel[boolCounts] {
	count := func(by int64) func(*boolCounts, bool) error {
		return func(s *boolCounts, v bool) error {
			if v {
				s.yes += by
			} else {
				s.no += by
			}
			return nil
		}
	}
	return &cellKernel[boolCounts]{
		add:     eachRow(count(1)),
		retract: eachRow(count(-1)),
		merge: func(dst, src *boolCounts) error {
			dst.yes, dst.no = dst.yes+src.yes, dst.no+src.no
			return nil
		},
		result: fixedResult(func(s *boolCounts) (bool, bool, error) { return result(s), s.yes+s.no > 0, nil }),
		encode: func(dst []byte, s *boolCounts) []byte {
			return binary.AppendVarint(binary.AppendVarint(dst, s.yes), s.no)
		},
		decode: func(s *boolCounts, data []byte) ([]byte, bool) {
			data, ok := decodeVarint(&s.yes, data)
			if !ok {
				return nil, false
			}
			return decodeVarint(&s.no, data)
		},
	}
}

// bitKernel is bit_and, bit_or and bit_xor of integers.
func bitKernel(f func(a, b int64) int64) *cellKernel[extreme[int64]] {
	fold := func(s *extreme[int64], v int64) error {
		if s.ok {
			v = f(s.v, v)
		}
		s.v, s.ok = v, true
		return nil
	}
	k := extremeKernel(1, nil, intCodec)
	k.add = eachRow(fold)
	k.merge = func(dst, src *extreme[int64]) error {
		if src.ok {
			return fold(dst, src.v)
		}
		return nil
	}
	return k
}
