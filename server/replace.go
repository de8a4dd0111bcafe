package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/exec"
	"wmsql/logicalplan"
	"wmsql/physicalplan"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/stream"
	"wmsql/types"
)

// replacement is what CREATE OR REPLACE MATERIALIZED VIEW does to a query that has run: either its state means the same to the new
// query, or it is thrown away because the statement says so.
type replacement struct {
	was     *catalog.MaterializedView
	fresh   *continuous
	parts   []partChange
	columns []int         // of each column of the new result the old one that it takes over, -1: NULL in rows that are there
	fault   *sqlerr.Error // why the state cannot be kept, nil if it can
}

// otherForm is the change that no operator's line shows: other columns of the rows that a join keeps, say.
const otherForm = "Its operators keep their state in another form."

// partChange compares one stateful operator with the one in its place.
type partChange struct {
	table   uint32
	title   string
	changes []string // sentences
	below   bool     // what has changed is told at an operator below
}

// replaces compares the stored query with the new one. wish is the option state: "", "keep" or "reset".
func (s *Session) replaces(was *catalog.MaterializedView, c *continuous) *replacement {
	r := &replacement{was: was, fresh: c}
	old, err := s.srv.replan(was, s.srv.catalog.Current())
	if err != nil {
		r.fault = sqlerr.Newf(sqlerr.ObjectNotReady, "the state of materialized view %q cannot be read: its own query cannot be planned any more", was.Name).
			WithDetail("%s.", sqlerr.From(err).Msg)
		return r
	}
	r.compareParts(old)
	if r.fault = r.compareState(old); r.fault == nil {
		r.fault = r.compareResult(old)
	}
	return r
}

// compareParts finds what of each stateful operator has changed.
func (r *replacement) compareParts(old *continuous) {
	a, b := physicalplan.StateParts(old.plan), physicalplan.StateParts(r.fresh.plan)
	told := map[string]bool{}
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(b):
			r.parts = append(r.parts, partChange{table: a[i].Table, title: a[i].Title, changes: []string{"It is not in the new query."}})
		case i >= len(a):
			r.parts = append(r.parts, partChange{table: b[i].Table, title: b[i].Title, changes: []string{"It was not in the old query."}})
		default:
			p := partChange{table: b[i].Table, title: b[i].Title}
			for _, c := range factChanges(a[i].Facts, b[i].Facts) {
				if !told[c] { // an operator above says it again
					p.changes = append(p.changes, c)
				}
				told[c] = true
			}
			p.below = len(p.changes) == 0 && !slices.Equal(a[i].Facts, b[i].Facts)
			r.parts = append(r.parts, p)
		}
	}
}

// factChanges tells two lists of facts apart, in sentences.
func factChanges(a, b []physicalplan.Fact) (out []string) {
	for len(a) > 0 && len(b) > 0 {
		switch was, is := a[0], b[0]; {
		case was == is:
			a, b = a[1:], b[1:]
		case was.Name == is.Name:
			out = append(out, fmt.Sprintf("The %s was %s and is now %s.", was.Name, was.Text, is.Text))
			a, b = a[1:], b[1:]
		case slices.ContainsFunc(b, func(f physicalplan.Fact) bool { return f.Name == was.Name }):
			out = append(out, "There is now the "+is.Name+" "+is.Text+".")
			b = b[1:]
		default:
			out = append(out, "The "+was.Name+" "+was.Text+" is gone.")
			a = a[1:]
		}
	}
	for _, f := range a {
		out = append(out, "The "+f.Name+" "+f.Text+" is gone.")
	}
	for _, f := range b {
		out = append(out, "There is now the "+f.Name+" "+f.Text+".")
	}
	return out
}

// changes are the sentences of all parts.
func (r *replacement) changes() (out []string) {
	for _, p := range r.parts {
		out = append(out, p.changes...)
	}
	return out
}

// compareState says why the stored state would mean something else to the new query.
func (r *replacement) compareState(old *continuous) *sqlerr.Error {
	changes := r.changes()
	was, is := r.was, r.fresh.view
	switch {
	case len(changes) > 0 && r.fresh.wish == "keep" && old.plan.Fingerprint == r.fresh.plan.Fingerprint:
		changes = nil // the same form of state over other rows: the writer says that he knows
	case len(changes) == 0 && old.plan.Fingerprint != r.fresh.plan.Fingerprint:
		changes = []string{otherForm}
	case len(changes) == 0 && was.Mode != is.Mode && (was.Mode != catalog.Append || is.Mode != catalog.Update):
		changes = []string{fmt.Sprintf("The output mode was %s and is now %s: only append can become update, for the result holds rows that are not final.", was.Mode, is.Mode)}
	}
	if len(changes) == 0 {
		return nil
	}
	return r.refuse(strings.Join(changes, " "), old)
}

// refuse is the error that names what has changed and how to start anew.
func (r *replacement) refuse(detail string, old *continuous) *sqlerr.Error {
	e := sqlerr.Newf(sqlerr.ObjectNotReady, "the state of materialized view %q does not fit the new query", r.was.Name).WithDetail("%s", detail)
	hint := "To throw the state and the result away and read the streams from their start:\n" + r.statement("reset")
	if old != nil && old.plan.Fingerprint == r.fresh.plan.Fingerprint && r.was.Mode == r.fresh.view.Mode {
		hint += "\nTo go on with what was counted under the old query:\n" + r.statement("keep")
	}
	return e.WithHint("%s", hint)
}

// statement is the statement again, with the option state.
func (r *replacement) statement(state string) string {
	mv := *r.fresh.view
	mv.Schema = r.was.Schema
	mv.Options = map[string]string{"state": state}
	for k, v := range r.fresh.view.Options {
		mv.Options[k] = v
	}
	return strings.Replace(createMaterializedViewSQL(&mv, r.fresh.given), "CREATE ", "CREATE OR REPLACE ", 1) + ";"
}

// compareResult finds for every column of the new result the old one with its values: that of the same definition, else that of the
// same name. The result's rows stay, so they must be told apart as before.
func (r *replacement) compareResult(old *continuous) *sqlerr.Error {
	was, is := r.was.Columns, r.fresh.view.Columns
	from, to := definitions(old.query, len(was)), definitions(r.fresh.query, len(is))
	r.columns = make([]int, len(is))
	taken := make([]bool, len(was))
	for i := range r.columns {
		r.columns[i] = -1
	}
	for _, same := range []func(i, j int) bool{
		func(i, j int) bool { return from[j] == to[i] && was[j].Name == is[i].Name },
		func(i, j int) bool { return from[j] == to[i] },
		func(i, j int) bool { return was[j].Name == is[i].Name },
	} {
		for i := range is {
			for j := range was {
				if r.columns[i] < 0 && !taken[j] && was[j].Type == is[i].Type && same(i, j) {
					r.columns[i], taken[j] = j, true
				}
			}
		}
	}
	for i, c := range is {
		j := slices.IndexFunc(was, func(o catalog.Column) bool { return o.Name == c.Name })
		if r.columns[i] < 0 && j >= 0 {
			return r.refuse(fmt.Sprintf("Column %s was of type %s and is now of type %s.", c.Name, was[j].Type, c.Type), nil)
		}
	}
	return r.compareKey()
}

func (r *replacement) compareKey() *sqlerr.Error {
	var key []int
	for _, k := range r.fresh.view.Key {
		key = append(key, r.columns[k])
	}
	slices.Sort(key)
	if !slices.Equal(key, slices.Sorted(slices.Values(r.was.Key))) {
		return r.refuse("The rows of the result were told apart by "+keyNames(r.was)+" and would be by "+keyNames(r.fresh.view)+".", nil)
	}
	return nil
}

func keyNames(mv *catalog.MaterializedView) string {
	var out []string
	for _, k := range mv.Key {
		out = append(out, mv.Columns[k].Name)
	}
	if out == nil {
		return "no column"
	}
	return strings.Join(out, ", ")
}

// definitions are what the first n columns of a query are made of.
func definitions(q *logicalplan.Query, n int) []string {
	var out []string
	for _, c := range q.Root.Columns()[:n] {
		out = append(out, logicalplan.Definition(q.Root, c.ID))
	}
	return out
}

// reshapes reports whether the stored rows have to be written anew.
func (r *replacement) reshapes() bool {
	for i, j := range r.columns {
		if i != j {
			return true
		}
	}
	return len(r.columns) != len(r.was.Columns) || !slices.Equal(r.was.Key, r.fresh.view.Key)
}

// replaceMaterializedView puts another query in the place of one that has run.
func (s *Session) replaceMaterializedView(edit *catalog.Edit, was *catalog.MaterializedView, c *continuous) error {
	mv := c.view
	mv.ID, mv.Comment, mv.Paused = was.ID, was.Comment, was.Paused
	if uses(edit, mv.Depends, mv.ID) {
		return sqlerr.Newf(sqlerr.InvalidObjectDefinition, "infinite recursion: materialized view %q would read itself", mv.Name)
	}
	if err := unread(edit, was); err != nil {
		return err
	}
	r := s.replaces(was, c)
	switch {
	case c.wish == "reset":
		if err := sameForUsers(edit, was, mv); err != nil {
			return err
		}
		edit.Replace(mv)
		s.tx.stop(mv.ID)
		s.tx.forget(mv)
		return nil
	case r.fault != nil:
		return r.fault
	}
	if err := sameForUsers(edit, was, mv); err != nil {
		return err
	}
	mv.Policy = was.Policy // what it has counted so far was counted under it
	edit.Replace(mv)
	s.tx.stop(mv.ID)
	s.tx.still = append(s.tx.still, func(txn state.Txn) error { return s.srv.takeOver(r, txn) })
	s.notice(r.kept())
	return nil
}

// unread refuses to change a view that another continuous query reads: what that has counted came from the old one.
func unread(edit *catalog.Edit, was *catalog.MaterializedView) error {
	user := continuousUser(edit.Snapshot, was.ID)
	if user == nil {
		return nil
	}
	return sqlerr.Newf(sqlerr.DependentObjects, "cannot replace materialized view %q because materialized view %q depends on it", was.Name, user.Name).
		WithDetail("What the other one has counted so far came from the old query.").
		WithHint("Drop the other one first and create it again afterwards.")
}

// sameForUsers refuses to take columns away that views and the like read.
func sameForUsers(edit *catalog.Edit, was, mv *catalog.MaterializedView) error {
	users := edit.Users(was.ID)
	if len(users) == 0 {
		return nil
	}
	err := sameColumns(was.Columns, mv.Columns)
	if err == nil {
		return nil
	}
	return sqlerr.From(err).WithDetail("%s %s depends on it.", edit.ByID(users[0]).Head().Kind, edit.ByID(users[0]).Head().Name)
}

// takeOver lets the new query go on with the old one's state: its position is marked so that all open groups are put out once more,
// and the rows of the result get the new columns. The query stands still.
func (s *Server) takeOver(r *replacement, txn state.Txn) error {
	mv := r.fresh.view
	if err := stream.Adopt(s.store, txn, mv.ID, r.fresh.plan); err != nil || !r.reshapes() {
		return err
	}
	s.results.Reshaped(txn, mv.ID)
	return exec.Reshape(s.store, txn, mv.ID, columnTypes(mv.Columns), r.columns, mv.Key)
}

func columnTypes(cols []catalog.Column) []types.Type {
	out := make([]types.Type, len(cols))
	for i, c := range cols {
		out[i] = c.Type
	}
	return out
}

// kept tells that the state was kept, and what that means for the rows that are there.
func (r *replacement) kept() *sqlerr.Error {
	n := sqlerr.Newf(sqlerr.SuccessfulCompletion, "the state of materialized view %q is kept: the query goes on where it is", r.was.Name)
	n.Severity = sqlerr.SevNotice
	n.Detail = strings.Join(r.resultText(), " ")
	return n
}

// resultText tells what becomes of the rows of the result, in sentences.
func (r *replacement) resultText() []string {
	out := []string{"Rows that were put out stay as they are."}
	if r.fresh.view.Mode != catalog.Append && slices.ContainsFunc(r.parts, func(p partChange) bool { return strings.Contains(p.title, "Aggregate") }) {
		out[0] = "Rows that are final stay as they were put out; what is open is put out again by the new query."
	}
	for i, j := range r.columns {
		c := r.fresh.view.Columns[i]
		switch {
		case j < 0:
			out = append(out, fmt.Sprintf("Column %s is new: NULL in the rows that stay.", c.Name))
		case r.was.Columns[j].Name != c.Name:
			out = append(out, fmt.Sprintf("Column %s was called %s.", c.Name, r.was.Columns[j].Name))
		}
	}
	for j, c := range r.was.Columns {
		if !slices.Contains(r.columns, j) {
			out = append(out, fmt.Sprintf("Column %s is gone.", c.Name))
		}
	}
	return out
}

// startView lets the query of a new or changed view run once the transaction is durable.
func (s *Session) startView(mv *catalog.MaterializedView) {
	id := mv.ID
	s.tx.after = append(s.tx.after, func(ctx context.Context) {
		if err := s.srv.queries.startOne(ctx, id); err != nil {
			s.notice(notRunning(err))
		} else if len(mv.Key) == 0 && mv.Mode != catalog.Append {
			s.srv.queries.awaitFirst(ctx, id)
		}
	})
}
