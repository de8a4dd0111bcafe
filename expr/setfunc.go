package expr

import (
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// setFunction is one overload of a function that returns a set of rows.
type setFunction struct {
	fn   *Function // name, arguments, return type; no kernel
	cols func(args []types.Type) []types.Field
	rows func(args []any, s *site) (*column.Batch, error)
}

// TableFunction is a resolved set-returning function: each row of its arguments yields rows of Columns.
type TableFunction struct {
	Name    string
	Args    []Expr
	Columns []types.Field

	set   *setFunction
	parts []*TableFunction // of several that run side by side
	call  Expr             // of a scalar function in FROM; reads the arguments as columns 0, 1, ...
}

// IsSetReturning reports whether name returns a set of rows (generate_series, unnest, ...).
func IsSetReturning(name string) bool { return lib().sets[name] != nil }

// NewTableFunc resolves a set-returning function; a scalar function yields its one row. The error is a *sqlerr.Error
// without position.
func NewTableFunc(name string, args []Expr) (*TableFunction, error) {
	sets := lib().sets[name]
	if sets == nil {
		return scalarInFrom(name, args)
	}
	fns := make([]*Function, len(sets))
	for i, s := range sets {
		fns[i] = s.fn
	}
	actual := typesOf(args)
	best, none := choose(expand(fns, len(args)), actual)
	switch {
	case none:
		return nil, sqlerr.Newf(sqlerr.UndefinedFunction, "function %s does not exist", signature(name, actual)).
			WithHint("No function matches the given name and argument types. You might need to add explicit type casts.")
	case best == nil:
		return nil, sqlerr.Newf(sqlerr.AmbiguousFunction, "function %s is not unique", signature(name, actual)).
			WithHint("Could not choose a best candidate function. You might need to add explicit type casts.")
	}
	call, err := newCall(best, args)
	if err != nil {
		return nil, err
	}
	c := call.(*Call)
	t := &TableFunction{Name: name, Args: c.Args}
	for _, s := range sets {
		if s.fn == best.fn {
			t.set = s
		}
	}
	if t.set.cols != nil {
		t.Columns = t.set.cols(typesOf(c.Args))
	} else {
		t.Columns = []types.Field{{Name: name, Type: c.T}}
	}
	return t, nil
}

// scalarInFrom makes the table of one row of a scalar function.
func scalarInFrom(name string, args []Expr) (*TableFunction, error) {
	e, err := NewFunc(name, args)
	if err != nil {
		return nil, err
	}
	cols := make([]Expr, 0, len(args))
	kids := e.Children()
	for i, a := range kids {
		cols = append(cols, &Column{ID: ColumnID(i), T: a.Type()})
	}
	t := &TableFunction{Name: name, Args: kids, Columns: []types.Field{{Name: name, Type: e.Type()}}, call: e}
	if len(kids) > 0 {
		t.call = e.WithChildren(cols)
	}
	return t, nil
}

// Rows computes the rows for one row of argument values.
func (f *TableFunction) Rows(args []any, ctx *Context) (*column.Batch, error) {
	switch {
	case f.parts != nil:
		return f.besideRows(args, ctx)
	case f.call != nil:
		return f.scalarRow(args, ctx)
	}
	if f.set.fn.Strict {
		for _, a := range args {
			if a == nil {
				return f.batch(nil), nil
			}
		}
	}
	s := &site{fn: f.set.fn, args: typesOf(f.Args), ret: f.Columns[0].Type, ctx: ctx}
	b, err := f.set.rows(args, s)
	if err != nil {
		return nil, err
	}
	b.Schema = &types.Schema{Fields: f.Columns}
	return b, nil
}

func (f *TableFunction) scalarRow(args []any, ctx *Context) (*column.Batch, error) {
	in := &column.Batch{Rows: 1, Cols: make([]column.Vector, len(args))}
	layout := make([]ColumnID, len(args))
	for i, a := range args {
		in.Cols[i], layout[i] = column.Const(f.Args[i].Type(), a, 1), ColumnID(i)
	}
	ev, err := Compile(f.call, layout, ctx, nil)
	if err != nil {
		return nil, err
	}
	v, err := ev.Eval(in)
	if err != nil {
		return nil, err
	}
	return &column.Batch{Schema: &types.Schema{Fields: f.Columns}, Cols: []column.Vector{v}, Rows: 1}, nil
}

// batch returns the columns as rows; without columns there is none.
func (f *TableFunction) batch(cols []column.Vector) *column.Batch {
	out := &column.Batch{Schema: &types.Schema{Fields: f.Columns}, Cols: cols}
	if cols == nil {
		for _, c := range f.Columns {
			out.Cols = append(out.Cols, column.NewBuilder(c.Type, 0).Build())
		}
		return out
	}
	out.Rows = cols[0].Len()
	return out
}
