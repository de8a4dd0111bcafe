package server

import (
	"context"
	"maps"
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/stream"
)

// alter runs ALTER STREAM | MATERIALIZED VIEW | TABLE.
func (s *Session) alter(ctx context.Context, n *sql.Alter) error {
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	e, err := edit.Lookup(n.Name.Parts, s.path())
	if err != nil {
		return sqlerr.From(err).At(int(n.Name.Pos))
	}
	if kind := e.Head().Kind.String(); kind != n.Kind {
		return sqlerr.Newf(sqlerr.WrongObjectType, "%q is not %s", e.Head().Name, article(n.Kind)).At(int(n.Name.Pos))
	}
	switch e := e.(type) {
	case *catalog.Stream:
		return s.alterStream(ctx, edit, e, n)
	case *catalog.MaterializedView:
		return s.alterView(edit, e, n)
	}
	return sqlerr.Unsupported("ALTER %s", upper(n.Kind)).At(int(n.Pos))
}

// alterStream changes the options of a stream, or the delay of its watermark. Its queries go on from where they are: the watermark stays
// until a row raises it under the new delay, and never goes back.
func (s *Session) alterStream(ctx context.Context, edit *catalog.Edit, st *catalog.Stream, n *sql.Alter) error {
	if _, err := s.alteredStream(ctx, edit, st, n); err != nil {
		return err
	}
	return s.restartOver(edit, st, n.Action == "alter watermark")
}

// alteredStream puts the changed stream into edit.
func (s *Session) alteredStream(ctx context.Context, edit *catalog.Edit, st *catalog.Stream, n *sql.Alter) (*catalog.Stream, error) {
	if n.Action == "alter watermark" {
		env, _ := s.definitionEnv()
		w, err := build.Watermark(n.Watermark, st, env)
		if err != nil {
			return nil, err
		}
		return catalog.Change(edit, st, func(st *catalog.Stream) {
			st.Watermark = w
			st.SQL = createStreamSQL(st)
		}), nil
	}
	switch n.Action {
	case "add column":
		return s.addColumn(ctx, edit, st, n)
	case "alter column":
		return alterType(edit, st, n, s.path())
	}
	var extra []string
	driver, known := s.srv.cfg.Connectors[st.Connector]
	if known {
		extra = driver.Options
	}
	options, err := changeOptions(st.Options, n, streamOptions, extra)
	if err == nil {
		err = checkIdle(options)
	}
	if err != nil {
		return nil, err
	}
	if c, ok := options["connector"]; ok {
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "the connector of stream %q cannot be changed to %q", st.Name, c).
			WithHint("Create another stream.").At(int(n.Pos))
	}
	fresh := catalog.Change(edit, st, func(st *catalog.Stream) {
		st.Options = options
		st.SQL = createStreamSQL(st)
	})
	if known {
		return fresh, s.check(ctx, &driver, fresh)
	}
	return fresh, nil
}

// addColumn gives a stream one more column, NULL in the rows that are there.
func (s *Session) addColumn(ctx context.Context, edit *catalog.Edit, st *catalog.Stream, n *sql.Alter) (*catalog.Stream, error) {
	if st.Query != "" {
		return nil, sqlerr.Newf(sqlerr.WrongObjectType, "the columns of stream %q come from its query", st.Name).At(int(n.Pos))
	}
	env, _ := s.definitionEnv()
	c, err := build.AddColumn(n.Column, st, env)
	if err != nil {
		return nil, err
	}
	for _, id := range edit.Users(st.ID) {
		if _, ok := edit.ByID(id).(*catalog.MaterializedView); !ok {
			return nil, sqlerr.Newf(sqlerr.DependentObjects, "cannot add a column to stream %q because %s depends on it", st.Name, edit.Describe(edit.ByID(id), s.path())).
				WithHint("Drop it first and create it again afterwards.")
		}
	}
	fresh := catalog.Change(edit, st, func(st *catalog.Stream) {
		st.Columns = append(slices.Clone(st.Columns), c)
		st.SQL = createStreamSQL(st)
	})
	if driver, known := s.srv.cfg.Connectors[st.Connector]; known {
		return fresh, s.check(ctx, &driver, fresh)
	}
	return fresh, nil
}

// restartOver makes the queries over a stream go on under its changed definition. told says that the gate's warnings are passed on.
func (s *Session) restartOver(edit *catalog.Edit, st *catalog.Stream, told bool) error {
	for e := range edit.All() {
		mv, ok := e.(*catalog.MaterializedView)
		if !ok || !slices.Contains(mv.Depends, st.ID) {
			continue
		}
		fresh, err := s.fits(mv, mv, edit.Snapshot)
		if err != nil {
			return err
		}
		if told {
			s.noticeFaults(slices.DeleteFunc(fresh.faults, func(f *sqlerr.Error) bool { return f.Severity == sqlerr.SevError }))
		}
		if fresh.view.Fingerprint != mv.Fingerprint {
			catalog.Change(edit, mv, func(mv *catalog.MaterializedView) { mv.Fingerprint = fresh.view.Fingerprint })
		}
		s.restart(mv.ID)
	}
	return nil
}

// fits plans the query of was, which fresh is a changed copy of or the same, under a changed catalog. What it could not go on with its
// state under is refused.
func (s *Session) fits(was, fresh *catalog.MaterializedView, changed *catalog.Snapshot) (*continuous, error) {
	c, err := s.srv.replan(fresh, changed)
	if err != nil {
		return nil, err
	}
	if n := len(c.query.Names); n != len(was.Columns) {
		return nil, sqlerr.Newf(sqlerr.DependentObjects, "materialized view %q would have %d columns and not %d", was.Name, n, len(was.Columns)).
			WithDetail("Its select list has a *.").WithHint("Name the columns in its select list: CREATE OR REPLACE MATERIALIZED VIEW keeps the state.")
	}
	if c.view.Fingerprint == was.Fingerprint || s.srv.catalog.Current().ByID(was.ID) == nil { // or this transaction creates it
		return c, nil
	}
	e := sqlerr.Newf(sqlerr.ObjectNotReady, "the state of materialized view %q would not fit its query any more", was.Name).
		WithHint("Drop the view first and create it again afterwards: it then reads its streams from the start.")
	old, err := s.srv.replan(was, s.srv.catalog.Current())
	if err != nil {
		return nil, e
	}
	r := &replacement{was: was, fresh: c}
	r.compareParts(old)
	changes := r.changes()
	if len(changes) == 0 {
		changes = []string{otherForm}
	}
	return nil, e.WithDetail("%s", strings.Join(changes, " "))
}

// restart makes a query go on under a changed definition, from its last epoch.
func (s *Session) restart(id catalog.ID) {
	if slices.Contains(s.tx.stops, id) {
		return
	}
	s.tx.stop(id)
	s.tx.after = append(s.tx.after, func(ctx context.Context) {
		if err := s.srv.queries.startOne(ctx, id); err != nil {
			s.notice(notRunning(err))
		}
	})
}

// changeOptions applies SET and RESET to a copy of options.
func changeOptions(options map[string]string, n *sql.Alter, known map[string]option, extra []string) (map[string]string, error) {
	out := maps.Clone(options)
	if out == nil {
		out = map[string]string{}
	}
	switch n.Action {
	case "set":
		set, err := readOptions(n.Options, known, extra)
		if err != nil {
			return nil, err
		}
		maps.Copy(out, set)
	case "reset":
		for _, o := range n.Options {
			name := strings.ToLower(o.Name)
			if _, ok := known[name]; !ok && !isExtra(extra, name) {
				return nil, sqlerr.From(unknownOption(name, slices.Concat(slices.Collect(maps.Keys(known)), extra))).At(int(o.Pos))
			}
			delete(out, name)
		}
	default:
		return nil, sqlerr.Unsupported("ALTER %s ... %s", upper(n.Kind), upper(n.Action)).At(int(n.Pos))
	}
	return out, nil
}

// alterView pauses or resumes a continuous query, or changes how it is batched.
func (s *Session) alterView(edit *catalog.Edit, mv *catalog.MaterializedView, n *sql.Alter) error {
	if n.Action == "pause" || n.Action == "resume" {
		paused := n.Action == "pause"
		catalog.Change(edit, mv, func(mv *catalog.MaterializedView) { mv.Paused = paused })
		s.tx.after = append(s.tx.after, func(ctx context.Context) { s.notice(s.srv.queries.pause(ctx, mv.ID, paused)) })
		return nil
	}
	for _, o := range n.Options {
		if name := strings.ToLower(o.Name); name == "output_mode" || name == "state" {
			return sqlerr.Newf(sqlerr.InvalidParameterValue, "%s of a materialized view cannot be changed", name).
				WithHint("Use CREATE OR REPLACE MATERIALIZED VIEW.").At(int(o.Pos))
		}
	}
	options, err := changeOptions(mv.Options, n, viewOptions, nil)
	if err != nil {
		return err
	}
	fresh := catalog.Change(edit, mv, func(mv *catalog.MaterializedView) {
		mv.Options = options
		mv.SQL = createMaterializedViewSQL(mv, nil)
	})
	if _, err := s.fits(mv, fresh, edit.Snapshot); err != nil {
		return err
	}
	s.restart(mv.ID)
	return nil
}

// pause stops or continues reading between epochs. A query that failed is started anew, from its last epoch; the warning
// says why it fails again.
func (q *queries) pause(ctx context.Context, id catalog.ID, paused bool) *sqlerr.Error {
	c := q.get(id)
	if c == nil {
		return nil
	}
	switch {
	case !paused && c.status().State == stream.Failed:
		q.stop([]catalog.ID{id})
		if err := q.startOne(ctx, id); err != nil {
			return notRunning(err)
		}
	case c.query == nil:
	case paused:
		c.query.Pause()
	default:
		c.query.Resume()
	}
	return nil
}

// notRunning is the warning that a query does not run, and why.
func notRunning(err error) *sqlerr.Error {
	w := *sqlerr.From(err)
	w.Severity = sqlerr.SevWarning
	w.Msg = "the query does not run: " + w.Msg
	return &w
}

// comment runs COMMENT ON.
func (s *Session) comment(ctx context.Context, n *sql.Comment) error {
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	text := ""
	if n.Text != nil {
		text = *n.Text
	}
	switch n.Kind {
	case "column":
		return s.commentColumn(edit, n, text)
	case "schema":
		sc := edit.Schema(strings.Join(n.Name.Parts, "."))
		if sc == nil {
			return sqlerr.Newf(sqlerr.InvalidSchemaName, "schema %q does not exist", strings.Join(n.Name.Parts, "."))
		}
		if sc.Builtin() {
			return sqlerr.Newf(sqlerr.InsufficientPrivilege, "must be owner of schema %s", sc.Name)
		}
		catalog.Change(edit, sc, func(sc *catalog.Schema) { sc.Comment = text })
		return nil
	case "function":
		f, err := s.findFunction(edit.Snapshot, n.Name)
		if err != nil {
			return err
		}
		catalog.Change(edit, f, func(f *catalog.Function) { f.Comment = text })
		return nil
	case "stream", "table", "view", "materialized view", "sequence", "index":
		e, err := edit.Lookup(n.Name.Parts, s.path())
		if err != nil {
			return sqlerr.From(err).At(int(n.Name.Pos))
		}
		if e.Head().Kind.String() != n.Kind {
			return sqlerr.Newf(sqlerr.WrongObjectType, "%q is not %s", e.Head().Name, article(n.Kind))
		}
		catalog.Change(edit, e, func(e catalog.Entry) { e.Head().Comment = text })
		return nil
	}
	return sqlerr.Unsupported("COMMENT ON %s", upper(n.Kind)).At(int(n.Pos))
}

func (s *Session) commentColumn(edit *catalog.Edit, n *sql.Comment, text string) error {
	last := len(n.Name.Parts) - 1
	if last < 1 {
		return sqlerr.Newf(sqlerr.SyntaxError, "column name must be qualified").At(int(n.Name.Pos))
	}
	e, err := edit.Lookup(n.Name.Parts[:last], s.path())
	if err != nil {
		return sqlerr.From(err).At(int(n.Name.Pos))
	}
	i := slices.IndexFunc(catalog.Columns(e), func(c catalog.Column) bool { return c.Name == n.Name.Parts[last] })
	if i < 0 {
		return sqlerr.Newf(sqlerr.UndefinedColumn, "column %q of relation %q does not exist", n.Name.Parts[last], e.Head().Name)
	}
	catalog.Change(edit, e, func(e catalog.Entry) { catalog.SetColumnComment(e, i, text) })
	return nil
}
