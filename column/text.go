package column

import (
	"strconv"

	"wmsql/types"
)

// AppendText appends the Postgres text form of row i of v, which is not NULL.
func AppendText(dst []byte, v Vector, i int, f *types.Format) []byte {
	switch v := v.(type) {
	case *Of[int64]:
		return types.AppendInt64Kind(dst, v.Values[i], v.T, f)
	case *Bytes:
		return types.AppendBytesKind(dst, v.Value(i), v.T, f)
	case *Of[bool]:
		if v.Values[i] {
			return append(dst, 't')
		}
		return append(dst, 'f')
	case *Of[float64]:
		return types.AppendFloat(dst, v.Values[i], v.T.Kind, f)
	case *Of[types.Decimal]:
		return v.Values[i].Append(dst)
	case *Of[types.IntervalValue]:
		return f.AppendInterval(dst, v.Values[i])
	case *List:
		return appendListText(dst, v, i, f)
	case *Record:
		return appendRecordText(dst, v, i, f)
	}
	panic("column: unknown vector")
}

// appendListText writes {a,"b c",NULL}, or the numbers with blanks between of an int2vector or oidvector.
func appendListText(dst []byte, v *List, i int, f *types.Format) []byte {
	lo, hi := int(v.Offsets[i]), int(v.Offsets[i+1])
	if !v.T.Array {
		ints := v.Elems.(*Of[int64]).Values
		for e := lo; e < hi; e++ {
			if e > lo {
				dst = append(dst, ' ')
			}
			dst = strconv.AppendInt(dst, ints[e], 10)
		}
		return dst
	}
	if s := v.Shape(i); s != nil {
		return s.AppendArrayText(dst, hi-lo, func(dst []byte, e int) []byte { return appendElemText(dst, v.Elems, lo+e, f) })
	}
	dst = append(dst, '{')
	for e := lo; e < hi; e++ {
		if e > lo {
			dst = append(dst, ',')
		}
		dst = appendElemText(dst, v.Elems, e, f)
	}
	return append(dst, '}')
}

func appendElemText(dst []byte, elems Vector, e int, f *types.Format) []byte {
	if elems.IsNull(e) {
		return append(dst, "NULL"...)
	}
	start := len(dst)
	return types.QuoteArrayElem(AppendText(dst, elems, e, f), start)
}

// appendRecordText writes (a,"b c",): a NULL is nothing, an empty text is "".
func appendRecordText(dst []byte, v *Record, i int, f *types.Format) []byte {
	dst = append(dst, '(')
	for k, field := range v.Fields {
		if k > 0 {
			dst = append(dst, ',')
		}
		if !field.IsNull(i) {
			start := len(dst)
			dst = types.QuoteRecordField(AppendText(dst, field, i, f), start)
		}
	}
	return append(dst, ')')
}
