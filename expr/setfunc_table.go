package expr

import (
	"slices"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// setFunctionTable is every set-returning function by name.
func setFunctionTable() map[string][]*setFunction {
	m := map[string][]*setFunction{}
	for _, s := range slices.Concat(seriesFunctions(), arraySets(), textSets(), catalogSets(), jsonSets()) {
		m[s.fn.Name] = append(m[s.fn.Name], s)
	}
	return m
}

// setRows computes the rows of a set-returning function from the datums of its arguments.
type setRows func(args []any, s *site) (*column.Batch, error)

// set defines a set-returning function of one column.
func set(sig string, rows setRows, opts ...option) *setFunction {
	return &setFunction{fn: def(sig, nil, opts...), rows: rows}
}

// setTable defines a set-returning function of several columns.
func setTable(sig string, cols []types.Field, rows setRows, opts ...option) *setFunction {
	return &setFunction{
		fn: def(sig+" record", nil, opts...), rows: rows, cols: func([]types.Type) []types.Field { return cols },
	}
}

// fields makes the columns of a table function: name, type, name, type, ...
func fields(words ...string) []types.Field {
	var out []types.Field
	for i := 0; i < len(words); i += 2 {
		out = append(out, types.Field{Name: words[i], Type: typeOf(words[i+1])})
	}
	return out
}

// one is the batch of a single column.
func one(v column.Vector) (*column.Batch, error) {
	return &column.Batch{Cols: []column.Vector{v}, Rows: v.Len()}, nil
}

// datums is the batch of a single column of datums.
func datums(t types.Type, vals []any) (*column.Batch, error) {
	b := column.NewBuilder(t, len(vals))
	for _, v := range vals {
		if v == nil {
			b.AppendNull()
		} else {
			b.AppendDatum(v)
		}
	}
	return one(b.Build())
}

// setRowsMax bounds the rows of one call, which stand in memory at once: ten million integers are 80 MB.
const setRowsMax = 10_000_000

func errTooManyRows(name string) error {
	return sqlerr.Newf("54000", "%s would return more than %d rows", name, setRowsMax)
}
