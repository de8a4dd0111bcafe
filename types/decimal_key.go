package types

import (
	"encoding/binary"
	"math/big"
)

// The first byte of a decimal's key, in Postgres's order.
const (
	keyNegInf byte = 1 + iota
	keyNeg
	keyZero
	keyPos
	keyPosInf
	keyNaN
)

// AppendKey appends a form whose byte order is the order of values. Scale is not in it: 1.0 and 1.00 have one key.
// A number is its sign, the power of ten of its first digit plus 2^23 in three bytes, its digits in pairs, each
// plus 1, and a 0; a negative number has all that inverted behind its first byte.
func (d Decimal) AppendKey(dst []byte) []byte {
	switch d.form {
	case nan:
		return append(dst, keyNaN)
	case posInf:
		return append(dst, keyPosInf)
	case negInf:
		return append(dst, keyNegInf)
	}
	sign := d.Sign()
	if sign == 0 {
		return append(dst, keyZero)
	}
	var buf [64]byte
	digits := d.Abs().unscaledText(buf[:0])
	exp := uint32(len(digits)-1-int(d.scale)) + 1<<23
	for digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	if len(digits)%2 == 1 {
		digits = append(digits, '0')
	}
	first := keyPos
	if sign < 0 {
		first = keyNeg
	}
	dst = append(dst, first)
	start := len(dst)
	dst = append(dst, byte(exp>>16), byte(exp>>8), byte(exp))
	for k := 0; k < len(digits); k += 2 {
		dst = append(dst, (digits[k]-'0')*10+digits[k+1]-'0'+1)
	}
	dst = append(dst, 0)
	if sign < 0 {
		for k := start; k < len(dst); k++ {
			dst[k] = ^dst[k]
		}
	}
	return dst
}

// DecimalOfKey reads what AppendKey wrote from the front of b and returns the rest. The scale is the least that shows the value.
func DecimalOfKey(b []byte) (d Decimal, rest []byte, ok bool) {
	if len(b) == 0 {
		return d, nil, false
	}
	first, b := b[0], b[1:]
	switch first {
	case keyNaN:
		return DecimalNaN, b, true
	case keyPosInf:
		return DecimalInf, b, true
	case keyNegInf:
		return DecimalNegInf, b, true
	case keyZero:
		return d, b, true
	case keyPos, keyNeg:
		return decimalOfDigits(b, first == keyNeg)
	}
	return d, nil, false
}

func decimalOfDigits(b []byte, neg bool) (d Decimal, rest []byte, ok bool) {
	flip := byte(0)
	if neg {
		flip = 0xff
	}
	if len(b) < 4 {
		return d, nil, false
	}
	exp := int(binary.BigEndian.Uint32([]byte{0, b[0] ^ flip, b[1] ^ flip, b[2] ^ flip})) - 1<<23
	b = b[3:]
	var buf [64]byte
	digits := buf[:0]
	for k, c := range b {
		c ^= flip
		if c == 0 {
			return decimalFromDigits(digits, exp, neg), b[k+1:], true
		}
		if c > 100 {
			break
		}
		digits = append(digits, '0'+(c-1)/10, '0'+(c-1)%10)
	}
	return d, nil, false
}

// decimalFromDigits returns the number whose first digit stands at 10^exp.
func decimalFromDigits(digits []byte, exp int, neg bool) Decimal {
	var d Decimal
	if len(digits) <= 18 {
		for _, c := range digits {
			d.coef = d.coef*10 + int64(c-'0')
		}
	} else {
		n, _ := new(big.Int).SetString(string(digits), 10)
		d = DecimalFromBig(n, 0)
	}
	if neg {
		d = d.Neg()
	}
	d.scale = int32(len(digits) - 1 - exp)
	if d.scale < 0 {
		d = d.widen(0)
	}
	return d.TrimScale()
}
