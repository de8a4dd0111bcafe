package catalog

import (
	"slices"
	"strings"

	"wmsql/sqlerr"
)

// Database is the name of the one database.
const Database = "wmsql"

// Split takes a written name apart: schema is "" when it was not given. A third part in front must be the
// database.
func Split(parts []string) (schema, name string, err error) {
	switch len(parts) {
	case 1:
		return "", parts[0], nil
	case 2:
		return parts[0], parts[1], nil
	case 3:
		return parts[1], parts[2], nil
	}
	return "", "", sqlerr.Newf(sqlerr.SyntaxError, "improper qualified name (too many dotted names): %s", strings.Join(parts, "."))
}

// Lookup resolves a written name along path; the error is Postgres's 42P01 (or 3F000 where kind is being
// dropped or altered and its schema does not exist).
func (s *Snapshot) Lookup(parts, path []string) (Entry, error) {
	schema, name, err := Locate(parts, path)
	if err != nil {
		return nil, err
	}
	var e Entry
	if schema == "" {
		e = s.Find(name, path)
	} else {
		e = s.Relation(schema, name)
	}
	if e == nil {
		if schema != "" {
			path = []string{schema}
		}
		return nil, MissingRelation(parts, s.Names(path))
	}
	return e, nil
}

// Names are the names of the relations in the schemas of path.
func (s *Snapshot) Names(path []string) []string {
	var out []string
	for n := range s.names {
		if slices.Contains(path, n.schema) {
			out = append(out, n.name)
		}
	}
	slices.Sort(out)
	return out
}

// MissingRelation is the error for the name of a relation that there is not, with the nearest of those that there are.
func MissingRelation(parts, names []string) *sqlerr.Error {
	err := sqlerr.Newf(sqlerr.UndefinedTable, "relation %q does not exist", strings.Join(parts, "."))
	if near := sqlerr.Nearest(parts[len(parts)-1], names); near != "" {
		err.WithHint("Perhaps you meant to reference the relation %q.", near)
	}
	return err
}

// Target resolves the name of a relation to be created: the schema it goes to and its own name.
func (s *Snapshot) Target(parts, path []string) (schema, name string, err error) {
	schema, name, err = Locate(parts, path)
	if err != nil {
		return "", "", err
	}
	if schema == "" {
		schema = s.CreationSchema(path)
		if schema == "" {
			return "", "", sqlerr.Newf(sqlerr.InvalidSchemaName, "no schema has been selected to create in")
		}
	}
	sc := s.Schema(schema)
	if sc == nil {
		return "", "", sqlerr.Newf(sqlerr.InvalidSchemaName, "schema %q does not exist", schema)
	}
	if sc.Builtin() {
		return "", "", sqlerr.Newf(sqlerr.InsufficientPrivilege, "permission denied to create %q", schema+"."+name).
			WithDetail("System catalog modifications are currently disallowed.")
	}
	return schema, name, nil
}

// CreationSchema is the first existing schema of path that a user can create in, "" if there is none.
func (s *Snapshot) CreationSchema(path []string) string {
	for _, p := range path {
		if sc := s.Schema(p); sc != nil && !sc.Builtin() && !strings.HasPrefix(p, TemporaryPrefix) {
			return p
		}
	}
	return ""
}

// Describe names e as messages do: kind, then the name, qualified when path does not find it.
func (s *Snapshot) Describe(e Entry, path []string) string {
	return e.Head().Kind.String() + " " + s.QuotedName(e, path)
}

// QuotedName is e's name as SQL, qualified when path does not find it.
func (s *Snapshot) QuotedName(e Entry, path []string) string {
	o := e.Head()
	if s.Visible(e, path) {
		return QuoteIdent(o.Name)
	}
	return QuoteIdent(o.Schema) + "." + QuoteIdent(o.Name)
}

// QuoteIdent writes name so that SQL reads it back: plain when it is a lower-case word that is not reserved.
func QuoteIdent(name string) string {
	if plainIdent(name) && !reserved[name] {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

func plainIdent(name string) bool {
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'a' && c <= 'z', c == '_':
		case i > 0 && (c >= '0' && c <= '9' || c == '$'):
		default:
			return false
		}
	}
	return name != ""
}

// reserved are Postgres 15's keywords that cannot be a column name unquoted, or a function or type name only.
var reserved = words(`all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both
	case cast char character check coalesce collate collation column concurrently constraint create cross current_catalog
	current_date current_role current_schema current_time current_timestamp current_user dec decimal default deferrable
	desc distinct do else end except exists extract false fetch float for foreign freeze from full grant greatest
	group grouping having ilike in initially inner inout int integer intersect interval into is isnull join lateral leading
	least left like limit localtime localtimestamp national natural nchar none normalize not notnull null nullif numeric
	offset on only or order out outer overlaps overlay placing position precision primary real references returning right
	row select session_user setof similar smallint some substring symmetric table tablesample then time timestamp
	to trailing treat trim true union unique user using values varchar variadic verbose when where window with
	xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable`)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}
