package server

import (
	"context"
	"slices"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/logicalplan/build"
	"wmsql/sql"
)

func pgConstraint(_ context.Context, s *Session, out *rowSet) error {
	var failed error
	s.relations(func(e catalog.Entry) {
		t, ok := e.(*catalog.Table)
		if !ok {
			return
		}
		put := func(kv ...any) {
			out.put(append(kv, "connamespace", s.schemaOID(t.Schema), "convalidated", true, "conrelid", t.ID, "conislocal", true, "confupdtype", " ",
				"confdeltype", " ", "confmatchtype", " ")...)
		}
		for _, ix := range keysOf(t) {
			kind := "u"
			if ix.primary {
				kind = "p"
			}
			put("oid", ix.con, "conname", ix.name, "contype", kind, "conindid", ix.oid, "conkey", numbersOf(ix.cols), "connoinherit", true)
		}
		for i, c := range t.Checks {
			cols, err := s.checkColumns(t, c)
			if err != nil {
				failed = err
			}
			put("oid", constraintOID(t.ID, 8+i), "conname", c.Name, "contype", "c", "conkey", numbersOf(cols), "conbin", c.Expr)
		}
	})
	return failed
}

// numbersOf are the numbers, from 1, of columns given by ordinal.
func numbersOf(cols []int) []int {
	out := make([]int, len(cols))
	for i, c := range cols {
		out[i] = c + 1
	}
	return out
}

// checkColumns are the ordinals of the columns that a condition of t reads, in the order in which it names them.
func (s *Session) checkColumns(t *catalog.Table, check catalog.Check) ([]int, error) {
	cols := make([]logicalplan.Column, len(t.Columns))
	for i, c := range t.Columns {
		cols[i] = logicalplan.Column{ID: expr.ColumnID(i + 1), Name: c.Name, Type: c.Type}
	}
	parsed, err := sql.ParseExpr(check.Expr)
	if err != nil {
		return nil, err
	}
	x, err := build.Scalar(parsed, cols, s.env(nil))
	if err != nil {
		return nil, err
	}
	var out []int
	expr.Columns(x, func(c *expr.Column) {
		if at := int(c.ID) - 1; !slices.Contains(out, at) {
			out = append(out, at)
		}
	})
	return out, nil
}
