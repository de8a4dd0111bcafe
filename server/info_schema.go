package server

import (
	"context"
	"strconv"

	"wmsql/catalog"
	"wmsql/types"
)

// infoRows says which relations of information_schema have rows.
func infoRows() map[string]rowsFunc {
	return map[string]rowsFunc{
		"tables": infoTables, "sequences": infoSequences, "columns": infoColumns, "schemata": infoSchemata, "views": infoViews, "table_constraints": infoTableConstraints,
		"key_column_usage": infoKeyColumnUsage, "constraint_column_usage": infoConstraintColumnUsage,
		"information_schema_catalog_name": func(_ context.Context, _ *Session, out *rowSet) error {
			out.put("catalog_name", catalog.Database)
			return nil
		},
		"enabled_roles": func(_ context.Context, s *Session, out *rowSet) error {
			out.put("role_name", s.user)
			return nil
		},
	}
}

// tableType is how the standard names a kind of relation. A result view is a table to the standard's readers: the
// standard has no materialized views, and tools that list tables should offer it.
func tableType(e catalog.Entry) string {
	switch e.Head().Kind {
	case catalog.KindView:
		return "VIEW"
	case catalog.KindStream:
		return "FOREIGN"
	}
	return "BASE TABLE"
}

func yesNo(b bool) string {
	if b {
		return "YES"
	}
	return "NO"
}

func infoTables(_ context.Context, s *Session, out *rowSet) error {
	put := func(schema, name, kind string, insertable bool) {
		out.put("table_catalog", catalog.Database, "table_schema", schema, "table_name", name, "table_type", kind, "is_insertable_into", yesNo(insertable), "is_typed", "NO")
	}
	s.relations(func(e catalog.Entry) {
		h := e.Head()
		if h.Kind == catalog.KindSequence {
			return
		}
		st, isStream := e.(*catalog.Stream)
		put(h.Schema, h.Name, tableType(e), h.Kind == catalog.KindTable || isStream && st.Connector == "")
	})
	for _, v := range s.virtualByID() {
		kind := "VIEW"
		if v.relkind() == "r" {
			kind = "BASE TABLE"
		}
		put(v.schema, v.name, kind, false)
	}
	return nil
}

func infoColumns(_ context.Context, s *Session, out *rowSet) error {
	put := func(schema, table, name string, i int, t types.Type, notNull bool, def, generated string) {
		kv := []any{"table_catalog", catalog.Database, "table_schema", schema, "table_name", table, "column_name", name, "ordinal_position", i + 1,
			"column_default", orNull(def), "is_nullable", yesNo(!notNull), "data_type", dataType(t), "udt_catalog", catalog.Database, "udt_schema", "pg_catalog",
			"udt_name", udtName(t), "is_identity", "NO", "is_generated", "NEVER", "is_updatable", "YES", "dtd_identifier", strconv.Itoa(i + 1), "is_self_referencing", "NO"}
		if generated != "" {
			kv = append(kv, "is_generated", "ALWAYS", "generation_expression", generated)
		}
		out.put(append(kv, precision(t)...)...)
	}
	s.relations(func(e catalog.Entry) {
		key := map[int]bool{}
		for _, k := range primaryKey(e) {
			key[k] = true
		}
		for i, c := range catalog.Columns(e) {
			put(e.Head().Schema, e.Head().Name, c.Name, i, c.Type, c.NotNull || key[i], c.Default, c.Generated)
		}
	})
	for _, v := range s.virtualByID() {
		for i, f := range v.columns {
			put(v.schema, v.name, f.Name, i, f.Type, f.NotNull, "", "")
		}
	}
	return nil
}

// dataType is the standard's name of a type: without modifiers, and ARRAY for every array.
func dataType(t types.Type) string {
	if t.Array {
		return "ARRAY"
	}
	return types.Of(t.Kind).String()
}

func udtName(t types.Type) string {
	if t.Array {
		return "_" + t.Kind.Info().PgName
	}
	return t.Kind.Info().PgName
}

// precision is the length, precision and scale columns of a type.
func precision(t types.Type) []any {
	if t.Array {
		return nil
	}
	switch t.Kind {
	case types.Int2:
		return []any{"numeric_precision", 16, "numeric_precision_radix", 2, "numeric_scale", 0}
	case types.Int4:
		return []any{"numeric_precision", 32, "numeric_precision_radix", 2, "numeric_scale", 0}
	case types.Int8:
		return []any{"numeric_precision", 64, "numeric_precision_radix", 2, "numeric_scale", 0}
	case types.Float4:
		return []any{"numeric_precision", 24, "numeric_precision_radix", 2}
	case types.Float8:
		return []any{"numeric_precision", 53, "numeric_precision_radix", 2}
	case types.Numeric:
		if t.Mod >= 0 {
			return []any{"numeric_precision", int64((t.Mod - 4) >> 16 & 0xffff), "numeric_precision_radix", 10, "numeric_scale", int64((t.Mod - 4) & 0xffff)}
		}
		return []any{"numeric_precision_radix", 10}
	case types.Varchar, types.BPChar:
		if t.Mod >= 0 {
			return []any{"character_maximum_length", int64(t.Mod - 4), "character_octet_length", int64(t.Mod-4) * 4}
		}
	case types.Timestamp, types.TimestampTZ, types.Time, types.Interval:
		return []any{"datetime_precision", 6}
	}
	return nil
}

func infoSchemata(_ context.Context, s *Session, out *rowSet) error {
	for e := range s.snapshot().All() {
		if h := e.Head(); h.Kind == catalog.KindSchema {
			out.put("catalog_name", catalog.Database, "schema_name", h.Name, "schema_owner", s.user)
		}
	}
	return nil
}

func infoViews(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		if v, ok := e.(*catalog.View); ok {
			out.put("table_catalog", catalog.Database, "table_schema", v.Schema, "table_name", v.Name, "view_definition", " "+trimQuery(v.Query)+";",
				"check_option", "NONE", "is_updatable", "NO", "is_insertable_into", "NO", "is_trigger_updatable", "NO", "is_trigger_deletable", "NO", "is_trigger_insertable_into", "NO")
		}
	})
	return nil
}

// keys calls f for every declared key of every table.
func (s *Session) keys(f func(ix *pgIndex)) {
	s.relations(func(e catalog.Entry) {
		if e.Head().Kind == catalog.KindTable {
			for _, ix := range indexesOf(e) {
				f(&ix)
			}
		}
	})
}

func infoTableConstraints(_ context.Context, s *Session, out *rowSet) error {
	s.keys(func(ix *pgIndex) {
		kind := "UNIQUE"
		if ix.primary {
			kind = "PRIMARY KEY"
		}
		out.put("constraint_catalog", catalog.Database, "constraint_schema", ix.schema, "constraint_name", ix.name, "table_catalog", catalog.Database,
			"table_schema", ix.schema, "table_name", ix.table, "constraint_type", kind, "is_deferrable", "NO", "initially_deferred", "NO", "enforced", "YES")
	})
	return nil
}

func infoKeyColumnUsage(_ context.Context, s *Session, out *rowSet) error {
	s.keys(func(ix *pgIndex) {
		for i, c := range ix.names {
			out.put("constraint_catalog", catalog.Database, "constraint_schema", ix.schema, "constraint_name", ix.name, "table_catalog", catalog.Database,
				"table_schema", ix.schema, "table_name", ix.table, "column_name", c, "ordinal_position", i+1)
		}
	})
	return nil
}

func infoConstraintColumnUsage(_ context.Context, s *Session, out *rowSet) error {
	s.keys(func(ix *pgIndex) {
		for _, c := range ix.names {
			out.put("table_catalog", catalog.Database, "table_schema", ix.schema, "table_name", ix.table, "column_name", c, "constraint_catalog", catalog.Database,
				"constraint_schema", ix.schema, "constraint_name", ix.name)
		}
	})
	return nil
}
