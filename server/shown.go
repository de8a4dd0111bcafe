package server

import (
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/logicalplan/build"
	"wmsql/sql"
)

// Postgres keeps the parts of a definition by number and writes a name out with its schema where the session's search path does not find it:
// pg_dump, which sets an empty one, relies on it. Here definitions are texts, whose names are looked at when they are shown.

// shownQuery is the query of a view, its relations named so that the session's search path finds them.
func (s *Session) shownQuery(e catalog.Entry) string {
	text, path, _ := queryOf(e)
	if slices.Equal(path, s.path()) {
		return text
	}
	parsed, err := sql.Parse(text)
	if err != nil {
		return text
	}
	sel, ok := parsed[0].Stmt.(*sql.SelectStmt)
	if !ok {
		return text
	}
	prefix := map[sql.Pos]string{}
	env, _ := s.definitionEnv()
	env.SearchPath, env.Continuous = path, e.Head().Kind != catalog.KindView
	env.Refer = func(name sql.Name, _ sql.Alias, found build.Relation) {
		of := s.snapshot().ByID(relationID(found))
		if len(name.Parts) == 1 && of != nil && !s.snapshot().Visible(of, s.path()) {
			prefix[name.Pos] = catalog.QuoteIdent(of.Head().Schema) + "."
		}
	}
	if _, err := build.Query(sel.Query, env); err != nil {
		return text
	}
	places := make([]sql.Pos, 0, len(prefix))
	for p := range prefix {
		places = append(places, p)
	}
	slices.Sort(places)
	for _, p := range slices.Backward(places) {
		text = text[:int(p)-1] + prefix[p] + text[int(p)-1:]
	}
	return text
}

// shownDefault is a column's default, the sequence that it takes numbers from named so that the session's search path finds it.
func (s *Session) shownDefault(text string) string {
	if q := s.drawnFrom(text); q != nil && !s.snapshot().Visible(q, s.path()) {
		return "nextval(" + literal(catalog.QuoteIdent(q.Schema)+"."+catalog.QuoteIdent(q.Name)) + "::regclass)"
	}
	return text
}

// drawnFrom is the sequence whose numbers a default takes, nil if it is another one.
func (s *Session) drawnFrom(text string) (found *catalog.Sequence) {
	if !strings.HasPrefix(text, "nextval('") {
		return nil
	}
	s.sequences(func(q *catalog.Sequence) {
		qualified := catalog.QuoteIdent(q.Schema) + "." + catalog.QuoteIdent(q.Name)
		if text == nextvalOf(q) || text == "nextval("+literal(qualified)+"::regclass)" {
			found = q
		}
	})
	return found
}
