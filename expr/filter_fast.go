package expr

import (
	"cmp"
	"slices"

	"wmsql/column"
	"wmsql/types"
)

// fastCompare compares a column of integers, times or text with a constant, without making a vector of booleans.
type fastCompare struct {
	col   int
	op    cmpOp
	value Evaluator // the constant
}

// fastCompare recognises the comparison; nil if e is another condition.
func (c *compiler) fastCompare(e Expr) (*fastCompare, error) {
	call, ok := e.(*Call)
	if !ok || call.Func.cmp == cmpNone || !call.Func.total || len(call.Args) != 2 {
		return nil, nil
	}
	l, r, op := call.Args[0], call.Args[1], call.Func.cmp
	if _, ok := r.(*Column); ok {
		l, r, op = r, l, op.flip()
	}
	col, ok := l.(*Column)
	if !ok || !IsConst(r) || l.Type().Layout() != r.Type().Layout() || col.T.Kind == types.BPChar || r.Type().Kind == types.BPChar {
		return nil, nil
	}
	i := slices.Index(c.layout, col.ID)
	layout := col.T.Layout()
	if i < 0 || layout != types.LayoutInt64 && (layout != types.LayoutBytes || col.T.Kind == types.JSONB) {
		return nil, nil
	}
	value, err := c.compile(r)
	return &fastCompare{col: i, op: op, value: value}, err
}

// keep keeps those of rows whose column compares true.
func (f *fastCompare) keep(rows []int32, b *column.Batch) ([]int32, error) {
	if len(rows) == 0 {
		return rows, nil
	}
	v, err := f.value.Eval(oneRow)
	if err != nil || v.IsNull(0) {
		return rows[:0], err
	}
	switch col := b.Cols[f.col].(type) {
	case *column.Of[int64]:
		return keepInts(rows, col.Values, col.Nulls, f.op, v.(*column.Of[int64]).Values[0]), nil
	case *column.Bytes:
		return keepBytes(rows, col, f.op, v.(*column.Bytes).Value(0)), nil
	}
	panic("expr: fast comparison over a column of another layout")
}

// keepInts keeps the rows whose value compares true with x. One loop an operator, so that the test is one instruction.
func keepInts(rows []int32, vals []int64, nulls []bool, op cmpOp, x int64) []int32 {
	kept := rows[:0]
	switch op {
	case cmpEQ:
		for _, r := range rows {
			if vals[r] == x {
				kept = append(kept, r)
			}
		}
	case cmpNE:
		for _, r := range rows {
			if vals[r] != x {
				kept = append(kept, r)
			}
		}
	case cmpLT:
		for _, r := range rows {
			if vals[r] < x {
				kept = append(kept, r)
			}
		}
	case cmpLE:
		for _, r := range rows {
			if vals[r] <= x {
				kept = append(kept, r)
			}
		}
	case cmpGT:
		for _, r := range rows {
			if vals[r] > x {
				kept = append(kept, r)
			}
		}
	case cmpGE:
		for _, r := range rows {
			if vals[r] >= x {
				kept = append(kept, r)
			}
		}
	}
	return dropNulls(kept, nulls)
}

func dropNulls(rows []int32, nulls []bool) []int32 {
	if nulls == nil {
		return rows
	}
	kept := rows[:0]
	for _, r := range rows {
		if !nulls[r] {
			kept = append(kept, r)
		}
	}
	return kept
}

func keepBytes(rows []int32, col *column.Bytes, op cmpOp, x []byte) []int32 {
	kept := rows[:0]
	for _, r := range rows {
		v := col.Value(int(r))
		var ok bool
		switch op {
		case cmpEQ:
			ok = string(v) == string(x)
		case cmpNE:
			ok = string(v) != string(x)
		default:
			ok = op.holds(cmp.Compare(string(v), string(x)))
		}
		if ok {
			kept = append(kept, r)
		}
	}
	return dropNulls(kept, col.Nulls)
}
