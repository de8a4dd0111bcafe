package server

import (
	"context"
	"slices"
	"sort"

	"wmsql/catalog"
	"wmsql/types"
)

// pgRows says which relations of pg_catalog have rows here, and which.
func pgRows() map[string]rowsFunc {
	return map[string]rowsFunc{
		"pg_am": pgAm, "pg_attrdef": pgAttrdef, "pg_attribute": pgAttribute, "pg_cast": fixedRows(pgCastRows), "pg_class": pgClass,
		"pg_collation": pgCollation, "pg_constraint": pgConstraint, "pg_cursors": pgCursors, "pg_database": pgDatabase, "pg_description": pgDescription,
		"pg_foreign_data_wrapper": pgForeignDataWrapper, "pg_foreign_server": pgForeignServer, "pg_foreign_table": pgForeignTable,
		"pg_index": pgIndexRows, "pg_indexes": pgIndexes, "pg_language": pgLanguage, "pg_matviews": pgMatviews, "pg_namespace": pgNamespace,
		"pg_opclass": pgOpclass, "pg_operator": pgOperator, "pg_prepared_statements": pgPreparedStatements, "pg_proc": pgProc, "pg_roles": pgRoles,
		"pg_sequence": pgSequence, "pg_sequences": pgSequencesView, "pg_settings": pgSettings, "pg_tables": pgTablesView, "pg_tablespace": pgTablespace, "pg_timezone_names": pgTimezoneNames,
		"pg_type": fixedRows(pgTypeRows), "pg_user": pgUser, "pg_views": pgViews,
	}
}

func pgClass(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		h := e.Head()
		keys := indexesOf(e)
		out.put("oid", h.ID, "relname", h.Name, "relnamespace", s.schemaOID(h.Schema), "relowner", oidSuperuser, "relam", amOf(e), "relkind", relkind(e),
			"relpersistence", "p", "relnatts", len(catalog.Columns(e)), "relhasindex", len(keys) > 0, "relreplident", "d", "relispopulated", true,
			"reltuples", -1.0, "relhasrules", e.Head().Kind == catalog.KindView, "relchecks", checksOf(e), "relacl", nil)
		for _, ix := range keys {
			out.put("oid", ix.oid, "relname", ix.name, "relnamespace", s.schemaOID(h.Schema), "relowner", oidSuperuser, "relam", oidBtree, "relkind", "i",
				"relpersistence", "p", "relnatts", len(ix.cols), "relreplident", "n", "relispopulated", true)
		}
	})
	for _, v := range s.virtualByID() {
		out.put("oid", v.id, "relname", v.name, "relnamespace", s.schemaOID(v.schema), "relowner", oidSuperuser, "relkind", v.relkind(),
			"relpersistence", "p", "relnatts", len(v.columns), "relreplident", "n", "relispopulated", true, "reltuples", -1.0)
	}
	return nil
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
	put := func(rel catalog.ID, num int, name string, t types.Type, notNull, def bool, identity, generated string) {
		out.put("attrelid", rel, "attname", name, "atttypid", t.OID(), "attlen", typeLen(t), "attnum", num+1, "attcacheoff", -1, "atttypmod", int64(t.Mod),
			"attndims", dims(t), "attbyval", typeLen(t) > 0 && typeLen(t) <= 8, "attstorage", storage(t), "attalign", "i", "attcompression", "", "attnotnull", notNull, "atthasdef", def,
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
			put(e.Head().ID, i, c.Name, c.Type, c.NotNull || slices.Contains(key, i), c.Identity == "" && c.Default != "" || c.Generated != "", identityLetter[c.Identity], generated)
		}
		for _, ix := range indexesOf(e) {
			for n, c := range ix.cols {
				put(ix.oid, n, cols[c].Name, cols[c].Type, false, false, "", "")
			}
		}
	})
	for _, v := range s.virtualByID() {
		for i, f := range v.columns {
			put(v.id, i, f.Name, f.Type, f.NotNull, false, "", "")
		}
	}
	return nil
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
			if text := c.Default + c.Generated; text != "" && c.Identity == "" {
				out.put("oid", defaultOID(e.Head().ID, i), "adrelid", e.Head().ID, "adnum", i+1, "adbin", text)
			}
		}
	})
	return nil
}

func pgIndexRows(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		for _, ix := range indexesOf(e) {
			key, zero := make([]int, len(ix.cols)), make([]int, len(ix.cols))
			for i, c := range ix.cols {
				key[i] = c + 1
			}
			out.put("indexrelid", ix.oid, "indrelid", ix.rel, "indnatts", len(key), "indnkeyatts", len(key), "indisunique", true, "indisprimary", ix.primary,
				"indimmediate", true, "indisvalid", true, "indisready", true, "indislive", true, "indkey", key, "indcollation", zero, "indclass", zero, "indoption", zero)
		}
	})
	return nil
}

func pgConstraint(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		t, ok := e.(*catalog.Table)
		if !ok {
			return
		}
		for _, ix := range indexesOf(t) {
			kind := "u"
			if ix.primary {
				kind = "p"
			}
			key := make([]int, len(ix.cols))
			for i, c := range ix.cols {
				key[i] = c + 1
			}
			out.put("oid", ix.con, "conname", ix.name, "connamespace", s.schemaOID(t.Schema), "contype", kind, "convalidated", true, "conrelid", t.ID,
				"conindid", ix.oid, "conkey", key, "conislocal", true, "connoinherit", true, "confupdtype", "", "confdeltype", "", "confmatchtype", "")
		}
		for i, c := range t.Checks {
			out.put("oid", constraintOID(t.ID, 8+i), "conname", c.Name, "connamespace", s.schemaOID(t.Schema), "contype", "c", "convalidated", true,
				"conrelid", t.ID, "conislocal", true, "confupdtype", "", "confdeltype", "", "confmatchtype", "")
		}
	})
	return nil
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
				out.put("objoid", h.ID, "classoid", class, "objsubid", i+1, "description", c.Comment)
			}
		}
	}
	return nil
}
