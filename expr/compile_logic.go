package expr

import (
	"slices"

	"wmsql/column"
)

// notEval is NOT.
type notEval struct {
	x   Evaluator
	buf []bool
}

// Eval negates each row; NULL stays.
func (e *notEval) Eval(b *column.Batch) (column.Vector, error) {
	v, err := e.x.Eval(b)
	if err != nil {
		return nil, err
	}
	in := v.(*column.Of[bool])
	out := grow(&e.buf, len(in.Values))
	for i, x := range in.Values {
		out[i] = !x
	}
	clearNulls(out, in.Nulls)
	return &column.Of[bool]{T: boolType, Values: out, Nulls: in.Nulls}, nil
}

// clearNulls zeroes the values of NULL rows.
func clearNulls[T any](vals []T, nulls []bool) {
	var zero T
	for i, null := range nulls {
		if null {
			vals[i] = zero
		}
	}
}

// grow returns n values of the scratch memory buf.
func grow[T any](buf *[]T, n int) []T {
	if cap(*buf) < n {
		*buf = make([]T, n)
	}
	return (*buf)[:n]
}

// isNullEval is IS [NOT] NULL. A row is NULL when all its fields are, and NOT NULL when none is.
type isNullEval struct {
	x   Evaluator
	not bool
	buf []bool
}

// Eval tests each row.
func (e *isNullEval) Eval(b *column.Batch) (column.Vector, error) {
	v, err := e.x.Eval(b)
	if err != nil {
		return nil, err
	}
	out := grow(&e.buf, b.Rows)
	if r, ok := v.(*column.Record); ok {
		e.testRows(r, out)
	} else if nulls := v.NullMask(); nulls == nil {
		for i := range out {
			out[i] = e.not
		}
	} else {
		for i, null := range nulls {
			out[i] = null != e.not
		}
	}
	return &column.Of[bool]{T: boolType, Values: out}, nil
}

func (e *isNullEval) testRows(r *column.Record, out []bool) {
	for i := range out {
		out[i] = true
		for _, f := range r.Fields {
			if !r.IsNull(i) && f.IsNull(i) == e.not {
				out[i] = false
			}
		}
		if r.IsNull(i) {
			out[i] = !e.not
		}
	}
}

// connectiveEval is AND (decides false) or OR (decides true). An operand that can fail sees only the rows which those
// before it left undecided.
type connectiveEval struct {
	args    []narrowed
	decides bool
	vals    []bool
	nulls   []bool
	open    []int32
}

// narrowed is an operand and what it needs in order to run over fewer rows.
type narrowed struct {
	Evaluator
	cols  []int // ordinals of the columns it reads
	total bool  // cannot fail, so that it may as well see all rows
}

func (c *compiler) narrowed(e Expr) (narrowed, error) {
	ev, err := c.compile(e)
	if err != nil {
		return narrowed{}, err
	}
	n := narrowed{Evaluator: ev, total: cannotFail(e)}
	Columns(e, func(x *Column) {
		if i := slices.Index(c.layout, x.ID); i >= 0 {
			n.cols = append(n.cols, i)
		}
	})
	return n, nil
}

// over runs the operand for the rows at idx only.
func (n *narrowed) over(b *column.Batch, idx []int32) (column.Vector, error) {
	if len(idx) == b.Rows {
		return n.Eval(b)
	}
	sub := &column.Batch{Schema: b.Schema, Cols: make([]column.Vector, len(b.Cols)), Rows: len(idx)}
	for _, i := range n.cols {
		if sub.Cols[i] == nil {
			sub.Cols[i] = b.Cols[i].Take(idx)
		}
	}
	return n.Eval(sub)
}

// cannotFail reports whether no row makes e fail.
func cannotFail(e Expr) bool {
	ok := true
	Walk(e, func(x Expr) bool {
		switch x := x.(type) {
		case *Call:
			ok = ok && x.Func.total && x.Func.Volatility != Volatile
		case *AnyAll:
			ok = ok && x.Op.total
		}
		return ok
	})
	return ok
}

func (c *compiler) connective(args []Expr, decides bool) (Evaluator, error) {
	e := &connectiveEval{decides: decides}
	for _, a := range args {
		n, err := c.narrowed(a)
		if err != nil {
			return nil, err
		}
		e.args = append(e.args, n)
	}
	return e, nil
}

// Eval connects each row's operands.
func (e *connectiveEval) Eval(b *column.Batch) (column.Vector, error) {
	vals, nulls := grow(&e.vals, b.Rows), grow(&e.nulls, b.Rows)
	for i := range vals {
		vals[i], nulls[i] = !e.decides, false
	}
	for k := range e.args {
		a := &e.args[k]
		if a.total || k == 0 {
			v, err := a.Eval(b)
			if err != nil {
				return nil, err
			}
			e.combine(vals, nulls, v.(*column.Of[bool]), nil)
			continue
		}
		e.open = e.open[:0]
		for i := range vals {
			if nulls[i] || vals[i] != e.decides {
				e.open = append(e.open, int32(i))
			}
		}
		if len(e.open) == 0 {
			break
		}
		v, err := a.over(b, e.open)
		if err != nil {
			return nil, err
		}
		e.combine(vals, nulls, v.(*column.Of[bool]), e.open)
	}
	return e.result(vals, nulls), nil
}

// combine folds v into the running result; row k of v is row idx[k], or k.
func (e *connectiveEval) combine(vals, nulls []bool, v *column.Of[bool], idx []int32) {
	for k, x := range v.Values {
		i := k
		if idx != nil {
			i = int(idx[k])
		}
		switch {
		case !nulls[i] && vals[i] == e.decides:
		case v.Nulls != nil && v.Nulls[k]:
			nulls[i] = true
		case x == e.decides:
			vals[i], nulls[i] = x, false
		}
	}
}

func (e *connectiveEval) result(vals, nulls []bool) column.Vector {
	out := &column.Of[bool]{T: boolType, Values: vals}
	for i, null := range nulls {
		if null {
			vals[i] = false
			out.Nulls = nulls
		}
	}
	return out
}
