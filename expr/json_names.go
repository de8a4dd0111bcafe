package expr

import (
	"wmsql/column"
	"wmsql/types"
)

// FieldNames are the names of a record's fields. A record value does not carry them.
type FieldNames []FieldName

// FieldName is the name of a field and, if it is a record or an array of records, those within; nil: f1, f2, ...
type FieldName struct {
	Name   string
	Within FieldNames
}

// NamedJSON makes json, or jsonb, of records or arrays of records whose fields have names. lines is a boolean that says whether the fields or
// elements stand on lines of their own; nil: they do not.
func NamedJSON(x, lines Expr, names FieldNames, binary bool) Expr {
	ret := types.Of(types.JSON)
	if binary {
		ret = types.Of(types.JSONB)
	}
	args := []Expr{x}
	if lines != nil {
		args = append(args, lines)
	}
	f := &Function{
		Name: "to_json", Args: typesOf(args), Return: ret, Strict: true, Volatility: Stable,
		kernel: jsonBuilt(func(w *jsonWriter, dst []byte, in []column.Vector, i int) ([]byte, error) {
			return w.named(dst, in[0], i, names, len(in) > 1 && in[1].(*column.Of[bool]).Values[i]), nil
		}),
	}
	return &Call{Func: f, Args: args, T: ret}
}

// withLines is row_to_json and array_to_json with their second argument.
func withLines(w *jsonWriter, dst []byte, in []column.Vector, i int) ([]byte, error) {
	return w.named(dst, in[0], i, nil, in[1].(*column.Of[bool]).Values[i]), nil
}
