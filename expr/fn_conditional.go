package expr

import (
	"wmsql/column"
)

// greatestKernel makes GREATEST (sign 1) or LEAST (sign -1).
func greatestKernel(sign int) kernel {
	return func(s *site) body {
		m := interleave{t: s.ret}
		var best, row []int32
		return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
			best, row = grow(&best, n), allRows(row, n)
			for i := range best {
				best[i] = -1
				for k, v := range in {
					if !v.IsNull(i) && (best[i] < 0 || column.Compare(v, i, in[best[i]], i)*sign > 0) {
						best[i] = int32(k)
					}
				}
			}
			m.begin(n)
			m.from = append(m.from, in...)
			copy(m.which, best)
			copy(m.at, row)
			return m.mixed(), nil
		}
	}
}

// nullIfKernel makes NULLIF of an equality.
func nullIfKernel(eq *Function) kernel {
	return func(s *site) body {
		inner := eq.kernel(&site{fn: eq, args: s.args, ret: boolType, ctx: s.ctx})
		return func(in []column.Vector, _ []bool, n int) (column.Vector, error) {
			nulls := nullFlags(in[0].NullMask(), n)
			for i := range nulls {
				nulls[i] = nulls[i] || in[1].IsNull(i)
			}
			v, err := inner(in, nulls, n)
			if err != nil {
				return nil, err
			}
			same := v.(*column.Of[bool])
			out := column.NewBuilder(s.ret, n)
			for i := range n {
				if same.Values[i] && !nulls[i] {
					out.AppendNull()
				} else {
					out.AppendFrom(in[0], i)
				}
			}
			return out.Build(), nil
		}
	}
}
