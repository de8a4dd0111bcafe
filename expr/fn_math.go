package expr

import (
	"math"
	"math/rand/v2"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// mathFunctions are the functions on numbers.
func mathFunctions() []*Function {
	type d = types.Decimal
	zero := func(f func(d, int32) d) kernel {
		return fn1(func(v d) d { return f(v, 0) })
	}
	toScale := func(f func(d, int32) d) kernel {
		return fn2(func(v d, scale int64) d { return f(v, int32(min(max(scale, -scaleMax), scaleMax))) })
	}
	out := []*Function{
		def("round(numeric) numeric", zero(d.Round), total), def("round(numeric,int4) numeric", toScale(d.Round), total),
		def("trunc(numeric) numeric", zero(d.Trunc), total), def("trunc(numeric,int4) numeric", toScale(d.Trunc), total),
		def("round(float8) float8", fn1(math.RoundToEven), total), def("trunc(float8) float8", fn1(math.Trunc), total),
		def("floor(numeric) numeric", fn1(d.Floor), total), def("floor(float8) float8", fn1(math.Floor), total),
		def("sign(numeric) numeric", fn1(signNumeric), total), def("sign(float8) float8", fn1(signFloat), total),
		def("sqrt(numeric) numeric", fn1e(d.Sqrt)), def("sqrt(float8) float8", fn1e(sqrtFloat)), def("cbrt(float8) float8", fn1(math.Cbrt), total),
		def("exp(numeric) numeric", fn1e(expNumeric)), def("exp(float8) float8", fn1e(expFloat)),
		def("ln(numeric) numeric", fn1e(lnNumeric)), def("ln(float8) float8", fn1e(logFloat(math.Log))),
		def("log(numeric,numeric) numeric", fn2e(logNumeric)),
		def("div(numeric,numeric) numeric", fn2e(d.DivTrunc)), def("mod(numeric,numeric) numeric", fn2e(d.Mod)),
		def("gcd(numeric,numeric) numeric", fn2e(gcdNumeric)), def("lcm(numeric,numeric) numeric", fn2e(lcmNumeric)),
		def("scale(numeric) int4", fn1e(scaleOf), total), def("trim_scale(numeric) numeric", fn1(d.TrimScale), total),
		def("min_scale(numeric) int4", fn1e(func(v d) (int64, error) { return scaleOf(v.TrimScale()) }), total),
		def("factorial(int8) numeric", fn1e(factorial)),
		def("pi() float8", fn0s(func(*site) func() (float64, error) { return func() (float64, error) { return math.Pi, nil } }), total),
		def("random() float8", fn0s(func(*site) func() (float64, error) { return func() (float64, error) { return rand.Float64(), nil } }), volatile, total),
		def("setseed(float8) void", tx1(func(dst []byte, _ float64) []byte { return dst }), volatile),
		def("width_bucket(float8,float8,float8,int4) int4", widthBucket),
		def("width_bucket(numeric,numeric,numeric,int4) int4", widthBucket),
	}
	for _, name := range []string{"ceil", "ceiling"} {
		out = append(out, def(name+"(numeric) numeric", fn1(d.Ceil), total), def(name+"(float8) float8", fn1(math.Ceil), total))
	}
	for _, name := range []string{"power", "pow"} {
		out = append(out, def(name+"(numeric,numeric) numeric", fn2e(powNumeric)), def(name+"(float8,float8) float8", floatArith(powFloat)))
	}
	ten := types.DecimalFromInt64(10)
	for _, name := range []string{"log", "log10"} {
		out = append(out, def(name+"(numeric) numeric", fn1e(func(v d) (d, error) { return logNumeric(ten, v) })),
			def(name+"(float8) float8", fn1e(logFloat(math.Log10))))
	}
	return append(out, intMath()...)
}

func intMath() []*Function {
	var out []*Function
	for _, k := range []types.Kind{types.Int2, types.Int4, types.Int8} {
		t, limits := k.Info().PgName, limitsOf(k)
		out = append(out, def("mod("+t+","+t+") "+t, intRows(modInt)), def("abs("+t+") "+t, fn1e(func(v int64) (int64, error) {
			if v == limits.lo {
				return 0, types.ErrIntRange(k)
			}
			return max(v, -v), nil
		})))
		if k != types.Int2 {
			out = append(out, def("gcd("+t+","+t+") "+t, intRows(gcdInt)), def("lcm("+t+","+t+") "+t, intRows(lcmInt)))
		}
	}
	return append(out,
		def("abs(numeric) numeric", fn1(types.Decimal.Abs), total), def("abs(float8) float8", fn1(math.Abs), total),
		def("abs(float4) float4", fn1(math.Abs), total))
}

// trigFunctions are those on angles.
func trigFunctions() []*Function {
	one := func(name string, f func(float64) float64, inside func(float64) bool) *Function {
		return def(name+"(float8) float8", fn1e(func(v float64) (float64, error) {
			if inside != nil && !inside(v) && v == v {
				return 0, sqlerr.Newf(sqlerr.NumericOutOfRange, "input is out of range")
			}
			return f(v), nil
		}))
	}
	finite := func(v float64) bool { return !math.IsInf(v, 0) }
	unit := func(v float64) bool { return v >= -1 && v <= 1 }
	return []*Function{
		one("sin", math.Sin, finite), one("cos", math.Cos, finite), one("tan", math.Tan, finite),
		one("cot", func(v float64) float64 { return 1 / math.Tan(v) }, finite),
		one("asin", math.Asin, unit), one("acos", math.Acos, unit), one("atan", math.Atan, nil),
		one("sinh", math.Sinh, nil), one("cosh", math.Cosh, nil), one("tanh", math.Tanh, nil),
		one("asinh", math.Asinh, nil), one("acosh", math.Acosh, func(v float64) bool { return v >= 1 }), one("atanh", math.Atanh, unit),
		one("degrees", func(v float64) float64 { return v / (math.Pi / 180) }, nil), one("radians", func(v float64) float64 { return v * (math.Pi / 180) }, nil),
		def("atan2(float8,float8) float8", fn2(math.Atan2), total),
	}
}

func signNumeric(v types.Decimal) types.Decimal {
	if v.IsNaN() {
		return v
	}
	return types.DecimalFromInt64(int64(v.Sign()))
}

func signFloat(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0 // of -0 and NaN too, as in Postgres
}

func expFloat(v float64) (float64, error) {
	return checkFloat(math.Exp(v), false, math.IsInf(v, 0), math.IsInf(v, 0))
}

func logFloat(f func(float64) float64) func(float64) (float64, error) {
	return func(v float64) (float64, error) {
		switch {
		case v == 0:
			return 0, sqlerr.Newf(invalidLog, "cannot take logarithm of zero")
		case v < 0:
			return 0, sqlerr.Newf(invalidLog, "cannot take logarithm of a negative number")
		}
		return f(v), nil
	}
}

func gcdInt(a, b int64, l intLimits, k types.Kind) (int64, error) {
	for b != 0 {
		if b == -1 {
			return 1, nil
		}
		a, b = b, a%b
	}
	if a == l.lo {
		return 0, types.ErrIntRange(k)
	}
	return max(a, -a), nil
}

func lcmInt(a, b int64, l intLimits, k types.Kind) (int64, error) {
	if a == 0 || b == 0 {
		return 0, nil
	}
	g, err := gcdInt(a, b, l, k)
	if err != nil {
		return 0, err
	}
	r, ok := mulInt(a/g, b)
	if !ok || !l.hold(r) || r == l.lo {
		return 0, types.ErrIntRange(k)
	}
	return max(r, -r), nil
}

func gcdNumeric(a, b types.Decimal) (types.Decimal, error) {
	if !a.IsFinite() || !b.IsFinite() {
		return types.DecimalNaN, nil
	}
	scale := max(a.Scale(), b.Scale())
	for b.Sign() != 0 {
		r, err := a.Mod(b)
		if err != nil {
			return r, err
		}
		a, b = b, r
	}
	return a.Abs().Round(scale), nil
}

func lcmNumeric(a, b types.Decimal) (types.Decimal, error) {
	if !a.IsFinite() || !b.IsFinite() {
		return types.DecimalNaN, nil
	}
	scale := max(a.Scale(), b.Scale())
	if a.Sign() == 0 || b.Sign() == 0 {
		return types.Decimal{}.Round(scale), nil
	}
	g, err := gcdNumeric(a, b)
	if err != nil {
		return g, err
	}
	part, err := a.DivTrunc(g)
	if err != nil {
		return part, err
	}
	r, err := part.Mul(b)
	return r.Abs().Round(scale), err
}

func scaleOf(v types.Decimal) (int64, error) {
	if !v.IsFinite() {
		return 0, errNull
	}
	return int64(v.Scale()), nil
}

func factorial(n int64) (types.Decimal, error) {
	out := types.DecimalFromInt64(1)
	switch {
	case n < 0:
		return out, sqlerr.Newf(sqlerr.NumericOutOfRange, "factorial of a negative number is undefined")
	case n > 32177:
		return out, errNumericOverflow()
	}
	for k := int64(2); k <= n; k++ {
		var err error
		if out, err = out.Mul(types.DecimalFromInt64(k)); err != nil {
			return out, err
		}
	}
	return out, nil
}

// widthBucket is the number, 1 to count, of the bucket of equal width that holds a value; 0 below, count+1 above.
func widthBucket(s *site) body {
	out := output[int64]{t: s.ret}
	num := func(v column.Vector, i int) float64 {
		if d, ok := v.(*column.Of[types.Decimal]); ok {
			return d.Values[i].ToFloat64()
		}
		return v.(*column.Of[float64]).Values[i]
	}
	const invalid = sqlerr.Code("2201G")
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		counts := in[3].(*column.Of[int64]).Values
		return out.fill(nulls, n, func(i int) (int64, error) {
			v, lo, hi, count := num(in[0], i), num(in[1], i), num(in[2], i), counts[i]
			switch {
			case count <= 0:
				return 0, sqlerr.Newf(invalid, "count must be greater than zero")
			case v != v || lo != lo || hi != hi:
				return 0, sqlerr.Newf(invalid, "operand, lower bound, and upper bound cannot be NaN")
			case math.IsInf(lo, 0) || math.IsInf(hi, 0):
				return 0, sqlerr.Newf(invalid, "lower and upper bounds must be finite")
			case lo == hi:
				return 0, sqlerr.Newf(invalid, "lower bound cannot equal upper bound")
			}
			if lo > hi {
				v, lo, hi = -v, -lo, -hi
			}
			switch {
			case v < lo:
				return 0, nil
			case v >= hi:
				return count + 1, nil
			}
			return int64(float64(count)*((v-lo)/(hi-lo))) + 1, nil
		})
	}
}
