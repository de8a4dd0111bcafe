package expr

import (
	"wmsql/column"
	"wmsql/sqlerr"
)

// callEval computes a call: the arguments, then the rows where none is NULL.
type callEval struct {
	args   []Evaluator
	in     []column.Vector
	strict bool
	body   body
	nulls  []bool // scratch
	pos    int
}

func (c *compiler) call(e *Call) (Evaluator, error) {
	if e.Func.kernel == nil {
		return nil, sqlerr.Unsupported("function %s", signature(e.Func.Name, e.Func.Args))
	}
	args, err := c.compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	return &callEval{
		args: args, in: make([]column.Vector, len(args)), strict: e.Func.Strict, pos: e.Pos,
		body: e.Func.kernel(&site{fn: e.Func, args: typesOf(e.Args), ret: e.T, ctx: c.ctx}),
	}, nil
}

// Eval computes the call for each row.
func (e *callEval) Eval(b *column.Batch) (column.Vector, error) {
	for i, a := range e.args {
		var err error
		if e.in[i], err = a.Eval(b); err != nil {
			return nil, err
		}
	}
	var nulls []bool
	if e.strict {
		nulls = e.mergeNulls(b.Rows)
	}
	v, err := e.body(e.in, nulls, b.Rows)
	if err != nil && e.pos > 0 {
		return nil, sqlerr.From(err).At(e.pos)
	}
	return v, err
}

// mergeNulls marks the rows where any argument is NULL; nil if there is none.
func (e *callEval) mergeNulls(n int) []bool {
	var out []bool
	merged := false
	for _, v := range e.in {
		m := v.NullMask()
		switch {
		case m == nil:
		case out == nil:
			out = m
		case !merged:
			if cap(e.nulls) < n {
				e.nulls = make([]bool, n)
			}
			merged = true
			orInto(e.nulls[:n], out, m)
			out = e.nulls[:n]
		default:
			orInto(out, out, m)
		}
	}
	return out
}

func orInto(dst, a, b []bool) {
	for i := range dst {
		dst[i] = a[i] || b[i]
	}
}
