package types

import (
	"bytes"
	"strconv"
)

// AppendInt64Kind appends the text of a value of LayoutInt64.
func AppendInt64Kind(dst []byte, n int64, t Type, f *Format) []byte {
	switch t.Kind {
	case Date:
		return f.AppendDate(dst, n)
	case Time:
		return AppendTime(dst, n)
	case TimeTZ:
		return AppendTimeTZ(dst, n)
	case Timestamp:
		return f.AppendTimestamp(dst, n)
	case TimestampTZ:
		return f.AppendTimestampTZ(dst, n)
	}
	if t.Kind.IsReg() {
		return appendReg(dst, n, t.Kind, f)
	}
	return strconv.AppendInt(dst, n, 10)
}

// appendReg appends the name of a catalog object, - for none.
func appendReg(dst []byte, n int64, k Kind, f *Format) []byte {
	if n == 0 && k != RegOper && k != RegOperator {
		return append(dst, '-')
	}
	if f != nil && f.RegName != nil {
		if name := f.RegName(k, n); name != "" {
			return append(dst, name...)
		}
	}
	if k == RegType {
		if t, ok := ByOID(uint32(n)); ok {
			return append(dst, t.String()...)
		}
	}
	return strconv.AppendInt(dst, n, 10)
}

// AppendBytesKind appends the text of a value of LayoutBytes.
func AppendBytesKind(dst, b []byte, t Type, f *Format) []byte {
	switch t.Kind {
	case Bytea:
		return AppendBytea(dst, b, f != nil && f.ByteaEscape)
	case UUID:
		return AppendUUID(dst, b)
	}
	return append(dst, b...)
}

// TextOfBPChar is the text of a char(n) value: a cast to text drops the blanks at its end.
func TextOfBPChar(b []byte) []byte { return bytes.TrimRight(b, " ") }
