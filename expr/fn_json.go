package expr

import (
	"strconv"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

func unquoteJSON(quoted string) (string, error) { return types.UnquoteJSON(quoted) }

// jsonOperators read from json and jsonb and compare jsonb.
func jsonOperators() []*Function {
	var out []*Function
	for _, t := range []string{"json", "jsonb"} {
		element := jsonElement
		if t == "jsonb" {
			element = elementOrScalar
		}
		out = append(out,
			def("->("+t+",text) "+t, tx2e(func(dst, a, key []byte) ([]byte, error) { return rawJSON(dst, jsonField(a, key)) }), total),
			def("->("+t+",int4) "+t, tx2e(func(dst, a []byte, at int64) ([]byte, error) { return rawJSON(dst, element(a, at)) }), total),
			def("->>("+t+",text) text", tx2e(func(dst, a, key []byte) ([]byte, error) { return textOfJSON(dst, jsonField(a, key)) })),
			def("->>("+t+",int4) text", tx2e(func(dst, a []byte, at int64) ([]byte, error) { return textOfJSON(dst, element(a, at)) })),
			def("#>("+t+",text[]) "+t, tx2e(func(dst, a []byte, path list) ([]byte, error) { return rawJSON(dst, jsonPath(a, path)) }), total),
			def("#>>("+t+",text[]) text", tx2e(func(dst, a []byte, path list) ([]byte, error) { return textOfJSON(dst, jsonPath(a, path)) })))
	}
	return append(out,
		def("@>(jsonb,jsonb) bool", fn2(func(a, b []byte) bool { return jsonContains(a, b, true) }), total),
		def("<@(jsonb,jsonb) bool", fn2(func(a, b []byte) bool { return jsonContains(b, a, true) }), total),
		def("?(jsonb,text) bool", fn2(jsonHasKey), total),
		def("?|(jsonb,text[]) bool", fn2(func(a []byte, keys list) bool { return countKeys(a, keys) > 0 }), total),
		def("?&(jsonb,text[]) bool", fn2(func(a []byte, keys list) bool { return countKeys(a, keys) == keys.len() }), total),
		def("||(jsonb,jsonb) jsonb", tx2e(appendMergedJSON)),
		def("-(jsonb,text) jsonb", tx2e(func(dst, a, key []byte) ([]byte, error) { return appendWithoutKeys(dst, a, [][]byte{key}) })),
		def("-(jsonb,text[]) jsonb", tx2e(func(dst, a []byte, keys list) ([]byte, error) { return appendWithoutKeys(dst, a, keys.texts()) })),
		def("-(jsonb,int4) jsonb", tx2e(appendWithoutElement)))
}

// elementOrScalar is jsonElement of a jsonb, where a scalar stands for an array of itself.
func elementOrScalar(a []byte, at int64) []byte {
	if a[0] != '[' && a[0] != '{' && (at == 0 || at == -1) {
		return a
	}
	return jsonElement(a, at)
}

// texts are the elements of a list of text that are not NULL.
func (l list) texts() [][]byte {
	var out [][]byte
	for k := l.lo; k < l.hi; k++ {
		if !l.elems.IsNull(k) {
			out = append(out, l.elems.(*column.Bytes).Value(k))
		}
	}
	return out
}

func countKeys(a []byte, keys list) int {
	n := 0
	for _, k := range keys.texts() {
		if jsonHasKey(a, k) {
			n++
		}
	}
	return n
}

func rawJSON(dst, v []byte) ([]byte, error) {
	if v == nil {
		return nil, errNull
	}
	return append(dst, v...), nil
}

// textOfJSON appends a value as text: strings without their quotes; null is NULL.
func textOfJSON(dst, v []byte) ([]byte, error) {
	if v == nil || v[0] == 'n' {
		return nil, errNull
	}
	if v[0] != '"' {
		return append(dst, v...), nil
	}
	s, err := jsonUnquote(v)
	return append(dst, s...), err
}

// jsonPath follows keys and numbers down a value; nil if they lead nowhere.
func jsonPath(a []byte, path list) []byte {
	for k := path.lo; k < path.hi; k++ {
		if path.elems.IsNull(k) {
			return nil
		}
		if a = jsonStep(a, path.elems.(*column.Bytes).Value(k)); a == nil {
			return nil
		}
	}
	return jsonStart(a)
}

func jsonStep(a, key []byte) []byte {
	if a = jsonStart(a); a[0] != '[' {
		return jsonField(a, key)
	}
	at, err := strconv.ParseInt(string(key), 10, 32)
	if err != nil {
		return nil
	}
	return jsonElement(a, at)
}

// jsonFunctions build JSON and tell about it.
func jsonFunctions() []*Function {
	var out []*Function
	for _, t := range []string{"json", "jsonb"} {
		opts := []option{stable, called}
		out = append(out,
			def(t+"_build_object() "+t, jsonBuilt(buildObject), opts...), def(t+"_build_object(variadic any) "+t, jsonBuilt(buildObject), opts...),
			def(t+"_build_array() "+t, jsonBuilt(buildArray), opts...), def(t+"_build_array(variadic any) "+t, jsonBuilt(buildArray), opts...),
			def("to_"+t+"(anyelement) "+t, jsonBuilt(func(w *jsonWriter, dst []byte, in []column.Vector, i int) ([]byte, error) {
				return w.value(dst, in[0], i), nil
			}), stable),
			def(t+"_array_length("+t+") int4", fn1e(arrayLengthOfJSON)),
			def(t+"_typeof("+t+") text", tx1(func(dst, a []byte) []byte { return append(dst, jsonType(a)...) }), total),
			def(t+"_extract_path("+t+",variadic text[]) "+t, extractPath(rawJSON)),
			def(t+"_extract_path_text("+t+",variadic text[]) text", extractPath(textOfJSON)),
			def(t+"_strip_nulls("+t+") "+t, tx1e(func(dst, a []byte) ([]byte, error) { return appendStripped(dst, jsonStart(a), t == "jsonb") })))
	}
	plain := jsonBuilt(func(w *jsonWriter, dst []byte, in []column.Vector, i int) ([]byte, error) {
		return w.value(dst, in[0], i), nil
	})
	return append(out, def("row_to_json(record) json", plain, stable),
		def("wm_row_to_json() json", jsonBuilt(buildRow), stable, called), def("wm_row_to_json(variadic any) json", jsonBuilt(buildRow), stable, called),
		def("array_to_json(anyarray) json", plain, stable),
		def("row_to_json(record,bool) json", jsonBuilt(withLines), stable), def("array_to_json(anyarray,bool) json", jsonBuilt(withLines), stable),
		def("jsonb_pretty(jsonb) text", tx1(func(dst, a []byte) []byte { return appendPretty(dst, a, 0) }), total))
}

// jsonBuilt makes a kernel of a function that writes JSON; a jsonb is brought to its canonical form.
func jsonBuilt(f func(w *jsonWriter, dst []byte, in []column.Vector, i int) ([]byte, error)) kernel {
	return func(s *site) body {
		out, w, canonical := bytesOutput{t: s.ret}, newJSONWriter(s), s.ret.Kind == types.JSONB
		var scratch []byte
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) {
				if !canonical {
					return f(w, dst, in, i)
				}
				text, err := f(w, scratch[:0], in, i)
				if err != nil {
					return nil, err
				}
				scratch = text
				return types.AppendJSONB(dst, string(text))
			})
		}
	}
}

// buildRow writes names and values, one behind the other, as row_to_json does: without spaces.
func buildRow(w *jsonWriter, dst []byte, in []column.Vector, i int) ([]byte, error) {
	dst = append(dst, '{')
	for k := 0; k+1 < len(in); k += 2 {
		if k > 0 {
			dst = append(dst, ',')
		}
		dst = append(types.AppendJSONString(dst, string(column.AppendText(nil, in[k], i, w.format))), ':')
		dst = w.value(dst, in[k+1], i)
	}
	return append(dst, '}'), nil
}

func buildObject(w *jsonWriter, dst []byte, in []column.Vector, i int) ([]byte, error) {
	if len(in)%2 != 0 {
		return nil, errFormat("argument list must have even number of elements").
			WithHint("The arguments of json_build_object() must consist of alternating keys and values.")
	}
	dst = append(dst, '{')
	for k := 0; k < len(in); k += 2 {
		if in[k].IsNull(i) {
			return nil, errFormat("argument %d cannot be null", k+1).WithHint("Object keys should be text.")
		}
		if k > 0 {
			dst = append(dst, ", "...)
		}
		dst = types.AppendJSONString(dst, string(column.AppendText(nil, in[k], i, w.format)))
		dst = w.value(append(dst, " : "...), in[k+1], i)
	}
	return append(dst, '}'), nil
}

func buildArray(w *jsonWriter, dst []byte, in []column.Vector, i int) ([]byte, error) {
	dst = append(dst, '[')
	for k, v := range in {
		if k > 0 {
			dst = append(dst, ", "...)
		}
		dst = w.value(dst, v, i)
	}
	return append(dst, ']'), nil
}

func arrayLengthOfJSON(a []byte) (int64, error) {
	switch a = jsonStart(a); a[0] {
	case '[':
		return jsonCount(a), nil
	case '{':
		return 0, errFormat("cannot get array length of a non-array")
	}
	return 0, errFormat("cannot get array length of a scalar")
}

func extractPath(f func(dst, v []byte) ([]byte, error)) kernel {
	return func(s *site) body {
		out := bytesOutput{t: s.ret}
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			return out.fill(nulls, n, func(dst []byte, i int) ([]byte, error) {
				a := in[0].(*column.Bytes).Value(i)
				for _, v := range in[1:] {
					if a = jsonStep(a, v.(*column.Bytes).Value(i)); a == nil {
						return nil, errNull
					}
				}
				return f(dst, jsonStart(a))
			})
		}
	}
}

// appendStripped leaves out the fields whose value is null.
func appendStripped(dst, a []byte, spaced bool) ([]byte, error) {
	if a[0] != '{' && a[0] != '[' {
		return append(dst, a...), nil
	}
	comma, colon := ",", ":"
	if spaced {
		comma, colon = ", ", ": "
	}
	dst = append(dst, a[0])
	first := true
	var err error
	jsonItems(a, func(k, v []byte) bool {
		if k != nil && v[0] == 'n' {
			return true
		}
		if !first {
			dst = append(dst, comma...)
		}
		first = false
		if k != nil {
			dst = append(append(dst, k...), colon...)
		}
		dst, err = appendStripped(dst, v, spaced)
		return err == nil
	})
	if a[0] == '{' {
		return append(dst, '}'), err
	}
	return append(dst, ']'), err
}

// appendMergedJSON is ||: objects are merged, the right one's keys winning; everything else is joined as arrays.
func appendMergedJSON(dst, a, b []byte) ([]byte, error) {
	if a[0] == '{' && b[0] == '{' {
		text := append(append([]byte{}, a[:len(a)-1]...), ", "...)
		switch {
		case jsonCount(a) == 0:
			text = append([]byte{}, b...)
		case jsonCount(b) == 0:
			text = append([]byte{}, a...)
		default:
			text = append(text, b[1:]...)
		}
		return types.AppendJSONB(dst, string(text))
	}
	dst = append(dst, '[')
	first := true
	for _, side := range [2][]byte{a, b} {
		add := func(_, v []byte) bool {
			if !first {
				dst = append(dst, ", "...)
			}
			first = false
			dst = append(dst, v...)
			return true
		}
		if side[0] == '[' {
			jsonItems(side, add)
		} else {
			add(nil, side)
		}
	}
	return append(dst, ']'), nil
}

// appendWithoutKeys drops keys of an object, or strings of an array.
func appendWithoutKeys(dst, a []byte, keys [][]byte) ([]byte, error) {
	if a[0] != '{' && a[0] != '[' {
		return nil, errFormat("cannot delete from scalar")
	}
	return filterJSON(dst, a, func(_ int64, k, v []byte) bool {
		if k == nil {
			k = v
		}
		if k[0] != '"' {
			return true
		}
		name, err := jsonUnquote(k)
		for _, key := range keys {
			if err == nil && string(name) == string(key) {
				return false
			}
		}
		return true
	}), nil
}

func appendWithoutElement(dst, a []byte, at int64) ([]byte, error) {
	switch a[0] {
	case '{':
		return nil, errFormat("cannot delete from object using integer index")
	case '[':
	default:
		return nil, errFormat("cannot delete from scalar")
	}
	if at < 0 {
		at += jsonCount(a)
	}
	return filterJSON(dst, a, func(i int64, _, _ []byte) bool { return i != at }), nil
}

// filterJSON copies the values of a canonical container that keep allows.
func filterJSON(dst, a []byte, keep func(i int64, k, v []byte) bool) []byte {
	dst = append(dst, a[0])
	first, i := true, int64(-1)
	jsonItems(a, func(k, v []byte) bool {
		if i++; !keep(i, k, v) {
			return true
		}
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		if k != nil {
			dst = append(append(dst, k...), ": "...)
		}
		dst = append(dst, v...)
		return true
	})
	return append(dst, a[len(a)-1])
}

// appendPretty writes a value over several lines, four blanks a level.
func appendPretty(dst, a []byte, depth int) []byte {
	if a[0] != '{' && a[0] != '[' {
		return append(dst, a...)
	}
	line := func(n int) {
		dst = append(dst, '\n')
		for range n {
			dst = append(dst, "    "...)
		}
	}
	dst = append(dst, a[0])
	first := true
	jsonItems(a, func(k, v []byte) bool {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		line(depth + 1)
		if k != nil {
			dst = append(append(dst, k...), ": "...)
		}
		dst = appendPretty(dst, v, depth+1)
		return true
	})
	line(depth)
	return append(dst, a[len(a)-1])
}

// jsonCasts turn json into jsonb and back, and scalars of jsonb into SQL values.
func jsonCasts() []castDef {
	json, jsonb := types.Of(types.JSON), types.Of(types.JSONB)
	out := []castDef{
		{from: json, to: jsonb, context: Assignment, fn: throughTextCast(json, jsonb)},
		same(types.JSONB, types.JSON, Assignment),
		cast(types.JSONB, types.Bool, Explicit, fn1e(func(a []byte) (bool, error) {
			if a[0] != 't' && a[0] != 'f' {
				return false, errJSONCast(a, types.Bool)
			}
			return a[0] == 't', nil
		})),
		cast(types.JSONB, types.Numeric, Explicit, fn1e(func(a []byte) (types.Decimal, error) { return numberOfJSON(a, types.Numeric) })),
	}
	for _, k := range []types.Kind{types.Int2, types.Int4, types.Int8} {
		out = append(out, cast(types.JSONB, k, Explicit, fn1e(func(a []byte) (int64, error) {
			d, err := numberOfJSON(a, k)
			if err != nil {
				return 0, err
			}
			return d.ToInt(k)
		})))
	}
	for _, k := range []types.Kind{types.Float4, types.Float8} {
		out = append(out, cast(types.JSONB, k, Explicit, fn1e(func(a []byte) (float64, error) {
			d, err := numberOfJSON(a, k)
			if err != nil || k == types.Float8 {
				return d.ToFloat64(), err
			}
			return toFloat4(d.ToFloat64())
		})))
	}
	return out
}

func errJSONCast(a []byte, to types.Kind) error {
	return sqlerr.Newf(sqlerr.InvalidParameterValue, "cannot cast jsonb %s to type %s", jsonType(a), to.Info().SQLName)
}

func numberOfJSON(a []byte, to types.Kind) (types.Decimal, error) {
	if jsonType(a) != "number" {
		return types.Decimal{}, errJSONCast(a, to)
	}
	return jsonNumber(a), nil
}
