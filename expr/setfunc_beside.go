package expr

import (
	"wmsql/column"
	"wmsql/types"
)

// Beside joins the rows of several set-returning functions by their number, as ROWS FROM (f(), g()) does: where one gives fewer rows
// than another, NULLs follow.
func Beside(fns []*TableFunction) *TableFunction {
	t := &TableFunction{Name: "rows from", parts: fns}
	for _, f := range fns {
		t.Args = append(t.Args, f.Args...)
		t.Columns = append(t.Columns, f.Columns...)
	}
	return t
}

func (f *TableFunction) besideRows(args []any, ctx *Context) (*column.Batch, error) {
	out := &column.Batch{Schema: &types.Schema{Fields: f.Columns}}
	var got []*column.Batch
	for _, p := range f.parts {
		b, err := p.Rows(args[:len(p.Args)], ctx)
		if err != nil {
			return nil, err
		}
		args = args[len(p.Args):]
		got, out.Rows = append(got, b), max(out.Rows, b.Rows)
	}
	for _, b := range got {
		for _, v := range b.Cols {
			out.Cols = append(out.Cols, padded(v, out.Rows))
		}
	}
	return out, nil
}

// padded makes v n rows long with NULLs.
func padded(v column.Vector, n int) column.Vector {
	if v.Len() == n {
		return v
	}
	b := column.NewBuilder(v.Type(), n)
	b.AppendVector(v)
	for range n - v.Len() {
		b.AppendNull()
	}
	return b.Build()
}
