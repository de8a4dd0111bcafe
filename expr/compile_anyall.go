package expr

import (
	"wmsql/column"
)

// anyAllEval is X op ANY|ALL (array): the operator runs once over all elements of all rows.
type anyAllEval struct {
	x, array Evaluator
	op       *callEval
	all      bool
	rows     []int32 // per element: the row it belongs to
}

func (c *compiler) anyAll(e *AnyAll) (Evaluator, error) {
	x, err := c.compile(e.X)
	if err != nil {
		return nil, err
	}
	array, err := c.compile(e.Array)
	if err != nil {
		return nil, err
	}
	item := elemOf(e.Array.Type())
	op, err := newCompiler([]ColumnID{1, 2}, c.ctx, nil).compile(&Call{
		Func: e.Op, T: boolType,
		Args: []Expr{&Column{ID: 1, T: e.X.Type()}, &Column{ID: 2, T: item}},
	})
	if err != nil {
		return nil, err
	}
	return &anyAllEval{x: x, array: array, op: op.(*callEval), all: e.All}, nil
}

// Eval tests each row: ANY is true if one element is, false if all are false; ALL the other way round. Otherwise a
// NULL among the outcomes, or a NULL array, makes it NULL.
func (e *anyAllEval) Eval(b *column.Batch) (column.Vector, error) {
	x, err := e.x.Eval(b)
	if err != nil {
		return nil, err
	}
	v, err := e.array.Eval(b)
	if err != nil {
		return nil, err
	}
	arrays := ownElements(v.(*column.List))
	e.rows = e.rows[:0]
	for i := range b.Rows {
		for range arrays.Offsets[i+1] - arrays.Offsets[i] {
			e.rows = append(e.rows, int32(i))
		}
	}
	pairs := &column.Batch{Cols: []column.Vector{x.Take(e.rows), arrays.Elems}, Rows: len(e.rows)}
	r, err := e.op.Eval(pairs)
	if err != nil {
		return nil, err
	}
	return e.fold(r.(*column.Of[bool]), arrays, b.Rows), nil
}

func (e *anyAllEval) fold(r *column.Of[bool], arrays *column.List, n int) column.Vector {
	out := &column.Of[bool]{T: boolType, Values: make([]bool, n)}
	var nulls []bool
	for i := range n {
		verdict, unknown := e.all, arrays.IsNull(i)
		for k := arrays.Offsets[i]; k < arrays.Offsets[i+1]; k++ {
			if r.IsNull(int(k)) {
				unknown = true
			} else if r.Values[k] != e.all {
				verdict, unknown = !e.all, false
				break
			}
		}
		if unknown {
			if nulls == nil {
				nulls = make([]bool, n)
			}
			nulls[i], verdict = true, false
		}
		out.Values[i] = verdict
	}
	out.Nulls = nulls
	return out
}
