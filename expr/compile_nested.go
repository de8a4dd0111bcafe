package expr

import (
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// arrayEval is ARRAY[...].
type arrayEval struct {
	items []Evaluator
	in    []column.Vector
	t     types.Type
}

func (c *compiler) array(e *Array) (Evaluator, error) {
	items, err := c.compileAll(e.Items)
	return &arrayEval{items: items, in: make([]column.Vector, len(items)), t: e.T}, err
}

// Eval makes each row's array.
func (e *arrayEval) Eval(b *column.Batch) (column.Vector, error) {
	for i, item := range e.items {
		var err error
		if e.in[i], err = item.Eval(b); err != nil {
			return nil, err
		}
	}
	out := column.NewListBuilder(e.t, b.Rows)
	for row := range b.Rows {
		shape, err := e.append(out.Elems(), row)
		if err != nil {
			return nil, err
		}
		out.EndShaped(shape)
	}
	return out.Build(), nil
}

// append appends the elements of one row and returns their shape. Arrays must be of one shape, which is then below the one made of them.
func (e *arrayEval) append(elems column.Builder, row int) (*types.ArrayShape, error) {
	if len(e.in) == 0 || e.in[0].Type().Layout() != types.LayoutList || !e.in[0].Type().Array {
		for _, v := range e.in {
			elems.AppendFrom(v, row)
		}
		return nil, nil
	}
	shapes, counts := make([]*types.ArrayShape, len(e.in)), make([]int, len(e.in))
	for k, v := range e.in {
		l := v.(*column.List)
		shapes[k], counts[k] = l.Shape(row), int(l.Offsets[row+1]-l.Offsets[row])
		for i := l.Offsets[row]; i < l.Offsets[row+1]; i++ {
			elems.AppendFrom(l.Elems, int(i))
		}
	}
	return nest(shapes, counts, func() error {
		return sqlerr.Newf("2202E", "multidimensional arrays must have array expressions with matching dimensions")
	})
}

// rowEval is ROW(...).
type rowEval struct{ items []Evaluator }

func (c *compiler) row(e *Row) (Evaluator, error) {
	items, err := c.compileAll(e.Items)
	return &rowEval{items: items}, err
}

// Eval makes each row's record.
func (e *rowEval) Eval(b *column.Batch) (column.Vector, error) {
	out := &column.Record{T: types.Of(types.Record), Rows: b.Rows, Fields: make([]column.Vector, len(e.items))}
	for i, item := range e.items {
		var err error
		if out.Fields[i], err = item.Eval(b); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// fieldEval is field n of a record.
type fieldEval struct {
	x Evaluator
	n int
	t types.Type
}

// Eval reads the field of each row; that of a NULL record is NULL.
func (e *fieldEval) Eval(b *column.Batch) (column.Vector, error) {
	v, err := e.x.Eval(b)
	if err != nil {
		return nil, err
	}
	r := v.(*column.Record)
	if e.n >= len(r.Fields) { // a vector of NULLs alone does not know its fields
		return column.Const(e.t, nil, r.Rows), nil
	}
	f := r.Fields[e.n]
	if r.Nulls == nil {
		return f, nil
	}
	out := column.NewBuilder(f.Type(), r.Rows)
	for i := range r.Rows {
		if r.Nulls[i] {
			out.AppendNull()
		} else {
			out.AppendFrom(f, i)
		}
	}
	return out.Build(), nil
}
