package server

import (
	"context"
	"slices"

	"wmsql/catalog"
	"wmsql/expr"
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
		put := func(valid bool, kv ...any) {
			out.put(append(kv, "connamespace", s.schemaOID(t.Schema), "convalidated", valid, "conrelid", t.ID, "conislocal", true, "confupdtype", " ",
				"confdeltype", " ", "confmatchtype", " ")...)
		}
		for _, ix := range keysOf(t) {
			kind := "u"
			if ix.primary {
				kind = "p"
			}
			put(true, "oid", ix.con, "conname", ix.name, "contype", kind, "conindid", ix.oid, "conkey", numbersOf(t, ix.cols), "connoinherit", true)
		}
		for i, c := range t.Checks {
			cols, err := s.checkColumns(t, c)
			if err != nil {
				failed = err
			}
			put(!c.NotValid, "oid", checkOID(t, i), "conname", c.Name, "contype", "c", "conkey", numbersOf(t, cols), "conbin", c.Expr)
		}
	})
	return failed
}

// numbersOf are the numbers of columns of e given by ordinal.
func numbersOf(e catalog.Entry, cols []int) []int {
	all := catalog.Columns(e)
	out := make([]int, len(cols))
	for i, c := range cols {
		out[i] = catalog.Number(all, c)
	}
	return out
}

// checkColumns are the ordinals of the columns that a condition of t reads, in the order in which it names them.
func (s *Session) checkColumns(t *catalog.Table, check catalog.Check) ([]int, error) {
	parsed, err := sql.ParseExpr(check.Expr)
	if err != nil {
		return nil, err
	}
	x, err := build.Scalar(parsed, columnsOf(t), s.env(nil))
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
