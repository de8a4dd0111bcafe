package types

import (
	"encoding/binary"

	"wmsql/sqlerr"
)

// A bit string lies in a vector as the characters 0 and 1 of its text: their order is that of bit strings, and nothing has to know how many
// bits of a last byte count.

// maxBits bounds the length that a bit type may have: what Postgres allows an attribute, in bits.
const maxBits = 10485760 * 8

// BitMod checks the modifier of bit(n) and varbit(n).
func BitMod(k Kind, n int) (int32, error) {
	name := k.Info().PgName
	if n < 1 {
		return 0, sqlerr.Newf(sqlerr.InvalidParameterValue, "length for type %s must be at least 1", name)
	}
	if n > maxBits {
		return 0, sqlerr.Newf(sqlerr.InvalidParameterValue, "length for type %s cannot exceed %d", name, maxBits)
	}
	return int32(n), nil
}

// appendParsedBits appends the bits of a text: binary digits, perhaps behind a b, or hexadecimal ones behind an x.
func appendParsedBits(dst []byte, s string, t Type) ([]byte, error) {
	start, digits := len(dst), s
	switch {
	case s != "" && (s[0] == 'x' || s[0] == 'X'):
		for k := 1; k < len(s); k++ {
			v, ok := hexDigit(s[k])
			if !ok {
				return dst[:start], errBitDigit(s[k:], "hexadecimal")
			}
			dst = append(dst, '0'+v>>3, '0'+v>>2&1, '0'+v>>1&1, '0'+v&1)
		}
	default:
		if s != "" && (s[0] == 'b' || s[0] == 'B') {
			digits = s[1:]
		}
		for k := range len(digits) {
			if digits[k] != '0' && digits[k] != '1' {
				return dst[:start], errBitDigit(digits[k:], "binary")
			}
		}
		dst = append(dst, digits...)
	}
	if err := checkBits(len(dst)-start, t); err != nil {
		return dst[:start], err
	}
	return dst, nil
}

func errBitDigit(s, system string) error {
	first := s
	for k := range s {
		if k > 0 {
			first = s[:k]
			break
		}
	}
	return sqlerr.Newf(sqlerr.InvalidTextRepresentation, "\"%s\" is not a valid %s digit", first, system)
}

// checkBits refuses a length that a type does not have.
func checkBits(n int, t Type) error {
	switch {
	case t.Mod <= 0:
	case t.Kind == Bit && n != int(t.Mod):
		return sqlerr.Newf(sqlerr.BitLengthMismatch, "bit string length %d does not match type bit(%d)", n, t.Mod)
	case t.Kind == VarBit && n > int(t.Mod):
		return sqlerr.Newf(sqlerr.StringTooLong, "bit string too long for type bit varying(%d)", t.Mod)
	}
	return nil
}

// FitBits is the cast of a bit string to the length of t: an explicit one cuts it off, and fills bit(n) up with zeros, at the right.
func FitBits(dst, bits []byte, t Type, explicit bool) ([]byte, error) {
	if !explicit {
		return append(dst, bits...), checkBits(len(bits), t)
	}
	n := int(t.Mod)
	dst = append(dst, bits[:min(n, len(bits))]...)
	if t.Kind == Bit {
		for range n - len(bits) {
			dst = append(dst, '0')
		}
	}
	return dst, nil
}

// AppendBitsBinary appends the wire form: how many bits there are, and eight of them a byte.
func AppendBitsBinary(dst, bits []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(bits)))
	for len(bits) > 0 {
		n, c := min(8, len(bits)), byte(0)
		for k, b := range bits[:n] {
			c |= (b - '0') << (7 - k)
		}
		dst, bits = append(dst, c), bits[n:]
	}
	return dst
}

// AppendBitsOfBinary appends the bits of their wire form.
func AppendBitsOfBinary(dst, data []byte, t Type) ([]byte, error) {
	if len(data) < 4 {
		return dst, CheckBinary(len(data), 4)
	}
	n := int(int32(binary.BigEndian.Uint32(data)))
	data = data[4:]
	if n < 0 {
		return dst, sqlerr.Newf(sqlerr.InvalidBinary, "invalid length in external bit string")
	}
	if err := checkBits(n, t); err != nil {
		return dst, err
	}
	if err := CheckBinary(len(data), (n+7)/8); err != nil {
		return dst, err
	}
	for k := range n {
		dst = append(dst, '0'+data[k/8]>>(7-k%8)&1)
	}
	return dst, nil
}
