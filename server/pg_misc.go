package server

import (
	"cmp"
	"context"
	"strconv"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/function"
	"wmsql/sqlerr"
	"wmsql/types"
)

func pgAm(_ context.Context, _ *Session, out *rowSet) error {
	out.put("oid", oidHeap, "amname", "heap", "amtype", "t")
	out.put("oid", oidBtree, "amname", "btree", "amtype", "i")
	return nil
}

func pgLanguage(_ context.Context, _ *Session, out *rowSet) error {
	out.put("oid", 12, "lanname", "internal", "lanowner", oidSuperuser)
	out.put("oid", 14, "lanname", "sql", "lanowner", oidSuperuser, "lanpltrusted", true)
	out.put("oid", oidStarlark, "lanname", function.Language, "lanowner", oidSuperuser, "lanispl", true, "lanpltrusted", true)
	return nil
}

// oidStarlark is the language of users' functions: a number below those of users' objects.
const oidStarlark = 16000

// pgCollationRow is a collation as the catalog has it.
type pgCollationRow struct {
	oid      int64
	name     string
	provider string
	locale   any // of ICU's, else nil
}

// pgCollations are the collations there are: three names that mean the order of bytes, and ICU's.
func pgCollations() []pgCollationRow {
	out := []pgCollationRow{{oidDefaultCollation, "default", "d", nil}, {oidCCollation, "C", "c", nil}, {951, "POSIX", "c", nil}}
	for _, c := range types.Collations() {
		out = append(out, pgCollationRow{int64(c.OID()), c.Name(), "i", c.Locale()})
	}
	return out
}

// collationIn reads a regcollation.
func collationIn(_ *Session, args []any) (any, error) {
	text, _ := args[0].(string)
	for _, c := range pgCollations() {
		if c.name == lastPart(text) {
			return c.oid, nil
		}
	}
	return nil, sqlerr.Newf(sqlerr.UndefinedObject, "collation %q for encoding %q does not exist", lastPart(text), "UTF8")
}

func collationOut(_ *Session, args []any) (any, error) {
	for _, c := range pgCollations() {
		if id, _ := args[0].(int64); id == c.oid {
			return catalog.QuoteIdent(c.name), nil
		}
	}
	return nil, nil
}

func pgCollation(_ context.Context, _ *Session, out *rowSet) error {
	for _, c := range pgCollations() {
		var libc, version any
		if c.provider == "i" {
			version = expr.CollationVersion
		} else {
			libc = "C"
		}
		out.put("oid", c.oid, "collname", c.name, "collnamespace", oidPgCatalog, "collowner", oidSuperuser, "collprovider", c.provider,
			"collisdeterministic", true, "collencoding", -1, "collcollate", libc, "collctype", libc, "colliculocale", c.locale, "collversion", version)
	}
	return nil
}

func pgDatabase(_ context.Context, _ *Session, out *rowSet) error {
	out.put("oid", oidDatabase, "datname", catalog.Database, "datdba", oidSuperuser, "encoding", 6, "datlocprovider", "c", "datallowconn", true,
		"datconnlimit", -1, "dattablespace", oidTablespace, "datcollate", "C", "datctype", "C.UTF-8")
	return nil
}

func pgTablespace(_ context.Context, _ *Session, out *rowSet) error {
	out.put("oid", oidTablespace, "spcname", "pg_default", "spcowner", oidSuperuser)
	out.put("oid", oidGlobal, "spcname", "pg_global", "spcowner", oidSuperuser)
	return nil
}

func pgSettings(_ context.Context, s *Session, out *rowSet) error {
	for _, d := range sortedSettings() {
		value, _ := s.vars.show(d.name)
		context, source := "user", "session"
		if d.internal {
			context = "internal"
		}
		if value == d.boot {
			source = "default"
		}
		kv := []any{"name", d.name, "setting", value, "unit", orNull(d.unit), "category", orNull(d.category), "short_desc", orNull(d.doc), "context", context,
			"vartype", string(d.kind), "source", source, "boot_val", d.boot, "reset_val", d.boot, "pending_restart", false}
		if len(d.enum) > 0 {
			kv = append(kv, "enumvals", d.enum)
		}
		if d.kind == intSetting || d.kind == realSetting {
			kv = append(kv, "min_val", strconv.FormatFloat(d.min, 'g', -1, 64), "max_val", strconv.FormatFloat(d.max, 'g', -1, 64))
		}
		out.put(kv...)
	}
	return nil
}

func pgTimezoneNames(_ context.Context, s *Session, out *rowSet) error {
	f, err := expr.NewTableFunc("pg_timezone_names", nil)
	if err != nil {
		return err
	}
	b, err := f.Rows(nil, s.context(nil))
	if err != nil {
		return err
	}
	for i, c := range b.Cols {
		out.builders[i].AppendVector(c)
	}
	return nil
}

func pgPreparedStatements(_ context.Context, s *Session, out *rowSet) error {
	for name, p := range s.statements {
		st, ok := p.Statement.(*statement)
		if !ok || name == "" { // an empty text
			continue
		}
		out.put("name", name, "statement", cmp.Or(st.said, st.text), "prepare_time", st.at, "parameter_types", typeOIDs(st.params), "from_sql", p.SQL)
	}
	return nil
}

func pgCursors(_ context.Context, s *Session, out *rowSet) error {
	put := func(name string, c *cursor) {
		out.put("name", name, "statement", c.text, "is_holdable", c.hold, "is_binary", c.binary, "is_scrollable", c.scroll, "creation_time", c.at)
	}
	if s.tx != nil {
		for name, c := range s.tx.cursors {
			put(name, c)
		}
	}
	for name, c := range s.held {
		put(name, c)
	}
	return nil
}
