package expr

import (
	"bytes"
	"unicode/utf8"

	"wmsql/sqlerr"
	"wmsql/types"
)

// lengthCast returns the function that brings a value to t's length, precision or scale, nil if t has none that matters.
// Characters are cut off in silence by an explicit cast only.
func lengthCast(t types.Type, explicit bool) *Function {
	if t.Array {
		if lengthCast(t.Elem(), explicit) == nil {
			return nil
		}
		item := &Column{T: plain(t.Elem())}
		ctx := Assignment
		if explicit {
			ctx = Explicit
		}
		f := overElements(item, castLength(item, t.Elem(), ctx), plain(t), plain(t))
		return f
	}
	k := lengthKernel(t, explicit)
	if k == nil {
		return nil
	}
	return &Function{Name: "cast", Args: []types.Type{plain(t)}, Return: plain(t), Strict: true, kernel: k}
}

func lengthKernel(t types.Type, explicit bool) kernel {
	n := int(t.Mod) - 4
	switch t.Kind {
	case types.Varchar:
		return tx1e(func(dst, a []byte) ([]byte, error) {
			a, err := clipChars(a, n, explicit, t)
			return append(dst, a...), err
		})
	case types.BPChar:
		return tx1e(func(dst, a []byte) ([]byte, error) {
			a, err := clipChars(a, n, explicit, t)
			if err != nil {
				return nil, err
			}
			dst = append(dst, a...)
			for range n - utf8.RuneCount(a) {
				dst = append(dst, ' ')
			}
			return dst, nil
		})
	case types.Numeric:
		return numericLength(t)
	case types.Timestamp, types.TimestampTZ:
		return fn1(func(v int64) int64 { return types.RoundTimestamp(v, t.Mod) })
	case types.TimeTZ:
		return fn1(func(v int64) int64 { return types.RoundTimeTZ(v, t.Mod) })
	case types.Bit, types.VarBit:
		return tx1e(func(dst, a []byte) ([]byte, error) { return types.FitBits(dst, a, t, explicit) })
	case types.Time:
		return fn1(func(v int64) int64 { return types.RoundMicros(v, t.Mod) })
	case types.Interval:
		return fn1e(func(v types.IntervalValue) (types.IntervalValue, error) { return v.WithMod(t.Mod) })
	}
	return nil
}

// clipChars cuts a to n characters. What is cut must be blanks unless the cast is explicit.
func clipChars(a []byte, n int, explicit bool, t types.Type) ([]byte, error) {
	if len(a) <= n || utf8.RuneCount(a) <= n {
		return a, nil
	}
	cut := byteOfChar(a, n)
	if !explicit && len(bytes.TrimLeft(a[cut:], " ")) > 0 {
		return nil, sqlerr.Newf(sqlerr.StringTooLong, "value too long for type %s", t)
	}
	return a[:cut], nil
}

// byteOfChar is the offset of character n (0-based) in a, len(a) if there are fewer.
func byteOfChar(a []byte, n int) int {
	off := 0
	for ; n > 0 && off < len(a); n-- {
		_, size := utf8.DecodeRune(a[off:])
		off += size
	}
	return off
}
