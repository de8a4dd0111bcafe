package server

import (
	"context"

	"wmsql/catalog"
)

// There are no privileges: whoever is let in is a superuser, and owns all there is.

// rolesSeen calls put with each role as the session sees them: its own user, which need not be a role, under the superuser's number, then
// those that CREATE ROLE made.
func (s *Session) rolesSeen(put func(id catalog.ID, r *catalog.Role)) {
	own := s.snapshot().Role(s.user)
	if own == nil {
		own = &catalog.Role{Object: catalog.Object{Name: s.user}, Login: true}
	}
	put(oidSuperuser, own)
	for _, r := range s.snapshot().Roles() {
		if r.Name != s.user {
			put(r.ID, r)
		}
	}
}

func pgRoles(_ context.Context, s *Session, out *rowSet) error {
	s.rolesSeen(func(id catalog.ID, r *catalog.Role) {
		out.put("rolname", r.Name, "rolsuper", true, "rolinherit", true, "rolcreaterole", true, "rolcreatedb", true, "rolcanlogin", r.Login, "rolreplication", false,
			"rolbypassrls", true, "rolconnlimit", -1, "rolpassword", "********", "oid", id)
	})
	return nil
}

func pgAuthid(_ context.Context, s *Session, out *rowSet) error {
	s.rolesSeen(func(id catalog.ID, r *catalog.Role) {
		out.put("oid", id, "rolname", r.Name, "rolsuper", true, "rolinherit", true, "rolcreaterole", true, "rolcreatedb", true, "rolcanlogin", r.Login,
			"rolbypassrls", true, "rolconnlimit", -1)
	})
	return nil
}

func pgUser(_ context.Context, s *Session, out *rowSet) error {
	s.rolesSeen(func(id catalog.ID, r *catalog.Role) {
		if r.Login {
			out.put("usename", r.Name, "usesysid", id, "usecreatedb", true, "usesuper", true, "usebypassrls", true, "passwd", "********")
		}
	})
	return nil
}

func pgShadow(_ context.Context, s *Session, out *rowSet) error {
	s.rolesSeen(func(id catalog.ID, r *catalog.Role) {
		if r.Login {
			out.put("usename", r.Name, "usesysid", id, "usecreatedb", true, "usesuper", true, "usebypassrls", true)
		}
	})
	return nil
}
