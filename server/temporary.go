package server

import (
	"context"
	"strconv"
	"strings"
	"time"

	"wmsql/catalog"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/state"
)

// Temporary tables, views and sequences stand in a schema of their session's, pg_temp_1, pg_temp_2, ..., which goes with all that is in it when
// the session ends. They are stored as others are; a start of the server removes what a crash has left.

// temporarySchema makes the session's own schema if it is not there and returns its name.
func (s *Session) temporarySchema(edit *catalog.Edit) (string, error) {
	if s.temporary == "" {
		s.temporary = catalog.TemporaryPrefix + strconv.FormatInt(s.srv.temporaries.Add(1), 10)
	}
	if edit.Schema(s.temporary) != nil {
		return s.temporary, nil
	}
	sc := &catalog.Schema{Object: catalog.Object{Kind: catalog.KindSchema, Name: s.temporary}}
	sc.SQL = "CREATE SCHEMA " + s.temporary
	return s.temporary, edit.Create(sc)
}

// placeTemporary resolves the name of a relation that is being created temporarily, because temp was said or the name begins with pg_temp.
func (s *Session) placeTemporary(edit *catalog.Edit, name *sql.Name, temp bool) error {
	schema, rel, err := catalog.Split(name.Parts)
	if err != nil {
		return sqlerr.From(err).At(int(name.Pos))
	}
	if schema != "" && schema != catalog.TemporaryAlias && schema != s.temporary {
		if temp {
			return sqlerr.Newf(sqlerr.InvalidTableDefinition, "cannot create temporary relation in non-temporary schema").At(int(name.Pos))
		}
		return nil
	}
	if !temp && schema == "" {
		return nil
	}
	own, err := s.temporarySchema(edit)
	if err != nil {
		return err
	}
	name.Parts = []string{own, rel}
	return nil
}

// noTemporary refuses a lasting definition over what the session takes with it.
func (s *Session) noTemporary(what string, used map[catalog.ID]bool) error {
	for id := range used {
		if e := s.snapshot().ByID(id); e != nil && e.Head().Temporary() {
			return sqlerr.Newf(sqlerr.FeatureNotSupported, "%s must not use temporary tables or views", what)
		}
	}
	return nil
}

// viewOverTemporary makes a view temporary that reads what is.
func (s *Session) viewOverTemporary(edit *catalog.Edit, v *catalog.View) error {
	if v.Temporary() {
		return nil
	}
	for _, id := range v.Depends {
		if e := edit.ByID(id); e != nil && e.Head().Temporary() {
			s.noticef(sqlerr.SevNotice, sqlerr.SuccessfulCompletion, "view %q will be a temporary view", v.Name)
			var err error
			v.Schema, err = s.temporarySchema(edit)
			return err
		}
	}
	return nil
}

// endTemporary does what ON COMMIT says of the session's temporary tables.
func (s *Session) endTemporary(ctx context.Context) error {
	if s.temporary == "" || !s.tx.locked {
		return nil
	}
	var drop []catalog.Entry
	for e := range s.tx.snapshot().All() {
		t, ok := e.(*catalog.Table)
		if !ok || t.Schema != s.temporary {
			continue
		}
		switch t.OnCommit {
		case "drop":
			drop = append(drop, t)
		case "delete rows":
			s.tx.pending.DeleteRange(state.Result, uint32(t.ID), nil, nil)
		}
	}
	if drop == nil {
		return nil
	}
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	if drop, err = s.withSequences(edit, drop, true); err != nil {
		return err
	}
	return s.tx.remove(edit, drop)
}

// remove drops entries with all that depends on them.
func (t *tx) remove(edit *catalog.Edit, targets []catalog.Entry) error {
	gone, _, err := edit.Drop(targets, true, nil)
	if err != nil {
		return err
	}
	return t.forgetAll(gone)
}

// temporaryWait is how long the end of a session waits to become the writer; what it leaves then goes at the next start.
const temporaryWait = 10 * time.Second

// dropTemporary removes the session's temporary relations.
func (s *Session) dropTemporary() error {
	if s.temporary == "" || s.srv.catalog.Current().Schema(s.temporary) == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), temporaryWait)
	defer cancel()
	return s.srv.dropSchemas(ctx, func(name string) bool { return name == s.temporary })
}

// discardTemporary is DISCARD TEMP: it removes them within the present transaction.
func (s *Session) discardTemporary() error {
	sc := s.snapshot().Schema(s.temporary)
	if s.temporary == "" || sc == nil {
		return nil
	}
	s.start()
	edit, err := s.tx.catalog(s.running)
	if err != nil {
		return err
	}
	return s.tx.remove(edit, []catalog.Entry{edit.Schema(s.temporary)})
}

// dropSchemas removes the temporary schemas that which chooses.
func (s *Server) dropSchemas(ctx context.Context, which func(name string) bool) error {
	t := s.begin()
	edit, err := t.catalog(ctx)
	if err != nil {
		return err
	}
	var targets []catalog.Entry
	for e := range edit.All() {
		if sc, ok := e.(*catalog.Schema); ok && strings.HasPrefix(sc.Name, catalog.TemporaryPrefix) && which(sc.Name) {
			targets = append(targets, sc)
		}
	}
	if targets == nil {
		t.rollback()
		return nil
	}
	if err := t.remove(edit, targets); err != nil {
		t.rollback()
		return err
	}
	return t.commit(ctx)
}
