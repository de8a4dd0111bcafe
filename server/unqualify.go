package server

import "wmsql/sql"

// unqualify writes table.column as column wherever it stands in x, for expressions over the one relation called table.
func unqualify(x sql.Expr, table string) sql.Expr {
	in := func(x sql.Expr) sql.Expr { return unqualify(x, table) }
	switch n := x.(type) {
	case *sql.ColumnRef:
		if len(n.Parts) == 2 && n.Parts[0] == table {
			return &sql.ColumnRef{Parts: n.Parts[1:], Pos: n.Pos}
		}
	case *sql.Binary:
		c := *n
		c.L, c.R = in(n.L), in(n.R)
		return &c
	case *sql.Unary:
		c := *n
		c.X = in(n.X)
		return &c
	case *sql.Cast:
		c := *n
		c.X = in(n.X)
		return &c
	case *sql.IsTest:
		c := *n
		c.X = in(n.X)
		return &c
	case *sql.Field:
		c := *n
		c.X = in(n.X)
		return &c
	case *sql.Func:
		c := *n
		c.Args = append([]sql.Arg(nil), n.Args...)
		for i := range c.Args {
			c.Args[i].Value = in(c.Args[i].Value)
		}
		return &c
	case *sql.Case:
		c := *n
		if n.X != nil {
			c.X = in(n.X)
		}
		c.Whens = nil
		for _, w := range n.Whens {
			c.Whens = append(c.Whens, sql.When{Cond: in(w.Cond), Then: in(w.Then)})
		}
		if n.Else != nil {
			c.Else = in(n.Else)
		}
		return &c
	}
	return x
}
