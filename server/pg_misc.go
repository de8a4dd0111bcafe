package server

import (
	"context"
	"strconv"
	"strings"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/types"
)

func pgAm(_ context.Context, _ *Session, out *rowSet) error {
	out.put("oid", oidHeap, "amname", "heap", "amhandler", 3, "amtype", "t")
	out.put("oid", oidBtree, "amname", "btree", "amhandler", 330, "amtype", "i")
	return nil
}

func pgLanguage(_ context.Context, _ *Session, out *rowSet) error {
	out.put("oid", 12, "lanname", "internal", "lanowner", oidSuperuser)
	out.put("oid", 14, "lanname", "sql", "lanowner", oidSuperuser, "lanpltrusted", true)
	return nil
}

func pgCollation(_ context.Context, _ *Session, out *rowSet) error {
	for _, c := range []struct {
		oid      int
		name     string
		provider string
	}{{oidDefaultCollation, "default", "d"}, {oidCCollation, "C", "c"}, {951, "POSIX", "c"}} {
		out.put("oid", c.oid, "collname", c.name, "collnamespace", oidPgCatalog, "collowner", oidSuperuser, "collprovider", c.provider,
			"collisdeterministic", true, "collencoding", -1, "collcollate", "C", "collctype", "C")
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
	return nil
}

func pgRoles(_ context.Context, s *Session, out *rowSet) error {
	out.put("rolname", s.user, "rolsuper", true, "rolinherit", true, "rolcreaterole", true, "rolcreatedb", true, "rolcanlogin", true,
		"rolconnlimit", -1, "rolpassword", "********", "oid", oidSuperuser)
	return nil
}

func pgUser(_ context.Context, s *Session, out *rowSet) error {
	out.put("usename", s.user, "usesysid", oidSuperuser, "usecreatedb", true, "usesuper", true, "passwd", "********")
	return nil
}

func pgSettings(_ context.Context, s *Session, out *rowSet) error {
	for _, d := range sortedSettings() {
		value, _ := s.parameter(d.name)
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

func pgOpclass(_ context.Context, _ *Session, out *rowSet) error {
	out.put("oid", 3124, "opcmethod", oidBtree, "opcname", "int8_ops", "opcnamespace", oidPgCatalog, "opcowner", oidSuperuser, "opcintype", 20, "opcdefault", true)
	out.put("oid", 3126, "opcmethod", oidBtree, "opcname", "text_ops", "opcnamespace", oidPgCatalog, "opcowner", oidSuperuser, "opcintype", 25, "opcdefault", true)
	return nil
}

func pgOperator(_ context.Context, _ *Session, out *rowSet) error {
	for _, f := range expr.Operators() {
		kind, left := "b", uint32(0)
		if len(f.Args) == 1 {
			kind = "l"
		} else {
			left = f.Args[0].OID()
		}
		out.put("oid", f.OID, "oprname", f.Name, "oprnamespace", oidPgCatalog, "oprowner", oidSuperuser, "oprkind", kind, "oprleft", left,
			"oprright", f.Args[len(f.Args)-1].OID(), "oprresult", f.Return.OID())
	}
	return nil
}

func pgProc(ctx context.Context, s *Session, out *rowSet) error {
	put := func(oid uint32, name, kind string, args []types.Type, ret types.Type, variadic, strict bool, vol expr.Volatility) {
		oids := make([]any, len(args))
		for i, a := range args {
			oids[i] = int64(a.OID())
		}
		kv := []any{"oid", oid, "proname", name, "pronamespace", oidPgCatalog, "proowner", oidSuperuser, "prolang", 12, "procost", 1.0, "prokind", kind, "proisstrict", strict,
			"provolatile", string("isv"[vol]), "proparallel", "s", "pronargs", len(args), "prorettype", ret.OID(), "proargtypes", oids, "prosrc", name}
		if variadic && len(args) > 0 {
			kv = append(kv, "provariadic", args[len(args)-1].OID())
		}
		out.put(kv...)
	}
	for _, f := range expr.Functions() {
		put(f.OID, f.Name, "f", f.Args, f.Return, f.Variadic, f.Strict, f.Volatility)
	}
	for i, a := range expr.Aggregates() {
		put(uint32(9000+i), a.Name, "a", a.Args, a.Return, false, false, expr.Immutable)
	}
	return fixedRows(pgIOProcRows)(ctx, s, out)
}

func pgPreparedStatements(_ context.Context, s *Session, out *rowSet) error {
	for name, p := range s.prepared {
		out.put("name", name, "statement", "", "prepare_time", p.at, "from_sql", true)
	}
	return nil
}

func pgCursors(_ context.Context, s *Session, out *rowSet) error {
	put := func(name string, c *cursor) {
		out.put("name", name, "statement", "", "is_holdable", c.hold, "is_scrollable", c.scroll)
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

// procName is the name of a function by its oid, for regproc.
func procName(oid int64) string {
	for _, f := range expr.Functions() {
		if int64(f.OID) == oid {
			return f.Name
		}
	}
	prefix := strconv.FormatInt(oid, 10) + "|"
	for line := range strings.Lines(pgIOProcRows) {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			name, _, _ := strings.Cut(rest, "|")
			return name
		}
	}
	return ""
}
