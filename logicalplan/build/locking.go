package build

import (
	"strings"

	"wmsql/sql"
	"wmsql/sqlerr"
)

// locking checks FOR UPDATE and its kin, and notes that the query locks: which rows is the server's business.
func (b *binder) locking(s *sql.Select) error {
	k := s.Locking
	if k == nil {
		return nil
	}
	words := "FOR " + strings.ToUpper(k.Strength)
	if b.env.Continuous {
		return b.unsupported(k.Pos, "%s in a continuous query", words)
	}
	q, ok := s.Body.(*sql.Query)
	if !ok {
		what := "UNION/INTERSECT/EXCEPT"
		if _, ok := s.Body.(*sql.Values); ok {
			what = "VALUES"
		}
		return b.errorf(0, sqlerr.FeatureNotSupported, "%s is %s %s", words, map[bool]string{true: "cannot be applied to", false: "not allowed with"}[what == "VALUES"], what)
	}
	for _, c := range []struct {
		has  bool
		what string
	}{
		{q.Distinct || q.DistinctOn != nil, "DISTINCT clause"}, {q.GroupBy != nil, "GROUP BY clause"}, {q.Having != nil, "HAVING clause"},
		{itemsHave(q, hasAggregate), "aggregate functions"}, {itemsHave(q, hasWindow), "window functions"},
	} {
		if c.has {
			return b.errorf(0, sqlerr.FeatureNotSupported, "%s is not allowed with %s", words, c.what)
		}
	}
	for _, n := range k.Of {
		if !namesItem(q.From, n.Parts[len(n.Parts)-1]) {
			return b.errorf(n.Pos, sqlerr.UndefinedTable, "relation \"%s\" in %s clause not found in FROM clause", n.Parts[len(n.Parts)-1], words)
		}
	}
	b.locks = b.locks || len(q.From) > 0
	if k.NoWait && b.noWait == "" {
		b.noWait = firstTable(q.From)
	}
	return nil
}

// firstTable is the name of the first relation in a FROM.
func firstTable(from []sql.TableExpr) string {
	for _, t := range from {
		switch t := t.(type) {
		case *sql.Join:
			if name := firstTable([]sql.TableExpr{t.L, t.R}); name != "" {
				return name
			}
		case *sql.Table:
			return t.Name.Parts[len(t.Name.Parts)-1]
		}
	}
	return ""
}

func itemsHave(q *sql.Query, f func(sql.Expr) bool) bool {
	for _, it := range q.Items {
		if f(it.X) {
			return true
		}
	}
	return false
}

// hasWindow reports whether e calls a window function.
func hasWindow(e sql.Expr) bool {
	found := false
	walkExpr(e, func(x sql.Expr) bool {
		f, ok := x.(*sql.Func)
		found = found || ok && f.Over != nil
		return !found
	})
	return found
}

// namesItem reports whether an item of FROM has the name.
func namesItem(from []sql.TableExpr, name string) bool {
	for _, t := range from {
		switch t := t.(type) {
		case *sql.Join:
			if t.Alias.Name == name || namesItem([]sql.TableExpr{t.L, t.R}, name) {
				return true
			}
		case *sql.Table:
			if t.Alias.Name == name || t.Alias.Name == "" && t.Name.Parts[len(t.Name.Parts)-1] == name {
				return true
			}
		case *sql.Derived:
			if t.Alias.Name == name {
				return true
			}
		}
	}
	return false
}
