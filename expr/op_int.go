package expr

import (
	"math"
	"math/bits"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// intOp computes one integer operation over a batch. ok is false if a row may be out of range; the caller looks for it.
type intOp func(out, a, b []int64, limits intLimits) (ok bool)

// intLimits is the range of an integer type.
type intLimits struct{ lo, hi int64 }

func limitsOf(k types.Kind) intLimits {
	switch k {
	case types.Int2:
		return intLimits{math.MinInt16, math.MaxInt16}
	case types.Int4:
		return intLimits{math.MinInt32, math.MaxInt32}
	}
	return intLimits{math.MinInt64, math.MaxInt64}
}

func (l intLimits) hold(v int64) bool { return v >= l.lo && v <= l.hi }

// intArith makes the kernel of an operator on integers: a loop without branches over all rows, then, only if it reports a
// fault, a search for a row that is not NULL and really at fault.
func intArith(loop intOp, one func(a, b int64) (int64, bool)) kernel {
	return func(s *site) body {
		out := output[int64]{t: s.ret}
		limits := limitsOf(s.ret.Kind)
		return func(in []column.Vector, nulls []bool, n int) (column.Vector, error) {
			a, b, r := in[0].(*column.Of[int64]).Values, in[1].(*column.Of[int64]).Values, out.room(n)
			if !loop(r, a[:n], b[:n], limits) {
				for i := range r {
					if nulls != nil && nulls[i] {
						continue
					}
					if v, ok := one(a[i], b[i]); !ok || !limits.hold(v) {
						return nil, types.ErrIntRange(s.ret.Kind)
					}
				}
			}
			clearNulls(r, nulls)
			return &column.Of[int64]{T: s.ret, Values: r, Nulls: nulls}, nil
		}
	}
}

func addInts(out, a, b []int64, l intLimits) bool {
	bad := false
	for i := range out {
		r := a[i] + b[i]
		bad = bad || (r^a[i])&(r^b[i]) < 0 || r < l.lo || r > l.hi
		out[i] = r
	}
	return !bad
}

func addInt(a, b int64) (int64, bool) {
	r := a + b
	return r, (r^a)&(r^b) >= 0
}

func subInts(out, a, b []int64, l intLimits) bool {
	bad := false
	for i := range out {
		r := a[i] - b[i]
		bad = bad || (a[i]^b[i])&(r^a[i]) < 0 || r < l.lo || r > l.hi
		out[i] = r
	}
	return !bad
}

func subInt(a, b int64) (int64, bool) {
	r := a - b
	return r, (a^b)&(r^a) >= 0
}

func mulInts(out, a, b []int64, l intLimits) bool {
	bad := false
	for i := range out {
		r, ok := mulInt(a[i], b[i])
		bad = bad || !ok || r < l.lo || r > l.hi
		out[i] = r
	}
	return !bad
}

// mulInt multiplies; ok is false if the product does not fit.
func mulInt(a, b int64) (r int64, ok bool) {
	if int64(int32(a)) == a && int64(int32(b)) == b {
		return a * b, true
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	high := int64(hi) - a>>63&b - b>>63&a // the high half of the signed product
	return int64(lo), high == int64(lo)>>63
}

// intRows makes the kernel of an operator that may fail for a row by itself, division say.
func intRows(f func(a, b int64, l intLimits, k types.Kind) (int64, error)) kernel {
	return fn2s(func(s *site) func(a, b int64) (int64, error) {
		limits, k := limitsOf(s.ret.Kind), s.ret.Kind
		return func(a, b int64) (int64, error) { return f(a, b, limits, k) }
	})
}

func errDivisionByZero() error { return sqlerr.Newf(sqlerr.DivisionByZero, "division by zero") }

func divInt(a, b int64, l intLimits, k types.Kind) (int64, error) {
	switch {
	case b == 0:
		return 0, errDivisionByZero()
	case b == -1 && a == l.lo:
		return 0, types.ErrIntRange(k)
	}
	return a / b, nil
}

func modInt(a, b int64, _ intLimits, _ types.Kind) (int64, error) {
	switch b {
	case 0:
		return 0, errDivisionByZero()
	case -1:
		return 0, nil
	}
	return a % b, nil
}

// intOperators are the operators on integers. Postgres has each for every pair of widths; the wider one is the result.
func intOperators() []*Function {
	var out []*Function
	kinds := []types.Kind{types.Int2, types.Int4, types.Int8}
	for _, l := range kinds {
		for _, r := range kinds {
			wide := types.Of(max(l, r))
			add := func(name string, k kernel) {
				out = append(out, &Function{
					Name: name, Args: []types.Type{types.Of(l), types.Of(r)}, Return: wide, Strict: true, kernel: k,
				})
			}
			add("+", intArith(addInts, addInt))
			add("-", intArith(subInts, subInt))
			add("*", intArith(mulInts, mulInt))
			add("/", intRows(divInt))
			if l == r {
				add("%", intRows(modInt))
				out = append(out, bitOperators(l)...)
			}
		}
	}
	for _, k := range kinds {
		out = append(out, intPrefixes(k)...)
	}
	return out
}

func bitOperators(k types.Kind) []*Function {
	t := k.Info().PgName
	width := uint(limitBits(k))
	shift := func(a, b int64) uint { return uint(b) & (width - 1) }
	return []*Function{
		def("&("+t+","+t+") "+t, fn2(func(a, b int64) int64 { return a & b }), total),
		def("|("+t+","+t+") "+t, fn2(func(a, b int64) int64 { return a | b }), total),
		def("#("+t+","+t+") "+t, fn2(func(a, b int64) int64 { return a ^ b }), total),
		def("<<("+t+",int4) "+t, fn2(func(a, b int64) int64 { return wrapInt(a<<shift(a, b), width) }), total),
		def(">>("+t+",int4) "+t, fn2(func(a, b int64) int64 { return a >> shift(a, b) }), total),
	}
}

func limitBits(k types.Kind) int { return int(k.Info().Len) * 8 }

// wrapInt keeps the low width bits of v, sign-extended.
func wrapInt(v int64, width uint) int64 { return v << (64 - width) >> (64 - width) }

func intPrefixes(k types.Kind) []*Function {
	t, limits := k.Info().PgName, limitsOf(k)
	neg := func(v int64) (int64, error) {
		if v == limits.lo {
			return 0, types.ErrIntRange(k)
		}
		return -v, nil
	}
	abs := func(v int64) (int64, error) {
		if v < 0 {
			return neg(v)
		}
		return v, nil
	}
	return []*Function{
		def("-("+t+") "+t, fn1e(neg)),
		def("+("+t+") "+t, fn1(func(v int64) int64 { return v }), total),
		def("@("+t+") "+t, fn1e(abs)),
		def("~("+t+") "+t, fn1(func(v int64) int64 { return ^v }), total),
	}
}
