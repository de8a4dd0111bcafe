package server

import (
	"slices"
	"strings"
	"time"

	"wmsql/catalog"
	"wmsql/sqlerr"
	"wmsql/types"
)

// catalogFunc computes a function that needs the server: args and result are datums.
type catalogFunc func(s *Session, args []any) (any, error)

// catalogFuncs are the functions that expr asks the session for, by name.
//
// To add one, define it in expr with a kernel that calls Session.Catalog, and list it here.
func catalogFuncs() map[string]catalogFunc {
	return map[string]catalogFunc{
		"regclassin":           regclassIn,
		"regclassout":          regclassOut,
		"regnamespacein":       regnamespaceIn,
		"regnamespaceout":      regnamespaceOut,
		"pg_get_viewdef":       viewDefinition,
		"obj_description":      objectDescription,
		"col_description":      columnDescription,
		"wm_last_progress":     lastProgressJSON,
		"wm_advance_watermark": advanceWatermark,
		"wm_current_watermark": currentWatermark,
		"wm_flush":             func(s *Session, _ []any) (any, error) { return "", s.flush(s.running) },
	}
}

// Catalog answers a function that expr does not know itself.
func (s *Session) Catalog(name string, args []any) (value any, ok bool, err error) {
	f := s.srv.funcs[name]
	if f == nil {
		return nil, false, nil
	}
	value, err = f(s, args)
	return value, true, err
}

// User is the session's user.
func (s *Session) User() string { return s.user }

// Database is the one database.
func (s *Session) Database() string { return catalog.Database }

// SearchPath is the search path without the pg_catalog that nobody wrote.
func (s *Session) SearchPath() []string {
	path := s.path()
	if !slices.Contains(s.vars.path, "pg_catalog") {
		path = path[1:]
	}
	return path
}

// regName names the object of a reg* value, "" if there is none.
func (s *Session) regName(k types.Kind, oid int64) string {
	name, _, err := s.Catalog(k.Info().PgName+"out", []any{oid})
	if text, ok := name.(string); ok && err == nil {
		return text
	}
	return ""
}

// regLookup finds the object that the text of a reg* value names.
func (s *Session) regLookup(k types.Kind, name string) (int64, error) {
	id, _, err := s.Catalog(k.Info().PgName+"in", []any{name})
	if err != nil {
		return 0, err
	}
	if n, ok := id.(int64); ok {
		return n, nil
	}
	return 0, sqlerr.Newf(sqlerr.UndefinedObject, "%s %q does not exist", k.Info().PgName, name)
}

// Setting returns a parameter as SHOW writes it.
func (s *Session) Setting(name string) (string, bool) { return s.vars.show(name) }

// SetSetting is set_config.
func (s *Session) SetSetting(name, value string, local bool) error {
	return s.vars.assign(name, value, local)
}

// BackendPID is pg_backend_pid().
func (s *Session) BackendPID() int32 { return s.pid }

// StatementTime is statement_timestamp().
func (s *Session) StatementTime() time.Time { return s.stmtTime }

// splitName reads a name as regclass reads it: parts between dots, folded unless quoted.
func splitName(text string) []string {
	return splitPath(strings.ReplaceAll(text, ".", ","))
}

func regclassIn(s *Session, args []any) (any, error) {
	text, _ := args[0].(string)
	parts := splitName(text)
	switch {
	case len(parts) == 0:
		return nil, sqlerr.Newf(sqlerr.InvalidName, "invalid name syntax")
	case len(parts) > 3:
		return nil, sqlerr.Newf(sqlerr.SyntaxError, "improper relation name (too many dotted names): %s", text)
	}
	rel, err := s.names().Relation(parts, s.path())
	if err == nil && rel.Virtual != nil {
		return int64(rel.Virtual.ID), nil
	}
	if e, missing := s.snapshot().Lookup(parts, s.path()); missing == nil {
		return int64(e.Head().ID), nil
	}
	if _, ix := s.keyNamed(s.snapshot(), parts); ix != nil {
		return int64(ix.oid), nil
	}
	return nil, err
}

func regclassOut(s *Session, args []any) (any, error) {
	id, _ := args[0].(int64)
	if e := s.snapshot().ByID(catalog.ID(id)); e != nil && e.Head().Kind != catalog.KindSchema {
		return s.snapshot().QuotedName(e, s.path()), nil
	}
	if ix := s.keyOf(id); ix != nil && int64(ix.oid) == id {
		if s.snapshot().Visible(s.snapshot().ByID(ix.rel), s.path()) {
			return catalog.QuoteIdent(ix.name), nil
		}
		return catalog.QuoteIdent(ix.schema) + "." + catalog.QuoteIdent(ix.name), nil
	}
	for _, v := range s.srv.virtual {
		if int64(v.id) == id {
			if v.schema == "pg_catalog" {
				return v.name, nil
			}
			return v.schema + "." + v.name, nil
		}
	}
	return nil, nil
}

func regnamespaceIn(s *Session, args []any) (any, error) {
	text, _ := args[0].(string)
	name := strings.Join(splitName(text), ".")
	if sc := s.snapshot().Schema(name); sc != nil {
		return int64(sc.ID), nil
	}
	return nil, sqlerr.Newf(sqlerr.InvalidSchemaName, "schema %q does not exist", name)
}

func regnamespaceOut(s *Session, args []any) (any, error) {
	id, _ := args[0].(int64)
	if sc, ok := s.snapshot().ByID(catalog.ID(id)).(*catalog.Schema); ok {
		return catalog.QuoteIdent(sc.Name), nil
	}
	return nil, nil
}

// viewDefinition is pg_get_viewdef(oid or name).
func viewDefinition(s *Session, args []any) (any, error) {
	if text, byName := args[0].(string); byName {
		if _, err := regclassIn(s, []any{text}); err != nil {
			return nil, err
		}
	}
	if e := s.entryArg(args[0]); e != nil && isView(e) {
		return " " + trimQuery(s.shownQuery(e)) + ";", nil
	}
	return nil, nil
}

// entryArg finds the object that an argument names by number or by name, nil if there is none.
func (s *Session) entryArg(arg any) catalog.Entry {
	switch a := arg.(type) {
	case int64:
		return s.snapshot().ByID(catalog.ID(a))
	case string:
		if e, err := s.snapshot().Lookup(splitName(a), s.path()); err == nil {
			return e
		}
	}
	return nil
}

func tableIsVisible(s *Session, args []any) (any, error) {
	id, _ := args[0].(int64)
	if e := s.snapshot().ByID(catalog.ID(id)); e != nil {
		return s.snapshot().Visible(e, s.path()), nil
	}
	for _, v := range s.srv.virtual {
		if int64(v.id) == id {
			return v.schema == "pg_catalog", nil
		}
	}
	if ix := s.keyOf(id); ix != nil { // an index is visible when its table is
		return tableIsVisible(s, []any{int64(ix.rel)})
	}
	return nil, nil
}

// objectDescription is obj_description(oid, catalog).
func objectDescription(s *Session, args []any) (any, error) {
	e := s.entryArg(args[0])
	if e == nil {
		return nil, nil
	}
	if len(args) > 1 {
		if in, _ := args[1].(string); (in == "pg_namespace") != (e.Head().Kind == catalog.KindSchema) {
			return nil, nil
		}
	}
	return orNull(e.Head().Comment), nil
}

func columnDescription(s *Session, args []any) (any, error) {
	e := s.entryArg(args[0])
	n, _ := args[1].(int64)
	if e == nil {
		return nil, nil
	}
	cols := catalog.Columns(e)
	if i := catalog.Numbered(cols, int(n)); i >= 0 {
		return orNull(cols[i].Comment), nil
	}
	return nil, nil
}

// advanceWatermark is wm_advance_watermark(stream, timestamp or 'infinity').
func advanceWatermark(s *Session, args []any) (any, error) {
	if len(args) != 2 || args[0] == nil || args[1] == nil {
		return nil, sqlerr.Newf(sqlerr.NullNotAllowed, "wm_advance_watermark takes a stream and a time")
	}
	name, ok := args[0].(string)
	if id, isID := args[0].(int64); isID {
		if e := s.snapshot().ByID(catalog.ID(id)); e != nil {
			name, ok = s.snapshot().QuotedName(e, s.path()), true
		}
	}
	if !ok {
		return nil, sqlerr.Newf(sqlerr.UndefinedTable, "stream %v does not exist", args[0])
	}
	to, err := s.timeArg(args[1])
	if err != nil {
		return nil, err
	}
	if s.block {
		return nil, sqlerr.Newf(sqlerr.ActiveTransaction, "wm_advance_watermark cannot run inside a transaction block")
	}
	return "", s.advance(s.running, name, to)
}

func (s *Session) timeArg(arg any) (types.MicroTime, error) {
	switch a := arg.(type) {
	case int64:
		return types.MicroTime(a), nil
	case string:
		t, err := types.ParseTimestampTZ(a, s.vars.format)
		return types.MicroTime(t), err
	}
	return 0, sqlerr.Newf(sqlerr.InvalidParameterValue, "wm_advance_watermark takes a timestamp or 'infinity'")
}

// currentWatermark is wm_current_watermark(stream or view): the least of those that hold for it, NULL before the first row.
func currentWatermark(s *Session, args []any) (any, error) {
	e := s.entryArg(args[0])
	if e == nil {
		return nil, sqlerr.Newf(sqlerr.UndefinedTable, "relation \"%v\" does not exist", args[0])
	}
	low := types.Infinity
	for _, c := range s.srv.queries.list() {
		if c.query == nil {
			continue
		}
		for _, w := range c.query.Last().Watermarks {
			if c.view.ID == e.Head().ID {
				low = min(low, w.Holds)
			} else if w.Stream == e.Head().Name {
				low = min(low, w.Watermark)
			}
		}
	}
	if low == types.Infinity || low == types.MinTime {
		return nil, nil
	}
	return int64(low), nil
}
