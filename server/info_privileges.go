package server

import (
	"context"

	"wmsql/catalog"
)

// The privileges of a table and of its columns, in the order Postgres lists an owner's. Every user is the superuser and owns everything.
var (
	tablePrivileges  = [...]string{"INSERT", "SELECT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"}
	columnPrivileges = [...]string{"INSERT", "SELECT", "UPDATE", "REFERENCES"}
)

// named calls f for every relation that the standard calls a table.
func (s *Session) named(f func(schema, name string, columns []catalog.Column)) {
	s.relations(func(e catalog.Entry) {
		if e.Head().Kind != catalog.KindSequence {
			f(e.Head().Schema, e.Head().Name, catalog.Columns(e))
		}
	})
}

func infoTablePrivileges(_ context.Context, s *Session, out *rowSet) error {
	s.named(func(schema, name string, _ []catalog.Column) {
		for _, p := range tablePrivileges {
			out.putKnown("grantor", s.user, "grantee", s.user, "table_catalog", catalog.Database, "table_schema", schema, "table_name", name,
				"privilege_type", p, "is_grantable", "YES", "with_hierarchy", yesNo(p == "SELECT"))
		}
	})
	return nil
}

func infoColumnPrivileges(_ context.Context, s *Session, out *rowSet) error {
	s.named(func(schema, name string, columns []catalog.Column) {
		for _, c := range columns {
			for _, p := range columnPrivileges {
				out.putKnown("grantor", s.user, "grantee", s.user, "table_catalog", catalog.Database, "table_schema", schema, "table_name", name,
					"column_name", c.Name, "privilege_type", p, "is_grantable", "YES")
			}
		}
	})
	return nil
}

func infoEnabledRoles(_ context.Context, s *Session, out *rowSet) error {
	out.putKnown("role_name", s.user)
	return nil
}
