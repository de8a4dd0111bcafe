package types

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"

	"wmsql/sqlerr"
)

// Decimal is a Postgres numeric: an exact number with its display scale, or NaN, Infinity,
// -Infinity. The zero value is 0 with scale 0. Small values stay in coef; big is nil then, and a
// value that fits coef is never in big.
type Decimal struct {
	coef  int64
	big   *big.Int // never changed once it is here
	scale int32    // digits after the point: the value is coef × 10^-scale; 0 to maxScale
	form  uint8
}

// The forms of a Decimal.
const (
	finite uint8 = iota
	nan
	posInf
	negInf
)

// The limits of Postgres's numeric: digits after the point and before it.
const (
	maxScale     = 16383
	maxIntDigits = 131072
)

// The numbers that are none.
var (
	DecimalNaN    = Decimal{form: nan}
	DecimalInf    = Decimal{form: posInf}
	DecimalNegInf = Decimal{form: negInf}
)

// DecimalFromInt64 returns n with scale 0.
func DecimalFromInt64(n int64) Decimal { return Decimal{coef: n} }

// NewDecimal returns coef × 10^-scale; scale is at least 0.
func NewDecimal(coef int64, scale int32) Decimal { return Decimal{coef: coef, scale: scale} }

// DecimalFromBig returns n × 10^-scale. It keeps n, which must not change any more.
func DecimalFromBig(n *big.Int, scale int32) Decimal {
	if n.IsInt64() {
		return Decimal{coef: n.Int64(), scale: scale}
	}
	return Decimal{big: n, scale: scale}
}

// IsNaN reports whether d is NaN.
func (d Decimal) IsNaN() bool { return d.form == nan }

// IsInf reports whether d is Infinity (sign 1), -Infinity (-1) or either (0).
func (d Decimal) IsInf(sign int) bool {
	return d.form == posInf && sign >= 0 || d.form == negInf && sign <= 0
}

// IsFinite reports whether d is a number proper.
func (d Decimal) IsFinite() bool { return d.form == finite }

// Scale returns the number of digits shown after the point.
func (d Decimal) Scale() int32 { return d.scale }

// Small returns the value as coef × 10^-scale if it is finite and coef fits: the fast path of sums.
func (d Decimal) Small() (coef int64, scale int32, ok bool) {
	return d.coef, d.scale, d.form == finite && d.big == nil
}

// Sign returns -1, 0 or 1; 0 also for NaN.
func (d Decimal) Sign() int {
	switch {
	case d.form == posInf:
		return 1
	case d.form == negInf:
		return -1
	case d.form == nan:
		return 0
	case d.big != nil:
		return d.big.Sign()
	}
	return cmp.Compare(d.coef, 0)
}

// unscaled returns the coefficient as a big.Int, which the caller must not change.
func (d Decimal) unscaled() *big.Int {
	if d.big != nil {
		return d.big
	}
	return big.NewInt(d.coef)
}

// Neg returns -d.
func (d Decimal) Neg() Decimal {
	switch {
	case d.form == posInf:
		d.form = negInf
	case d.form == negInf:
		d.form = posInf
	case d.form == nan:
	case d.big != nil || d.coef == math.MinInt64:
		return DecimalFromBig(new(big.Int).Neg(d.unscaled()), d.scale)
	default:
		d.coef = -d.coef
	}
	return d
}

// Abs returns d without its sign.
func (d Decimal) Abs() Decimal {
	if d.Sign() < 0 {
		return d.Neg()
	}
	return d
}

// Add returns d + e, exactly; its scale is the larger one. Infinity + -Infinity is NaN.
func (d Decimal) Add(e Decimal) Decimal {
	if d.form|e.form != finite {
		return addSpecial(d, e)
	}
	if d.big == nil && e.big == nil {
		if a, b, ok := alignSmall(d, e); ok {
			if sum := a + b; (a^sum)&(b^sum) >= 0 {
				return Decimal{coef: sum, scale: max(d.scale, e.scale)}
			}
		}
	}
	a, b := alignBig(d, e)
	return DecimalFromBig(new(big.Int).Add(a, b), max(d.scale, e.scale))
}

// Sub returns d - e.
func (d Decimal) Sub(e Decimal) Decimal { return d.Add(e.Neg()) }

func addSpecial(d, e Decimal) Decimal {
	switch {
	case d.form == nan || e.form == nan:
		return DecimalNaN
	case d.form == finite:
		return e
	case e.form == finite || e.form == d.form:
		return d
	}
	return DecimalNaN
}

// alignSmall brings both coefficients to the larger scale, if they fit.
func alignSmall(d, e Decimal) (a, b int64, ok bool) {
	switch {
	case d.scale == e.scale:
		return d.coef, e.coef, true
	case d.scale < e.scale:
		a, ok = mulPow10(d.coef, e.scale-d.scale)
		return a, e.coef, ok
	}
	b, ok = mulPow10(e.coef, d.scale-e.scale)
	return d.coef, b, ok
}

func alignBig(d, e Decimal) (a, b *big.Int) {
	a, b = d.unscaled(), e.unscaled()
	switch {
	case d.scale < e.scale:
		a = new(big.Int).Mul(a, pow10(int(e.scale-d.scale)))
	case e.scale < d.scale:
		b = new(big.Int).Mul(b, pow10(int(d.scale-e.scale)))
	}
	return a, b
}

// Mul returns d × e; its scale is the sum of theirs. It fails with 22003 beyond numeric's range.
func (d Decimal) Mul(e Decimal) (Decimal, error) {
	if d.form|e.form != finite {
		return mulSpecial(d, e), nil
	}
	scale := d.scale + e.scale
	if d.big == nil && e.big == nil && scale <= maxScale {
		if p, ok := mulInt64(d.coef, e.coef); ok {
			return Decimal{coef: p, scale: scale}, nil
		}
	}
	out := DecimalFromBig(new(big.Int).Mul(d.unscaled(), e.unscaled()), scale)
	if scale > maxScale {
		out = out.Round(maxScale)
	}
	return out, out.checkRange()
}

// mulSpecial: NaN if one is NaN or for Infinity times 0, else Infinity with the product of the signs.
func mulSpecial(d, e Decimal) Decimal {
	switch sign := d.Sign() * e.Sign(); {
	case sign > 0:
		return DecimalInf
	case sign < 0:
		return DecimalNegInf
	}
	return DecimalNaN
}

// checkRange fails if d has more digits before the point than numeric holds.
func (d Decimal) checkRange() error {
	if d.big == nil || d.big.BitLen() < 400000 && d.digits()-int(d.scale) <= maxIntDigits {
		return nil
	}
	if d.digits()-int(d.scale) <= maxIntDigits {
		return nil
	}
	return sqlerr.Newf(sqlerr.NumericOutOfRange, "value overflows numeric format")
}

// Cmp orders d against e: -Infinity, numbers, Infinity, NaN. Scale does not count.
func (d Decimal) Cmp(e Decimal) int {
	if d.form|e.form != finite {
		return cmp.Compare(d.rank(), e.rank())
	}
	if d.big == nil && e.big == nil {
		if a, b, ok := alignSmall(d, e); ok {
			return cmp.Compare(a, b)
		}
	}
	if c := cmp.Compare(d.Sign(), e.Sign()); c != 0 {
		return c
	}
	a, b := alignBig(d, e)
	return a.Cmp(b)
}

func (d Decimal) rank() int {
	switch d.form {
	case negInf:
		return 0
	case finite:
		return 1
	case posInf:
		return 2
	}
	return 3
}

// pow10s are the powers of ten that fit an int64.
var pow10s = [...]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// pow10 returns 10^n; the caller must not change it.
func pow10(n int) *big.Int {
	if n < len(pow10s) {
		return big.NewInt(pow10s[n])
	}
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

func mulPow10(n int64, exp int32) (int64, bool) {
	if n == 0 {
		return 0, true
	}
	if int(exp) >= len(pow10s) {
		return 0, false
	}
	return mulInt64(n, pow10s[exp])
}

// mulInt64 returns a × b if it fits; the least int64 counts as not fitting.
func mulInt64(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(absInt64(a), absInt64(b))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}

func absInt64(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// digits returns the number of decimal digits of the coefficient; 0 for 0.
func (d Decimal) digits() int {
	if d.big != nil {
		return bigDigits(d.big)
	}
	u := absInt64(d.coef)
	n := 0
	for n < len(pow10s) && u >= uint64(pow10s[n]) {
		n++
	}
	return n
}

// bigDigits counts decimal digits from the number of bits, corrected by one comparison.
func bigDigits(n *big.Int) int {
	if n.Sign() == 0 {
		return 0
	}
	est := int(float64(n.BitLen()-1)*math.Log10(2)) + 1 // at most one too few
	if n.CmpAbs(pow10(est)) >= 0 {
		est++
	}
	return est
}
