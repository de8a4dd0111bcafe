package server

import (
	"wmsql/catalog"
	"wmsql/pgwire"
	"wmsql/sqlerr"
	"wmsql/state"
)

// pgFuncs are the functions that describe the catalog's objects.
func pgFuncs() map[string]catalogFunc {
	return map[string]catalogFunc{
		"pg_get_expr":             func(_ *Session, args []any) (any, error) { return args[0], nil },
		"pg_get_userbyid":         func(s *Session, _ []any) (any, error) { return s.user, nil },
		"regroleout":              func(s *Session, _ []any) (any, error) { return s.user, nil },
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
		"pg_table_size":                      relationSize,
		"pg_total_relation_size":             relationSize,
		"pg_relation_size":                   relationSize,
		"pg_blocking_pids":                   blockingPIDs,
		"pg_describe_object":                 describeObject,
		"pg_notify":                          pgNotify,
		"pg_listening_channels":              pgListeningChannels,
		"pg_sleep":                           pgSleep,
		"pg_cancel_backend":                  signal(pgwire.Client.Cancel),
		"pg_terminate_backend":               signal(pgwire.Client.Terminate),
		"pg_postmaster_start_time":           serverStart,
		"pg_conf_load_time":                  serverStart,
		"pg_database_size":                   func(s *Session, _ []any) (any, error) { return s.databaseBytes(), nil },
	}
}

// missing makes a lookup give NULL for what is not there, as to_regclass does.
func missing(f catalogFunc) catalogFunc {
	return func(s *Session, args []any) (any, error) {
		v, err := f(s, args)
		if err != nil {
			return nil, nil //nolint:nilerr // not being there is the answer NULL
		}
		return v, nil
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
				if int64(constraintOID(t.ID, 8+i)) == id {
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

// relationSize is the bytes a relation's rows take on disk.
func relationSize(s *Session, args []any) (any, error) {
	id, _ := args[0].(int64)
	return s.relationBytes(uint32(id)), nil
}

// relationBytes is what a relation takes on disk: its rows, its log, and its query's state.
func (s *Session) relationBytes(id uint32) int64 {
	n := int64(0)
	for _, sp := range []state.Space{state.Result, state.Log, state.Operator, state.Progress} {
		n += s.srv.store.DiskBytes(sp, id)
	}
	return n
}

func (s *Session) databaseBytes() int64 {
	n := int64(0)
	s.relations(func(e catalog.Entry) { n += s.relationBytes(uint32(e.Head().ID)) })
	return n
}

// roleIn reads a regrole. There is one role: the session's own.
func roleIn(s *Session, args []any) (any, error) {
	text, _ := args[0].(string)
	if lastPart(text) != s.user {
		return nil, sqlerr.Newf(sqlerr.UndefinedObject, "role %q does not exist", text)
	}
	return int64(oidSuperuser), nil
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
