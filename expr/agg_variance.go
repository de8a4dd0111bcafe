package expr

import (
	"encoding/binary"
	"math"

	"wmsql/types"
)

// spread says which of the four measures a variance function gives.
type spread struct{ sample, root bool }

// moments is the running sums of x and x² as numerics, for variance and stddev of numerics and integers.
type moments struct {
	x, x2 numericSum
}

func (m *moments) change(v types.Decimal, by int64) error {
	square, err := v.Mul(v)
	if err != nil {
		return err
	}
	m.x.change(v, by)
	m.x2.change(square, by)
	return nil
}

// value is the measure, with the scale of Postgres's numeric_stddev_internal.
func (m *moments) value(s spread) (types.Decimal, bool, error) {
	n := m.x.n
	if n == 0 || s.sample && n == 1 {
		return types.Decimal{}, false, nil
	}
	sum, sum2 := m.x.value(), m.x2.value()
	if !sum.IsFinite() || !sum2.IsFinite() {
		return types.DecimalNaN, true, nil
	}
	count, divisor := types.DecimalFromInt64(n), types.DecimalFromInt64(n)
	if s.sample {
		divisor = types.DecimalFromInt64(n - 1)
	}
	squared, err := sum.Mul(sum)
	if err != nil {
		return sum, false, err
	}
	scaled, err := count.Mul(sum2)
	if err != nil {
		return sum, false, err
	}
	if divisor, err = divisor.Mul(count); err != nil {
		return sum, false, err
	}
	rest := scaled.Sub(squared)
	if rest.Sign() <= 0 {
		return types.Decimal{}, true, nil
	}
	scale := types.DivScale(rest, divisor)
	r := rest.DivScale(divisor, scale)
	if s.root {
		r = r.SqrtScale(scale)
	}
	return r, true, nil
}

func momentsKernel(s spread) *cellKernel[moments] {
	return &cellKernel[moments]{
		add:     eachRow(func(m *moments, v types.Decimal) error { return m.change(v, 1) }),
		retract: eachRow(func(m *moments, v types.Decimal) error { return m.change(v, -1) }),
		merge: func(dst, src *moments) error {
			mergeNumericSums(&dst.x, &src.x)
			mergeNumericSums(&dst.x2, &src.x2)
			return nil
		},
		result: fixedResult(func(m *moments) (types.Decimal, bool, error) { return m.value(s) }),
		encode: func(dst []byte, m *moments) []byte { return m.x2.encode(m.x.encode(dst)) },
		decode: func(m *moments, data []byte) ([]byte, bool) {
			data, ok := m.x.decode(data)
			if !ok {
				return nil, false
			}
			return m.x2.decode(data)
		},
	}
}

// intMoments is the same over int2 and int4, whose sums of squares fit 128 bits.
type intMoments struct{ x, x2 intSum }

func intMomentsKernel(s spread) *cellKernel[intMoments] {
	return &cellKernel[intMoments]{
		add: eachRow(func(m *intMoments, v int64) error {
			m.x.add(v)
			m.x2.addProduct(v, v)
			m.x.n++
			return nil
		}),
		retract: eachRow(func(m *intMoments, v int64) error {
			m.x.sub(v)
			m.x2.subProduct(v, v)
			m.x.n--
			return nil
		}),
		merge: func(dst, src *intMoments) error {
			dst.x.merge(&src.x)
			dst.x2.merge(&src.x2)
			return nil
		},
		result: fixedResult(func(m *intMoments) (types.Decimal, bool, error) {
			d := moments{x: numericSum{sum: m.x.decimal(), n: m.x.n}, x2: numericSum{sum: m.x2.decimal(), n: m.x.n}}
			return d.value(s)
		}),
		encode: func(dst []byte, m *intMoments) []byte { return m.x2.encode(m.x.encode(dst)) },
		decode: func(m *intMoments, data []byte) ([]byte, bool) {
			data, ok := m.x.decode(data)
			if !ok {
				return nil, false
			}
			return m.x2.decode(data)
		},
	}
}

// floatMoments is Youngs and Cramer's running sum of squared deviations, as Postgres computes it.
type floatMoments struct {
	n, sum, dev float64
}

func (m *floatMoments) add(v float64) error {
	before := m.sum
	m.n++
	m.sum += v
	if m.n == 1 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			m.dev = math.NaN()
		}
		return nil
	}
	d := v*m.n - m.sum
	m.dev += d * d / (m.n * (m.n - 1))
	return m.settle(isInf(before, v))
}

// settle fails where a sum overflowed, and makes the deviations NaN where a value was infinite.
func (m *floatMoments) settle(infinite bool) error {
	if !isInf(m.sum, m.dev) {
		return nil
	}
	if !infinite {
		return errFloatOverflow()
	}
	m.dev = math.NaN()
	return nil
}

func (m *floatMoments) merge(o *floatMoments) error {
	switch {
	case o.n == 0:
		return nil
	case m.n == 0:
		*m = *o
		return nil
	}
	d := m.sum/m.n - o.sum/o.n
	n := m.n + o.n
	m.dev += o.dev + m.n*o.n*d*d/n
	infinite := isInf(m.sum, o.sum)
	m.sum += o.sum
	m.n = n
	return m.settle(infinite)
}

func (m *floatMoments) value(s spread) (float64, bool, error) {
	divisor := m.n
	if s.sample {
		divisor--
	}
	if divisor <= 0 {
		return 0, false, nil
	}
	if s.root {
		return math.Sqrt(m.dev / divisor), true, nil
	}
	return m.dev / divisor, true, nil
}

func floatMomentsKernel(s spread) *cellKernel[floatMoments] {
	return &cellKernel[floatMoments]{
		add:    eachRow((*floatMoments).add),
		merge:  (*floatMoments).merge,
		result: fixedResult(func(m *floatMoments) (float64, bool, error) { return m.value(s) }),
		encode: func(dst []byte, m *floatMoments) []byte {
			for _, v := range [...]float64{m.n, m.sum, m.dev} {
				dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(v))
			}
			return dst
		},
		decode: func(m *floatMoments, data []byte) ([]byte, bool) {
			if len(data) < 24 {
				return nil, false
			}
			for i, v := range [...]*float64{&m.n, &m.sum, &m.dev} {
				*v = math.Float64frombits(binary.BigEndian.Uint64(data[8*i:]))
			}
			return data[24:], true
		},
	}
}

// int8Moments feeds bigints to moments, whose squares need more than 128 bits in the sum.
func int8Moments(s spread) *cellKernel[moments] {
	k := momentsKernel(s)
	k.add = eachRow(func(m *moments, v int64) error { return m.change(types.DecimalFromInt64(v), 1) })
	k.retract = eachRow(func(m *moments, v int64) error { return m.change(types.DecimalFromInt64(v), -1) })
	return k
}

func variances() []*AggFunction {
	var out []*AggFunction
	for name, s := range map[string]spread{
		"variance": {sample: true}, "var_samp": {sample: true}, "var_pop": {},
		"stddev": {sample: true, root: true}, "stddev_samp": {sample: true, root: true}, "stddev_pop": {root: true},
	} {
		out = append(out,
			cellAgg(name+"(int2) numeric", intMomentsKernel(s)), cellAgg(name+"(int4) numeric", intMomentsKernel(s)),
			cellAgg(name+"(int8) numeric", int8Moments(s)), cellAgg(name+"(numeric) numeric", momentsKernel(s)),
			cellAgg(name+"(float4) float8", floatMomentsKernel(s)), cellAgg(name+"(float8) float8", floatMomentsKernel(s)))
	}
	return out
}
