package expr

import (
	"bytes"
	"strconv"

	"wmsql/column"
	"wmsql/types"
)

// jsonWriter writes values of any type as JSON.
type jsonWriter struct{ format *types.Format }

func newJSONWriter(s *site) *jsonWriter { return &jsonWriter{format: s.format()} }

// lineEnd is between fields or elements that stand on lines of their own.
const lineEnd = ",\n "

// value appends row i of v.
func (w *jsonWriter) value(dst []byte, v column.Vector, i int) []byte {
	return w.named(dst, v, i, nil, false)
}

// named appends row i of v, where the fields of records have names; lines is for those of v itself.
func (w *jsonWriter) named(dst []byte, v column.Vector, i int, names FieldNames, lines bool) []byte {
	if v.IsNull(i) {
		return append(dst, "null"...)
	}
	sep := ","
	if lines {
		sep = lineEnd
	}
	switch v := v.(type) {
	case *column.List:
		return w.list(dst, v, i, names, sep)
	case *column.Record:
		return w.record(dst, v, i, names, sep)
	}
	t := v.Type()
	switch t.Kind {
	case types.Bool:
		return strconv.AppendBool(dst, v.(*column.Of[bool]).Values[i])
	case types.JSON, types.JSONB:
		return append(dst, v.(*column.Bytes).Value(i)...)
	case types.Date, types.Timestamp, types.TimestampTZ:
		return append(w.time(append(dst, '"'), v.(*column.Of[int64]).Values[i], t.Kind), '"')
	case types.Int2, types.Int4, types.Int8, types.Numeric, types.Float4, types.Float8:
		start := len(dst)
		dst = column.AppendText(dst, v, i, w.format)
		if c := dst[len(dst)-1]; c >= '0' && c <= '9' {
			return dst
		}
		text := string(dst[start:]) // NaN or Infinity
		return types.AppendJSONString(dst[:start], text)
	}
	return types.AppendJSONString(dst, string(column.AppendText(nil, v, i, w.format)))
}

// time appends a date or a timestamp in ISO 8601: with a T, and minutes in the offset.
func (w *jsonWriter) time(dst []byte, v int64, k types.Kind) []byte {
	start := len(dst)
	switch k {
	case types.Date:
		return types.AppendDate(dst, v)
	case types.Timestamp:
		dst = types.AppendTimestamp(dst, v)
	default:
		dst = types.AppendTimestampTZ(dst, v, w.format)
		if at := bytes.LastIndexAny(dst[start:], "+-"); !isInfinite(v) && at > 0 && bytes.IndexByte(dst[start+at:], ':') < 0 {
			rest := append([]byte(":00"), dst[start+at+3:]...) // " BC" may follow
			dst = append(dst[:start+at+3], rest...)
		}
	}
	if at := bytes.IndexByte(dst[start:], ' '); at >= 0 {
		dst[start+at] = 'T'
	}
	return dst
}

// list appends an array; sep is between its elements, or between the arrays that are its elements.
func (w *jsonWriter) list(dst []byte, v *column.List, i int, names FieldNames, sep string) []byte {
	lo, hi := int(v.Offsets[i]), int(v.Offsets[i+1])
	elem := func(dst []byte, e int) []byte { return w.named(dst, v.Elems, lo+e, names, false) }
	dims := v.Shape(i).DimsOf(hi - lo)
	if len(dims) < 2 {
		dst = append(dst, '[')
		for e := range hi - lo {
			if e > 0 {
				dst = append(dst, sep...)
			}
			dst = elem(dst, e)
		}
		return append(dst, ']')
	}
	outer, inner := int(dims[0].Len), types.ShapeOf(dims[1:])
	size := (hi - lo) / outer
	dst = append(dst, '[')
	for k := range outer {
		if k > 0 {
			dst = append(dst, sep...)
		}
		dst = inner.AppendNested(dst, size, '[', ']', ",", func(dst []byte, e int) []byte { return elem(dst, k*size+e) })
	}
	return append(dst, ']')
}

// array appends rows lo to hi as an array.
func (w *jsonWriter) array(dst []byte, v column.Vector, lo, hi int, sep string) []byte {
	dst = append(dst, '[')
	for i := lo; i < hi; i++ {
		if i > lo {
			dst = append(dst, sep...)
		}
		dst = w.value(dst, v, i)
	}
	return append(dst, ']')
}

// record appends a row as an object; fields without names are called f1, f2, ...
func (w *jsonWriter) record(dst []byte, r *column.Record, i int, names FieldNames, sep string) []byte {
	dst = append(dst, '{')
	for f, v := range r.Fields {
		if f > 0 {
			dst = append(dst, sep...)
		}
		var within FieldNames
		if f < len(names) {
			dst = types.AppendJSONString(dst, names[f].Name)
			within = names[f].Within
		} else {
			dst = append(strconv.AppendInt(append(dst, `"f`...), int64(f)+1, 10), '"')
		}
		dst = w.named(append(dst, ':'), v, i, within, false)
	}
	return append(dst, '}')
}
