package server

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"wmsql/catalog"
	"wmsql/exec"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/types"
)

// createIndex runs CREATE INDEX: a way to a table's rows by other columns than its key, kept with every change of them.
func (s *Session) createIndex(ctx context.Context, n *sql.CreateIndex) error {
	if n.Concurrently {
		if err := s.needNoBlock(ctx, "CREATE INDEX CONCURRENTLY"); err != nil {
			return err
		}
	}
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	t, err := s.indexedTable(edit, n.Table)
	if err != nil {
		return err
	}
	if m := n.Method.Name; m != "" && m != "btree" {
		return wrongMethod(n.Method)
	}
	x := &catalog.Index{Object: catalog.Object{Kind: catalog.KindIndex, Schema: t.Schema, Name: n.Name.Name, Depends: []catalog.ID{t.ID}}, Table: t.ID, Unique: n.Unique}
	for _, c := range n.Columns {
		col, err := indexColumn(t, c)
		if err != nil {
			return err
		}
		x.Columns = append(x.Columns, col)
	}
	taken := s.relationNames(edit, t.Schema)
	switch {
	case x.Name == "":
		x.Name = freeIndexName(taken, t, x)
	case taken[x.Name] && n.IfNotExists:
		s.noticef(sqlerr.SevNotice, sqlerr.DuplicateTable, "relation %q already exists, skipping", x.Name)
		return nil
	case taken[x.Name]:
		return sqlerr.Newf(sqlerr.DuplicateTable, "relation %q already exists", x.Name)
	}
	if err := edit.Create(x); err != nil {
		return err
	}
	return s.buildIndex(ctx, edit, t, x, s.tx.freezes) // a frozen transaction would not see entries that are stored now
}

// buildIndex writes the entries of an index, at once or in parts, and tells readers of it.
func (s *Session) buildIndex(ctx context.Context, edit *catalog.Edit, t *catalog.Table, x *catalog.Index, atOnce bool) error {
	tx := s.tx
	r := tx.pending.reader(s.srv.store)
	flush := func(int) error { return nil }
	to := exec.IndexBuild{Into: tx.pending, Fresh: r}
	if !atOnce {
		part := newParts(s.srv.store)
		flush, to = part.flush, exec.IndexBuild{Into: part, Fresh: part.reader()}
		tx.undo = append(tx.undo, func() {
			s.srv.discard(func(txn state.Txn) { _ = exec.ForgetIndex(s.srv.store, txn, t.ID, x.ID) }) // else the next start does it
		})
	}
	to.Flush = func() error { return flush(partMax) }
	err := exec.BuildIndex(ctx, r, to, t, x, schemaOf(t.Columns))
	if err == nil {
		err = flush(0)
	}
	if err != nil {
		return err
	}
	return exec.SetIndexes(r, tx.pending, t, edit.Indexes(t.ID))
}

// indexedTable finds the table that an index is to be made of.
func (s *Session) indexedTable(edit *catalog.Edit, name sql.Name) (*catalog.Table, error) {
	e, err := edit.Lookup(name.Parts, s.path())
	if err != nil {
		return nil, sqlerr.From(err).At(int(name.Pos))
	}
	switch e := e.(type) {
	case *catalog.Table:
		return e, nil
	case *catalog.MaterializedView:
		return nil, sqlerr.Unsupported("an index of a materialized view").WithHint("Its rows are found by the key of its result: EXPLAIN shows it.").At(int(name.Pos))
	}
	kinds := map[catalog.Kind]string{catalog.KindIndex: "indexes", catalog.KindSequence: "sequences", catalog.KindView: "views", catalog.KindStream: "streams"}
	return nil, sqlerr.Newf(sqlerr.WrongObjectType, "cannot create index on relation %q", e.Head().Name).
		WithDetail("This operation is not supported for %s.", kinds[e.Head().Kind])
}

// wrongMethod refuses an access method that is not btree.
func wrongMethod(m sql.Ident) error {
	if slices.Contains([]string{"hash", "gin", "gist", "spgist", "brin"}, m.Name) {
		return sqlerr.Unsupported("access method %s", m.Name).WithHint("Indexes are btree.").At(int(m.Pos))
	}
	return sqlerr.Newf(sqlerr.UndefinedObject, "access method %q does not exist", m.Name)
}

func indexColumn(t *catalog.Table, c sql.IndexColumn) (catalog.IndexColumn, error) {
	at := slices.IndexFunc(t.Columns, func(x catalog.Column) bool { return x.Name == c.Name.Name })
	if at < 0 {
		return catalog.IndexColumn{}, sqlerr.Newf(sqlerr.UndefinedColumn, "column %q does not exist", c.Name.Name)
	}
	out := catalog.IndexColumn{Column: at, Desc: c.Desc, NullsFirst: c.NullsFirst}
	typ := t.Columns[at].Type
	usual := opclass(typ)
	if usual == 0 {
		return out, sqlerr.Newf(sqlerr.UndefinedObject, "data type %s has no default operator class for access method \"btree\"", plainType(typ)).
			WithHint("You must specify an operator class for the index or define a default operator class for the data type.")
	}
	if c.Class == "" {
		return out, nil
	}
	class, of, ok := opclassNamed(c.Class)
	text := typ.Kind == types.Text || typ.Kind == types.Varchar
	switch {
	case !ok:
		return out, sqlerr.Newf(sqlerr.UndefinedObject, "operator class %q does not exist for access method \"btree\"", c.Class)
	case class == usual:
	case of == int64(typ.OID()), text && of == int64(types.Text.Info().OID) && !typ.Array:
		out.Class = c.Class
	default:
		return out, sqlerr.Newf(sqlerr.DatatypeMismatch, "operator class %q does not accept data type %s", c.Class, plainType(typ))
	}
	return out, nil
}

// plainType is a type's name without modifiers.
func plainType(t types.Type) string {
	t.Mod = types.NoMod
	return t.String()
}

// relationNames are the names in a schema that an index may not have: those of relations, indexes and keys.
func (s *Session) relationNames(edit *catalog.Edit, schema string) map[string]bool {
	out := map[string]bool{}
	for e := range edit.All() {
		h := e.Head()
		if h.Schema != schema || h.Kind == catalog.KindFunction || h.Kind == catalog.KindSchema {
			continue
		}
		out[h.Name] = true
		for _, k := range keysOf(e) {
			out[k.name] = true
		}
	}
	return out
}

// freeIndexName is the name Postgres gives to a nameless index.
func freeIndexName(taken map[string]bool, t *catalog.Table, x *catalog.Index) string {
	words := []string{t.Name}
	for _, c := range x.Columns {
		if name := t.Columns[c.Column].Name; !slices.Contains(words[1:], name) {
			words = append(words, name)
		}
	}
	base := strings.Join(append(words, "idx"), "_")
	name := base
	for n := 1; taken[name]; n++ {
		name = base + strconv.Itoa(n)
	}
	return name
}

// reindex runs REINDEX: it writes the entries of indexes anew.
func (s *Session) reindex(ctx context.Context, n *sql.Reindex) error {
	if n.Concurrently {
		if err := s.needNoBlock(ctx, "REINDEX CONCURRENTLY"); err != nil {
			return err
		}
	}
	edit, err := s.tx.catalog(ctx)
	if err != nil {
		return err
	}
	which, err := s.reindexed(edit, n)
	if err != nil {
		return err
	}
	for e := range edit.All() {
		x, ok := e.(*catalog.Index)
		if !ok || !which(x) {
			continue
		}
		if err := s.buildIndex(ctx, edit, edit.ByID(x.Table).(*catalog.Table), x, true); err != nil { // others read it
			return err
		}
	}
	return nil
}

// reindexed tells which indexes REINDEX means.
func (s *Session) reindexed(edit *catalog.Edit, n *sql.Reindex) (func(*catalog.Index) bool, error) {
	last := n.Name.Parts[len(n.Name.Parts)-1]
	switch n.Kind {
	case "schema":
		if edit.Schema(last) == nil {
			return nil, sqlerr.Newf(sqlerr.InvalidSchemaName, "schema %q does not exist", last)
		}
		return func(x *catalog.Index) bool { return x.Schema == last }, nil
	case "database", "system":
		if last != catalog.Database {
			return nil, sqlerr.Newf(sqlerr.FeatureNotSupported, "can only reindex the currently open database")
		}
		return func(*catalog.Index) bool { return true }, nil
	}
	e, err := edit.Lookup(n.Name.Parts, s.path())
	if err != nil {
		return nil, err
	}
	id, kind := e.Head().ID, e.Head().Kind
	switch {
	case n.Kind == "index" && kind != catalog.KindIndex:
		return nil, sqlerr.Newf(sqlerr.WrongObjectType, "%q is not an index", last)
	case n.Kind == "table" && kind != catalog.KindTable:
		return nil, sqlerr.Newf(sqlerr.WrongObjectType, "%q is not a table or materialized view", last)
	}
	return func(x *catalog.Index) bool { return x.ID == id || x.Table == id }, nil
}

// dropIndex removes the entries of an index, unless they go with its table.
func (t *tx) dropIndex(x *catalog.Index) error {
	table, ok := t.snapshot().ByID(x.Table).(*catalog.Table)
	if !ok {
		return nil
	}
	r := t.pending.reader(t.srv.store)
	if err := exec.ForgetIndex(r, t.pending, x.Table, x.ID); err != nil {
		return err
	}
	return exec.SetIndexes(r, t.pending, table, t.snapshot().Indexes(x.Table))
}

// keyNamed finds the key of a table that a written name means, nil if there is none.
func (s *Session) keyNamed(snap *catalog.Snapshot, parts []string) (catalog.Entry, *pgIndex) {
	schema, rel, err := catalog.Locate(parts, s.path())
	if err != nil {
		return nil, nil
	}
	for e := range snap.All() {
		if h := e.Head(); h.Kind != catalog.KindTable || schema != "" && h.Schema != schema || schema == "" && !slices.Contains(s.path(), h.Schema) {
			continue
		}
		for _, ix := range keysOf(e) {
			if ix.name == rel {
				return e, &ix
			}
		}
	}
	return nil, nil
}
