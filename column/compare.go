package column

import (
	"bytes"
	"cmp"

	"wmsql/types"
)

// Compare orders row i of a against row j of b, of one type: NULL is larger than every value, as
// in Postgres. Text is ordered by bytes (collation "C"), blanks at the end of char(n) do not count,
// NaN is larger than every number, a month of an interval has 30 days.
func Compare(a Vector, i int, b Vector, j int) int {
	an, bn := a.IsNull(i), b.IsNull(j)
	switch {
	case an && bn:
		return 0
	case an:
		return 1
	case bn:
		return -1
	}
	switch a := a.(type) {
	case *Of[int64]:
		return cmp.Compare(a.Values[i], b.(*Of[int64]).Values[j])
	case *Of[float64]:
		return types.CompareFloat(a.Values[i], b.(*Of[float64]).Values[j])
	case *Bytes:
		x, y := a.Value(i), b.(*Bytes).Value(j)
		if a.T.Kind == types.JSONB {
			return bytes.Compare(types.AppendJSONBKey(nil, x), types.AppendJSONBKey(nil, y))
		}
		if a.T.Kind == types.BPChar {
			x, y = bytes.TrimRight(x, " "), bytes.TrimRight(y, " ")
		}
		return bytes.Compare(x, y)
	case *Of[bool]:
		return compareBool(a.Values[i], b.(*Of[bool]).Values[j])
	case *Of[types.Decimal]:
		return a.Values[i].Cmp(b.(*Of[types.Decimal]).Values[j])
	case *Of[types.IntervalValue]:
		return a.Values[i].Cmp(b.(*Of[types.IntervalValue]).Values[j])
	case *List:
		return compareLists(a, i, b.(*List), j)
	case *Record:
		for f := range a.Fields {
			if c := Compare(a.Fields[f], i, b.(*Record).Fields[f], j); c != 0 {
				return c
			}
		}
		return 0
	}
	panic("column: unknown vector")
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func compareLists(a *List, i int, b *List, j int) int {
	x, y := a.Offsets[i], b.Offsets[j]
	for ; x < a.Offsets[i+1] && y < b.Offsets[j+1]; x, y = x+1, y+1 {
		if c := Compare(a.Elems, int(x), b.Elems, int(y)); c != 0 {
			return c
		}
	}
	restA, restB := a.Offsets[i+1]-x, b.Offsets[j+1]-y
	switch { // as keys are ordered: see keyShape
	case restA == 0 && restB > 0 && a.Shape(i) != nil:
		return 1
	case restB == 0 && restA > 0 && b.Shape(j) != nil:
		return -1
	case restA == 0 && restB == 0:
		return a.Shape(i).Compare(b.Shape(j))
	}
	return cmp.Compare(restA, restB)
}
