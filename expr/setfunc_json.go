package expr

import (
	"wmsql/column"
	"wmsql/types"
)

// jsonSets take arrays and objects of JSON apart, a row a value.
func jsonSets() []*setFunction {
	var out []*setFunction
	for _, t := range []string{"json", "jsonb"} {
		out = append(out,
			named("value", set(t+"_array_elements("+t+") "+t, jsonElements(t, "_array_elements", false))),
			named("value", set(t+"_array_elements_text("+t+") text", jsonElements(t, "_array_elements_text", true))),
			setTable(t+"_each("+t+")", fields("key", "text", "value", t), jsonEach(t, "_each", false)),
			setTable(t+"_each_text("+t+")", fields("key", "text", "value", "text"), jsonEach(t, "_each_text", true)),
			set(t+"_object_keys("+t+") text", jsonKeys(t)))
	}
	for _, rest := range []string{"", ",jsonb", ",jsonb,bool"} {
		out = append(out, set("jsonb_path_query(jsonb,jsonpath"+rest+") jsonb", pathQuery), set("jsonb_path_query_tz(jsonb,jsonpath"+rest+") jsonb", pathQuery))
	}
	return out
}

// named gives the one column of a function a name that is not the function's.
func named(name string, f *setFunction) *setFunction {
	ret := f.fn.Return
	f.cols = func([]types.Type) []types.Field { return []types.Field{{Name: name, Type: ret}} }
	return f
}

// jsonDatum is a value of JSON as a datum, as text if asked.
func jsonDatum(v []byte, text bool) (any, error) {
	if !text {
		return string(v), nil
	}
	s, err := textOfJSON(nil, v)
	if isNull(err) {
		return nil, nil
	}
	return string(s), err
}

func jsonElements(prefix, name string, text bool) setRows {
	return func(args []any, s *site) (*column.Batch, error) {
		a := jsonStart([]byte(args[0].(string)))
		switch {
		case a[0] == '{':
			return nil, errFormat("cannot call %s%s on a non-array", prefix, name)
		case a[0] != '[':
			return nil, errFormat("cannot call %s%s on a scalar", prefix, name)
		}
		var out []any
		var err error
		jsonItems(a, func(_, v []byte) bool {
			var d any
			d, err = jsonDatum(v, text)
			out = append(out, d)
			return err == nil
		})
		if err != nil {
			return nil, err
		}
		return datums(s.ret, out)
	}
}

func jsonEach(prefix, name string, text bool) setRows {
	return func(args []any, s *site) (*column.Batch, error) {
		a := jsonStart([]byte(args[0].(string)))
		if a[0] != '{' {
			return nil, errFormat("cannot call %s%s on a non-object", prefix, name)
		}
		var rows [][]any
		var err error
		jsonItems(a, func(k, v []byte) bool {
			var key []byte
			var d any
			if key, err = jsonUnquote(k); err != nil {
				return false
			}
			d, err = jsonDatum(v, text)
			rows = append(rows, []any{string(key), d})
			return err == nil
		})
		if err != nil {
			return nil, err
		}
		return table(columnsOf(s), rows), nil
	}
}

func jsonKeys(prefix string) setRows {
	return func(args []any, s *site) (*column.Batch, error) {
		a := jsonStart([]byte(args[0].(string)))
		switch {
		case a[0] == '[':
			return nil, errFormat("cannot call %s_object_keys on an array", prefix)
		case a[0] != '{':
			return nil, errFormat("cannot call %s_object_keys on a scalar", prefix)
		}
		var out []any
		var err error
		jsonItems(a, func(k, _ []byte) bool {
			var key []byte
			key, err = jsonUnquote(k)
			out = append(out, string(key))
			return err == nil
		})
		if err != nil {
			return nil, err
		}
		return datums(s.ret, out)
	}
}
