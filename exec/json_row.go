package exec

import (
	"unicode/utf8"

	"wmsql/column"
	"wmsql/types"
)

// appendRowJSON appends row i of b as a JSON object of the columns at shown (nil: all): numbers and booleans as such, JSON
// as it is, everything else as the text Postgres would show in UTC.
func appendRowJSON(dst []byte, b *column.Batch, i int, shown []int) []byte {
	dst = append(dst, '{')
	n := len(b.Cols)
	if shown != nil {
		n = len(shown)
	}
	for k := range n {
		c := k
		if shown != nil {
			c = shown[k]
		}
		if k > 0 {
			dst = append(dst, ',')
		}
		dst = appendJSONString(dst, b.Schema.Fields[c].Name)
		dst = append(dst, ':')
		dst = appendJSONValue(dst, b.Cols[c], i)
	}
	return append(dst, '}')
}

func appendJSONValue(dst []byte, v column.Vector, i int) []byte {
	if v.IsNull(i) {
		return append(dst, "null"...)
	}
	t := v.Type()
	if !t.Array {
		switch t.Kind {
		case types.Bool:
			if v.(*column.Of[bool]).Values[i] {
				return append(dst, "true"...)
			}
			return append(dst, "false"...)
		case types.Int2, types.Int4, types.Int8, types.OID, types.JSON, types.JSONB:
			return column.AppendText(dst, v, i, types.UTC)
		case types.Numeric, types.Float4, types.Float8:
			text := column.AppendText(nil, v, i, types.UTC)
			if c := text[len(text)-1]; c >= '0' && c <= '9' {
				return append(dst, text...)
			}
			return appendJSONString(dst, string(text)) // NaN, Infinity
		}
	}
	return appendJSONString(dst, string(column.AppendText(nil, v, i, types.UTC)))
}

func appendJSONString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
