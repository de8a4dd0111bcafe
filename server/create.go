package server

import (
	"context"
	"maps"
	"slices"

	"wmsql/catalog"
	"wmsql/connector"
	"wmsql/logicalplan/build"
	"wmsql/logicalplan/rule"
	"wmsql/physicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/stream"
	"wmsql/types"
)

func (s *Session) createSchema(ctx context.Context, n *sql.CreateSchema) error {
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	if n.IfNotExists && edit.Schema(n.Name.Name) != nil {
		s.noticef(sqlerr.SevNotice, sqlerr.DuplicateSchema, "schema %q already exists, skipping", n.Name.Name)
		return nil
	}
	if len(n.Name.Name) > 3 && n.Name.Name[:3] == "pg_" {
		return sqlerr.Newf(sqlerr.ReservedName, "unacceptable schema name %q", n.Name.Name).
			WithDetail(`The prefix "pg_" is reserved for system schemas.`)
	}
	sc := &catalog.Schema{Object: catalog.Object{Kind: catalog.KindSchema, Name: n.Name.Name}}
	sc.SQL = "CREATE SCHEMA " + catalog.QuoteIdent(n.Name.Name)
	return edit.Create(sc)
}

// place resolves the name of a relation that is being created. skip means that it exists and IF NOT EXISTS was
// said; old is what CREATE OR REPLACE finds.
func (s *Session) place(edit *catalog.Edit, name sql.Name, ifNotExists, replace bool) (o catalog.Object, old catalog.Entry, skip bool, err error) {
	schema, rel, err := edit.Target(name.Parts, s.path())
	if err != nil {
		return o, nil, false, sqlerr.From(err).At(int(name.Pos))
	}
	o = catalog.Object{Schema: schema, Name: rel}
	old = edit.Relation(schema, rel)
	switch {
	case old == nil || replace:
		return o, old, false, nil
	case ifNotExists:
		s.noticef(sqlerr.SevNotice, sqlerr.DuplicateTable, "relation %q already exists, skipping", rel)
		return o, old, true, nil
	}
	return o, old, false, sqlerr.Newf(sqlerr.DuplicateTable, "relation %q already exists", rel)
}

// ids lists what a definition uses.
func ids(used map[catalog.ID]bool) []catalog.ID { return slices.Sorted(maps.Keys(used)) }

// definitionEnv is what a definition is bound under; names remembers what it uses.
func (s *Session) definitionEnv() (*build.Env, *names) {
	n := s.names()
	n.used = map[catalog.ID]bool{}
	env := s.env(nil)
	env.Catalog, env.Functions = n, n
	return env, n
}

func (s *Session) createStream(ctx context.Context, n *sql.CreateStream, _ string) error {
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	o, _, skip, err := s.place(edit, n.Name, n.IfNotExists, false)
	if err != nil || skip {
		return err
	}
	st, err := s.defineStream(ctx, n, o)
	if err != nil {
		return err
	}
	return edit.Create(st)
}

// defineStream checks CREATE STREAM and returns its definition.
func (s *Session) defineStream(ctx context.Context, n *sql.CreateStream, o catalog.Object) (*catalog.Stream, error) {
	env, used := s.definitionEnv()
	env.Continuous = true
	st, err := build.Stream(n, env)
	if err != nil {
		return nil, err
	}
	if err := s.noTemporary("streams", used.used); err != nil {
		return nil, err
	}
	o.Kind, o.Depends = catalog.KindStream, ids(used.used)
	st.Object, st.SearchPath = o, env.SearchPath
	driver, err := s.driver(n)
	if err != nil {
		return nil, err
	}
	var extra []string
	if driver != nil {
		extra = driver.Options
	}
	if st.Options, err = readOptions(n.Options, streamOptions, extra); err != nil {
		return nil, err
	}
	if err := checkIdle(st.Options); err != nil {
		return nil, sqlerr.From(err).At(int(n.Pos))
	}
	st.Connector = st.Options["connector"]
	delete(st.Options, "connector")
	if driver != nil {
		if err := s.check(ctx, driver, st); err != nil {
			return nil, err
		}
	}
	st.SQL = createStreamSQL(st)
	if s.srv.cfg.ByHand && driver != nil {
		st.Connector = ""
		maps.DeleteFunc(st.Options, func(name, _ string) bool { return connector.TakesOption(driver.Options, name) })
	}
	return st, nil
}

// driver finds the connector that a statement names, nil for an internal or derived stream.
func (s *Session) driver(n *sql.CreateStream) (*connector.Driver, error) {
	for _, o := range n.Options {
		if o.Name != "connector" || o.Value == "" {
			continue
		}
		if n.Query != nil {
			return nil, sqlerr.Newf(sqlerr.InvalidObjectDefinition, "a derived stream has no connector").
				WithDetail("Its rows come from its query.").At(int(o.Pos))
		}
		d, err := s.srv.cfg.Connectors.Lookup(o.Value)
		if err != nil {
			return nil, err.At(int(o.Pos))
		}
		return &d, nil
	}
	return nil, nil
}

// check lets the connector check a stream's columns and options.
func (s *Session) check(ctx context.Context, d *connector.Driver, st *catalog.Stream) error {
	spec, err := stream.SourceSpec(st, nil, s.srv.now)
	if err != nil {
		return err
	}
	return d.Check(ctx, spec)
}

func (s *Session) createView(ctx context.Context, n *sql.CreateView) error {
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	name := n.Name
	if err := s.placeTemporary(edit, &name, n.Temp); err != nil {
		return err
	}
	o, old, _, err := s.place(edit, name, false, n.OrReplace)
	if err != nil {
		return err
	}
	v, err := s.defineView(n, o)
	if err != nil {
		return err
	}
	if old == nil {
		if err := s.viewOverTemporary(edit, v); err != nil {
			return err
		}
		return edit.Create(v)
	}
	was, ok := old.(*catalog.View)
	if !ok {
		return sqlerr.Newf(sqlerr.WrongObjectType, "%q is not a view", o.Name)
	}
	if err := sameColumns(was.Columns, v.Columns); err != nil {
		return err
	}
	v.ID, v.Comment = was.ID, was.Comment
	if mv := continuousUser(edit.Snapshot, v.ID); mv != nil {
		return sqlerr.Newf(sqlerr.DependentObjects, "cannot replace view %q because materialized view %q depends on it", v.Name, mv.Name).
			WithDetail("What the materialized view has counted so far was counted under the old definition.").
			WithHint("Drop the materialized view first and create it again afterwards.")
	}
	if uses(edit, v.Depends, v.ID) {
		return sqlerr.Newf(sqlerr.InvalidObjectDefinition, "infinite recursion: view %q would read itself", v.Name)
	}
	edit.Replace(v)
	return nil
}

// continuousUser finds a continuous query that depends on id, nil if there is none.
func continuousUser(snap *catalog.Snapshot, id catalog.ID) *catalog.MaterializedView {
	for _, u := range snap.Users(id) {
		if mv, ok := snap.ByID(u).(*catalog.MaterializedView); ok {
			return mv
		}
		if mv := continuousUser(snap, u); mv != nil {
			return mv
		}
	}
	return nil
}

// uses reports whether one of ids is id or depends on it.
func uses(edit *catalog.Edit, list []catalog.ID, id catalog.ID) bool {
	for _, d := range list {
		if d == id || edit.ByID(d) != nil && uses(edit, edit.ByID(d).Head().Depends, id) {
			return true
		}
	}
	return false
}

// sameColumns checks what CREATE OR REPLACE VIEW may change: columns can only be added at the end.
func sameColumns(old, fresh []catalog.Column) error {
	if len(fresh) < len(old) {
		return sqlerr.Newf(sqlerr.InvalidTableDefinition, "cannot drop columns from view")
	}
	for i, c := range old {
		switch f := fresh[i]; {
		case f.Name != c.Name:
			return sqlerr.Newf(sqlerr.InvalidTableDefinition, "cannot change name of view column %q to %q", c.Name, f.Name).
				WithHint("Drop the view and create it again.")
		case f.Type != c.Type:
			return sqlerr.Newf(sqlerr.InvalidTableDefinition, "cannot change data type of view column %q from %s to %s", c.Name, c.Type, f.Type)
		}
	}
	return nil
}

func (s *Session) defineView(n *sql.CreateView, o catalog.Object) (*catalog.View, error) {
	env, used := s.definitionEnv()
	q, err := build.Query(n.Query, env)
	if err != nil {
		return nil, err
	}
	cols, err := resultColumns(q.Schema(), n.Columns, n.Name.Pos)
	if err != nil {
		return nil, err
	}
	root, _ := rule.Run(q.Root)
	q.Root = root
	if _, err := physicalplan.New(q, physicalplan.Target{}); err != nil {
		return nil, err
	}
	o.Kind, o.Depends = catalog.KindView, ids(used.used)
	v := &catalog.View{Object: o, Columns: cols, Query: n.Text, SearchPath: env.SearchPath}
	v.SQL = createViewSQL(v, n.Columns)
	return v, nil
}

// resultColumns are the columns of a view: the query's, under the names the statement gives to the first of them.
func resultColumns(s *types.Schema, given []string, pos sql.Pos) ([]catalog.Column, error) {
	if len(given) > len(s.Fields) {
		return nil, sqlerr.Newf(sqlerr.SyntaxError, "CREATE VIEW specifies more column names than columns").At(int(pos))
	}
	seen := map[string]bool{}
	var out []catalog.Column
	for i, f := range s.Fields {
		name := f.Name
		if i < len(given) {
			name = given[i]
		}
		if seen[name] {
			return nil, sqlerr.Newf(sqlerr.DuplicateColumn, "column %q specified more than once", name)
		}
		seen[name] = true
		out = append(out, catalog.Column{Name: name, Type: f.Type})
	}
	return out, nil
}
