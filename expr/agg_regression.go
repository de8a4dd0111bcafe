package expr

import (
	"encoding/binary"
	"math"

	"wmsql/column"
)

// pairs is the running sums over pairs (y, x) of which none is NULL: Youngs and Cramer's, as Postgres computes them.
type pairs struct {
	n, sx, sxx, sy, syy, sxy float64
}

func (p *pairs) add(y, x float64) error {
	before := *p
	p.n++
	p.sx += x
	p.sy += y
	if before.n == 0 {
		badX, badY := math.IsNaN(x) || math.IsInf(x, 0), math.IsNaN(y) || math.IsInf(y, 0)
		if badX {
			p.sxx, p.sxy = math.NaN(), math.NaN()
		}
		if badY {
			p.syy, p.sxy = math.NaN(), math.NaN()
		}
		return nil
	}
	dx, dy, scale := x*p.n-p.sx, y*p.n-p.sy, 1/(p.n*before.n)
	p.sxx += dx * dx * scale
	p.syy += dy * dy * scale
	p.sxy += dx * dy * scale
	return p.settle(isInf(before.sx, x), isInf(before.sy, y))
}

// settle fails where a sum overflowed, and makes the deviations NaN where an x or a y was infinite (infX, infY).
func (p *pairs) settle(infX, infY bool) error {
	switch {
	case isInf(p.sx, p.sxx) && !infX, isInf(p.sy, p.syy) && !infY, math.IsInf(p.sxy, 0) && !infX && !infY:
		return errFloatOverflow()
	}
	for _, v := range [...]*float64{&p.sxx, &p.syy, &p.sxy} {
		if math.IsInf(*v, 0) {
			*v = math.NaN()
		}
	}
	return nil
}

func (p *pairs) merge(o *pairs) error {
	switch {
	case o.n == 0:
		return nil
	case p.n == 0:
		*p = *o
		return nil
	}
	n := p.n + o.n
	dx, dy, weight := p.sx/p.n-o.sx/o.n, p.sy/p.n-o.sy/o.n, p.n*o.n/n
	p.sxx += o.sxx + weight*dx*dx
	p.syy += o.syy + weight*dy*dy
	p.sxy += o.sxy + weight*dx*dy
	infX, infY := isInf(p.sx, o.sx), isInf(p.sy, o.sy)
	p.n, p.sx, p.sy = n, p.sx+o.sx, p.sy+o.sy
	return p.settle(infX, infY)
}

func (p *pairs) fields() [6]*float64 {
	return [...]*float64{&p.n, &p.sx, &p.sxx, &p.sy, &p.syy, &p.sxy}
}

func addPairs(st []pairs, slots, rows []int32, args []column.Vector) error {
	ys, xs := args[0].(*column.Of[float64]), args[1].(*column.Of[float64])
	for k, slot := range slots {
		i := rowAt(rows, k)
		if ys.IsNull(i) || xs.IsNull(i) {
			continue
		}
		if err := st[slot].add(ys.Values[i], xs.Values[i]); err != nil {
			return &rowError{k, err}
		}
	}
	return nil
}

// pairsKernel is an aggregate over pairs; value's ok false is NULL.
func pairsKernel[R any](value func(p *pairs) (r R, ok bool)) *cellKernel[pairs] {
	return &cellKernel[pairs]{
		add:   addPairs,
		merge: (*pairs).merge,
		result: fixedResult(func(p *pairs) (R, bool, error) {
			r, ok := value(p)
			return r, ok, nil
		}),
		encode: func(dst []byte, p *pairs) []byte {
			for _, v := range p.fields() {
				dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(*v))
			}
			return dst
		},
		decode: func(p *pairs, data []byte) ([]byte, bool) {
			fields := p.fields()
			if len(data) < 8*len(fields) {
				return nil, false
			}
			for i, v := range fields {
				*v = math.Float64frombits(binary.BigEndian.Uint64(data[8*i:]))
			}
			return data[8*len(fields):], true
		},
	}
}

// regressions are corr, covar_* and regr_* of (Y, X); the rules of NULL are those of SQL's standard.
func regressions() []*AggFunction {
	out := []*AggFunction{cellAgg("regr_count(float8,float8) int8", pairsKernel(func(p *pairs) (int64, bool) { return int64(p.n), true }))}
	for name, value := range map[string]func(p *pairs) (float64, bool){
		"regr_sxx":   func(p *pairs) (float64, bool) { return p.sxx, p.n > 0 },
		"regr_syy":   func(p *pairs) (float64, bool) { return p.syy, p.n > 0 },
		"regr_sxy":   func(p *pairs) (float64, bool) { return p.sxy, p.n > 0 },
		"regr_avgx":  func(p *pairs) (float64, bool) { return p.sx / p.n, p.n > 0 },
		"regr_avgy":  func(p *pairs) (float64, bool) { return p.sy / p.n, p.n > 0 },
		"regr_slope": func(p *pairs) (float64, bool) { return p.sxy / p.sxx, p.n > 0 && p.sxx != 0 },
		"regr_intercept": func(p *pairs) (float64, bool) {
			return (p.sy - p.sx*p.sxy/p.sxx) / p.n, p.n > 0 && p.sxx != 0
		},
		"regr_r2": func(p *pairs) (float64, bool) {
			if p.syy == 0 {
				return 1, p.n > 0 && p.sxx != 0
			}
			return p.sxy * p.sxy / (p.sxx * p.syy), p.n > 0 && p.sxx != 0
		},
		"corr": func(p *pairs) (float64, bool) {
			return p.sxy / math.Sqrt(p.sxx*p.syy), p.n > 0 && p.sxx != 0 && p.syy != 0
		},
		"covar_pop":  func(p *pairs) (float64, bool) { return p.sxy / p.n, p.n > 0 },
		"covar_samp": func(p *pairs) (float64, bool) { return p.sxy / (p.n - 1), p.n > 1 },
	} {
		out = append(out, cellAgg(name+"(float8,float8) float8", pairsKernel(value)))
	}
	return out
}
