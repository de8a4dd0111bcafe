package expr

import (
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// jsonObjectFunctions make an object of text: of keys and values in turn, or of two arrays.
func jsonObjectFunctions() []*Function {
	var out []*Function
	for _, t := range []string{"json", "jsonb"} {
		out = append(out, def(t+"_object(text[]) "+t, objectOfText), def(t+"_object(text[],text[]) "+t, objectOfText))
	}
	return out
}

func objectOfText(s *site) body {
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		return fillAny(s.ret, nulls, n, func(i int) (any, error) {
			keys, values := elements(column.Get(in[0], i)), []any(nil)
			if len(in) > 1 {
				if values = elements(column.Get(in[1], i)); len(values) != len(keys) {
					return nil, sqlerr.Newf("2202E", "mismatched array dimensions")
				}
			} else {
				if len(keys)%2 != 0 {
					return nil, sqlerr.Newf("2202E", "array must have even number of elements")
				}
				keys, values = everySecond(keys)
			}
			text, err := appendObjectOfText(nil, keys, values)
			if err != nil || s.ret.Kind == types.JSON {
				return string(text), err
			}
			text, err = types.AppendJSONB(nil, string(text))
			return string(text), err
		})
	}
}

func everySecond(all []any) (keys, values []any) {
	for i := 0; i < len(all); i += 2 {
		keys, values = append(keys, all[i]), append(values, all[i+1])
	}
	return keys, values
}

func appendObjectOfText(dst []byte, keys, values []any) ([]byte, error) {
	dst = append(dst, '{')
	for i, k := range keys {
		key, ok := k.(string)
		if !ok {
			return nil, sqlerr.Newf(sqlerr.NullNotAllowed, "null value not allowed for object key")
		}
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(types.AppendJSONString(dst, key), " : "...)
		if v, ok := values[i].(string); ok {
			dst = types.AppendJSONString(dst, v)
		} else {
			dst = append(dst, "null"...)
		}
	}
	return append(dst, '}'), nil
}
