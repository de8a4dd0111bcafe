package expr

import (
	"bytes"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// IsHypothetical reports whether name is an aggregate of a hypothetical row, when it is called WITHIN GROUP: else it is a window function.
func IsHypothetical(name string) bool {
	switch name {
	case "rank", "dense_rank", "percent_rank", "cume_dist":
		return true
	}
	return false
}

// NewHypothetical resolves rank(x) WITHIN GROUP (ORDER BY y): where a row with x would stand among the rows of the group. args are the direct
// arguments, then the keys of orderBy.
func NewHypothetical(name string, args []Expr, orderBy []SortKey, filter Expr) (*Aggregate, error) {
	n := len(orderBy)
	if len(args) != 2*n {
		return nil, sqlerr.Newf(sqlerr.UndefinedFunction, "function %s does not exist", signature(name, typesOf(args))).
			WithHint("To use the hypothetical-set aggregate %s, the number of hypothetical direct arguments (here %d) must match the number of ordering columns (here %d).",
				name, len(args)-n, n)
	}
	a := &Aggregate{Filter: filter, Args: make([]Expr, 2*n), OrderBy: make([]SortKey, n), T: types.Of(types.Int8)}
	if name == "percent_rank" || name == "cume_dist" {
		a.T = types.Of(types.Float8)
	}
	for i, k := range orderBy {
		both, _, err := Unify("WITHIN GROUP", []Expr{args[i], k.X})
		if err != nil {
			return nil, err
		}
		a.Args[i], a.Args[n+i] = both[0], both[1]
		a.OrderBy[i] = SortKey{X: both[1], Desc: k.Desc, NullsFirst: k.NullsFirst}
	}
	a.Func = &AggFunction{Name: name, Args: typesOf(a.Args), Return: a.T, OrderedSet: true, ordered: true, finish: finishHypothetical(name, a.OrderBy)}
	return a, checkDirect(a.Func, a.Args, a.OrderBy)
}

// finishHypothetical counts the rows before the hypothetical one, which stand first.
func finishHypothetical(name string, order []SortKey) finish {
	n := len(order)
	return func(_ *aggSite, args []column.Vector, b column.Builder) error {
		total := args[0].Len()
		before, kinds, equal := 0, 0, 0
		var row, mine, last []byte
		for i := range total {
			row, mine = orderKey(row[:0], order, args[n:], i), orderKey(mine[:0], order, args[:n], i)
			switch c := bytes.Compare(row, mine); {
			case c < 0:
				before++
				if before == 1 || !bytes.Equal(row, last) {
					kinds++
				}
				last = append(last[:0], row...)
			case c == 0:
				equal++
			}
		}
		switch name {
		case "rank":
			b.AppendDatum(int64(before + 1))
		case "dense_rank":
			b.AppendDatum(int64(kinds + 1))
		case "percent_rank":
			b.AppendDatum(float64(before) / float64(max(1, total)))
		default:
			b.AppendDatum(float64(before+equal+1) / float64(total+1))
		}
		return nil
	}
}

// orderKey appends the order of row i of the keys' values.
func orderKey(dst []byte, order []SortKey, keys []column.Vector, i int) []byte {
	for k, o := range order {
		dst = appendOrder(dst, o, keys[k], i)
	}
	return dst
}
