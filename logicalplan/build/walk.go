package build

import "wmsql/sql"

// walkExpr calls f for e and its operands, but does not enter subqueries' queries; f returns false to skip what is below.
func walkExpr(e sql.Expr, f func(sql.Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	for _, c := range operands(e) {
		walkExpr(c, f)
	}
}

// hasSubquery reports whether a subquery is somewhere in e.
func hasSubquery(e sql.Expr) bool {
	found := false
	walkExpr(e, func(x sql.Expr) bool {
		_, is := x.(*sql.SubqueryExpr)
		found = found || is
		return !found
	})
	return found
}

func operands(e sql.Expr) []sql.Expr {
	switch e := e.(type) {
	case *sql.Cast:
		return []sql.Expr{e.X}
	case *sql.Unary:
		return []sql.Expr{e.X}
	case *sql.Binary:
		return []sql.Expr{e.L, e.R}
	case *sql.IsTest:
		return []sql.Expr{e.X}
	case *sql.Between:
		return []sql.Expr{e.X, e.Lo, e.Hi}
	case *sql.InList:
		return append([]sql.Expr{e.X}, e.List...)
	case *sql.Like:
		return []sql.Expr{e.X, e.Pattern, e.Escape}
	case *sql.AnyAll:
		return []sql.Expr{e.X, e.Array}
	case *sql.SubqueryExpr:
		return []sql.Expr{e.X}
	case *sql.Case:
		out := []sql.Expr{e.X, e.Else}
		for _, w := range e.Whens {
			out = append(out, w.Cond, w.Then)
		}
		return out
	case *sql.Func:
		return funcOperands(e)
	case *sql.Array:
		return e.Items
	case *sql.Row:
		return e.Items
	case *sql.Subscript:
		return []sql.Expr{e.X, e.Lo, e.Hi}
	case *sql.Field:
		return []sql.Expr{e.X}
	case *sql.Collate:
		return []sql.Expr{e.X}
	case *sql.Without:
		return []sql.Expr{e.X}
	}
	return nil
}

func funcOperands(f *sql.Func) []sql.Expr {
	out := []sql.Expr{f.Filter}
	for _, a := range f.Args {
		out = append(out, a.Value)
	}
	for _, o := range f.OrderBy {
		out = append(out, o.X)
	}
	for _, o := range f.Within {
		out = append(out, o.X)
	}
	if f.Over != nil {
		out = append(out, f.Over.PartitionBy...)
		for _, o := range f.Over.OrderBy {
			out = append(out, o.X)
		}
	}
	return out
}

// start is where the text of an expression begins: an operator's own place is in its middle.
func start(e sql.Expr) sql.Pos {
	at := e.At()
	switch e.(type) {
	case *sql.Binary, *sql.Cast, *sql.IsTest, *sql.Between, *sql.InList, *sql.Like, *sql.AnyAll, *sql.Subscript, *sql.Field, *sql.Collate:
		for _, o := range operands(e) {
			if o == nil {
				continue
			}
			if p := start(o); p > 0 && p < at {
				at = p
			}
		}
	}
	return at
}
