package expr

import (
	"encoding/binary"
	"math"
	"slices"

	"wmsql/column"
	"wmsql/types"
)

const (
	quantileError = 0.01 // of a value that approx_percentile gives, relative to the true one
	quantileZero  = 40_000
	quantileInf   = 100_000
	quantileNaN   = quantileInf + 1
	quantileLog   = 0.020000666706669435 // of the base (1 + quantileError) / (1 - quantileError)
)

// bucketOf numbers the buckets in the order of their values: bucket 40,000+i holds base^(i-1) < x <= base^i, its negative those
// of -x, and 0 holds 0. There are fewer than 160,000, whatever the values.
func bucketOf(x float64) int64 {
	switch {
	case x == 0:
		return 0
	case math.IsNaN(x):
		return quantileNaN
	case math.IsInf(x, 0):
		return int64(math.Copysign(quantileInf, x))
	case x < 0:
		return -bucketOf(-x)
	}
	return quantileZero + int64(math.Ceil(math.Log(x)/quantileLog))
}

// bucketValue is within 1 % of every value of a bucket.
func bucketValue(at int64) float64 {
	switch {
	case at == 0:
		return 0
	case at == quantileNaN:
		return math.NaN()
	case at == quantileInf:
		return math.Inf(1)
	case at < 0:
		return -bucketValue(-at)
	}
	return math.Exp(float64(at-quantileZero)*quantileLog) * (1 - quantileError)
}

// quantileSketch is a DDSketch (Masson, Rim, Lee, 2019): how many values each bucket has, ascending.
type quantileSketch struct {
	buckets   []int64
	counts    []int64
	n         int64
	fractions column.Vector // the call's, of one row; nil while no row came
}

func (q *quantileSketch) change(bucket, by int64) {
	q.n += by
	at, found := slices.BinarySearch(q.buckets, bucket)
	if !found {
		q.buckets, q.counts = slices.Insert(q.buckets, at, bucket), slices.Insert(q.counts, at, by)
		return
	}
	if q.counts[at] += by; q.counts[at] == 0 {
		q.buckets, q.counts = slices.Delete(q.buckets, at, at+1), slices.Delete(q.counts, at, at+1)
	}
}

// at is the value at fraction p of n > 0 values.
func (q *quantileSketch) at(p float64) float64 {
	rank := max(int64(math.Ceil(p*float64(q.n))), 1)
	for i, n := range q.counts {
		if rank -= n; rank <= 0 {
			return bucketValue(q.buckets[i])
		}
	}
	return bucketValue(q.buckets[len(q.buckets)-1])
}

func changeQuantiles(by int64) func(st []quantileSketch, slots, rows []int32, args []column.Vector) error {
	return func(st []quantileSketch, slots, rows []int32, args []column.Vector) error {
		v := args[0].(*column.Of[float64])
		for k, slot := range slots {
			i, q := rowAt(rows, k), &st[slot]
			if q.fractions == nil {
				q.fractions = args[1].Take([]int32{int32(i)})
			}
			if !v.IsNull(i) {
				q.change(bucketOf(v.Values[i]), by)
			}
		}
		return nil
	}
}

// result appends the sketch's values at its fractions.
func (q *quantileSketch) result(b column.Builder, t types.Type) error {
	if q.fractions == nil || q.fractions.IsNull(0) {
		b.AppendNull()
		return nil
	}
	p, array, err := fractions(q.fractions, 0)
	switch {
	case err != nil:
		return err
	case q.n == 0:
		b.AppendNull()
		return nil
	case !array:
		b.AppendDatum(q.at(p.Values[0]))
		return nil
	}
	elems := column.NewBuilder(elemOf(t), p.Len())
	for i, f := range p.Values {
		if p.IsNull(i) {
			elems.AppendNull()
		} else {
			elems.AppendDatum(q.at(f))
		}
	}
	b.AppendVector(&column.List{T: t, Offsets: []int32{0, int32(p.Len())}, Elems: elems.Build()})
	return nil
}

// makeQuantiles makes approx_percentile: within 1 % of the true value, in a few hundred bytes to some kilobytes a group.
func makeQuantiles(s *aggSite) Accumulator {
	return makeCells(quantileKernel(vectorCodec(s.args[1])))(s)
}

func quantileKernel(c codec[column.Vector]) *cellKernel[quantileSketch] {
	return &cellKernel[quantileSketch]{
		add: changeQuantiles(1), retract: changeQuantiles(-1),
		merge: func(dst, src *quantileSketch) error {
			if dst.fractions == nil {
				dst.fractions = src.fractions
			}
			for i, bucket := range src.buckets {
				dst.change(bucket, src.counts[i])
			}
			return nil
		},
		result: func(st []quantileSketch, slots []int32, t types.Type) (column.Vector, error) {
			b := column.NewBuilder(t, len(slots))
			for _, slot := range slots {
				if err := st[slot].result(b, t); err != nil {
					return nil, err
				}
			}
			return b.Build(), nil
		},
		encode: func(dst []byte, q *quantileSketch) []byte { return q.encode(dst, c) },
		decode: func(q *quantileSketch, data []byte) ([]byte, bool) { return q.decode(data, c) },
		heap:   func(q *quantileSketch) int { return 8*cap(q.buckets) + 8*cap(q.counts) },
	}
}

// encode appends the fractions, then the number of buckets and each as its distance from the one before and its count.
func (q *quantileSketch) encode(dst []byte, c codec[column.Vector]) []byte {
	if q.fractions == nil {
		return append(dst, 0)
	}
	dst = binary.AppendUvarint(c.write(append(dst, 1), q.fractions), uint64(len(q.buckets)))
	before := int64(0)
	for i, bucket := range q.buckets {
		dst = binary.AppendVarint(binary.AppendVarint(dst, bucket-before), q.counts[i])
		before = bucket
	}
	return dst
}

func (q *quantileSketch) decode(data []byte, c codec[column.Vector]) ([]byte, bool) {
	if len(data) == 0 || data[0] > 1 {
		return nil, false
	}
	if data[0] == 0 {
		return data[1:], true
	}
	f, data, ok := c.read(data[1:])
	if !ok {
		return nil, false
	}
	q.fractions = f
	total, k := binary.Uvarint(data)
	if k <= 0 {
		return nil, false
	}
	data = data[k:]
	bucket := int64(0)
	for range total {
		var step, n int64
		if data, ok = decodeVarint(&step, data); ok {
			data, ok = decodeVarint(&n, data)
		}
		if !ok {
			return nil, false
		}
		bucket += step
		q.buckets, q.counts, q.n = append(q.buckets, bucket), append(q.counts, n), q.n+n
	}
	return data, true
}
