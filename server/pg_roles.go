package server

import "context"

// There are no roles to grant to: whoever connects is the superuser, under the name that he gives.

func pgRoles(_ context.Context, s *Session, out *rowSet) error {
	out.put("rolname", s.user, "rolsuper", true, "rolinherit", true, "rolcreaterole", true, "rolcreatedb", true, "rolcanlogin", true, "rolreplication", false,
		"rolbypassrls", true, "rolconnlimit", -1, "rolpassword", "********", "oid", oidSuperuser)
	return nil
}

func pgAuthid(_ context.Context, s *Session, out *rowSet) error {
	out.put("oid", oidSuperuser, "rolname", s.user, "rolsuper", true, "rolinherit", true, "rolcreaterole", true, "rolcreatedb", true, "rolcanlogin", true,
		"rolbypassrls", true, "rolconnlimit", -1)
	return nil
}

func pgUser(_ context.Context, s *Session, out *rowSet) error {
	out.put("usename", s.user, "usesysid", oidSuperuser, "usecreatedb", true, "usesuper", true, "usebypassrls", true, "passwd", "********")
	return nil
}

func pgShadow(_ context.Context, s *Session, out *rowSet) error {
	out.put("usename", s.user, "usesysid", oidSuperuser, "usecreatedb", true, "usesuper", true, "usebypassrls", true)
	return nil
}
