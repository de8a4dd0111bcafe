package sql

// ColumnName returns the name that Postgres gives to a result column without an alias: that of
// the column, function, field or type it ends with, else "?column?".
func ColumnName(e Expr) string {
	if name, _ := figureName(e); name != "" {
		return name
	}
	return "?column?"
}

// figureName returns a name and how good it is: 2 for a real one, 1 for a type's or CASE's, which
// gives way to a better one inside.
func figureName(e Expr) (name string, strength int) {
	switch e := e.(type) {
	case *ColumnRef:
		return e.Parts[len(e.Parts)-1], 2
	case *Field:
		if e.Name == "*" {
			return figureName(e.X)
		}
		return e.Name, 2
	case *Subscript:
		return figureName(e.X)
	case *Func:
		return e.Name.Parts[len(e.Name.Parts)-1], 2
	case *Cast:
		if name, strength = figureName(e.X); strength <= 1 {
			return e.Type.Name, 1
		}
		return name, strength
	case *Binary:
		if e.Op == "overlaps" {
			return e.Op, 2
		}
	case *Collate:
		return figureName(e.X)
	case *Interval:
		return "interval", 1
	case *Case:
		if e.Else != nil {
			name, strength = figureName(e.Else)
		}
		if strength <= 1 {
			return "case", 1
		}
		return name, strength
	case *Array:
		return "array", 2
	case *Row:
		return "row", 2
	case *SubqueryExpr:
		return subqueryName(e)
	}
	return "", 0
}

// subqueryName names a subquery: a scalar one by its first column.
func subqueryName(e *SubqueryExpr) (name string, strength int) {
	switch e.Kind {
	case Exists:
		return "exists", 2
	case ArrayQuery:
		return "array", 2
	case Scalar:
		q := e.Query
		for {
			op, ok := q.Body.(*SetOp)
			if !ok {
				break
			}
			q = op.L
		}
		switch b := q.Body.(type) {
		case *Query:
			if len(b.Items) > 0 {
				return itemName(b.Items[0]), 2
			}
		case *Values:
			return "column1", 2
		}
	}
	return "", 0
}

// itemName returns the name of a column of a select list.
func itemName(item Item) string {
	if item.Alias != "" {
		return item.Alias
	}
	return ColumnName(item.X)
}
