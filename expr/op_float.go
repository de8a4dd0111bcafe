package expr

import (
	"math"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

func errFloatOverflow() error {
	return sqlerr.Newf(sqlerr.NumericOutOfRange, "value out of range: overflow")
}

func errFloatUnderflow() error {
	return sqlerr.Newf(sqlerr.NumericOutOfRange, "value out of range: underflow")
}

// checkFloat refuses a result that is infinite or zero though no operand made it so. The result of a real is rounded to one.
func checkFloat(r float64, single, infIn, zeroOK bool) (float64, error) {
	if single {
		r = float64(float32(r))
	}
	if math.IsInf(r, 0) && !infIn {
		return 0, errFloatOverflow()
	}
	if r == 0 && !zeroOK {
		return 0, errFloatUnderflow()
	}
	return r, nil
}

func isInf(a, b float64) bool { return math.IsInf(a, 0) || math.IsInf(b, 0) }

// floatRow is one operation on floats; single says that the result is a real.
type floatRow func(a, b float64, single bool) (float64, error)

func addFloat(a, b float64, single bool) (float64, error) {
	return checkFloat(a+b, single, isInf(a, b), true)
}

func subFloat(a, b float64, single bool) (float64, error) {
	return checkFloat(a-b, single, isInf(a, b), true)
}

func mulFloat(a, b float64, single bool) (float64, error) {
	return checkFloat(a*b, single, isInf(a, b), a == 0 || b == 0)
}

func divFloat(a, b float64, single bool) (float64, error) {
	if b == 0 && !math.IsNaN(a) {
		return 0, errDivisionByZero()
	}
	return checkFloat(a/b, single, math.IsInf(a, 0), a == 0 || math.IsInf(b, 0))
}

func powFloat(a, b float64, _ bool) (float64, error) {
	const invalid = sqlerr.Code("2201F")
	switch {
	case a == 0 && b < 0:
		return 0, sqlerr.Newf(invalid, "zero raised to a negative power is undefined")
	case a < 0 && b != math.Floor(b) && !math.IsInf(b, 0):
		return 0, sqlerr.Newf(invalid, "a negative number raised to a non-integer power yields a complex result")
	}
	r := math.Pow(a, b)
	return checkFloat(r, false, isInf(a, b), a == 0 || isInf(a, b))
}

// floatArith makes the kernel of an operator on floats.
func floatArith(f floatRow) kernel {
	return func(s *site) body {
		out := output[float64]{t: s.ret}
		single := s.ret.Kind == types.Float4
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			a, b, r := in[0].(*column.Of[float64]).Values, in[1].(*column.Of[float64]).Values, out.room(n)
			for i := range r {
				if nulls != nil && nulls[i] {
					r[i] = 0
					continue
				}
				var err error
				if r[i], err = f(a[i], b[i], single); err != nil {
					return nil, err
				}
			}
			return &column.Of[float64]{T: s.ret, Values: r, Nulls: nulls}, nil
		}
	}
}

// floatOperators are the operators on reals and doubles; a pair of both is computed as doubles.
func floatOperators() []*Function {
	var out []*Function
	kinds := []types.Kind{types.Float4, types.Float8}
	for _, l := range kinds {
		for _, r := range kinds {
			sig := "(" + l.Info().PgName + "," + r.Info().PgName + ") " + max(l, r).Info().PgName
			out = append(out,
				def("+"+sig, floatArith(addFloat)), def("-"+sig, floatArith(subFloat)),
				def("*"+sig, floatArith(mulFloat)), def("/"+sig, floatArith(divFloat)))
		}
	}
	for _, k := range kinds {
		t := k.Info().PgName
		out = append(out,
			def("-("+t+") "+t, fn1(func(v float64) float64 { return -v }), total),
			def("+("+t+") "+t, fn1(func(v float64) float64 { return v }), total),
			def("@("+t+") "+t, fn1(math.Abs), total))
	}
	return append(out,
		def("^(float8,float8) float8", floatArith(powFloat)),
		def("|/(float8) float8", fn1e(sqrtFloat)),
		def("||/(float8) float8", fn1(math.Cbrt), total))
}

func sqrtFloat(v float64) (float64, error) {
	if v < 0 {
		return 0, sqlerr.Newf("2201F", "cannot take square root of a negative number")
	}
	return math.Sqrt(v), nil
}
