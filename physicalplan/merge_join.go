package physicalplan

import (
	"slices"
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
)

// MergeJoin is a HashJoin whose sides both come in the order of the first Keys pairs: it holds a batch of each. In one of the sides no
// two rows have one such key: Once says that it is the right one.
type MergeJoin struct {
	HashJoin
	Keys int
	Once bool
}

// Title is the operator's line.
func (n *MergeJoin) Title() string { return strings.Replace(n.HashJoin.Title(), "Hash", "Merge", 1) }

// merged is the join j of left and right as a MergeJoin if both come in the order of their keys and one has no key twice, else j. A left
// row matches one row in a mark or single join's right side, whose order is not asked for.
func (l *lowering) merged(j *HashJoin, left, right logicalplan.Node) Node {
	if l.view != nil || j.Kind == logicalplan.MarkJoin || j.Kind == logicalplan.SingleJoin {
		return j
	}
	one, two := keyOrder(left), keyOrder(right)
	n := 0
	for n < min(len(one.columns), len(two.columns)) {
		at := slices.IndexFunc(j.L, func(e expr.Expr) bool { return isColumn(e, one.columns[n]) })
		if at < n || !isColumn(j.R[at], two.columns[n]) || j.L[at].Type().Kind != j.R[at].Type().Kind {
			break
		}
		j.L, j.R = swap(j.L, n, at), swap(j.R, n, at)
		n++
	}
	once := two.unique && n == len(two.columns)
	if n == 0 || !once && !(one.unique && n == len(one.columns)) {
		return j
	}
	return &MergeJoin{HashJoin: *j, Keys: n, Once: once}
}

// swap exchanges two expressions in a copy.
func swap(es []expr.Expr, i, k int) []expr.Expr {
	es = slices.Clone(es)
	es[i], es[k] = es[k], es[i]
	return es
}

func isColumn(e expr.Expr, id expr.ColumnID) bool {
	c, ok := e.(*expr.Column)
	return ok && c.ID == id
}

// order is the columns in whose order rows come, ascending; unique says that no two rows are the same in all.
type order struct {
	columns []expr.ColumnID
	unique  bool
}

// keyOrder is the order in which n reads stored rows.
func keyOrder(n logicalplan.Node) order {
	switch n := n.(type) {
	case *logicalplan.TableScan:
		return order{n.Key, true}
	case *logicalplan.Filter:
		return keyOrder(n.Input)
	case *logicalplan.Project:
		in := keyOrder(n.Input)
		for i, id := range in.columns {
			at := slices.IndexFunc(n.Exprs, func(x logicalplan.Named) bool { return isColumn(x.Expr, id) })
			if at < 0 {
				return order{in.columns[:i:i], false}
			}
			in.columns = slices.Clone(in.columns)
			in.columns[i] = n.Exprs[at].Out.ID
		}
		return in
	}
	return order{}
}
