package types

import (
	"math"
	"math/big"
	"math/bits"

	"wmsql/sqlerr"
)

// The rule for the scale of a quotient is Postgres's: about 16 significant digits at least, and no
// fewer digits after the point than either operand shows.
const (
	divMinSigDigits = 16
	divMaxScale     = 1000
	groupDigits     = 4 // Postgres counts digits in groups of four, and so does the rule
)

func errDivZero() error { return sqlerr.Newf(sqlerr.DivisionByZero, "division by zero") }

// Div returns d / e with Postgres's scale, rounded half away from zero. Division by 0 is 22012.
func (d Decimal) Div(e Decimal) (Decimal, error) {
	if d.form|e.form != finite {
		return divSpecial(d, e)
	}
	if e.Sign() == 0 {
		return Decimal{}, errDivZero()
	}
	out := d.DivScale(e, DivScale(d, e))
	return out, out.checkRange()
}

func divSpecial(d, e Decimal) (Decimal, error) {
	switch {
	case d.form == nan || e.form == nan:
		return DecimalNaN, nil
	case d.form != finite && e.form != finite:
		return DecimalNaN, nil
	case e.form != finite:
		return Decimal{}, nil
	case e.Sign() == 0:
		return Decimal{}, errDivZero()
	case d.Sign()*e.Sign() > 0:
		return DecimalInf, nil
	}
	return DecimalNegInf, nil
}

// DivScale returns the scale that Postgres gives the quotient of two finite numbers.
func DivScale(d, e Decimal) int32 {
	w1, f1 := d.firstGroup()
	w2, f2 := e.firstGroup()
	weight := w1 - w2
	if f1 <= f2 {
		weight--
	}
	scale := max(divMinSigDigits-weight*groupDigits, int(d.scale), int(e.scale), 0)
	return int32(min(scale, divMaxScale))
}

// firstGroup returns the place of the first group of four digits that is not 0 (0: the group
// before the point) and its value; both are 0 for 0.
func (d Decimal) firstGroup() (weight, value int) {
	n := d.digits()
	if n == 0 {
		return 0, 0
	}
	first := n - 1 - int(d.scale) // power of ten of the first digit
	weight = floorDiv(first, groupDigits)
	lead := first - weight*groupDigits + 1 // digits of the coefficient in that group
	switch drop := n - lead; {
	case drop < 0:
		value = int(absInt64(d.coef) * uint64(pow10s[-drop]))
	case d.big == nil:
		value = int(absInt64(d.coef) / uint64(pow10s[drop]))
	default:
		q := new(big.Int).Quo(d.big, pow10(drop))
		value = int(q.Abs(q).Int64())
	}
	return weight, value
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// DivScale returns d / e, both finite and e not 0, with the given scale, rounded half away from zero.
func (d Decimal) DivScale(e Decimal, scale int32) Decimal {
	shift := scale + e.scale - d.scale
	if d.big == nil && e.big == nil && shift >= 0 && int(shift) < len(pow10s) {
		if q, ok := divSmall(d.coef, e.coef, pow10s[shift]); ok {
			return Decimal{coef: q, scale: scale}
		}
	}
	num, den := d.unscaled(), e.unscaled()
	if shift >= 0 {
		num = new(big.Int).Mul(num, pow10(int(shift)))
	} else {
		den = new(big.Int).Mul(den, pow10(int(-shift)))
	}
	return DecimalFromBig(quoHalfUp(num, den), scale)
}

// divSmall returns num × mul / den rounded half away from zero, if the quotient fits.
func divSmall(num, den, mul int64) (int64, bool) {
	hi, lo := bits.Mul64(absInt64(num), uint64(mul))
	u := absInt64(den)
	if hi >= u {
		return 0, false
	}
	q, r := bits.Div64(hi, lo, u)
	if r >= u-r {
		q++
	}
	if q > math.MaxInt64 {
		return 0, false
	}
	if (num < 0) != (den < 0) {
		return -int64(q), true
	}
	return int64(q), true
}

// quoHalfUp returns num / den rounded half away from zero.
func quoHalfUp(num, den *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(num, den, new(big.Int))
	r.Abs(r).Lsh(r, 1)
	if r.CmpAbs(den) >= 0 {
		if num.Sign() == den.Sign() {
			q.Add(q, big.NewInt(1))
		} else {
			q.Sub(q, big.NewInt(1))
		}
	}
	return q
}

// DivTrunc returns the whole part of d / e with scale 0, as Postgres's div().
func (d Decimal) DivTrunc(e Decimal) (Decimal, error) {
	if d.form|e.form != finite {
		return divSpecial(d, e)
	}
	if e.Sign() == 0 {
		return Decimal{}, errDivZero()
	}
	a, b := alignBig(d, e)
	return DecimalFromBig(new(big.Int).Quo(a, b), 0), nil
}

// Mod returns the rest of d / e, with d's sign. Mod 0 is 22012.
func (d Decimal) Mod(e Decimal) (Decimal, error) {
	switch {
	case d.form == nan || e.form == nan:
		return DecimalNaN, nil
	case e.Sign() == 0:
		return Decimal{}, errDivZero()
	case d.form != finite:
		return DecimalNaN, nil
	case e.form != finite:
		return d, nil
	}
	scale := max(d.scale, e.scale)
	if d.big == nil && e.big == nil {
		if a, b, ok := alignSmall(d, e); ok && b != 0 && b != -1 {
			return Decimal{coef: a % b, scale: scale}, nil
		}
	}
	a, b := alignBig(d, e)
	return DecimalFromBig(new(big.Int).Rem(a, b), scale), nil
}

// Sqrt returns the square root with Postgres's scale. A negative number is 2201F.
func (d Decimal) Sqrt() (Decimal, error) {
	switch {
	case d.form == nan || d.form == posInf:
		return d, nil
	case d.Sign() < 0:
		return Decimal{}, sqlerr.Newf("2201F", "cannot take square root of a negative number")
	}
	first := d.digits() - 1 - int(d.scale)
	if d.Sign() == 0 {
		first = 0
	}
	// Half the digits before the point; Postgres estimates them from its groups of four.
	sweight := floorDiv((floorDiv(first, groupDigits)+1)*groupDigits, 2) - 1
	scale := min(max(divMinSigDigits-sweight, int(d.scale), 0), divMaxScale)
	return d.SqrtScale(int32(scale)), nil
}

// SqrtScale returns the square root of d, finite and not negative, rounded to scale.
func (d Decimal) SqrtScale(scale int32) Decimal {
	// root × 10^(scale+1), cut; its last digit then rounds.
	shift := 2*(int(scale)+1) - int(d.scale)
	n := d.unscaled()
	if shift >= 0 {
		n = new(big.Int).Mul(n, pow10(shift))
	} else {
		n = new(big.Int).Quo(n, pow10(-shift))
	}
	root := new(big.Int).Sqrt(n)
	return DecimalFromBig(quoHalfUp(root, big.NewInt(10)), scale)
}
