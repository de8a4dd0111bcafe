package types

import (
	"math"
	"math/big"
	"strconv"

	"wmsql/sqlerr"
)

// Round returns d rounded half away from zero to scale digits after the point; a negative scale rounds
// before the point. The result shows max(scale, 0) digits.
func (d Decimal) Round(scale int32) Decimal { return d.rescale(scale, true) }

// Trunc returns d cut to scale digits after the point.
func (d Decimal) Trunc(scale int32) Decimal { return d.rescale(scale, false) }

func (d Decimal) rescale(scale int32, round bool) Decimal {
	if d.form != finite {
		return d
	}
	scale = min(max(scale, -maxIntDigits), maxScale)
	drop := d.scale - scale
	if drop <= 0 {
		return d.widen(scale)
	}
	if d.big == nil && int(drop) >= len(pow10s)+1 {
		return Decimal{scale: max(scale, 0)} // fewer digits than are dropped
	}
	if d.big == nil && int(drop) < len(pow10s) {
		d.coef = dropDigits(d.coef, pow10s[drop], round)
		d.scale = scale
	} else {
		p := pow10(int(drop))
		var q *big.Int
		if round {
			q = quoHalfUp(d.unscaled(), p)
		} else {
			q = new(big.Int).Quo(d.unscaled(), p)
		}
		d = DecimalFromBig(q, scale)
	}
	if scale < 0 {
		d = d.widen(0)
	}
	return d
}

// dropDigits returns n / p, cut or rounded half away from zero.
func dropDigits(n, p int64, round bool) int64 {
	q, r := n/p, n%p
	if round {
		if r >= p-r {
			q++
		} else if -r >= p+r {
			q--
		}
	}
	return q
}

// widen raises the scale, which may be negative, without changing the value.
func (d Decimal) widen(scale int32) Decimal {
	by := scale - d.scale
	if by == 0 {
		return d
	}
	if d.big == nil {
		if c, ok := mulPow10(d.coef, by); ok {
			return Decimal{coef: c, scale: scale}
		}
	}
	return DecimalFromBig(new(big.Int).Mul(d.unscaled(), pow10(int(by))), scale)
}

// Ceil returns the least whole number that is not below d.
func (d Decimal) Ceil() Decimal { return d.whole(1) }

// Floor returns the greatest whole number that is not above d.
func (d Decimal) Floor() Decimal { return d.whole(-1) }

func (d Decimal) whole(side int) Decimal {
	t := d.Trunc(0)
	if d.form == finite && d.Sign() == side && t.Cmp(d) != 0 {
		return t.Add(DecimalFromInt64(int64(side)))
	}
	return t
}

// TrimScale drops the zeros at the end of the fraction.
func (d Decimal) TrimScale() Decimal {
	for d.form == finite && d.scale > 0 {
		if d.big == nil {
			if d.coef%10 != 0 {
				return d
			}
			d.coef /= 10
			d.scale--
			continue
		}
		q, r := new(big.Int).QuoRem(d.big, big.NewInt(10), new(big.Int))
		if r.Sign() != 0 {
			return d
		}
		d = DecimalFromBig(q, d.scale-1)
	}
	return d
}

// NumericMod returns the typmod of numeric(precision, scale).
func NumericMod(precision, scale int32) int32 { return (precision<<16 | scale&0x7ff) + 4 }

// NumericPrecision takes a numeric's typmod, which must not be NoMod, apart. The scale may be negative.
func NumericPrecision(mod int32) (precision, scale int32) {
	mod -= 4
	return mod >> 16 & 0xffff, (mod&0x7ff ^ 1024) - 1024
}

// WithMod rounds d to the scale of a numeric's typmod and checks its precision (22003).
func (d Decimal) WithMod(mod int32) (Decimal, error) {
	if mod < 4 || d.form == nan {
		return d, nil
	}
	precision, scale := NumericPrecision(mod)
	if d.form != finite {
		return d, errFieldOverflow().WithDetail("A field with precision %d, scale %d cannot hold an infinite value.", precision, scale)
	}
	d = d.Round(scale)
	if whole := precision - scale; d.Sign() != 0 && d.digits()-int(d.scale) > int(whole) {
		limit := "1"
		if whole != 0 {
			limit = "10^" + strconv.Itoa(int(whole))
		}
		return d, errFieldOverflow().WithDetail("A field with precision %d, scale %d must round to an absolute value less than %s.", precision, scale, limit)
	}
	return d, nil
}

func errFieldOverflow() *sqlerr.Error {
	return sqlerr.Newf(sqlerr.NumericOutOfRange, "numeric field overflow")
}

// ToInt64 rounds half away from zero; ok is false for what an int64 does not hold.
func (d Decimal) ToInt64() (n int64, ok bool) {
	if d.form != finite {
		return 0, false
	}
	d = d.Round(0)
	return d.coef, d.big == nil
}

// ToInt rounds to a whole number of kind Int2, Int4 or Int8, with Postgres's errors.
func (d Decimal) ToInt(k Kind) (int64, error) {
	switch d.form {
	case nan:
		return 0, sqlerr.Newf(sqlerr.FeatureNotSupported, "cannot convert NaN to %s", k.Info().SQLName)
	case posInf, negInf:
		return 0, sqlerr.Newf(sqlerr.FeatureNotSupported, "cannot convert infinity to %s", k.Info().SQLName)
	}
	n, ok := d.ToInt64()
	if !ok || !intFits(n, k) {
		return 0, ErrIntRange(k)
	}
	return n, nil
}

// intFits reports whether n is a value of k, Int2, Int4 or Int8.
func intFits(n int64, k Kind) bool {
	switch k {
	case Int2:
		return n >= math.MinInt16 && n <= math.MaxInt16
	case Int4:
		return n >= math.MinInt32 && n <= math.MaxInt32
	}
	return true
}

// ErrIntRange is Postgres's "integer out of range" for kind k.
func ErrIntRange(k Kind) *sqlerr.Error {
	return sqlerr.Newf(sqlerr.NumericOutOfRange, "%s out of range", k.Info().SQLName)
}

// ToFloat rounds to a Float4 or Float8, with Postgres's error (22003) for what is too large.
func (d Decimal) ToFloat(k Kind) (float64, error) {
	x := d.ToFloat64()
	if k == Float4 && d.form == finite {
		x = float64(float32(x))
	}
	if d.form == finite && (math.IsInf(x, 0) || x == 0 && d.Sign() != 0) {
		return 0, errFloatRange(d.String(), k)
	}
	return x, nil
}

// ToFloat64 returns the nearest float64, infinite for what is too large.
func (d Decimal) ToFloat64() float64 {
	switch d.form {
	case nan:
		return math.NaN()
	case posInf:
		return math.Inf(1)
	case negInf:
		return math.Inf(-1)
	}
	// Both are exact below these bounds, so the one division rounds correctly.
	if d.big == nil && absInt64(d.coef) < 1<<53 && d.scale <= 18 {
		return float64(d.coef) / float64(pow10s[d.scale])
	}
	f, _ := strconv.ParseFloat(d.String(), 64)
	return f
}

// DecimalFromFloat64 converts as Postgres does: 15 significant digits.
func DecimalFromFloat64(x float64) Decimal { return decimalFromFloat(x, 15) }

// DecimalFromFloat32 converts a real: 6 significant digits.
func DecimalFromFloat32(x float64) Decimal { return decimalFromFloat(x, 6) }

func decimalFromFloat(x float64, digits int) Decimal {
	switch {
	case x == 0:
		return Decimal{}
	case math.IsNaN(x):
		return DecimalNaN
	case math.IsInf(x, 1):
		return DecimalInf
	case math.IsInf(x, -1):
		return DecimalNegInf
	}
	var buf [32]byte
	text := strconv.AppendFloat(buf[:0], x, 'e', digits-1, 64)
	d, err := parseDecimal(string(text), true)
	if err != nil {
		panic("types: a float's own text is no number: " + string(text))
	}
	return d
}
