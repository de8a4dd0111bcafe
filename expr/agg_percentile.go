package expr

import (
	"math"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// finish computes an ordered-set aggregate of its rows in order: the direct argument, the same in every row, then the values.
type finish func(s *aggSite, args []column.Vector, b column.Builder) error

// orderedSet defines an aggregate that is called WITHIN GROUP (ORDER BY ...).
func orderedSet(sig string, f finish) *AggFunction {
	a := agg(sig, nil, ordered)
	a.OrderedSet, a.finish = true, f
	return a
}

func orderedSets() []*AggFunction {
	return []*AggFunction{
		orderedSet("mode(anyelement) anyelement", finishMode),
		orderedSet("percentile_disc(float8,anyelement) anyelement", percentiles(discrete)),
		orderedSet("percentile_disc(float8[],anyelement) anyarray", percentiles(discrete)),
		orderedSet("percentile_cont(float8,float8) float8", percentiles(continuousFloat)),
		orderedSet("percentile_cont(float8[],float8) float8[]", percentiles(continuousFloat)),
		orderedSet("percentile_cont(float8,interval) interval", percentiles(continuousInterval)),
		orderedSet("percentile_cont(float8[],interval) interval[]", percentiles(continuousInterval)),
	}
}

// withoutNulls is the rows of v that have a value.
func withoutNulls(v column.Vector) []int32 {
	rows := make([]int32, 0, v.Len())
	for i := range v.Len() {
		if !v.IsNull(i) {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// finishMode gives the most frequent value, of several the first.
func finishMode(_ *aggSite, args []column.Vector, b column.Builder) error {
	v := args[0]
	best, most, start := int32(-1), 0, 0
	rows := withoutNulls(v)
	for k := range rows {
		if column.Compare(v, int(rows[k]), v, int(rows[start])) != 0 {
			start = k
		}
		if n := k - start + 1; n > most {
			best, most = rows[start], n
		}
	}
	if best < 0 {
		b.AppendNull()
		return nil
	}
	b.AppendFrom(v, int(best))
	return nil
}

// percentiles makes a percentile function of one for a single fraction over a value or more; an array of fractions gives an
// array, with NULL where the fraction is NULL.
func percentiles(at func(b column.Builder, v column.Vector, p float64) error) finish {
	return func(s *aggSite, args []column.Vector, b column.Builder) error {
		if args[0].Len() == 0 || args[0].IsNull(0) {
			b.AppendNull()
			return nil
		}
		p, array, err := fractions(args[0], 0)
		if err != nil {
			return err
		}
		values := args[1].Take(withoutNulls(args[1]))
		if values.Len() == 0 {
			b.AppendNull()
			return nil
		}
		if !array {
			return at(b, values, p.Values[0])
		}
		elems := column.NewBuilder(elemOf(s.ret), p.Len())
		for i := range p.Len() {
			if p.IsNull(i) {
				elems.AppendNull()
			} else if err := at(elems, values, p.Values[i]); err != nil {
				return err
			}
		}
		b.AppendVector(&column.List{T: s.ret, Offsets: []int32{0, int32(p.Len())}, Elems: elems.Build()})
		return nil
	}
}

// fractions reads row i of a float8 or float8[] argument, which is not NULL.
func fractions(v column.Vector, i int) (p *column.Of[float64], array bool, err error) {
	lo, hi := i, i+1
	if l, ok := v.(*column.List); ok {
		v, lo, hi, array = l.Elems, int(l.Offsets[i]), int(l.Offsets[i+1]), true
	}
	rows := make([]int32, 0, hi-lo)
	for r := lo; r < hi; r++ {
		rows = append(rows, int32(r))
	}
	p = v.Take(rows).(*column.Of[float64])
	for k, f := range p.Values {
		if !p.IsNull(k) && !(f >= 0 && f <= 1) {
			return nil, false, sqlerr.Newf(sqlerr.NumericOutOfRange, "percentile value %s is not between 0 and 1",
				string(types.AppendFloat(nil, f, types.Float8, types.UTC)))
		}
	}
	return p, array, nil
}

// discrete is the first value whose share of the rows up to it is at least p.
func discrete(b column.Builder, v column.Vector, p float64) error {
	b.AppendFrom(v, max(int(math.Ceil(p*float64(v.Len())))-1, 0))
	return nil
}

// between finds the rows on both sides of p, and how far p is from the first to the second.
func between(n int, p float64) (lo, hi int, part float64) {
	at := p * float64(n-1)
	lo, hi = int(math.Floor(at)), int(math.Ceil(at))
	return lo, hi, at - float64(lo)
}

func continuousFloat(b column.Builder, v column.Vector, p float64) error {
	values := v.(*column.Of[float64]).Values
	lo, hi, part := between(len(values), p)
	x := values[lo]
	if lo != hi {
		x += part * (values[hi] - x)
	}
	b.AppendDatum(x)
	return nil
}

func continuousInterval(b column.Builder, v column.Vector, p float64) error {
	values := v.(*column.Of[types.IntervalValue]).Values
	lo, hi, part := between(len(values), p)
	x := values[lo]
	if lo != hi {
		d, err := values[hi].Sub(x)
		if err != nil {
			return err
		}
		if d, err = d.Mul(part); err != nil {
			return err
		}
		if x, err = d.Add(x); err != nil {
			return err
		}
	}
	b.AppendDatum(x)
	return nil
}
