package format

import (
	"math"
	"strconv"
	"unsafe"

	"wmsql/types"
)

// pow10 are the powers of ten that a float64 holds exactly.
var pow10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// number is a JSON number as it was scanned.
type number struct {
	end      int    // after its last byte
	mant     uint64 // all digits as an integer, when digits <= 18
	digits   int    // digits of mant, without leading zeros
	scale    int    // digits after the point
	neg      bool
	exponent bool // it has one, so mant and scale are not all
}

// scanNumber reads the JSON number at b[i]. ok is false when there is none; end is then where it goes wrong.
func scanNumber(b []byte, i int) (n number, ok bool) {
	if i < len(b) && b[i] == '-' {
		n.neg = true
		i++
	}
	start := i
	for i < len(b) && b[i]-'0' <= 9 {
		n.mant = n.mant*10 + uint64(b[i]-'0')
		i++
	}
	n.digits = i - start
	if n.digits == 0 || n.digits > 1 && b[start] == '0' {
		n.end = start + min(n.digits, 1)
		return n, false
	}
	if i < len(b) && b[i] == '.' {
		point := i
		i++
		for i < len(b) && b[i]-'0' <= 9 {
			n.mant = n.mant*10 + uint64(b[i]-'0')
			i++
		}
		n.scale = i - point - 1
		if n.scale == 0 {
			n.end = i
			return n, false
		}
		n.digits += n.scale
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		n.exponent = true
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		exp := i
		for i < len(b) && b[i]-'0' <= 9 {
			i++
		}
		if i == exp {
			n.end = i
			return n, false
		}
	}
	n.end = i
	return n, true
}

// integer returns the value of the number text when it is a whole number within int64. 3.0 and 1e3 are.
func (n *number) integer(text []byte) (v int64, whole, fits bool) {
	if n.scale == 0 && !n.exponent && n.digits <= 18 {
		if n.neg {
			return -int64(n.mant), true, true
		}
		return int64(n.mant), true, true
	}
	v, exact, fits := scaled(text, 0)
	return v, exact, fits
}

// float returns the number as a float8, or rounded to a float4 when t says so.
func (n *number) float(text []byte, t types.Kind) (float64, bool) {
	if t == types.Float8 && n.digits <= 15 && !n.exponent && n.scale <= 22 {
		f := float64(n.mant) / pow10[n.scale]
		if n.neg {
			f = -f
		}
		return f, true
	}
	bits := 64
	if t == types.Float4 {
		bits = 32
	}
	f, err := strconv.ParseFloat(text2string(text), bits)
	return f, err == nil
}

// scaled returns a number's value times ten to the shift, rounded half away from zero. exact says that nothing
// was rounded; fits is false when the result is no int64.
func scaled(text []byte, shift int) (v int64, exact, fits bool) {
	var buf [48]byte
	neg, mant, exp := splitNumber(buf[:0], text)
	if len(mant) == 0 {
		return 0, true, true
	}
	exp += shift
	if exp > 19 || len(mant)+exp > 19 {
		return 0, true, false
	}
	exact, up := true, false
	if exp < 0 {
		cut := len(mant) + exp // digits that stay
		if cut < 0 {
			return 0, false, true
		}
		exact, up = false, mant[cut] >= '5' // mant ends in no zero
		mant = mant[:cut]
		exp = 0
	}
	u := uint64(0)
	for _, c := range mant {
		u = u*10 + uint64(c-'0')
	}
	for range exp {
		u *= 10 // at most 19 digits in all: no overflow of uint64
	}
	if up {
		u++
	}
	if neg {
		return -int64(u), exact, u <= 1<<63
	}
	return int64(u), exact, u <= math.MaxInt64
}

// splitNumber returns a number as sign, digits without zeros at either end, appended to mant, and a power of ten.
func splitNumber(mant, text []byte) (neg bool, _ []byte, exp int) {
	if text[0] == '-' {
		neg, text = true, text[1:]
	}
	for i, c := range text {
		if c|0x20 == 'e' {
			e, err := strconv.Atoi(text2string(text[i+1:]))
			if err != nil || e > 1<<20 || e < -1<<20 {
				e = 1 << 20
				if text[i+1] == '-' {
					e = -1 << 20
				}
			}
			text, exp = text[:i], e
			break
		}
	}
	for i, c := range text {
		if c == '.' {
			exp -= len(text) - i - 1
			continue
		}
		if c != '0' || len(mant) > 0 {
			mant = append(mant, c)
		}
	}
	for len(mant) > 0 && mant[len(mant)-1] == '0' {
		mant = mant[:len(mant)-1]
		exp++
	}
	return neg, mant, exp
}

// intRange returns the least and greatest value of an integer type.
func intRange(k types.Kind) (lo, hi int64) {
	switch k {
	case types.Int2:
		return math.MinInt16, math.MaxInt16
	case types.Int4:
		return math.MinInt32, math.MaxInt32
	}
	return math.MinInt64, math.MaxInt64
}

// text2string is b as a string without a copy: for parsers, which keep nothing of it.
func text2string(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
