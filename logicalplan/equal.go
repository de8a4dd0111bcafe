package logicalplan

import (
	"reflect"

	"wmsql/expr"
)

// Equal reports whether two expressions are the same computation on the same columns.
func Equal(a, b expr.Expr) bool {
	if a == b {
		return true
	}
	if reflect.TypeOf(a) != reflect.TypeOf(b) || a.Type() != b.Type() || !sameHead(a, b) {
		return false
	}
	x, y := a.Children(), b.Children()
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !Equal(x[i], y[i]) {
			return false
		}
	}
	return true
}

// sameHead compares what is in the node itself; the types of the nodes are known to be the same.
func sameHead(a, b expr.Expr) bool {
	switch a := a.(type) {
	case *expr.Column:
		return a.ID == b.(*expr.Column).ID
	case *expr.Const:
		return sameValue(a, b.(*expr.Const))
	case *expr.Param:
		return a.N == b.(*expr.Param).N
	case *expr.Call:
		return a.Func.Name == b.(*expr.Call).Func.Name
	case *expr.IsNull:
		return a.Not == b.(*expr.IsNull).Not
	case *expr.InList:
		return sameList(a, b.(*expr.InList))
	case *expr.AnyAll:
		c := b.(*expr.AnyAll)
		return a.Op.Name == c.Op.Name && a.All == c.All
	case *expr.Field:
		return a.N == b.(*expr.Field).N
	}
	return true
}

func sameList(a, b *expr.InList) bool {
	if a.Not != b.Not || len(a.List) != len(b.List) {
		return false
	}
	for i := range a.List {
		if !sameValue(a.List[i], b.List[i]) {
			return false
		}
	}
	return true
}

func sameValue(a, b *expr.Const) bool { return reflect.DeepEqual(a.Value, b.Value) }
