package types

import (
	"encoding/binary"
	"math/big"
)

// The words of numeric's binary wire form.
const (
	wirePos    uint16 = 0x0000
	wireNeg    uint16 = 0x4000
	wireNaN    uint16 = 0xc000
	wirePosInf uint16 = 0xd000
	wireNegInf uint16 = 0xf000
)

// AppendBinary appends Postgres's binary form: digits to base 10,000.
func (d Decimal) AppendBinary(dst []byte) []byte {
	switch d.form {
	case nan:
		return appendWire(dst, 0, 0, wireNaN, 0)
	case posInf:
		return appendWire(dst, 0, 0, wirePosInf, 0)
	case negInf:
		return appendWire(dst, 0, 0, wireNegInf, 0)
	}
	var buf [64]byte
	digits := d.Abs().unscaledText(buf[:0])
	// Zeros at the end bring the point to a border of groups, zeros in front fill the first group.
	for pad := (groupDigits - int(d.scale)%groupDigits) % groupDigits; pad > 0; pad-- {
		digits = append(digits, '0')
	}
	fracGroups := (int(d.scale) + groupDigits - 1) / groupDigits
	lead := (groupDigits - len(digits)%groupDigits) % groupDigits
	groups := (len(digits) + lead) / groupDigits
	group := func(g int) int {
		n := 0
		for k := g*groupDigits - lead; k < (g+1)*groupDigits-lead; k++ {
			n *= 10
			if k >= 0 {
				n += int(digits[k] - '0')
			}
		}
		return n
	}
	first, last := 0, groups
	for first < last && group(first) == 0 {
		first++
	}
	for last > first && group(last-1) == 0 {
		last--
	}
	weight := groups - fracGroups - 1 - first
	if first == last {
		weight = 0
	}
	sign := wirePos
	if d.Sign() < 0 {
		sign = wireNeg
	}
	dst = appendWire(dst, last-first, weight, sign, d.scale)
	for g := first; g < last; g++ {
		dst = binary.BigEndian.AppendUint16(dst, uint16(group(g)))
	}
	return dst
}

func appendWire(dst []byte, groups, weight int, sign uint16, scale int32) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(groups))
	dst = binary.BigEndian.AppendUint16(dst, uint16(int16(weight)))
	dst = binary.BigEndian.AppendUint16(dst, sign)
	return binary.BigEndian.AppendUint16(dst, uint16(scale))
}

// unscaledText appends the digits of the coefficient, which is not negative.
func (d Decimal) unscaledText(dst []byte) []byte {
	d.scale = 0
	return d.Append(dst)
}

// DecimalOfBinary reads Postgres's binary form; ok is false when it is none.
func DecimalOfBinary(b []byte) (d Decimal, ok bool) {
	if len(b) < 8 {
		return d, false
	}
	groups := int(binary.BigEndian.Uint16(b))
	weight := int(int16(binary.BigEndian.Uint16(b[2:])))
	sign := binary.BigEndian.Uint16(b[4:])
	scale := binary.BigEndian.Uint16(b[6:])
	switch sign {
	case wireNaN:
		return DecimalNaN, true
	case wirePosInf:
		return DecimalInf, true
	case wireNegInf:
		return DecimalNegInf, true
	case wirePos, wireNeg:
	default:
		return d, false
	}
	if len(b) != 8+2*groups || scale > maxScale {
		return d, false
	}
	return decimalOfGroups(b[8:], weight, sign == wireNeg, int32(scale))
}

func decimalOfGroups(b []byte, weight int, neg bool, scale int32) (Decimal, bool) {
	groups := len(b) / 2
	n, small, useBig := new(big.Int), int64(0), groups > 4
	base := big.NewInt(10000)
	for g := range groups {
		v := binary.BigEndian.Uint16(b[2*g:])
		if v >= 10000 {
			return Decimal{}, false
		}
		if useBig {
			n.Mul(n, base).Add(n, big.NewInt(int64(v)))
		} else {
			small = small*10000 + int64(v)
		}
	}
	d := Decimal{coef: small}
	if useBig {
		d = DecimalFromBig(n, 0)
	}
	if neg {
		d = d.Neg()
	}
	// The last group stands at 10000^(weight-groups+1).
	exp := (weight - groups + 1) * groupDigits
	if d.Sign() == 0 {
		return Decimal{scale: scale}, true
	}
	if exp > 0 {
		d.scale = int32(-exp)
		d = d.widen(0)
	} else {
		d.scale = int32(-exp)
	}
	return d.Trunc(scale), true // digits beyond the scale are cut, as Postgres does
}

// AppendCompact appends a short form for storage that keeps value and scale.
func (d Decimal) AppendCompact(dst []byte) []byte {
	head := uint64(d.scale)<<3 | uint64(d.form)<<1
	if d.big == nil {
		dst = binary.AppendUvarint(dst, head)
		return binary.AppendVarint(dst, d.coef)
	}
	dst = binary.AppendUvarint(dst, head|1)
	size := (d.big.BitLen() + 7) / 8
	dst = binary.AppendVarint(dst, int64(size*d.big.Sign()))
	start := len(dst)
	dst = append(dst, make([]byte, size)...)
	d.big.FillBytes(dst[start:])
	return dst
}

// DecimalOfCompact reads what AppendCompact wrote from the front of b and returns the rest.
func DecimalOfCompact(b []byte) (d Decimal, rest []byte, ok bool) {
	head, n := binary.Uvarint(b)
	if n <= 0 || head>>3 > maxScale {
		return d, nil, false
	}
	b = b[n:]
	x, n := binary.Varint(b)
	if n <= 0 {
		return d, nil, false
	}
	b = b[n:]
	d.scale, d.form = int32(head>>3), uint8(head>>1&3)
	if head&1 == 0 {
		d.coef = x
		return d, b, true
	}
	size := absInt64(x)
	if size > uint64(len(b)) {
		return d, nil, false
	}
	c := new(big.Int).SetBytes(b[:size])
	if x < 0 {
		c.Neg(c)
	}
	return DecimalFromBig(c, d.scale), b[size:], true
}
