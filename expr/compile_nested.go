package expr

import (
	"wmsql/column"
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
	elems := column.NewBuilder(elemOf(e.t), len(e.in)*b.Rows)
	out := &column.List{T: e.t, Offsets: make([]int32, 1, b.Rows+1)}
	for row := range b.Rows {
		for _, v := range e.in {
			elems.AppendFrom(v, row)
		}
		out.Offsets = append(out.Offsets, int32(elems.Len()))
	}
	out.Elems = elems.Build()
	return out, nil
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
}

// Eval reads the field of each row; that of a NULL record is NULL.
func (e *fieldEval) Eval(b *column.Batch) (column.Vector, error) {
	v, err := e.x.Eval(b)
	if err != nil {
		return nil, err
	}
	r := v.(*column.Record)
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
