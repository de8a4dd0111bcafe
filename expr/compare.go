package expr

import (
	"bytes"
	"cmp"

	"wmsql/column"
	"wmsql/types"
)

// cmpOp is which comparison a function is.
type cmpOp uint8

// The comparisons; cmpNone marks every other function.
const (
	cmpNone cmpOp = iota
	cmpEQ
	cmpNE
	cmpLT
	cmpLE
	cmpGT
	cmpGE
)

var cmpNames = [...]string{cmpEQ: "=", cmpNE: "<>", cmpLT: "<", cmpLE: "<=", cmpGT: ">", cmpGE: ">="}

// flip is the comparison with its sides exchanged.
func (op cmpOp) flip() cmpOp {
	switch op {
	case cmpLT:
		return cmpGT
	case cmpLE:
		return cmpGE
	case cmpGT:
		return cmpLT
	case cmpGE:
		return cmpLE
	}
	return op
}

// holds reports whether two values in the given order compare true.
func (op cmpOp) holds(order int) bool {
	switch op {
	case cmpEQ:
		return order == 0
	case cmpNE:
		return order != 0
	case cmpLT:
		return order < 0
	case cmpLE:
		return order <= 0
	case cmpGT:
		return order > 0
	}
	return order >= 0
}

// boolBody is a body whose rows are booleans: loop fills out, then NULL rows are cleared.
func boolBody(s *site, loop func(in []column.Vector, out []bool)) body {
	o := output[bool]{t: s.ret}
	return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
		out := o.room(n)
		loop(in, out)
		clearNulls(out, nulls)
		return &column.Of[bool]{T: o.t, Values: out, Nulls: nulls}, nil
	}
}

// compareInts compares values of the integer layout.
func compareInts(op cmpOp) kernel {
	return func(s *site) body {
		return boolBody(s, func(in []column.Vector, out []bool) {
			compareOrdered(op, out, in[0].(*column.Of[int64]).Values, in[1].(*column.Of[int64]).Values)
		})
	}
}

// compareOrdered has one loop an operator, so that the test is one instruction.
func compareOrdered[T cmp.Ordered](op cmpOp, out []bool, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	switch op {
	case cmpEQ:
		for i := range out {
			out[i] = a[i] == b[i]
		}
	case cmpNE:
		for i := range out {
			out[i] = a[i] != b[i]
		}
	case cmpLT:
		for i := range out {
			out[i] = a[i] < b[i]
		}
	case cmpLE:
		for i := range out {
			out[i] = a[i] <= b[i]
		}
	case cmpGT:
		for i := range out {
			out[i] = a[i] > b[i]
		}
	case cmpGE:
		for i := range out {
			out[i] = a[i] >= b[i]
		}
	}
}

// compareFloats compares floats: NaN equals itself and is larger than every number, as Postgres has it.
func compareFloats(op cmpOp) kernel {
	return func(s *site) body {
		return boolBody(s, func(in []column.Vector, out []bool) {
			a, b := in[0].(*column.Of[float64]).Values, in[1].(*column.Of[float64]).Values
			for i := range out {
				out[i] = op.holds(compareFloat(a[i], b[i]))
			}
		})
	}
}

// compareFloat orders two floats, NaN last.
func compareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	}
	switch aNaN, bNaN := a != a, b != b; {
	case aNaN && bNaN:
		return 0
	case aNaN:
		return 1
	}
	return -1
}

// compareText compares byte strings.
func compareText(op cmpOp) kernel {
	return func(s *site) body {
		return boolBody(s, func(in []column.Vector, out []bool) {
			a, b := in[0].(*column.Bytes), in[1].(*column.Bytes)
			switch op {
			case cmpEQ:
				for i := range out {
					out[i] = bytes.Equal(a.Value(i), b.Value(i))
				}
			case cmpNE:
				for i := range out {
					out[i] = !bytes.Equal(a.Value(i), b.Value(i))
				}
			default:
				for i := range out {
					out[i] = op.holds(bytes.Compare(a.Value(i), b.Value(i)))
				}
			}
		})
	}
}

// compareAny compares values of any one type in the order of column.Compare.
func compareAny(op cmpOp) kernel {
	return func(s *site) body {
		return boolBody(s, func(in []column.Vector, out []bool) {
			for i := range out {
				if !in[0].IsNull(i) && !in[1].IsNull(i) {
					out[i] = op.holds(column.Compare(in[0], i, in[1], i))
				}
			}
		})
	}
}

// compareWith compares an A with a B by an order of their own.
func compareWith[A, B any](op cmpOp, order func(*site) func(A, B) int) kernel {
	return fn2s(func(s *site) func(A, B) (bool, error) {
		f := order(s)
		return func(a A, b B) (bool, error) { return op.holds(f(a, b)), nil }
	})
}

// distinctKernel makes IS [NOT] DISTINCT FROM of an equality.
func distinctKernel(eq *Function, not bool) kernel {
	return func(s *site) body {
		inner := eq.kernel(&site{fn: eq, args: s.args, ret: boolType, ctx: s.ctx})
		o := output[bool]{t: s.ret}
		var either []bool
		return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
			l, r := in[0].NullMask(), in[1].NullMask()
			var nulls []bool
			if l != nil || r != nil {
				nulls = grow(&either, n)
				for i := range nulls {
					nulls[i] = l != nil && l[i] || r != nil && r[i]
				}
			}
			v, err := inner(in, nulls, n)
			if err != nil {
				return nil, err
			}
			same, out := v.(*column.Of[bool]), o.room(n)
			for i := range out {
				equal := same.Values[i]
				if nulls != nil && nulls[i] {
					equal = in[0].IsNull(i) && in[1].IsNull(i)
				}
				out[i] = equal == not
			}
			return &column.Of[bool]{T: o.t, Values: out}, nil
		}
	}
}

// comparisons defines the six comparisons of l with r.
func comparisons(l, r types.Kind, mk func(cmpOp) kernel) []*Function {
	var out []*Function
	for op := cmpEQ; op <= cmpGE; op++ {
		out = append(out, &Function{
			Name: cmpNames[op], Args: []types.Type{types.Of(l), types.Of(r)}, Return: boolType,
			Strict: true, total: true, cmp: op, kernel: mk(op),
		})
	}
	return out
}
