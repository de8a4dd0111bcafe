package expr

import (
	"wmsql/column"
	"wmsql/types"
)

// caseEval is CASE: each condition sees the rows that no arm before it took, each result the rows its arm took.
type caseEval struct {
	conds []narrowed
	thens []narrowed // one more than conds: ELSE is last
	out   interleave
	left  []int32
	took  []int32
}

func (c *compiler) caseOf(e *Case) (Evaluator, error) {
	out := &caseEval{out: interleave{t: e.T}}
	for _, w := range e.Whens {
		cond, err := c.narrowed(w.Cond)
		if err != nil {
			return nil, err
		}
		then, err := c.narrowed(w.Then)
		if err != nil {
			return nil, err
		}
		out.conds, out.thens = append(out.conds, cond), append(out.thens, then)
	}
	last, err := c.narrowed(e.Else)
	if err != nil {
		return nil, err
	}
	out.thens = append(out.thens, last)
	return out, nil
}

// Eval computes each row's arm.
func (e *caseEval) Eval(b *column.Batch) (column.Vector, error) {
	e.out.begin(b.Rows)
	e.left = allRows(e.left, b.Rows)
	for k := range e.conds {
		if len(e.left) == 0 {
			break
		}
		v, err := e.conds[k].over(b, e.left)
		if err != nil {
			return nil, err
		}
		e.split(v.(*column.Of[bool]))
		if err := e.arm(k, e.took, b); err != nil {
			return nil, err
		}
	}
	if err := e.arm(len(e.conds), e.left, b); err != nil {
		return nil, err
	}
	return e.out.vector(), nil
}

// split moves the rows whose condition is true from left to took.
func (e *caseEval) split(cond *column.Of[bool]) {
	e.took = e.took[:0]
	rest := e.left[:0]
	for k, row := range e.left {
		if cond.Values[k] && !cond.IsNull(k) {
			e.took = append(e.took, row)
		} else {
			rest = append(rest, row)
		}
	}
	e.left = rest
}

func (e *caseEval) arm(k int, rows []int32, b *column.Batch) error {
	if len(rows) == 0 {
		return nil
	}
	v, err := e.thens[k].over(b, rows)
	if err != nil {
		return err
	}
	e.out.add(v, rows)
	return nil
}

// coalesceEval is COALESCE: each operand sees the rows that are still NULL.
type coalesceEval struct {
	args []narrowed
	out  interleave
	left []int32
	took []int32
	pick []int32
}

func (c *compiler) coalesce(e *Coalesce) (Evaluator, error) {
	out := &coalesceEval{out: interleave{t: e.T}}
	for _, a := range e.Args {
		n, err := c.narrowed(a)
		if err != nil {
			return nil, err
		}
		out.args = append(out.args, n)
	}
	return out, nil
}

// Eval computes each row's first operand that is not NULL.
func (e *coalesceEval) Eval(b *column.Batch) (column.Vector, error) {
	first, err := e.args[0].Eval(b)
	if err != nil || first.NullMask() == nil {
		return first, err
	}
	e.out.begin(b.Rows)
	e.left = allRows(e.left, b.Rows)
	for k, v := 0, first; ; {
		e.split(v)
		if len(e.took) > 0 {
			e.out.add(v.Take(e.pick), e.took)
		}
		if k++; k == len(e.args) || len(e.left) == 0 {
			return e.out.vector(), nil
		}
		if v, err = e.args[k].over(b, e.left); err != nil {
			return nil, err
		}
	}
}

// split moves the rows that have a value in v from left to took; pick says where in v.
func (e *coalesceEval) split(v column.Vector) {
	e.took, e.pick = e.took[:0], e.pick[:0]
	rest := e.left[:0]
	nulls := v.NullMask()
	for k, row := range e.left {
		if nulls != nil && nulls[k] {
			rest = append(rest, row)
			continue
		}
		e.took, e.pick = append(e.took, row), append(e.pick, int32(k))
	}
	e.left = rest
}

// allRows returns 0, 1, ... n-1 in the memory of buf.
func allRows(buf []int32, n int) []int32 {
	buf = buf[:0]
	for i := range n {
		buf = append(buf, int32(i))
	}
	return buf
}

// interleave puts the rows of several vectors together in a new order. A row that no vector gave is NULL.
type interleave struct {
	t     types.Type
	from  []column.Vector
	which []int32 // per row: the vector, -1 for none
	at    []int32 // per row: the row in it
}

func (m *interleave) begin(n int) {
	m.from = m.from[:0]
	m.which, m.at = m.which[:0], m.at[:0]
	for range n {
		m.which, m.at = append(m.which, -1), append(m.at, 0)
	}
}

// add says that row k of v is row rows[k] of the result.
func (m *interleave) add(v column.Vector, rows []int32) {
	for k, row := range rows {
		m.which[row], m.at[row] = int32(len(m.from)), int32(k)
	}
	m.from = append(m.from, v)
}

func (m *interleave) vector() column.Vector {
	if len(m.from) == 1 && m.from[0].Len() == len(m.which) {
		return m.from[0]
	}
	return m.mixed()
}

// mixed copies the rows together.
func (m *interleave) mixed() column.Vector {
	if len(m.from) > 0 {
		switch m.from[0].(type) {
		case *column.Of[int64]:
			return mixFixed[int64](m)
		case *column.Of[float64]:
			return mixFixed[float64](m)
		case *column.Of[bool]:
			return mixFixed[bool](m)
		}
	}
	b := column.NewBuilder(m.t, len(m.which))
	for row, w := range m.which {
		if w < 0 {
			b.AppendNull()
		} else {
			b.AppendFrom(m.from[w], int(m.at[row]))
		}
	}
	return b.Build()
}

// mixFixed is mixed for fixed-width values.
func mixFixed[T any](m *interleave) column.Vector {
	out := &column.Of[T]{T: m.t, Values: make([]T, len(m.which))}
	from := make([]*column.Of[T], len(m.from))
	for i, v := range m.from {
		from[i] = v.(*column.Of[T])
	}
	for row, w := range m.which {
		if w >= 0 {
			if v, at := from[w], m.at[row]; v.Nulls == nil || !v.Nulls[at] {
				out.Values[row] = v.Values[at]
				continue
			}
		}
		if out.Nulls == nil {
			out.Nulls = make([]bool, len(m.which))
		}
		out.Nulls[row] = true
	}
	return out
}
