package expr

import (
	"wmsql/column"
	"wmsql/types"
)

// nameBytes is how many bytes a name has in Postgres, where those after its text are 0 and read as an empty "char".
const nameBytes = 64

// newNameSubscript makes n[idx] of a name: its byte idx, counted from 0, as a "char". pg_dump asks for it.
func newNameSubscript(x, idx Expr) (Expr, error) {
	i, err := subscriptIndex(idx)
	if err != nil {
		return nil, err
	}
	char := types.Of(types.Char)
	fn := &Function{Name: "name_subscript", Args: []types.Type{types.Of(types.Name), types.Of(types.Int4)}, Return: char, Strict: true, total: true, kernel: nameSubscriptKernel}
	return &Call{Func: fn, Args: []Expr{x, i}, T: char}, nil
}

func nameSubscriptKernel(s *site) body {
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		names, idx := in[0].(*column.Bytes), in[1].(*column.Of[int64]).Values
		b := column.NewBytesBuilder(s.ret, n)
		for i := range n {
			k := idx[i]
			if nulls != nil && nulls[i] || k < 0 || k >= nameBytes {
				b.AppendNull()
				continue
			}
			name := names.Value(i)
			k = min(k, int64(len(name)))
			b.Append(name[k:min(k+1, int64(len(name)))])
		}
		return b.Build(), nil
	}
}
