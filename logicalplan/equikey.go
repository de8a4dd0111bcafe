package logicalplan

import (
	"wmsql/expr"
	"wmsql/types"
)

// ColumnSet is the IDs of a node's output.
func ColumnSet(n Node) map[expr.ColumnID]bool {
	set := map[expr.ColumnID]bool{}
	for _, c := range n.Columns() {
		set[c.ID] = true
	}
	return set
}

// EquiKey splits l = r where each side reads columns of one input, and of none of the other. The types must be such that equal
// values have equal key encodings.
func EquiKey(e expr.Expr, left, right map[expr.ColumnID]bool) (l, r expr.Expr, ok bool) {
	call, isCall := e.(*expr.Call)
	if !isCall || call.Func.Name != "=" || len(call.Args) != 2 || !sameEncoding(call.Args[0].Type(), call.Args[1].Type()) {
		return nil, nil, false
	}
	x, y := call.Args[0], call.Args[1]
	switch {
	case readsOneOf(x, left, right) && readsOneOf(y, right, left):
		return x, y, true
	case readsOneOf(x, right, left) && readsOneOf(y, left, right):
		return y, x, true
	}
	return nil, nil, false
}

// readsOneOf reports whether e reads a column of in and none of out.
func readsOneOf(e expr.Expr, in, out map[expr.ColumnID]bool) bool {
	reads, other := false, false
	expr.Columns(e, func(c *expr.Column) {
		reads = reads || in[c.ID]
		other = other || out[c.ID]
	})
	return reads && !other
}

// sameEncoding leaves out the types whose equality is looser than that of their bytes.
func sameEncoding(a, b types.Type) bool {
	if a.Kind == types.BPChar || a.Kind == types.Record || a.Kind == types.JSONB {
		return false
	}
	return a.Same(b) || integer(a) && integer(b)
}

func integer(t types.Type) bool {
	return !t.Array && (t.Kind == types.Int2 || t.Kind == types.Int4 || t.Kind == types.Int8)
}
