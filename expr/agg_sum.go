package expr

import (
	"encoding/binary"
	"math"

	"wmsql/types"
)

// numericSum is a running sum of numerics: the finite ones are added up, the others counted, so that each can be
// taken out again. The sum shows as many digits after the point as any value ever added did.
type numericSum struct {
	sum               types.Decimal
	n                 int64 // values of every kind
	nans, infs, minfs int64
}

func (s *numericSum) change(v types.Decimal, by int64) {
	s.n += by
	switch {
	case v.IsFinite() && by > 0:
		s.sum = s.sum.Add(v)
	case v.IsFinite():
		s.sum = s.sum.Sub(v)
	case v.IsNaN():
		s.nans += by
	case v.IsInf(1):
		s.infs += by
	default:
		s.minfs += by
	}
}

// value is the sum of all values.
func (s *numericSum) value() types.Decimal {
	switch {
	case s.nans > 0 || s.infs > 0 && s.minfs > 0:
		return types.DecimalNaN
	case s.infs > 0:
		return types.DecimalInf
	case s.minfs > 0:
		return types.DecimalNegInf
	}
	return s.sum
}

func (s *numericSum) encode(dst []byte) []byte {
	for _, v := range [...]int64{s.n, s.nans, s.infs, s.minfs} {
		dst = binary.AppendVarint(dst, v)
	}
	return s.sum.AppendCompact(dst)
}

func (s *numericSum) decode(data []byte) ([]byte, bool) {
	for _, v := range [...]*int64{&s.n, &s.nans, &s.infs, &s.minfs} {
		rest, ok := decodeVarint(v, data)
		if !ok {
			return nil, false
		}
		data = rest
	}
	sum, rest, ok := types.DecimalOfCompact(data)
	s.sum = sum
	return rest, ok
}

func mergeNumericSums(dst, src *numericSum) {
	dst.sum = dst.sum.Add(src.sum)
	dst.n, dst.nans, dst.infs, dst.minfs = dst.n+src.n, dst.nans+src.nans, dst.infs+src.infs, dst.minfs+src.minfs
}

func numericSumKernel(result func(*numericSum) (types.Decimal, bool, error)) *cellKernel[numericSum] {
	return &cellKernel[numericSum]{
		add:     eachRow(func(s *numericSum, v types.Decimal) error { s.change(v, 1); return nil }),
		retract: eachRow(func(s *numericSum, v types.Decimal) error { s.change(v, -1); return nil }),
		merge:   func(dst, src *numericSum) error { mergeNumericSums(dst, src); return nil },
		result:  fixedResult(result),
		encode:  func(dst []byte, s *numericSum) []byte { return s.encode(dst) },
		decode:  func(s *numericSum, data []byte) ([]byte, bool) { return s.decode(data) },
	}
}

func sumNumeric(s *numericSum) (types.Decimal, bool, error) { return s.value(), s.n > 0, nil }

func avgNumeric(s *numericSum) (types.Decimal, bool, error) {
	if s.n == 0 {
		return types.Decimal{}, false, nil
	}
	r, err := s.value().Div(types.DecimalFromInt64(s.n))
	return r, true, err
}

// floatSum is a running sum of floats. It is as exact as Postgres's: it depends on the order of the rows.
type floatSum struct {
	sum float64
	n   int64
}

func (s *floatSum) add(v float64) error {
	r := s.sum + v
	if math.IsInf(r, 0) && !isInf(s.sum, v) {
		return errFloatOverflow()
	}
	s.sum = r
	s.n++
	return nil
}

// addReal rounds the sum to a real each time, as Postgres's sum of reals does.
func (s *floatSum) addReal(v float64) error {
	if err := s.add(v); err != nil {
		return err
	}
	var err error
	s.sum, err = checkFloat(s.sum, true, math.IsInf(s.sum, 0), true)
	return err
}

// realSumKernel is sum of reals.
func realSumKernel() *cellKernel[floatSum] {
	k := floatSumKernel(sumFloat8)
	k.add = eachRow((*floatSum).addReal)
	return k
}

func floatSumKernel(result func(*floatSum) (float64, bool, error)) *cellKernel[floatSum] {
	return &cellKernel[floatSum]{
		add: eachRow((*floatSum).add),
		merge: func(dst, src *floatSum) error {
			n := dst.n + src.n
			err := dst.add(src.sum)
			dst.n = n
			return err
		},
		result: fixedResult(result),
		encode: func(dst []byte, s *floatSum) []byte {
			return binary.AppendVarint(binary.BigEndian.AppendUint64(dst, math.Float64bits(s.sum)), s.n)
		},
		decode: func(s *floatSum, data []byte) ([]byte, bool) {
			if len(data) < 8 {
				return nil, false
			}
			s.sum = math.Float64frombits(binary.BigEndian.Uint64(data))
			return decodeVarint(&s.n, data[8:])
		},
	}
}

func sumFloat8(s *floatSum) (float64, bool, error) { return s.sum, s.n > 0, nil }

func avgFloat8(s *floatSum) (float64, bool, error) { return s.sum / float64(s.n), s.n > 0, nil }

// intervalSum is a running sum of intervals.
type intervalSum struct {
	sum types.IntervalValue
	n   int64
}

func intervalSumKernel(result func(*intervalSum) (types.IntervalValue, bool, error)) *cellKernel[intervalSum] {
	return &cellKernel[intervalSum]{
		add: eachRow(func(s *intervalSum, v types.IntervalValue) (err error) {
			s.n++
			s.sum, err = s.sum.Add(v)
			return err
		}),
		retract: eachRow(func(s *intervalSum, v types.IntervalValue) (err error) {
			s.n--
			s.sum, err = s.sum.Sub(v)
			return err
		}),
		merge: func(dst, src *intervalSum) (err error) {
			dst.n += src.n
			dst.sum, err = dst.sum.Add(src.sum)
			return err
		},
		result: fixedResult(result),
		encode: func(dst []byte, s *intervalSum) []byte {
			for _, v := range [...]int64{s.n, int64(s.sum.Months), int64(s.sum.Days), s.sum.Micros} {
				dst = binary.AppendVarint(dst, v)
			}
			return dst
		},
		decode: func(s *intervalSum, data []byte) ([]byte, bool) {
			var months, days int64
			for _, v := range [...]*int64{&s.n, &months, &days, &s.sum.Micros} {
				rest, ok := decodeVarint(v, data)
				if !ok {
					return nil, false
				}
				data = rest
			}
			s.sum.Months, s.sum.Days = int32(months), int32(days)
			return data, true
		},
	}
}

func sumInterval(s *intervalSum) (types.IntervalValue, bool, error) { return s.sum, s.n > 0, nil }

func avgInterval(s *intervalSum) (types.IntervalValue, bool, error) {
	if s.n == 0 {
		return s.sum, false, nil
	}
	r, err := s.sum.Div(float64(s.n))
	return r, true, err
}
