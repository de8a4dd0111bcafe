package server

import (
	"fmt"

	"wmsql/catalog"
	"wmsql/pgwire"
	"wmsql/sqlerr"
)

// pgFuncs are the functions that describe the catalog's objects.
func pgFuncs() map[string]catalogFunc {
	return map[string]catalogFunc{
		"pg_get_expr":             func(_ *Session, args []any) (any, error) { return args[0], nil },
		"pg_get_userbyid":         userByID,
		"getpgusername":           func(s *Session, _ []any) (any, error) { return s.user, nil },
		"current_query":           currentQuery,
		"regroleout":              roleOut,
		"regrolein":               roleIn,
		"regprocin":               procIn,
		"regprocout":              procOut,
		"regprocedurein":          procedureIn,
		"regprocedureout":         procedureOut,
		"regoperin":               operIn,
		"regoperout":              operOut,
		"regoperatorin":           operatorIn,
		"regoperatorout":          operatorOut,
		"regcollationin":          collationIn,
		"regcollationout":         collationOut,
		"regtypein":               typeIn,
		"regtypeout":              typeOut,
		"to_regclass":             missing(regclassIn),
		"to_regtype":              missing(typeIn),
		"to_regproc":              missing(procIn),
		"to_regprocedure":         missing(procedureIn),
		"to_regoper":              missing(operIn),
		"to_regoperator":          missing(operatorIn),
		"to_regcollation":         missing(collationIn),
		"pg_indexam_has_property": indexHasProperty,
		"txid_current":            func(s *Session, _ []any) (any, error) { return s.xid() + 1, nil },
		"pg_current_xact_id":      func(s *Session, _ []any) (any, error) { return s.xid() + 1, nil },
		"txid_status":             txidStatus,
		"pg_xact_commit_timestamp": func(*Session, []any) (any, error) {
			return nil, sqlerr.Newf("55000", "could not get commit timestamp data").
				WithHint("Make sure the configuration parameter \"track_commit_timestamp\" is set.")
		},
		"pg_encoding_max_length":         func(_ *Session, args []any) (any, error) { return encodingMaxLength(args[0]), nil },
		"pg_safe_snapshot_blocking_pids": func(*Session, []any) (any, error) { return []any{}, nil },
		"age": func(s *Session, args []any) (any, error) {
			xid, _ := args[0].(int64)
			return s.xid() + 1 - xid, nil
		},
		"format_type":                        formatType,
		"oidvectortypes":                     typeVector,
		"pg_get_functiondef":                 functionDefinition,
		"to_regrole":                         missing(roleIn),
		"to_regnamespace":                    missing(regnamespaceIn),
		"pg_get_constraintdef":               constraintDefinition,
		"pg_get_indexdef":                    indexDefinition,
		"pg_get_function_result":             functionResult,
		"pg_get_function_arguments":          functionArguments,
		"pg_get_function_identity_arguments": functionArguments,
		"pg_blocking_pids":                   blockingPIDs,
		"pg_describe_object":                 describeObject,
		"pg_notify":                          pgNotify,
		"pg_listening_channels":              pgListeningChannels,
		"pg_sleep":                           pgSleep,
		"pg_sleep_until":                     pgSleepUntil,
		"pg_cancel_backend":                  signal(pgwire.Client.Cancel),
		"pg_terminate_backend":               signal(pgwire.Client.Terminate),
		"pg_postmaster_start_time":           serverStart,
		"pg_conf_load_time":                  serverStart,
	}
}

// missing makes a lookup give NULL for what is not there, as to_regclass does. A name that is none stays an error.
func missing(f catalogFunc) catalogFunc {
	return func(s *Session, args []any) (any, error) {
		v, err := f(s, args)
		if err == nil {
			return v, nil
		}
		if code := sqlerr.From(err).Code; code == sqlerr.SyntaxError || code == sqlerr.InvalidName {
			return nil, err
		}
		return nil, nil
	}
}

// keyOf finds an index by the oid of the index or of its constraint.
func (s *Session) keyOf(oid any) *pgIndex {
	id, _ := oid.(int64)
	var found *pgIndex
	s.relations(func(e catalog.Entry) {
		for _, ix := range s.indexesOf(e) {
			if int64(ix.oid) == id || ix.con != 0 && int64(ix.con) == id {
				found = &ix
			}
		}
	})
	return found
}

func constraintDefinition(s *Session, args []any) (any, error) {
	if ix := s.keyOf(args[0]); ix != nil && ix.con != 0 {
		return ix.constraint(), nil
	}
	id, _ := args[0].(int64)
	var def any
	s.relations(func(e catalog.Entry) {
		if t, ok := e.(*catalog.Table); ok {
			for i, c := range t.Checks {
				if int64(checkOID(t, i)) == id {
					def = checkDefinition(c)
				}
			}
		}
	})
	return def, nil
}

func indexDefinition(s *Session, args []any) (any, error) {
	ix := s.keyOf(args[0])
	if ix == nil {
		return nil, nil
	}
	if len(args) > 1 {
		if n, _ := args[1].(int64); n > 0 {
			if int(n) > len(ix.names) {
				return "", nil
			}
			return catalog.QuoteIdent(ix.names[n-1]), nil
		}
	}
	return ix.definition(), nil
}

// roleIn reads a regrole.
func roleIn(s *Session, args []any) (any, error) {
	text, _ := args[0].(string)
	var found any
	s.rolesSeen(func(id catalog.ID, r *catalog.Role) {
		if r.Name == lastPart(text) {
			found = int64(id)
		}
	})
	if found == nil {
		return nil, sqlerr.Newf(sqlerr.UndefinedObject, "role %q does not exist", text)
	}
	return found, nil
}

func roleOut(s *Session, args []any) (any, error) {
	var name any
	s.rolesSeen(func(id catalog.ID, r *catalog.Role) {
		if args[0] == any(int64(id)) {
			name = catalog.QuoteIdent(r.Name)
		}
	})
	return name, nil
}

// userByID is pg_get_userbyid(oid).
func userByID(s *Session, args []any) (any, error) {
	name := fmt.Sprintf("unknown (OID=%d)", args[0])
	s.rolesSeen(func(id catalog.ID, r *catalog.Role) {
		if args[0] == any(int64(id)) {
			name = r.Name
		}
	})
	return name, nil
}

// currentQuery is the text that the client sent, of which the running statement is perhaps one of several.
func currentQuery(s *Session, _ []any) (any, error) {
	if s.activity == nil {
		return nil, nil
	}
	return s.activity.look().query, nil
}

// txidStatus is txid_status(xid): what is not under way has been committed, for nothing else is given out.
func txidStatus(s *Session, args []any) (any, error) {
	id, _ := args[0].(int64)
	switch now := s.xid() + 1; {
	case id > now:
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "transaction ID %d is in the future", id)
	case id == now:
		return "in progress", nil
	}
	return "committed", nil
}

// encodingMaxLength is how many bytes a character takes at most in an encoding, by its number.
func encodingMaxLength(encoding any) any {
	const utf8, latin1, sqlASCII = 6, 8, 0
	switch encoding {
	case int64(utf8):
		return int64(4)
	case int64(latin1), int64(sqlASCII):
		return int64(1)
	}
	return nil
}

// indexHasProperty is pg_indexam_has_property(access method, property); NULL for what there is not.
func indexHasProperty(_ *Session, args []any) (any, error) {
	am, _ := args[0].(int64)
	switch args[1] {
	case "can_order", "can_unique", "can_multi_col", "can_exclude", "can_include":
		if am == oidBtree {
			return true, nil
		}
	}
	return nil, nil
}

// checkDefinition is a condition as pg_get_constraintdef writes it.
func checkDefinition(c catalog.Check) string {
	if c.NotValid {
		return "CHECK (" + c.Expr + ") NOT VALID"
	}
	return "CHECK (" + c.Expr + ")"
}
