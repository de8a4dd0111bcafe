package expr

import (
	"encoding/binary"
	"slices"

	"wmsql/types"
)

// scaledSum is a running sum of numerics that can be taken out again, digits and all: it counts the values by their scale.
type scaledSum struct {
	numericSum
	scales []scaleCount // ascending by scale
}

// scaleCount is how many values with so many digits after the point are in a sum.
type scaleCount struct {
	scale int32
	n     int64
}

func (s *scaledSum) count(scale int32, by int64) {
	at, found := slices.BinarySearchFunc(s.scales, scale, func(c scaleCount, scale int32) int { return int(c.scale - scale) })
	if !found {
		s.scales = slices.Insert(s.scales, at, scaleCount{scale: scale})
	}
	if s.scales[at].n += by; s.scales[at].n == 0 {
		s.scales = slices.Delete(s.scales, at, at+1)
	}
}

func (s *scaledSum) add(v types.Decimal, by int64) error {
	s.change(v, by)
	if v.IsFinite() {
		s.count(v.Scale(), by)
	}
	return nil
}

// shown is the sum with the digits of the values that are left.
func (s *scaledSum) shown() *numericSum {
	out := s.numericSum
	if n := len(s.scales); n > 0 {
		out.sum = out.sum.Round(s.scales[n-1].scale)
	} else {
		out.sum = types.Decimal{}
	}
	return &out
}

// scaledSumKernel is sum, or avg, of numerics.
func scaledSumKernel(name string) *cellKernel[scaledSum] {
	result := sumNumeric
	if name == "avg" {
		result = avgNumeric
	}
	return &cellKernel[scaledSum]{
		add:     eachRow(func(s *scaledSum, v types.Decimal) error { return s.add(v, 1) }),
		retract: eachRow(func(s *scaledSum, v types.Decimal) error { return s.add(v, -1) }),
		merge: func(dst, src *scaledSum) error {
			mergeNumericSums(&dst.numericSum, &src.numericSum)
			for _, c := range src.scales {
				dst.count(c.scale, c.n)
			}
			return nil
		},
		result: fixedResult(func(s *scaledSum) (types.Decimal, bool, error) { return result(s.shown()) }),
		encode: func(dst []byte, s *scaledSum) []byte {
			dst = binary.AppendUvarint(s.encode(dst), uint64(len(s.scales)))
			for _, c := range s.scales {
				dst = binary.AppendVarint(binary.AppendVarint(dst, int64(c.scale)), c.n)
			}
			return dst
		},
		decode: func(s *scaledSum, data []byte) ([]byte, bool) {
			data, ok := s.decode(data)
			if !ok {
				return nil, false
			}
			total, k := binary.Uvarint(data)
			if k <= 0 {
				return nil, false
			}
			data = data[k:]
			for range total {
				var scale int64
				var c scaleCount
				if data, ok = decodeVarint(&scale, data); ok {
					data, ok = decodeVarint(&c.n, data)
				}
				if !ok {
					return nil, false
				}
				c.scale = int32(scale)
				s.scales = append(s.scales, c)
			}
			return data, true
		},
		heap: func(s *scaledSum) int { return 16 * cap(s.scales) },
	}
}
