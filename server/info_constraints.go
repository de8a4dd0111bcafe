package server

import (
	"context"
	"fmt"
	"slices"

	"wmsql/catalog"
)

// keys calls f for every declared key of every table.
func (s *Session) keys(f func(ix *pgIndex)) {
	s.relations(func(e catalog.Entry) {
		if e.Head().Kind == catalog.KindTable {
			for _, ix := range keysOf(e) {
				f(&ix)
			}
		}
	})
}

func infoTableConstraints(_ context.Context, s *Session, out *rowSet) error {
	put := func(schema, table, name, kind string, distinct any) {
		out.putKnown("constraint_catalog", catalog.Database, "constraint_schema", schema, "constraint_name", name, "table_catalog", catalog.Database,
			"table_schema", schema, "table_name", table, "constraint_type", kind, "is_deferrable", "NO", "initially_deferred", "NO", "enforced", "YES",
			"nulls_distinct", distinct)
	}
	s.keys(func(ix *pgIndex) {
		if ix.primary {
			put(ix.schema, ix.table, ix.name, "PRIMARY KEY", nil)
		} else {
			put(ix.schema, ix.table, ix.name, "UNIQUE", "YES")
		}
	})
	s.checks(func(c tableCheck) { put(c.table.Schema, c.table.Name, c.name, "CHECK", nil) })
	return nil
}

func infoKeyColumnUsage(_ context.Context, s *Session, out *rowSet) error {
	s.keys(func(ix *pgIndex) {
		for i, c := range ix.names {
			out.putKnown("constraint_catalog", catalog.Database, "constraint_schema", ix.schema, "constraint_name", ix.name, "table_catalog", catalog.Database,
				"table_schema", ix.schema, "table_name", ix.table, "column_name", c, "ordinal_position", i+1)
		}
	})
	return nil
}

func infoConstraintColumnUsage(_ context.Context, s *Session, out *rowSet) error {
	put := func(schema, table, column, name string) {
		out.putKnown("table_catalog", catalog.Database, "table_schema", schema, "table_name", table, "column_name", column, "constraint_catalog", catalog.Database,
			"constraint_schema", schema, "constraint_name", name)
	}
	s.keys(func(ix *pgIndex) {
		for _, c := range ix.names {
			put(ix.schema, ix.table, c, ix.name)
		}
	})
	var failed error
	s.relations(func(e catalog.Entry) {
		t, ok := e.(*catalog.Table)
		if !ok {
			return
		}
		for _, check := range t.Checks {
			cols, err := s.checkColumns(t, check)
			if err != nil {
				failed = err
			}
			for _, c := range cols {
				put(t.Schema, t.Name, t.Columns[c].Name, check.Name)
			}
		}
	})
	return failed
}

func infoConstraintTableUsage(_ context.Context, s *Session, out *rowSet) error {
	s.keys(func(ix *pgIndex) {
		out.putKnown("table_catalog", catalog.Database, "table_schema", ix.schema, "table_name", ix.table, "constraint_catalog", catalog.Database,
			"constraint_schema", ix.schema, "constraint_name", ix.name)
	})
	return nil
}

// tableCheck is a condition of a table as the standard sees it: NOT NULL is one, too, under a name that Postgres makes up.
type tableCheck struct {
	table        *catalog.Table
	name, clause string
}

func (s *Session) checks(f func(c tableCheck)) {
	s.relations(func(e catalog.Entry) {
		t, ok := e.(*catalog.Table)
		if !ok {
			return
		}
		for _, c := range t.Checks {
			f(tableCheck{t, c.Name, "((" + c.Expr + "))"})
		}
		key := primaryKey(t)
		for i, c := range t.Columns {
			if c.NotNull || slices.Contains(key, i) {
				f(tableCheck{t, fmt.Sprintf("%d_%d_%d_not_null", s.schemaOID(t.Schema), t.ID, i+1), catalog.QuoteIdent(c.Name) + " IS NOT NULL"})
			}
		}
	})
}

func infoCheckConstraints(_ context.Context, s *Session, out *rowSet) error {
	s.checks(func(c tableCheck) {
		out.putKnown("constraint_catalog", catalog.Database, "constraint_schema", c.table.Schema, "constraint_name", c.name, "check_clause", c.clause)
	})
	return nil
}
