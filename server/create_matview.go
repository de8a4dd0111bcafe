package server

import (
	"context"
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/logicalplan/build"
	"wmsql/logicalplan/rule"
	"wmsql/physicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

func (s *Session) createMaterializedView(ctx context.Context, n *sql.CreateMaterializedView, text string) error {
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	o, old, skip, err := s.place(edit, n.Name, n.IfNotExists, n.OrReplace)
	if err != nil || skip {
		return err
	}
	c, err := s.defineMaterializedView(n, o, text)
	if err != nil {
		return err
	}
	if err := c.refused(); err != nil {
		if len(c.faults) > 1 {
			s.noticeFaults(c.faults[1:])
		}
		return err
	}
	s.noticeFaults(c.faults)
	return s.storeMaterializedView(edit, c, old)
}

// noticeFaults tells what else the gate found: errors after the first as notices, warnings as warnings.
func (s *Session) noticeFaults(faults []*sqlerr.Error) {
	for _, f := range faults {
		n := *f
		if n.Severity == sqlerr.SevError {
			n.Severity = sqlerr.SevNotice
		}
		s.notice(&n)
	}
}

// storeMaterializedView puts the definition into the catalog, and the query to work once that is durable.
func (s *Session) storeMaterializedView(edit *catalog.Edit, c *continuous, old catalog.Entry) error {
	mv := c.view
	if old == nil {
		if err := edit.Create(mv); err != nil {
			return err
		}
	} else {
		was, ok := old.(*catalog.MaterializedView)
		if !ok {
			return sqlerr.Newf(sqlerr.WrongObjectType, "%q is not a materialized view", mv.Name)
		}
		if err := s.replaceMaterializedView(edit, was, c); err != nil {
			return err
		}
	}
	s.startView(mv)
	return nil
}

// continuous is a continuous query as planned, with the gate's verdicts.
type continuous struct {
	view    *catalog.MaterializedView
	query   *logicalplan.Query // rewritten
	root    logicalplan.Node   // as bound
	fired   []string
	plan    *physicalplan.Plan // nil when planErr is not
	planErr error
	faults  []*sqlerr.Error // errors first
	wish    string          // the option state: "keep", "reset" or ""
	given   []string        // the columns' names as CREATE gives them
}

// refused is the fault that keeps the query from being created, nil if there is none.
func (c *continuous) refused() error {
	if len(c.faults) > 0 && c.faults[0].Severity == sqlerr.SevError {
		return c.faults[0]
	}
	return c.planErr
}

// defineMaterializedView checks CREATE MATERIALIZED VIEW. What the gate finds is in the result; other faults are errors.
func (s *Session) defineMaterializedView(n *sql.CreateMaterializedView, o catalog.Object, text string) (*continuous, error) {
	options, err := readOptions(n.Options, viewOptions, nil)
	if err != nil {
		return nil, err
	}
	wish, said := options["state"]
	if said && !n.OrReplace {
		return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "option state says what CREATE OR REPLACE does with the state of a query that exists").
			WithHint("Leave it out, or write CREATE OR REPLACE MATERIALIZED VIEW.").At(int(n.Pos))
	}
	delete(options, "state")
	mode, err := outputMode(n, options)
	if err != nil {
		return nil, err
	}
	env, used := s.definitionEnv()
	mv := &catalog.MaterializedView{
		Object: o, Query: n.Text, SearchPath: env.SearchPath, TimeZone: env.Zone, Mode: mode, Options: options,
		Policy: s.value("wmsql.multiple_watermark_policy"),
	}
	mv.Kind = catalog.KindMaterializedView
	allow := options["unbounded_state"]
	if allow == "" {
		allow = s.value("wmsql.unbounded_state")
	}
	c, err := planContinuous(mv, n.Query, env, text, allow)
	if err != nil {
		return nil, err
	}
	if mv.Columns, err = resultColumns(c.query.Schema(), n.Columns, n.Name.Pos); err != nil {
		return nil, err
	}
	if err := s.noTemporary("materialized views", used.used); err != nil {
		return nil, err
	}
	mv.Depends = ids(used.used)
	c.wish, c.given = wish, n.Columns
	c.finish()
	mv.SQL = createMaterializedViewSQL(mv, n.Columns)
	return c, nil
}

// outputMode is what EMIT and output_mode say; they must not contradict each other.
func outputMode(n *sql.CreateMaterializedView, options map[string]string) (catalog.OutputMode, error) {
	emit := map[string]string{"window close": "append", "update": "update"}[strings.ToLower(n.Emit)]
	option := options["output_mode"]
	if emit != "" && option != "" && emit != option {
		return 0, sqlerr.Newf(sqlerr.InvalidParameterValue, "EMIT ON %s contradicts output_mode = '%s'", upper(n.Emit), option).
			WithHint("Leave one of them out.").At(int(n.EmitPos))
	}
	if option == "" {
		option = emit
	}
	if option == "" {
		option = "update"
	}
	mode, _ := catalog.ParseOutputMode(option)
	return mode, nil
}

// planContinuous binds the query of mv and lets the gate judge it. The view's columns need not be known yet.
func planContinuous(mv *catalog.MaterializedView, q *sql.Select, env *build.Env, text, allow string) (*continuous, error) {
	env.Continuous = true
	lq, err := build.Query(q, env)
	if err != nil {
		return nil, err
	}
	if !logicalplan.Derive(lq.Root).Stream {
		return nil, sqlerr.Newf(sqlerr.InvalidObjectDefinition, "materialized view %q reads no stream", mv.Name).
			WithHint("Use CREATE VIEW, or CREATE TABLE AS for a copy.")
	}
	c := &continuous{view: mv, root: lq.Root}
	ttl := micros(mv.Options, "state_ttl", 0)
	c.faults = rule.Gate(lq.Root, &rule.Target{
		Name: mv.Name, Mode: mv.Mode, Allow: allow, Policy: mv.Policy, TTL: ttl, Text: text, Streams: streamsOf(lq.Root),
	})
	root, fired := rule.Run(lq.Root)
	if mv.Mode == catalog.Update {
		root = logicalplan.WithNumbers(rule.Changing(root))
	}
	lq.Root = logicalplan.WithTTL(root, ttl, mv.Mode)
	c.query, c.fired = lq, fired
	return c, nil
}

func streamsOf(n logicalplan.Node) []*catalog.Stream {
	var out []*catalog.Stream
	logicalplan.Walk(n, func(n logicalplan.Node) bool {
		if s, ok := n.(*logicalplan.StreamScan); ok && !slices.Contains(out, s.Stream) {
			out = append(out, s.Stream)
		}
		return true
	})
	return out
}

// finish chooses the result's key and the operators. It needs the view's columns.
func (c *continuous) finish() {
	mv := c.view
	if mv.Key, c.planErr = resultKey(c.query, mv); c.planErr != nil {
		return
	}
	if c.plan, c.planErr = physicalplan.New(c.query, physicalplan.Target{View: mv}); c.planErr == nil {
		mv.Fingerprint = c.plan.Fingerprint
	}
}

// resultKey finds the ordinals of the columns by which the result's rows are told apart.
func resultKey(q *logicalplan.Query, mv *catalog.MaterializedView) ([]int, error) {
	wanted := keyBelow(q.Root)
	if wanted == nil {
		return noKey(q.Root, mv, nil)
	}
	cols := q.Root.Columns()
	if mv.Mode != catalog.Update {
		cols = cols[:len(mv.Columns)]
	}
	place := func(id expr.ColumnID) int {
		return slices.IndexFunc(cols, func(c logicalplan.Column) bool { return c.ID == id })
	}
	windows := windowColumns(q.Root)
	shown := map[*logicalplan.Window]bool{} // windows of which some column is in the result
	var key []int
	for _, id := range wanted {
		if i := place(id); i >= 0 {
			key = append(key, i)
			shown[windows[id]] = true
		}
	}
	var missing []expr.ColumnID
	for _, id := range wanted {
		// The start of a window tells its end, so that one of them is enough.
		if w := windows[id]; place(id) < 0 && (w == nil || !shown[w]) {
			missing, shown[w] = append(missing, id), w != nil
		}
	}
	if missing != nil {
		return noKey(q.Root, mv, missing)
	}
	return key, nil
}

// keyBelow is the key of n, or the one that n had before a Project left some of its columns out.
func keyBelow(n logicalplan.Node) []expr.ColumnID {
	if key := logicalplan.Derive(n).Key; key != nil {
		return key
	}
	switch n := n.(type) {
	case *logicalplan.Project:
		return keyBelow(n.Input)
	case *logicalplan.Filter:
		return keyBelow(n.Input)
	}
	return nil
}

// windowColumns maps the columns that start or end a window to it. The windows of CUMULATE and SESSION are left out: several
// of them share a start.
func windowColumns(root logicalplan.Node) map[expr.ColumnID]*logicalplan.Window {
	out := map[expr.ColumnID]*logicalplan.Window{}
	logicalplan.Walk(root, func(n logicalplan.Node) bool {
		if w, ok := n.(*logicalplan.Window); ok && (w.Kind == logicalplan.Tumble || w.Kind == logicalplan.Hop) {
			out[w.Start.ID], out[w.End.ID], out[w.WindowTime.ID] = w, w, w
		}
		return true
	})
	return out
}

// noKey is the answer when rows cannot be told apart, for want of the columns missing or of any: only a result whose rows never change can
// do without.
func noKey(root logicalplan.Node, mv *catalog.MaterializedView, missing []expr.ColumnID) ([]int, error) {
	if !logicalplan.Derive(root).Updating || mv.Mode != catalog.Update {
		return nil, nil
	}
	err := sqlerr.Newf(sqlerr.FeatureNotSupported, "the result's rows cannot be told apart: a key of the query is not among its columns").At(placeOf(root))
	var names []string
	for _, id := range missing {
		if name := nameBelow(root, id); name != "" {
			names = append(names, catalog.QuoteIdent(name))
		}
	}
	if len(names) == 0 {
		return nil, err.WithHint("Add all GROUP BY columns to the select list.")
	}
	return nil, err.WithHint("Add to the select list: %s", strings.Join(names, ", "))
}

// placeOf is the place of the uppermost node that has one.
func placeOf(n logicalplan.Node) (pos int) {
	logicalplan.Walk(n, func(n logicalplan.Node) bool {
		if pos == 0 {
			pos = n.At()
		}
		return pos == 0
	})
	return pos
}

// nameBelow is the name of a column where it is made.
func nameBelow(n logicalplan.Node, id expr.ColumnID) (name string) {
	logicalplan.Walk(n, func(n logicalplan.Node) bool {
		if c, ok := logicalplan.FindColumn(n, id); ok && name == "" {
			name = c.Name
		}
		return name == ""
	})
	return name
}
