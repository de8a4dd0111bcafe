package server

import (
	"wmsql/column"
	"wmsql/sql"
	"wmsql/types"
)

// readLiterals reads rows that are literals alone straight into a batch, without planning: what bulk INSERTs are
// made of. It returns nil when a cell needs more than its column's text form, or is wrong: the planned way then
// gives the value, or the error with its position.
func readLiterals(rows [][]sql.Expr, s *types.Schema, f *types.Format) *column.Batch {
	builders := column.NewBuilders(s, len(rows))
	for _, row := range rows {
		for i, x := range row {
			if !readLiteral(builders[i], x, f) {
				return nil
			}
		}
	}
	return column.BuildBatch(s, builders)
}

func readLiteral(b column.Builder, x sql.Expr, f *types.Format) bool {
	sign := ""
	if u, ok := x.(*sql.Unary); ok && u.Op == "-" && u.Schema == "" {
		sign, x = "-", u.X
	}
	l, ok := x.(*sql.Literal)
	if !ok {
		return false
	}
	t := b.Type()
	switch {
	case l.Kind == sql.Null && sign == "":
		b.AppendNull()
		return true
	case l.Kind == sql.String && sign == "", l.Kind == sql.Bool && t.Kind == types.Bool && !t.Array && sign == "",
		l.Kind == sql.Integer && isNumber(t), l.Kind == sql.Decimal && isNumber(t) && !isInteger(t):
		return b.AppendText([]byte(sign+l.Text), f) == nil
	}
	return false
}

func isInteger(t types.Type) bool {
	return !t.Array && (t.Kind == types.Int2 || t.Kind == types.Int4 || t.Kind == types.Int8)
}

func isNumber(t types.Type) bool {
	return isInteger(t) || !t.Array && (t.Kind == types.Numeric || t.Kind == types.Float4 || t.Kind == types.Float8)
}
