package server

import (
	"context"
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// rename runs ALTER ... RENAME. Views go on reading what they read: Postgres keeps numbers in them, wmsql texts, which are changed.
func (s *Session) rename(ctx context.Context, n *sql.Rename) error {
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	e, err := edit.Lookup(n.Name.Parts, s.path())
	if err != nil && n.Kind == "index" {
		if t, ix := s.keyNamed(edit.Snapshot, n.Name.Parts); ix != nil {
			n := *n
			n.Old = sql.Ident{Name: ix.name, Pos: n.Name.Pos}
			return s.renameConstraint(edit, t, &n)
		}
	}
	if err != nil {
		if n.IfExists {
			s.noticef(sqlerr.SevNotice, sqlerr.SuccessfulCompletion, "relation %q does not exist, skipping", strings.Join(n.Name.Parts, "."))
			return nil
		}
		return sqlerr.From(err).At(int(n.Name.Pos))
	}
	h := e.Head()
	if kind := h.Kind.String(); n.Kind != kind && n.Kind != "table" { // ALTER TABLE names every kind
		return sqlerr.Newf(sqlerr.WrongObjectType, "%q is not %s", h.Name, article(n.Kind)).At(int(n.Name.Pos))
	}
	switch n.What {
	case "column":
		return s.renameColumn(edit, e, n)
	case "constraint":
		return s.renameConstraint(edit, e, n)
	}
	if edit.Relation(h.Schema, n.New.Name) != nil {
		return sqlerr.Newf(sqlerr.DuplicateTable, "relation %q already exists", n.New.Name).At(int(n.New.Pos))
	}
	if mv := continuousUser(edit.Snapshot, h.ID); mv != nil {
		return sqlerr.Unsupported("renaming %s, which materialized view %q reads,", edit.Describe(e, s.path()), mv.Name).At(int(n.Pos)).
			WithHint("Drop the materialized view first and create it again afterwards.")
	}
	return s.renameRelation(edit, e, h.Schema, n.New.Name, n.Pos)
}

// setSchema runs ALTER ... SET SCHEMA. The sequences of a table's columns go with it.
func (s *Session) setSchema(edit *catalog.Edit, e catalog.Entry, a sql.TableAction) error {
	h, to := e.Head(), a.Name.Name
	sc := edit.Schema(to)
	switch {
	case sc == nil:
		return sqlerr.Newf(sqlerr.InvalidSchemaName, "schema %q does not exist", to)
	case sc.Temporary() || h.Temporary():
		return sqlerr.Newf(sqlerr.FeatureNotSupported, "cannot move objects into or out of temporary schemas")
	case sc.Builtin():
		return sqlerr.Newf(sqlerr.InsufficientPrivilege, "permission denied for schema %s", to)
	case h.Schema == to:
		return nil
	case edit.Relation(to, h.Name) != nil:
		return sqlerr.Newf(sqlerr.DuplicateTable, "relation %q already exists in schema %q", h.Name, to)
	}
	if e.Head().Kind == catalog.KindIndex {
		return sqlerr.Newf(sqlerr.WrongObjectType, "cannot move index %q apart from its table", h.Name)
	}
	if q, ok := e.(*catalog.Sequence); ok && q.Table != 0 {
		return sqlerr.Newf(sqlerr.FeatureNotSupported, "cannot move an owned sequence into another schema").
			WithDetail("Sequence %q is linked to table %q.", q.Name, edit.ByID(q.Table).Head().Name)
	}
	if mv := continuousUser(edit.Snapshot, h.ID); mv != nil {
		return sqlerr.Unsupported("moving %s, which materialized view %q reads,", edit.Describe(e, s.path()), mv.Name).At(int(a.Pos)).
			WithHint("Drop the materialized view first and create it again afterwards.")
	}
	if err := s.renameRelation(edit, e, to, h.Name, a.Pos); err != nil {
		return err
	}
	for _, x := range edit.Indexes(h.ID) {
		catalog.Change(edit, x, func(x *catalog.Index) { x.Schema = to })
	}
	for _, q := range ownedSequences(edit.Snapshot, h.ID) {
		s.renameSequence(edit, q, to, q.Name)
	}
	return nil
}

// renameSequence renames a sequence, and names it anew in the defaults that take its numbers.
func (s *Session) renameSequence(edit *catalog.Edit, q *catalog.Sequence, schema, name string) {
	old := nextvalOf(q)
	fresh := catalog.Change(edit, q, func(q *catalog.Sequence) {
		q.Schema, q.Name = schema, name
		q.SQL = createSequenceSQL(q)
	})
	for e := range edit.All() {
		t, ok := e.(*catalog.Table)
		if !ok || !slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return c.Default == old }) {
			continue
		}
		catalog.Change(edit, t, func(t *catalog.Table) {
			t.Columns = slices.Clone(t.Columns)
			for i := range t.Columns {
				if t.Columns[i].Default == old {
					t.Columns[i].Default = nextvalOf(fresh)
				}
			}
			t.SQL = createTableSQL(t)
		})
	}
}

// renameRelation gives a relation another name or schema.
func (s *Session) renameRelation(edit *catalog.Edit, e catalog.Entry, schema, name string, pos sql.Pos) error {
	if q, ok := e.(*catalog.Sequence); ok {
		s.renameSequence(edit, q, schema, name)
		return nil
	}
	readers, err := s.references(edit, e)
	if err != nil {
		return err
	}
	switch e := e.(type) {
	case *catalog.Table:
		catalog.Change(edit, e, func(t *catalog.Table) {
			if len(t.PrimaryKey) > 0 {
				t.KeyName = t.PrimaryKeyName() // the constraint keeps its name
			}
			t.Schema, t.Name = schema, name
			t.SQL = createTableSQL(t)
		})
	case *catalog.View:
		given := givenNames(e.SQL, createViewSQL(e, nil), e.Columns)
		catalog.Change(edit, e, func(v *catalog.View) {
			v.Schema, v.Name = schema, name
			v.SQL = createViewSQL(v, given)
		})
	case *catalog.Index:
		catalog.Change(edit, e, func(x *catalog.Index) { x.Name = name })
	case *catalog.MaterializedView:
		given := givenNames(e.SQL, createMaterializedViewSQL(e, nil), e.Columns)
		catalog.Change(edit, e, func(mv *catalog.MaterializedView) {
			mv.Schema, mv.Name = schema, name
			mv.SQL = createMaterializedViewSQL(mv, given)
		})
		s.restart(e.ID) // it is told under its name
	default:
		return sqlerr.Unsupported("ALTER %s ... RENAME", upper(e.Head().Kind.String())).At(int(pos))
	}
	for _, r := range readers {
		if err := s.rewriteReader(edit, r, e.Head().ID); err != nil {
			return err
		}
	}
	return nil
}

// givenNames are the column names that a view's statement lists: none if plain, which lists none, is what it says.
func givenNames(text, plain string, cols []catalog.Column) []string {
	if text == plain {
		return nil
	}
	return make([]string, len(cols)) // how many is all that counts: they are the columns' own
}

// reader is a view with the places in its query that name a relation.
type reader struct {
	view   *catalog.View
	places []place
}

type place struct {
	name  sql.Name
	alias sql.Alias
}

// references finds the views that name e in their queries.
func (s *Session) references(edit *catalog.Edit, e catalog.Entry) ([]reader, error) {
	var out []reader
	for _, id := range edit.Users(e.Head().ID) {
		user := edit.ByID(id)
		if user.Head().Kind == catalog.KindIndex { // it names its table by number
			continue
		}
		v, ok := user.(*catalog.View)
		if !ok {
			return nil, sqlerr.Unsupported("renaming %s, which %s uses,", edit.Describe(e, s.path()), edit.Describe(user, s.path()))
		}
		r := reader{view: v}
		_, err := s.bindView(edit, v, v.Query, func(name sql.Name, alias sql.Alias, found build.Relation) {
			again := slices.ContainsFunc(r.places, func(p place) bool { return p.name.Pos == name.Pos })
			if relationID(found) == e.Head().ID && !again {
				r.places = append(r.places, place{name, alias})
			}
		})
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func relationID(r build.Relation) catalog.ID {
	switch {
	case r.Table != nil:
		return r.Table.ID
	case r.View != nil:
		return r.View.ID
	case r.MatView != nil:
		return r.MatView.ID
	case r.Stream != nil:
		return r.Stream.ID
	}
	return 0
}

// bindView binds a text as the query of v under the changed catalog, and returns what it uses.
func (s *Session) bindView(edit *catalog.Edit, v *catalog.View, text string, refer func(sql.Name, sql.Alias, build.Relation)) ([]catalog.ID, error) {
	parsed, err := sql.Parse(text)
	if err != nil {
		return nil, err
	}
	sel, ok := parsed[0].Stmt.(*sql.SelectStmt)
	if !ok {
		panic("server: the query of a view is none")
	}
	env, used := s.definitionEnv()
	used.snap = edit.Snapshot
	env.SearchPath, env.Refer = v.SearchPath, refer
	if _, err := build.Query(sel.Query, env); err != nil {
		return nil, err
	}
	return ids(used.used), nil
}

// rewriteReader changes the names in a view's query to what the relation numbered id is called now. A view that would then say something else,
// as one that spells out the schema of a column, is not changed, and the statement refused.
func (s *Session) rewriteReader(edit *catalog.Edit, r reader, id catalog.ID) error {
	e, v := edit.ByID(id), r.view
	slices.SortFunc(r.places, func(a, b place) int { return int(b.name.Pos) - int(a.name.Pos) }) // from the back
	text := v.Query
	for _, p := range r.places {
		name := edit.QuotedName(e, v.SearchPath)
		if len(p.name.Parts) > 1 {
			name = catalog.QuoteIdent(e.Head().Schema) + "." + catalog.QuoteIdent(e.Head().Name)
		}
		if p.alias.Name == "" {
			name += " AS " + catalog.QuoteIdent(p.name.Parts[len(p.name.Parts)-1])
		}
		text = text[:int(p.name.Pos)-1] + name + text[sql.NameEnd(text, p.name.Pos):]
	}
	uses, err := s.bindView(edit, v, text, nil)
	if err != nil || !slices.Equal(uses, v.Depends) {
		return sqlerr.Unsupported("renaming a relation that %s names otherwise than in FROM", edit.Describe(v, s.path()))
	}
	given := givenNames(v.SQL, createViewSQL(v, nil), v.Columns)
	catalog.Change(edit, v, func(v *catalog.View) {
		v.Query = text
		v.SQL = createViewSQL(v, given)
	})
	return nil
}
