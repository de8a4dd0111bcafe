package server

import (
	"context"
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/state"
)

// drop runs DROP kind names.
func (s *Session) drop(ctx context.Context, n *sql.Drop) error {
	if n.Concurrently {
		if len(n.Names) > 1 {
			return sqlerr.Newf(sqlerr.FeatureNotSupported, "DROP INDEX CONCURRENTLY does not support dropping multiple objects")
		}
		if err := s.needNoBlock(ctx, "DROP INDEX CONCURRENTLY"); err != nil {
			return err
		}
	}
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	var targets []catalog.Entry
	for _, name := range n.Names {
		e, err := s.dropTarget(edit, n, name)
		if err != nil {
			return err
		}
		if e != nil {
			targets = append(targets, e)
		}
	}
	if len(targets) == 0 {
		return nil
	}
	if targets, err = s.withSequences(edit, targets, n.Cascade); err != nil {
		return err
	}
	gone, notice, err := edit.Drop(targets, n.Cascade, s.path())
	if err != nil {
		return err
	}
	s.notice(notice)
	return s.tx.forgetAll(gone)
}

// forgetAll deletes what is kept of objects that were dropped from the catalog.
func (t *tx) forgetAll(gone []catalog.Entry) error {
	for _, e := range gone {
		id := e.Head().ID
		switch e.Head().Kind {
		case catalog.KindMaterializedView:
			t.stop(id)
			t.after = append(t.after, func(context.Context) { t.srv.results.Drop(id) })
		case catalog.KindIndex:
			if err := t.dropIndex(e.(*catalog.Index)); err != nil {
				return err
			}
		case catalog.KindSequence:
			t.pending.Delete(state.Meta, uint32(id), sequenceKey)
			t.after = append(t.after, func(context.Context) { t.srv.sequences.Drop(id) })
		}
		t.forget(e)
	}
	return nil
}

// withSequences adds the sequences that the targets' columns own. A sequence whose column stays is not dropped without CASCADE, which takes
// the column's default away.
func (s *Session) withSequences(edit *catalog.Edit, targets []catalog.Entry, cascade bool) ([]catalog.Entry, error) {
	out := slices.Clone(targets)
	has := func(id catalog.ID) bool {
		return slices.ContainsFunc(out, func(e catalog.Entry) bool { return e.Head().ID == id })
	}
	for e := range edit.All() {
		q, ok := e.(*catalog.Sequence)
		if ok && q.Table != 0 && has(q.Table) && !has(q.ID) {
			out = append(out, q)
		}
	}
	for _, e := range targets {
		q, ok := e.(*catalog.Sequence)
		if !ok || q.Table == 0 || has(q.Table) {
			continue
		}
		t, ok := edit.ByID(q.Table).(*catalog.Table)
		switch {
		case !ok || t.Columns[q.Column].Default == "":
		case t.Columns[q.Column].Identity != "":
			return nil, sqlerr.Newf(sqlerr.DependentObjects, "cannot drop %s because column %s of %s requires it", edit.Describe(q, s.path()), t.Columns[q.Column].Name, edit.Describe(t, s.path())).
				WithHint("You can drop column %s of %s instead.", t.Columns[q.Column].Name, edit.Describe(t, s.path()))
		case !cascade:
			wrong := sqlerr.Newf(sqlerr.DependentObjects, "cannot drop %s because other objects depend on it", edit.Describe(q, s.path()))
			wrong.Detail = "default value for column " + t.Columns[q.Column].Name + " of " + edit.Describe(t, s.path()) + " depends on " + edit.Describe(q, s.path())
			return nil, wrong.WithHint("Use DROP ... CASCADE to drop the dependent objects too.")
		default:
			s.noticef(sqlerr.SevNotice, sqlerr.SuccessfulCompletion, "drop cascades to default value for column %s of %s", t.Columns[q.Column].Name, edit.Describe(t, s.path()))
			catalog.Change(edit, t, func(c *catalog.Table) {
				c.Columns = slices.Clone(c.Columns)
				c.Columns[q.Column].Default = ""
			})
		}
	}
	return out, nil
}

// dropTarget finds what a DROP names; nil when it is not there and IF EXISTS was said.
func (s *Session) dropTarget(edit *catalog.Edit, n *sql.Drop, name sql.Name) (catalog.Entry, error) {
	written := strings.Join(name.Parts, ".")
	missing := func(code sqlerr.Code) (catalog.Entry, error) {
		if n.IfExists {
			s.noticef(sqlerr.SevNotice, sqlerr.SuccessfulCompletion, "%s %q does not exist, skipping", n.Kind, written)
			return nil, nil
		}
		return nil, sqlerr.Newf(code, "%s %q does not exist", n.Kind, written)
	}
	if n.Kind == "schema" {
		if sc := edit.Schema(written); sc != nil {
			return sc, nil
		}
		return missing(sqlerr.InvalidSchemaName)
	}
	if n.Kind == "function" {
		if f := edit.FindFunction(name.Parts, s.path()); f != nil {
			return f, nil
		}
		if !n.IfExists {
			_, err := s.findFunction(edit.Snapshot, name)
			return nil, err
		}
		return missing(sqlerr.UndefinedFunction)
	}
	e, err := edit.Lookup(name.Parts, s.path())
	if err != nil && n.Kind == "index" {
		if t, ix := s.keyNamed(edit.Snapshot, name.Parts); ix != nil {
			return nil, sqlerr.Newf(sqlerr.DependentObjects, "cannot drop index %s because constraint %s on %s requires it", catalog.QuoteIdent(ix.name), catalog.QuoteIdent(ix.name), edit.Describe(t, s.path())).
				WithHint("You can drop constraint %s on %s instead.", catalog.QuoteIdent(ix.name), edit.Describe(t, s.path()))
		}
		return missing(sqlerr.UndefinedObject)
	}
	if err != nil {
		return missing(sqlerr.UndefinedTable)
	}
	if kind := e.Head().Kind.String(); kind != n.Kind {
		return nil, sqlerr.Newf(sqlerr.WrongObjectType, "%q is not %s", e.Head().Name, article(n.Kind)).
			WithHint("Use DROP %s to remove %s.", upper(kind), article(kind))
	}
	return e, nil
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// forget deletes what the store keeps of an object.
func (t *tx) forget(e catalog.Entry) {
	id := uint32(e.Head().ID)
	for _, sp := range []state.Space{state.Offsets, state.Log, state.Operator, state.Result, state.Progress, state.Late, state.Rejected, state.Changes} {
		t.pending.DeleteRange(sp, id, nil, nil)
	}
	if st, ok := e.(*catalog.Stream); ok {
		kept := t.appends[:0]
		for _, a := range t.appends {
			if a.Stream != st.ID {
				kept = append(kept, a)
			}
		}
		t.appends = kept
		if st.Connector == "" && st.Query == "" {
			t.srv.log.Drop(t.pending, st.ID)
		}
	}
}

// truncate empties tables.
func (s *Session) truncate(ctx context.Context, n *sql.Truncate) error {
	if err := s.tx.lock(ctx); err != nil {
		return err
	}
	for _, name := range n.Names {
		t, err := s.target("TRUNCATE", name)
		if err != nil {
			return err
		}
		if t.table == nil {
			return sqlerr.Newf(sqlerr.WrongObjectType, "cannot truncate stream %q", t.stream.Name).
				WithHint("Rows of a stream go by its retention; DROP STREAM removes all.")
		}
		s.tx.pending.DeleteRange(state.Result, uint32(t.id()), nil, nil)
		if n.Restart {
			for _, q := range ownedSequences(s.tx.snapshot(), t.table.ID) {
				s.restartSequence(q, q.Start)
			}
		}
	}
	return nil
}
