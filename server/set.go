package server

import (
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/sql"
	"wmsql/sqlerr"

	"context"
)

func upper(s string) string { return strings.ToUpper(s) }

// set runs SET and RESET.
func (s *Session) set(n *sql.Set) (string, error) {
	name := strings.ToLower(n.Name)
	if n.Local && !s.block && s.sequence < 2 {
		s.noticef(sqlerr.SevWarning, sqlerr.NoActiveTransaction, "SET LOCAL can only be used in transaction blocks")
	}
	switch {
	case n.Default && name == "all":
		s.vars.resetAll()
		return "RESET", nil
	case n.Default && name == "session_authorization": // nobody becomes another user
		return setTag(n), nil
	case n.Default:
		return setTag(n), s.vars.reset(name, n.Local)
	case name == "session_authorization" || name == "role":
		return "SET", s.setRole(name, n.Values)
	case ofTransaction(name):
		return "SET", s.setTransaction(name, n.Values[0])
	}
	value, err := joinValues(name, n.Values)
	if err != nil {
		return "", err
	}
	return "SET", s.vars.assign(name, value, n.Local)
}

func setTag(n *sql.Set) string {
	if n.Reset {
		return "RESET"
	}
	return "SET"
}

// joinValues makes the one value of SET x = a, b.
func joinValues(name string, values []string) (string, error) {
	d := settings()[name]
	if d == nil || !d.list {
		if len(values) > 1 {
			return "", sqlerr.Newf(sqlerr.InvalidParameterValue, "SET %s takes only one argument", name)
		}
		return values[0], nil
	}
	if name != "search_path" {
		return strings.Join(values, ", "), nil
	}
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = catalog.QuoteIdent(v)
	}
	return strings.Join(quoted, ", "), nil
}

// setRole accepts the roles there are: the session's own.
func (s *Session) setRole(name string, values []string) error {
	if v := strings.Join(values, ""); v != s.user && v != "none" && v != "default" {
		return sqlerr.Newf(sqlerr.InvalidParameterValue, "role %q does not exist", v)
	}
	if name == "role" {
		return s.vars.assign("role", values[0], false)
	}
	return nil
}

// showParameter plans SHOW name.
func (s *Session) showParameter(name string) (plan, error) {
	d := settings()[strings.ToLower(name)]
	if _, ok := s.vars.show(name); !ok {
		return nil, unknownSetting(name)
	}
	title := name
	if d != nil {
		title = d.name
	}
	return &listingPlan{tag: "SHOW", fields: textSchema(title), rows: func(_ context.Context, _ []column.Vector, out *rowSet) error {
		value, _ := s.vars.show(name)
		out.add(value)
		return nil
	}}, nil
}

// showAll plans SHOW ALL.
func (s *Session) showAll() plan {
	return &listingPlan{tag: "SHOW", fields: textSchema("name", "setting", "description"), rows: func(_ context.Context, _ []column.Vector, out *rowSet) error {
		for _, d := range sortedSettings() {
			value, _ := s.vars.show(d.name)
			out.add(d.name, value, d.doc)
		}
		return nil
	}}
}

// sortedSettings are the settings that are listed, by name.
func sortedSettings() []*setting {
	var out []*setting
	for _, d := range settings() {
		if !d.unlisted {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b *setting) int { return strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name)) })
	return out
}

// discard runs DISCARD.
func (s *Session) discard(n *sql.Discard) (string, error) {
	if strings.EqualFold(n.What, "all") {
		if s.block {
			return "", sqlerr.Newf(sqlerr.ActiveTransaction, "DISCARD ALL cannot run inside a transaction block")
		}
		for _, c := range s.held {
			c.close()
		}
		clear(s.held)
		s.srv.advisory.end(s, false)
		s.statements.ForgetAll()
		clear(s.recent)
		s.templates = templates{}
		s.vars.resetAll()
		s.start().listens = append(s.start().listens, listening{off: true})
	}
	if strings.EqualFold(n.What, "all") || strings.EqualFold(n.What, "sequences") {
		clear(s.given)
	}
	if strings.EqualFold(n.What, "all") || strings.HasPrefix(strings.ToLower(n.What), "temp") {
		if err := s.discardTemporary(); err != nil {
			return "", err
		}
	}
	return "DISCARD " + upper(n.What), nil
}
