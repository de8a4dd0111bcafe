package server

import (
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/function"
	"wmsql/sqlerr"
)

// What has_table_privilege and its like answer. There are no privileges, so a role that exists has all of them on an object that exists; what
// does not exist is an error by name and NULL by number, as in Postgres.

// privilegeObject is a kind of objects that privileges are on.
type privilegeObject struct {
	privileges []string
	exists     func(s *Session, object any) (bool, error)
	public     []string // those that everybody is granted in a new database
}

// privilegeObjects are the kinds by the word between has_ and _privilege.
func privilegeObjects() map[string]privilegeObject {
	return map[string]privilegeObject{
		"table":                {privileges: []string{"select", "insert", "update", "delete", "truncate", "references", "trigger"}, exists: relationExists},
		"any_column":           {privileges: []string{"select", "insert", "update", "references"}, exists: relationExists},
		"column":               {privileges: []string{"select", "insert", "update", "references"}, exists: relationExists},
		"sequence":             {privileges: []string{"usage", "select", "update"}, exists: sequenceExists},
		"database":             {[]string{"create", "connect", "temporary", "temp"}, named(databaseOf, sqlerr.InvalidCatalogName, "database"), []string{"connect", "temporary", "temp"}},
		"schema":               {[]string{"create", "usage"}, lookedUp(regnamespaceIn, regnamespaceOut), []string{"usage"}},
		"function":             {[]string{"execute"}, functionExists, []string{"execute"}},
		"language":             {[]string{"usage"}, named(languageOf, sqlerr.UndefinedObject, "language"), []string{"usage"}},
		"type":                 {[]string{"usage"}, lookedUp(typeIn, typeOut), []string{"usage"}},
		"tablespace":           {privileges: []string{"create"}, exists: named(tablespaceOf, sqlerr.UndefinedObject, "tablespace")},
		"server":               {privileges: []string{"usage"}, exists: named(serverOf, sqlerr.UndefinedObject, "server")},
		"foreign_data_wrapper": {privileges: []string{"usage"}, exists: named(wrapperOf, sqlerr.UndefinedObject, "foreign-data wrapper")},
		"parameter":            {privileges: []string{"set", "alter system"}, exists: func(*Session, any) (bool, error) { return true, nil }},
	}
}

// privilegeFuncs are the functions has_..._privilege and pg_has_role.
func privilegeFuncs() map[string]catalogFunc {
	out := map[string]catalogFunc{"pg_has_role": hasRole}
	for kind, o := range privilegeObjects() {
		out["has_"+kind+"_privilege"] = func(s *Session, args []any) (any, error) { return s.hasPrivilege(kind, o, args) }
	}
	return out
}

// hasPrivilege takes [role,] object [, column], privileges.
func (s *Session) hasPrivilege(kind string, o privilegeObject, args []any) (any, error) {
	width := 2
	if kind == "column" {
		width = 3
	}
	role := "" // the session's own
	if len(args) > width {
		var err error
		if role, err = s.roleArg(args[0]); err != nil {
			return nil, err
		}
		args = args[1:]
	}
	found, err := o.exists(s, args[0])
	if err != nil {
		return nil, err
	}
	if kind == "column" && found {
		if found, err = s.columnExists(args[0], args[1]); err != nil {
			return nil, err
		}
	}
	words, err := privilegesOf(args[width-1].(string), o.privileges)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, nil
	case role == everybody:
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(o.public, w) }), nil
	}
	return role != nobody, nil
}

// The roles that roleArg finds beside those that there are: all of them together, and one of a number that nobody has.
const (
	everybody = "public"
	nobody    = "-"
)

// roleArg is the role that an argument names. A name that nobody has is an error, such a number is not.
func (s *Session) roleArg(arg any) (string, error) {
	found := nobody
	s.rolesSeen(func(id catalog.ID, r *catalog.Role) {
		if arg == any(int64(id)) || arg == any(r.Name) {
			found = r.Name
		}
	})
	if name, ok := arg.(string); ok && found == nobody {
		if name == everybody {
			return everybody, nil
		}
		return "", sqlerr.Newf(sqlerr.UndefinedObject, "role %q does not exist", name)
	}
	if arg == any(int64(0)) {
		return everybody, nil
	}
	return found, nil
}

// privilegesOf reads a list of privileges, each perhaps WITH GRANT OPTION.
func privilegesOf(text string, known []string) (words []string, err error) {
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		bare := strings.ToLower(word)
		for _, option := range []string{" with grant option", " with admin option"} {
			bare = strings.TrimSuffix(bare, option)
		}
		if !slices.Contains(known, bare) {
			return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "unrecognized privilege type: %q", word)
		}
		words = append(words, bare)
	}
	return words, nil
}

// hasRole is pg_has_role([user,] role, privilege).
func hasRole(s *Session, args []any) (any, error) {
	user := ""
	if len(args) == 3 {
		var err error
		if user, err = s.roleArg(args[0]); err != nil {
			return nil, err
		}
		args = args[1:]
	}
	if _, err := s.roleArg(args[0]); err != nil {
		return nil, err
	}
	if _, err := privilegesOf(args[1].(string), []string{"member", "usage"}); err != nil {
		return nil, err
	}
	return user != nobody, nil // a superuser has every role, even one that there is not
}

// lookedUp makes exists of the functions that read and write a reg* type.
func lookedUp(in, out catalogFunc) func(*Session, any) (bool, error) {
	return func(s *Session, object any) (bool, error) {
		if _, byName := object.(string); byName {
			_, err := in(s, []any{object})
			return err == nil, err
		}
		name, err := out(s, []any{object})
		return name != nil, err
	}
}

// named makes exists of a function that finds an object by name or number.
func named(find func(*Session, any) bool, code sqlerr.Code, what string) func(*Session, any) (bool, error) {
	return func(s *Session, object any) (bool, error) {
		name, byName := object.(string)
		found := find(s, object)
		if byName && !found {
			return false, sqlerr.Newf(code, "%s %q does not exist", what, name)
		}
		return found, nil
	}
}

func relationExists(s *Session, object any) (bool, error) {
	return lookedUp(regclassIn, regclassOut)(s, object)
}

func sequenceExists(s *Session, object any) (bool, error) {
	if found, err := relationExists(s, object); !found || err != nil {
		return false, err
	}
	if _, ok := s.entryArg(object).(*catalog.Sequence); !ok {
		name, err := relationName(s, object)
		if err != nil {
			return false, err
		}
		return false, sqlerr.Newf(sqlerr.WrongObjectType, "%q is not a sequence", name)
	}
	return true, nil
}

// relationName is the bare name of a relation that exists.
func relationName(s *Session, object any) (string, error) {
	if text, ok := object.(string); ok {
		return lastPart(text), nil
	}
	name, err := regclassOut(s, []any{object})
	text, _ := name.(string)
	return lastPart(text), err
}

// columnExists finds a column by name or number; a name that is not there is an error.
func (s *Session) columnExists(relation, column any) (bool, error) {
	names := s.columnNames(relation)
	if n, ok := column.(int64); ok {
		return n < 0 || n > 0 && int(n) <= len(names) && names[n-1] != "", nil
	}
	if slices.Contains(names, column.(string)) {
		return true, nil
	}
	rel, err := relationName(s, relation)
	if err != nil {
		return false, err
	}
	return false, sqlerr.Newf(sqlerr.UndefinedColumn, "column %q of relation %q does not exist", column, rel)
}

// columnNames are the names of a relation's columns by number, "" for one that was dropped.
func (s *Session) columnNames(relation any) []string {
	if e := s.entryArg(relation); e != nil {
		cols := catalog.Columns(e)
		out := make([]string, max(width(e), len(cols)))
		for i := range cols {
			out[catalog.Number(cols, i)-1] = cols[i].Name
		}
		return out
	}
	id, ok := relation.(int64)
	if name, byName := relation.(string); byName {
		if v, err := regclassIn(s, []any{name}); err == nil {
			id, ok = v.(int64)
		}
	}
	var out []string
	for _, v := range s.srv.virtual {
		if ok && int64(v.id) == id {
			for _, f := range v.columns {
				out = append(out, f.Name)
			}
		}
	}
	return out
}

func functionExists(s *Session, object any) (bool, error) {
	if text, byName := object.(string); byName {
		if _, err := procedureIn(s, []any{text}); err != nil {
			return false, sqlerr.Newf(sqlerr.UndefinedFunction, "function %q does not exist", text)
		}
		return true, nil
	}
	name, err := procedureOut(s, []any{object})
	return name != nil, err
}

func databaseOf(_ *Session, object any) bool {
	return object == any(catalog.Database) || object == any(int64(oidDatabase))
}

func languageOf(_ *Session, object any) bool {
	return slices.Contains([]any{"internal", "sql", function.Language, int64(12), int64(14), int64(oidStarlark)}, object)
}

func tablespaceOf(_ *Session, object any) bool {
	return slices.Contains([]any{"pg_default", "pg_global", int64(oidTablespace), int64(oidGlobal)}, object)
}

func wrapperOf(_ *Session, object any) bool {
	return object == any(connectorWrapper) || object == any(int64(connectorWrapperOID))
}

func serverOf(s *Session, object any) bool {
	found := false
	s.relations(func(e catalog.Entry) {
		if st, ok := e.(*catalog.Stream); ok {
			found = found || object == any(connectorOf(st)) || object == any(int64(serverOID(connectorOf(st))))
		}
	})
	return found
}
