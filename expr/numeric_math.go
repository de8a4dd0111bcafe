package expr

import (
	"math"
	"math/big"

	"wmsql/sqlerr"
	"wmsql/types"
)

// Powers, exponentials and logarithms of numerics: the scale of the result is Postgres's, about 16 significant digits and no
// fewer digits after the point than the operands show; the value is computed with enough bits to round correctly.

const (
	sigDigitsMin = 16
	scaleMax     = 1000
	weightMax    = 131072 // digits before the point
)

func errNumericOverflow() error {
	return sqlerr.Newf(sqlerr.NumericOutOfRange, "value overflows numeric format")
}

// resultScale is the scale for a result of about 10^weight.
func resultScale(weight int, ds ...types.Decimal) int32 {
	scale := int32(max(sigDigitsMin-weight, 0))
	for _, d := range ds {
		scale = max(scale, d.Scale())
	}
	return min(scale, scaleMax)
}

// bitsFor is the precision for a result of about 10^weight with a scale, and room for what rounding eats on the way.
func bitsFor(scale int32, weight int) uint { return uint((int(scale)+max(weight, 0)+30)*10/3) + 64 }

func toBig(d types.Decimal, prec uint) *big.Float {
	f, _, err := big.ParseFloat(d.String(), 10, prec, big.ToNearestEven)
	if err != nil {
		panic("expr: a numeric's own text is no number: " + d.String())
	}
	return f
}

// fromBig rounds half away from zero.
func fromBig(f *big.Float, scale int32) (types.Decimal, error) {
	d, err := types.ParseDecimal(f.Text('f', int(scale)+12))
	if err != nil {
		return d, errNumericOverflow()
	}
	return d.Round(scale), nil
}

// approximate is d as a float, and its decimal logarithm, which a float may not hold.
func decimalLog10(d types.Decimal) float64 {
	f := toBig(d.Abs(), 64)
	mant := new(big.Float)
	exp := f.MantExp(mant)
	m, _ := mant.Float64()
	return math.Log10(m) + float64(exp)*math.Log10(2)
}

// lnWeight estimates the decimal weight of ln(d) as Postgres's estimate_ln_dweight does.
func lnWeight(d types.Decimal) int {
	if d.Sign() <= 0 {
		return 0
	}
	if v := d.ToFloat64(); v >= 0.9 && v <= 1.1 {
		rest := d.Sub(types.DecimalFromInt64(1)).Abs()
		if rest.Sign() == 0 {
			return 0
		}
		return int(math.Floor(decimalLog10(rest)))
	}
	return int(math.Log10(math.Abs(decimalLog10(d) * math.Ln10)))
}

// bigLn is the natural logarithm of a positive number: roots bring it near 1, where a series converges fast.
func bigLn(x *big.Float, prec uint) *big.Float {
	const roots = 12
	work := prec + 2*roots + 32
	y := new(big.Float).SetPrec(work).Set(x)
	exp := y.MantExp(y) // y in [0.5, 1)
	out := new(big.Float).SetPrec(work)
	if exp != 0 {
		out.Mul(bigLn2(work), new(big.Float).SetPrec(work).SetInt64(int64(exp)))
	}
	for range roots {
		y.Sqrt(y)
	}
	one := new(big.Float).SetPrec(work).SetInt64(1)
	z := new(big.Float).SetPrec(work).Quo(new(big.Float).SetPrec(work).Sub(y, one), new(big.Float).SetPrec(work).Add(y, one))
	near := atanh2(z, work)
	near.SetMantExp(near, roots)
	return out.Add(out, near).SetPrec(prec)
}

// atanh2 is 2 atanh(z) by its series.
func atanh2(z *big.Float, prec uint) *big.Float {
	sum, power := new(big.Float).SetPrec(prec).Set(z), new(big.Float).SetPrec(prec).Set(z)
	square := new(big.Float).SetPrec(prec).Mul(z, z)
	for k := int64(3); power.Sign() != 0 && power.MantExp(nil) > sum.MantExp(nil)-int(prec); k += 2 {
		power.Mul(power, square)
		sum.Add(sum, new(big.Float).SetPrec(prec).Quo(power, new(big.Float).SetInt64(k)))
	}
	return sum.SetMantExp(sum, 1)
}

// bigLn2 is ln 2 = 2 atanh(1/3).
func bigLn2(prec uint) *big.Float {
	third := new(big.Float).SetPrec(prec).Quo(new(big.Float).SetPrec(prec).SetInt64(1), new(big.Float).SetInt64(3))
	return atanh2(third, prec)
}

// bigExp is e to the x: x is halved until it is small, the series' result squared as often.
func bigExp(x *big.Float, prec uint) *big.Float {
	halvings := max(x.MantExp(nil)+12, 0)
	work := prec + 2*uint(halvings) + 32
	y := new(big.Float).SetPrec(work).Set(x)
	y.SetMantExp(y, -halvings)
	sum, term := new(big.Float).SetPrec(work).SetInt64(1), new(big.Float).SetPrec(work).SetInt64(1)
	for k := int64(1); term.Sign() != 0 && term.MantExp(nil) > sum.MantExp(nil)-int(work); k++ {
		term.Mul(term, y).Quo(term, new(big.Float).SetInt64(k))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum.SetPrec(prec)
}

func expNumeric(d types.Decimal) (types.Decimal, error) {
	switch {
	case d.IsInf(-1):
		return types.Decimal{}, nil
	case !d.IsFinite():
		return d, nil
	}
	weight := d.ToFloat64() * math.Log10E
	if weight > weightMax {
		return d, errNumericOverflow()
	}
	scale := resultScale(int(max(weight, -scaleMax)), d)
	if weight < -scaleMax-1 {
		return types.NewDecimal(0, scaleMax), nil
	}
	prec := bitsFor(scale, int(weight))
	return fromBig(bigExp(toBig(d, prec), prec), scale)
}

const invalidLog = sqlerr.Code("2201E")

func checkLog(d types.Decimal) error {
	switch {
	case d.IsNaN():
	case d.Sign() < 0:
		return sqlerr.Newf(invalidLog, "cannot take logarithm of a negative number")
	case d.Sign() == 0:
		return sqlerr.Newf(invalidLog, "cannot take logarithm of zero")
	}
	return nil
}

func lnNumeric(d types.Decimal) (types.Decimal, error) {
	if err := checkLog(d); err != nil || !d.IsFinite() {
		return d, err
	}
	scale := resultScale(lnWeight(d), d)
	prec := bitsFor(scale, 6)
	return fromBig(bigLn(toBig(d, prec+64), prec), scale)
}

// logNumeric is the logarithm of d to a base.
func logNumeric(base, d types.Decimal) (types.Decimal, error) {
	for _, v := range [...]types.Decimal{base, d} {
		if err := checkLog(v); err != nil {
			return d, err
		}
	}
	if !base.IsFinite() || !d.IsFinite() {
		if base.IsNaN() || d.IsNaN() || !base.IsFinite() && !d.IsFinite() {
			return types.DecimalNaN, nil
		}
		if base.IsFinite() {
			return d, nil
		}
		return types.Decimal{}, nil
	}
	scale := resultScale(lnWeight(d)-lnWeight(base), base, d)
	prec := bitsFor(scale, 6) + 64
	bottom := bigLn(toBig(base, prec), prec)
	if bottom.Sign() == 0 {
		return d, errDivisionByZero()
	}
	return fromBig(new(big.Float).SetPrec(prec).Quo(bigLn(toBig(d, prec), prec), bottom), scale)
}

// powNumeric is base to the power exp.
func powNumeric(base, exp types.Decimal) (types.Decimal, error) {
	const invalid = sqlerr.Code("2201F")
	if !base.IsFinite() || !exp.IsFinite() {
		return powSpecial(base, exp)
	}
	whole, fits := exp.ToInt64()
	isWhole := exp.Trunc(0).Cmp(exp) == 0
	switch {
	case base.Sign() == 0 && exp.Sign() < 0:
		return base, sqlerr.Newf(invalid, "zero raised to a negative power is undefined")
	case base.Sign() < 0 && !isWhole:
		return base, sqlerr.Newf(invalid, "a negative number raised to a non-integer power yields a complex result")
	case base.Sign() == 0 && exp.Sign() > 0:
		return types.Decimal{}.Round(resultScale(0, base, exp)), nil
	}
	weight := 0.0
	if base.Sign() != 0 {
		weight = exp.ToFloat64() * decimalLog10(base)
	}
	if weight > weightMax+4 {
		return base, errNumericOverflow()
	}
	if weight+1 < -scaleMax {
		return types.NewDecimal(0, scaleMax), nil
	}
	scale := resultScale(int(weight), base, exp)
	prec := bitsFor(scale, int(weight)) + 64
	if isWhole && fits && int64(int32(whole)) == whole {
		scale = min(max(sigDigitsMin, base.Scale()), scaleMax)
		prec = bitsFor(scale, int(weight)) + 64
		return fromBig(bigPowInt(toBig(base, prec), whole, prec), scale)
	}
	product := bigLn(toBig(base.Abs(), prec), prec)
	product.Mul(product, toBig(exp, prec))
	out, err := fromBig(bigExp(product, prec), scale)
	if base.Sign() < 0 && whole%2 != 0 {
		out = out.Neg()
	}
	return out, err
}

func bigPowInt(x *big.Float, n int64, prec uint) *big.Float {
	neg := n < 0
	if neg {
		n = -n
	}
	out, square := new(big.Float).SetPrec(prec).SetInt64(1), new(big.Float).SetPrec(prec).Set(x)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			out.Mul(out, square)
		}
		square.Mul(square, square)
	}
	if neg {
		return out.Quo(new(big.Float).SetPrec(prec).SetInt64(1), out)
	}
	return out
}

// powSpecial is the power with NaN or an infinity in it, by the rules of POSIX's pow.
func powSpecial(base, exp types.Decimal) (types.Decimal, error) {
	r := math.Pow(base.ToFloat64(), exp.ToFloat64())
	switch {
	case math.IsNaN(r):
		return types.DecimalNaN, nil
	case math.IsInf(r, 1):
		return types.DecimalInf, nil
	case math.IsInf(r, -1):
		return types.DecimalNegInf, nil
	}
	return types.DecimalFromFloat64(r), nil
}
