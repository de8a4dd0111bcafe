package expr

import (
	"bytes"

	"wmsql/column"
	"wmsql/types"
)

// comparisonOperators are = <> < <= > >= of every type that has them.
func comparisonOperators() []*Function {
	var out []*Function
	cross := func(mk func(cmpOp) kernel, kinds ...types.Kind) {
		for _, l := range kinds {
			for _, r := range kinds {
				out = append(out, comparisons(l, r, mk)...)
			}
		}
	}
	each := func(mk func(cmpOp) kernel, kinds ...types.Kind) {
		for _, k := range kinds {
			out = append(out, comparisons(k, k, mk)...)
		}
	}
	cross(compareInts, types.Int2, types.Int4, types.Int8)
	cross(compareFloats, types.Float4, types.Float8)
	cross(compareText, types.Text, types.Name)
	each(compareInts, types.Date, types.Time, types.TimeTZ, types.Timestamp, types.TimestampTZ, types.OID)
	each(compareText, types.Char, types.Bytea, types.UUID, types.Bit, types.VarBit)
	each(comparePadded, types.BPChar)
	each(compareDecimals, types.Numeric)
	each(compareAny, types.Bool, types.Interval, types.OIDVector, types.Record, types.AnyArray)
	each(compareJSONB, types.JSONB)
	out = append(out, comparisons(types.XID, types.XID, compareInts)[:2]...) // = and <> only
	return append(out, dateComparisons()...)
}

func compareJSONB(op cmpOp) kernel {
	return compareWith(op, func(*site) func(a, b []byte) int { return compareJSON })
}

func compareDecimals(op cmpOp) kernel {
	return compareWith(op, func(*site) func(a, b types.Decimal) int { return types.Decimal.Cmp })
}

// comparePadded compares char(n): blanks at the end do not count.
func comparePadded(op cmpOp) kernel {
	return func(s *site) body {
		return boolBody(s, func(in []column.Vector, out []bool) {
			a, b := in[0].(*column.Bytes), in[1].(*column.Bytes)
			for i := range out {
				out[i] = op.holds(bytes.Compare(bytes.TrimRight(a.Value(i), " "), bytes.TrimRight(b.Value(i), " ")))
			}
		})
	}
}

// dateComparisons compare dates with timestamps, and timestamps with those that have a zone, which needs the session's.
func dateComparisons() []*Function {
	var out []*Function
	kinds := []types.Kind{types.Date, types.Timestamp, types.TimestampTZ}
	for _, l := range kinds {
		for _, r := range kinds {
			if l == r {
				continue
			}
			fs := comparisons(l, r, func(op cmpOp) kernel { return compareMoments(op, l, r) })
			for _, f := range fs {
				f.total = false // the fast filter must not compare them as they are
				if l == types.TimestampTZ || r == types.TimestampTZ {
					f.Volatility = Stable
				}
			}
			out = append(out, fs...)
		}
	}
	return out
}
