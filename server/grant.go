package server

import (
	"context"
	"strings"

	"wmsql/sql"
	"wmsql/sqlerr"
)

// grant runs GRANT, REVOKE and ALTER DEFAULT PRIVILEGES. Whoever connects may do everything, so that there is nothing to give or take: what
// the statement names must be there, and that is all.
func (s *Session) grant(ctx context.Context, n *sql.Grant) error {
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	for _, r := range n.Roles {
		if r.Name == "public" {
			continue
		}
		if err := s.checkRole(r); err != nil {
			return err
		}
	}
	for _, name := range n.Names {
		text := strings.Join(name.Parts, ".")
		switch n.Kind {
		case "schema":
			if edit.Schema(text) == nil {
				return sqlerr.Newf(sqlerr.InvalidSchemaName, "schema %q does not exist", text)
			}
		case "function":
			if _, err := s.findFunction(edit.Snapshot, name); err != nil {
				return err
			}
		case "database":
		default:
			if _, err := s.names().Relation(name.Parts, s.path()); err != nil {
				return err
			}
		}
	}
	return nil
}

// grantTag is the statement's command tag.
func grantTag(n *sql.Grant) string {
	switch {
	case n.Default:
		return "ALTER DEFAULT PRIVILEGES"
	case n.Revoke:
		return "REVOKE"
	}
	return "GRANT"
}

// ownOther runs ALTER SCHEMA | FUNCTION ... OWNER TO.
func (s *Session) ownOther(ctx context.Context, n *sql.AlterTable) error {
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	text := strings.Join(n.Name.Parts, ".")
	if n.Kind == "schema" && edit.Schema(text) == nil {
		return sqlerr.Newf(sqlerr.InvalidSchemaName, "schema %q does not exist", text)
	}
	if n.Kind == "function" {
		if _, err := s.findFunction(edit.Snapshot, n.Name); err != nil {
			return err
		}
	}
	for _, a := range n.Actions {
		if a.What != "owner" {
			return sqlerr.Unsupported("ALTER %s ... %s", upper(n.Kind), upper(a.What)).At(int(a.Pos))
		}
		if err := s.checkRole(a.Name); err != nil {
			return err
		}
	}
	return nil
}
