package expr

import (
	"wmsql/column"
	"wmsql/types"
)

// inEval is X IN (constants), by a set. A row without match is NULL when the list holds a NULL.
type inEval struct {
	x       Evaluator
	has     func(v column.Vector, out []bool) // marks the rows found
	not     bool
	hasNull bool
	buf     []bool
}

func (c *compiler) inList(e *InList) (Evaluator, error) {
	x, err := c.compile(e.X)
	if err != nil {
		return nil, err
	}
	out := &inEval{x: x, not: e.Not}
	b := column.NewBuilder(e.X.Type(), len(e.List))
	for _, item := range e.List {
		if item.Value == nil {
			out.hasNull = true
		} else {
			b.AppendDatum(item.Value)
		}
	}
	out.has = setOf(b.Build())
	return out, nil
}

// setOf returns a function that marks the rows of a vector whose value is among items.
func setOf(items column.Vector) func(v column.Vector, out []bool) {
	switch items := items.(type) {
	case *column.Of[int64]:
		return intSet(items.Values)
	case *column.Bytes:
		if items.T.Kind != types.BPChar && items.T.Kind != types.JSONB {
			return bytesSet(items)
		}
	}
	return func(v column.Vector, out []bool) {
		for i := range out {
			out[i] = false
			for j := range items.Len() {
				if column.Compare(v, i, items, j) == 0 {
					out[i] = true
					break
				}
			}
		}
	}
}

func intSet(items []int64) func(v column.Vector, out []bool) {
	set := make(map[int64]struct{}, len(items))
	for _, x := range items {
		set[x] = struct{}{}
	}
	return func(v column.Vector, out []bool) {
		for i, x := range v.(*column.Of[int64]).Values {
			_, out[i] = set[x]
		}
	}
}

func bytesSet(items *column.Bytes) func(v column.Vector, out []bool) {
	set := make(map[string]struct{}, items.Len())
	for i := range items.Len() {
		set[string(items.Value(i))] = struct{}{}
	}
	return func(v column.Vector, out []bool) {
		b := v.(*column.Bytes)
		for i := range out {
			_, out[i] = set[string(b.Value(i))]
		}
	}
}

// Eval tests each row.
func (e *inEval) Eval(b *column.Batch) (column.Vector, error) {
	v, err := e.x.Eval(b)
	if err != nil {
		return nil, err
	}
	out := grow(&e.buf, b.Rows)
	e.has(v, out)
	nulls := v.NullMask()
	if e.hasNull {
		nulls = nullFlags(nulls, b.Rows)
		for i, found := range out {
			nulls[i] = nulls[i] || !found
		}
	}
	if e.not {
		for i := range out {
			out[i] = !out[i]
		}
	}
	clearNulls(out, nulls)
	return &column.Of[bool]{T: boolType, Values: out, Nulls: nulls}, nil
}
