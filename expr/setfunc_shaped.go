package expr

import (
	"strings"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// Shaped is a function of json whose columns a column definition list gives: json_to_record and its kin. nil if name is none.
func Shaped(name string, args []Expr, cols []types.Field) (*TableFunction, error) {
	kind, rest, _ := strings.Cut(name, "_")
	if kind != "json" && kind != "jsonb" || rest != "to_record" && rest != "to_recordset" || len(args) != 1 {
		return nil, nil
	}
	arg, err := NewCast(args[0], typeOf(kind), Implicit)
	if err != nil {
		return nil, err
	}
	casts := make([]Evaluator, len(cols))
	f := &TableFunction{Name: name, Args: []Expr{arg}, Columns: cols}
	f.set = &setFunction{fn: &Function{Name: name, Strict: true}, rows: func(args []any, s *site) (*column.Batch, error) {
		for i, c := range cols {
			if casts[i] != nil {
				continue
			}
			e, err := NewCast(&Column{T: types.Of(types.Text)}, c.Type, Explicit)
			if err != nil {
				return nil, err
			}
			if casts[i], err = Compile(e, []ColumnID{0}, s.ctx, nil); err != nil {
				return nil, err
			}
		}
		return jsonRecords(name, args[0].(string), cols, casts)
	}}
	return f, nil
}

// jsonRecords makes a row of an object, or rows of an array of objects.
func jsonRecords(name, text string, cols []types.Field, casts []Evaluator) (*column.Batch, error) {
	a := jsonStart([]byte(text))
	set := strings.HasSuffix(name, "set")
	var objects [][]byte
	switch {
	case !set && a[0] != '{':
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "cannot call %s on %s", name, map[bool]string{true: "an array", false: "a scalar"}[a[0] == '['])
	case !set:
		objects = [][]byte{a}
	case a[0] == '{':
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "cannot call %s on an object", name)
	case a[0] != '[':
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "cannot call %s on a scalar", name)
	default:
		bad := false
		jsonItems(a, func(_, v []byte) bool {
			objects = append(objects, v)
			bad = bad || v[0] != '{'
			return true
		})
		if bad {
			return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "argument of %s must be an array of objects", name)
		}
	}
	out := &column.Batch{Rows: len(objects)}
	for i, c := range cols {
		v, err := jsonColumn(objects, c, casts[i])
		if err != nil {
			return nil, err
		}
		out.Cols = append(out.Cols, v)
	}
	return out, nil
}

// jsonColumn reads one field of every object: a value of json as it stands, another by its text, an array by its items' text.
func jsonColumn(objects [][]byte, c types.Field, cast Evaluator) (column.Vector, error) {
	b := column.NewBuilder(types.Of(types.Text), len(objects))
	raw := c.Type.Kind == types.JSON || c.Type.Kind == types.JSONB
	for _, o := range objects {
		var found []byte
		jsonItems(o, func(k, v []byte) bool {
			if key, err := jsonUnquote(k); err == nil && string(key) == c.Name {
				found = v
			}
			return true
		})
		switch {
		case found == nil || string(found) == "null" && !raw:
			b.AppendNull()
		case raw && !c.Type.Array:
			b.AppendDatum(string(found))
		case c.Type.Array && found[0] == '[':
			b.AppendDatum(string(appendArrayOfJSON(nil, found, raw)))
		default:
			d, err := jsonDatum(found, true)
			if err != nil {
				return nil, err
			}
			b.AppendDatum(d)
		}
	}
	return cast.Eval(&column.Batch{Cols: []column.Vector{b.Build()}, Rows: len(objects)})
}

// appendArrayOfJSON writes an array of json as the text of an array.
func appendArrayOfJSON(dst, a []byte, raw bool) []byte {
	dst = append(dst, '{')
	first := true
	jsonItems(a, func(_, v []byte) bool {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		text, err := textOfJSON(nil, v)
		switch {
		case v[0] == '[' && !raw:
			dst = appendArrayOfJSON(dst, v, raw)
		case string(v) == "null" || isNull(err):
			dst = append(dst, "NULL"...)
		default:
			if raw {
				text = v
			}
			dst = append(dst, '"')
			for _, c := range text {
				if c == '"' || c == '\\' {
					dst = append(dst, '\\')
				}
				dst = append(dst, c)
			}
			dst = append(dst, '"')
		}
		return true
	})
	return append(dst, '}')
}
