package expr

import (
	"encoding/binary"
	"math/big"
	"math/bits"

	"wmsql/column"
	"wmsql/types"
)

// intSum is a running sum of integers in 128 bits, with the number of values in it.
type intSum struct {
	lo uint64
	hi int64
	n  int64
}

func (s *intSum) add(v int64) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, uint64(v), 0)
	s.hi += v>>63 + int64(carry)
}

func (s *intSum) sub(v int64) {
	var borrow uint64
	s.lo, borrow = bits.Sub64(s.lo, uint64(v), 0)
	s.hi -= v>>63 + int64(borrow)
}

// addProduct adds a × b.
func (s *intSum) addProduct(a, b int64) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	high := int64(hi) - a>>63&b - b>>63&a
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, lo, 0)
	s.hi += high + int64(carry)
}

// subProduct subtracts a × b.
func (s *intSum) subProduct(a, b int64) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	high := int64(hi) - a>>63&b - b>>63&a
	var borrow uint64
	s.lo, borrow = bits.Sub64(s.lo, lo, 0)
	s.hi -= high + int64(borrow)
}

func (s *intSum) merge(o *intSum) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, o.lo, 0)
	s.hi += o.hi + int64(carry)
	s.n += o.n
}

// decimal is the sum as a numeric of scale 0.
func (s *intSum) decimal() types.Decimal {
	if s.hi == int64(s.lo)>>63 {
		return types.DecimalFromInt64(int64(s.lo))
	}
	v := new(big.Int).SetInt64(s.hi)
	v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(s.lo))
	return types.DecimalFromBig(v, 0)
}

func (s *intSum) encode(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, s.lo)
	dst = binary.AppendVarint(dst, s.hi)
	return binary.AppendVarint(dst, s.n)
}

func (s *intSum) decode(data []byte) ([]byte, bool) {
	lo, k := binary.Uvarint(data)
	if k <= 0 {
		return nil, false
	}
	s.lo = lo
	data, ok := decodeVarint(&s.hi, data[k:])
	if !ok {
		return nil, false
	}
	return decodeVarint(&s.n, data)
}

// intSumKernel is the state of sum and avg of integers; the result differs.
func intSumKernel(result func([]intSum, []int32, types.Type) (column.Vector, error)) *cellKernel[intSum] {
	return &cellKernel[intSum]{
		add:     addIntSums,
		retract: retractIntSums,
		merge:   func(dst, src *intSum) error { dst.merge(src); return nil },
		result:  result,
		encode:  func(dst []byte, s *intSum) []byte { return s.encode(dst) },
		decode:  func(s *intSum, data []byte) ([]byte, bool) { return s.decode(data) },
	}
}

func addIntSums(st []intSum, slots, rows []int32, args []column.Vector) error {
	v := args[0].(*column.Of[int64])
	if rows == nil && v.Nulls == nil {
		for k, slot := range slots {
			s := &st[slot]
			s.add(v.Values[k])
			s.n++
		}
		return nil
	}
	for k, slot := range slots {
		i := rowAt(rows, k)
		if v.Nulls != nil && v.Nulls[i] {
			continue
		}
		s := &st[slot]
		s.add(v.Values[i])
		s.n++
	}
	return nil
}

func retractIntSums(st []intSum, slots, rows []int32, args []column.Vector) error {
	v := args[0].(*column.Of[int64])
	for k, slot := range slots {
		i := rowAt(rows, k)
		if v.Nulls != nil && v.Nulls[i] {
			continue
		}
		s := &st[slot]
		s.sub(v.Values[i])
		s.n--
	}
	return nil
}

// sumToInt8 is sum(int2) and sum(int4), which are bigint.
func sumToInt8(s *intSum) (int64, bool, error) {
	if s.n == 0 {
		return 0, false, nil
	}
	if s.hi != int64(s.lo)>>63 {
		return 0, false, types.ErrIntRange(types.Int8)
	}
	return int64(s.lo), true, nil
}

// sumToNumeric is sum(int8).
func sumToNumeric(s *intSum) (types.Decimal, bool, error) { return s.decimal(), s.n > 0, nil }

// avgToNumeric is avg of integers, with the scale of a numeric division.
func avgToNumeric(s *intSum) (types.Decimal, bool, error) {
	if s.n == 0 {
		return types.Decimal{}, false, nil
	}
	r, err := s.decimal().Div(types.DecimalFromInt64(s.n))
	return r, true, err
}
