package server

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/types"
)

// pgRows says which relations of pg_catalog have rows here, and which. Of those that are not named, nothing of the kind exists here.
func pgRows() map[string]contents {
	const uncounted = "names; nothing is counted, so the other columns are NULL"
	const asWritten = "expressions are as they were written, without the casts that Postgres adds"
	return map[string]contents{
		"pg_aggregate": partly(pgAggregate, "without the functions that an aggregate is made of"), "pg_am": partly(pgAm, "heap and btree"), "pg_amop": partly(fixedRows(pgAmopRows), "btree"),
		"pg_attrdef": partly(pgAttrdef, asWritten), "pg_attribute": full(pgAttribute),
		"pg_authid": partly(pgAuthid, "without rolpassword; who connects as no role is the superuser"), "pg_cast": full(fixedRows(pgCastRows)), "pg_class": partly(pgClass, "relpages and reltuples are not kept"),
		"pg_collation": partly(pgCollation, "default, C, POSIX, and those of ICU"), "pg_constraint": full(pgConstraint),
		"pg_cursors": partly(pgCursors, "without the portals of the protocol"), "pg_database": full(pgDatabase),
		"pg_depend": partly(pgDepend, "of a view, the relations it reads and not their columns"), "pg_description": full(pgDescription),
		"pg_foreign_data_wrapper": full(pgForeignDataWrapper), "pg_foreign_server": full(pgForeignServer), "pg_foreign_table": full(pgForeignTable),
		"pg_index": full(pgIndexRows), "pg_indexes": full(pgIndexes), "pg_language": full(pgLanguage), "pg_locks": partly(pgLocks, "advisory locks; rows and tables are not locked"), "pg_matviews": full(pgMatviews), "pg_namespace": full(pgNamespace),
		"pg_opclass": partly(fixedRows(pgOpclassRows), "btree"), "pg_operator": partly(pgOperator, "the operators that there are here"), "pg_opfamily": partly(fixedRows(pgOpfamilyRows), "btree"),
		"pg_prepared_statements": partly(pgPreparedStatements, "without the counts of plans"), "pg_proc": partly(pgProc, "the functions that there are here"),
		"pg_rewrite": partly(pgRewrite, "without ev_action"), "pg_roles": partly(pgRoles, "who connects as no role is the superuser"),
		"pg_sequence": full(pgSequence), "pg_sequences": full(pgSequencesView), "pg_settings": full(pgSettings), "pg_shadow": partly(pgShadow, "without passwd; who connects as no role is the superuser"),
		"pg_stat_activity":    partly(pgStatActivity, "sessions of clients; continuous queries are in wm_catalog.queries"),
		"pg_stat_all_indexes": partly(pgStatIndexes, uncounted), "pg_stat_all_tables": partly(pgStatTables(true, true), uncounted),
		"pg_stat_database": partly(pgStatDatabase, uncounted), "pg_stat_gssapi": full(pgStatGSSAPI), "pg_stat_ssl": partly(pgStatSSL, "pid and ssl"),
		"pg_stat_sys_tables": partly(pgStatTables(false, true), uncounted), "pg_stat_user_indexes": partly(pgStatIndexes, uncounted),
		"pg_stat_user_tables": partly(pgStatTables(true, false), uncounted), "pg_statio_all_indexes": partly(pgStatIndexes, uncounted),
		"pg_statio_all_sequences": partly(pgStatioSequences, uncounted), "pg_statio_all_tables": partly(pgStatTables(true, true), uncounted),
		"pg_statio_sys_tables": partly(pgStatTables(false, true), uncounted), "pg_statio_user_indexes": partly(pgStatIndexes, uncounted),
		"pg_statio_user_sequences": partly(pgStatioSequences, uncounted), "pg_statio_user_tables": partly(pgStatTables(true, false), uncounted),
		"pg_tables": full(pgTablesView), "pg_tablespace": full(pgTablespace), "pg_timezone_names": full(pgTimezoneNames),
		"pg_type": partly(fixedRows(pgTypeRows), "the types that there are here, and the pseudo-types that tools ask for"), "pg_user": partly(pgUser, "who connects as no role is the superuser"),
		"pg_views": full(pgViews),
	}
}

func pgClass(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		h := e.Head()
		keys := s.indexesOf(e)
		out.put("oid", h.ID, "relname", h.Name, "relnamespace", s.schemaOID(h.Schema), "relowner", oidSuperuser, "relam", amOf(e), "relkind", relkind(e),
			"relpersistence", persistence(h), "relnatts", width(e), "relhasindex", len(keys) > 0, "relreplident", "d", "relispopulated", true,
			"reltuples", -1.0, "relhasrules", e.Head().Kind == catalog.KindView, "relchecks", checksOf(e), "relacl", nil)
		for _, ix := range keys {
			out.put("oid", ix.oid, "relname", ix.name, "relnamespace", s.schemaOID(h.Schema), "relowner", oidSuperuser, "relam", oidBtree, "relkind", "i",
				"relpersistence", persistence(h), "relnatts", len(ix.cols), "relreplident", "n", "relispopulated", true)
		}
	})
	for _, v := range s.virtualByID() {
		out.put("oid", v.id, "relname", v.name, "relnamespace", s.schemaOID(v.schema), "relowner", oidSuperuser, "relkind", v.relkind(),
			"relpersistence", "p", "relnatts", len(v.columns), "relreplident", "n", "relispopulated", true, "reltuples", -1.0)
	}
	return nil
}

// width is how many columns a relation ever had.
func width(e catalog.Entry) int {
	if t, ok := e.(*catalog.Table); ok {
		return t.Width()
	}
	if _, ok := e.(*catalog.Sequence); ok {
		return len(sequenceColumns())
	}
	return len(catalog.Columns(e))
}

// persistence is p for what lasts, t for what is temporary.
func persistence(o *catalog.Object) string {
	if o.Temporary() {
		return "t"
	}
	return "p"
}

func amOf(e catalog.Entry) int {
	if k := e.Head().Kind; k == catalog.KindTable || k == catalog.KindMaterializedView {
		return oidHeap
	}
	return 0
}

func checksOf(e catalog.Entry) int {
	if t, ok := e.(*catalog.Table); ok {
		return len(t.Checks)
	}
	return 0
}

// relkind of a virtual table is Postgres's own; wm_catalog's are views.
func (t *virtualTable) relkind() string {
	if t.kind == "" {
		return "v"
	}
	return t.kind
}

// virtualByID lists the virtual tables in the order of their oids.
func (s *Session) virtualByID() []*virtualTable {
	out := make([]*virtualTable, 0, len(s.srv.virtual))
	for _, v := range s.srv.virtual {
		out = append(out, v)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].id < out[j].id })
	return out
}

func pgAttribute(_ context.Context, s *Session, out *rowSet) error {
	put := func(rel catalog.ID, num int, name string, t types.Type, notNull, def bool, identity, generated string, missing any) {
		out.put("attrelid", rel, "attname", name, "atttypid", t.OID(), "attlen", typeLen(t), "attnum", num, "atthasmissing", missing != nil, "attmissingval", missing, "attcacheoff", -1, "atttypmod", int64(t.Mod),
			"attndims", dims(t), "attbyval", typeLen(t) > 0 && typeLen(t) <= 8, "attstorage", storage(t), "attalign", align(t), "attcompression", "", "attnotnull", notNull, "atthasdef", def,
			"attidentity", identity, "attgenerated", generated, "attislocal", true, "attstattarget", -1, "attcollation", collation(t))
	}
	s.relations(func(e catalog.Entry) {
		cols := catalog.Columns(e)
		key := primaryKey(e)
		for i, c := range cols {
			generated := ""
			if c.Generated != "" {
				generated = "s"
			}
			put(e.Head().ID, catalog.Number(cols, i), c.Name, c.Type, c.NotNull || slices.Contains(key, i), c.Identity == "" && c.Default != "" || c.Generated != "",
				identityLetter[c.Identity], generated, missingValue(c))
		}
		if seq, ok := e.(*catalog.Sequence); ok {
			for i, f := range sequenceColumns() {
				put(seq.ID, i+1, f.Name, f.Type, f.NotNull, false, "", "", nil)
			}
		}
		if t, ok := e.(*catalog.Table); ok {
			for _, d := range t.Dropped {
				out.put("attrelid", t.ID, "attname", fmt.Sprintf("........pg.dropped.%d........", d.Number), "atttypid", 0, "attlen", typeLen(d.Type), "attnum", d.Number,
					"attisdropped", true, "attcacheoff", -1, "atttypmod", int64(d.Type.Mod), "attbyval", typeLen(d.Type) > 0 && typeLen(d.Type) <= 8,
					"attstorage", storage(d.Type), "attalign", align(d.Type), "attcompression", "", "attislocal", true, "attstattarget", 0, "attcollation", 0)
			}
		}
		for _, ix := range s.indexesOf(e) {
			for n, c := range ix.cols {
				put(ix.oid, n+1, cols[c].Name, cols[c].Type, false, false, "", "", nil)
			}
		}
	})
	for _, v := range s.virtualByID() {
		for i, f := range v.columns {
			put(v.id, i+1, f.Name, f.Type, f.NotNull, false, "", "", nil)
		}
	}
	return nil
}

// missingValue is attmissingval: what rows that are older than the column have for it, as the text of an array.
func missingValue(c catalog.Column) any {
	if c.Missing == nil {
		return nil
	}
	one := column.NewBuilder(types.ArrayOf(types.Text), 1)
	one.AppendDatum([]any{*c.Missing})
	return string(column.AppendText(nil, one.View(), 0, types.UTC))
}

// identityLetter is attidentity.
var identityLetter = map[string]string{"always": "a", "by default": "d"}

func dims(t types.Type) int {
	if t.Array {
		return 1
	}
	return 0
}

func primaryKey(e catalog.Entry) []int {
	if t, ok := e.(*catalog.Table); ok {
		return t.PrimaryKey
	}
	return nil
}

func pgAttrdef(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		for i, c := range catalog.Columns(e) {
			if text := s.shownDefault(c.Default) + c.Generated; text != "" && c.Identity == "" {
				out.put("oid", defaultOID(e.Head().ID, i), "adrelid", e.Head().ID, "adnum", catalog.Number(catalog.Columns(e), i), "adbin", text)
			}
		}
	})
	return nil
}

func pgIndexRows(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		cols := catalog.Columns(e)
		for _, ix := range s.indexesOf(e) {
			n := len(ix.cols)
			key, options, classes, collations := make([]int, n), make([]int, n), make([]int64, n), make([]int64, n)
			for i, c := range ix.cols {
				key[i], classes[i], collations[i] = catalog.Number(cols, c), opclass(cols[c].Type), collation(cols[c].Type)
				if ix.order != nil {
					options[i] = indoption(ix.order[i])
					classes[i] = orNamedClass(ix.order[i].Class, classes[i])
				}
			}
			out.put("indexrelid", ix.oid, "indrelid", ix.rel, "indnatts", len(key), "indnkeyatts", len(key), "indisunique", ix.unique, "indisprimary", ix.primary,
				"indimmediate", true, "indisvalid", true, "indisready", true, "indislive", true, "indkey", key, "indcollation", collations, "indclass", classes, "indoption", options)
		}
	})
	return nil
}

// indoption is Postgres's flags of a column of an index: 1 descending, 2 NULLs first.
func indoption(c catalog.IndexColumn) int {
	n := 0
	if c.Desc {
		n = 1
	}
	if c.NullsFirst {
		n |= 2
	}
	return n
}

func pgNamespace(_ context.Context, s *Session, out *rowSet) error {
	for e := range s.snapshot().All() {
		if h := e.Head(); h.Kind == catalog.KindSchema {
			out.put("oid", h.ID, "nspname", h.Name, "nspowner", oidSuperuser)
		}
	}
	return nil
}

func pgDescription(_ context.Context, s *Session, out *rowSet) error {
	for e := range s.snapshot().All() {
		h := e.Head()
		class := 1259
		switch h.Kind {
		case catalog.KindSchema:
			class = 2615
		case catalog.KindFunction:
			class = 1255
		}
		if h.Comment != "" {
			out.put("objoid", h.ID, "classoid", class, "objsubid", 0, "description", h.Comment)
		}
		for i, c := range catalog.Columns(e) {
			if c.Comment != "" {
				out.put("objoid", h.ID, "classoid", class, "objsubid", catalog.Number(catalog.Columns(e), i), "description", c.Comment)
			}
		}
	}
	return nil
}
