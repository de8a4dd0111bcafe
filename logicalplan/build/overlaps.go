package build

import (
	"wmsql/expr"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// overlaps binds (start, end) OVERLAPS (start, end); an end may be written as the span's length, an interval.
func (c *exprCtx) overlaps(e *sql.Binary) (expr.Expr, error) {
	var args []expr.Expr
	for _, side := range []struct {
		name string
		x    sql.Expr
	}{{"left", e.L}, {"right", e.R}} {
		row, ok := side.x.(*sql.Row)
		if !ok || len(row.Items) != 2 {
			return nil, c.b.errorf(e.L.At(), sqlerr.SyntaxError, "wrong number of parameters on %s side of OVERLAPS expression", side.name)
		}
		ends, err := c.bindAll(row.Items)
		if err != nil {
			return nil, err
		}
		if ends[1].Type().Same(types.Of(types.Interval)) {
			if ends[1], err = c.b.op("+", ends[0], ends[1], e.Pos); err != nil {
				return nil, err
			}
		}
		args = append(args, ends...)
	}
	return c.b.fn("overlaps", args, e.Pos)
}
