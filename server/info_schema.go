package server

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"wmsql/catalog"
	"wmsql/types"
)

// infoRows says which relations of information_schema have rows, and which.
func infoRows() map[string]contents {
	return map[string]contents{
		"applicable_roles": full(nil), "administrable_role_authorizations": full(nil), "enabled_roles": full(infoEnabledRoles),
		"character_sets": full(infoCharacterSets), "collations": full(infoCollations), "collation_character_set_applicability": full(infoCollationSets),
		"check_constraints": full(infoCheckConstraints), "columns": full(infoColumns), "column_udt_usage": full(infoColumnUDTUsage),
		"column_privileges": full(infoColumnPrivileges), "role_column_grants": full(infoColumnPrivileges),
		"constraint_column_usage": full(infoConstraintColumnUsage), "constraint_table_usage": full(infoConstraintTableUsage),
		"element_types":         partly(infoElementTypes, "the columns of tables, not the arguments of functions"),
		"foreign_data_wrappers": full(infoForeignDataWrappers), "foreign_servers": full(infoForeignServers), "foreign_tables": full(infoForeignTables),
		"foreign_table_options":           full(infoForeignTableOptions),
		"information_schema_catalog_name": full(infoCatalogName), "key_column_usage": full(infoKeyColumnUsage),
		"parameters": partly(infoParameters, "users' functions only"), "routines": partly(infoRoutines, "users' functions only"),
		"schemata": full(infoSchemata), "sequences": full(infoSequences), "table_constraints": full(infoTableConstraints),
		"table_privileges": full(infoTablePrivileges), "role_table_grants": full(infoTablePrivileges),
		"tables": full(infoTables), "view_table_usage": full(infoViewTableUsage), "views": full(infoViews),
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
	if e.Head().Temporary() {
		return "LOCAL TEMPORARY"
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
		out.putKnown("table_catalog", catalog.Database, "table_schema", schema, "table_name", name, "table_type", kind, "is_insertable_into", yesNo(insertable), "is_typed", "NO")
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
	put := func(schema, table string, number int, c catalog.Column, notNull bool, more []any) {
		kv := []any{"table_catalog", catalog.Database, "table_schema", schema, "table_name", table, "column_name", c.Name, "ordinal_position", number,
			"is_nullable", yesNo(!notNull), "data_type", dataType(c.Type), "udt_catalog", catalog.Database, "udt_schema", "pg_catalog",
			"udt_name", udtName(c.Type), "is_identity", "NO", "identity_cycle", "NO", "is_generated", "NEVER", "is_updatable", "YES",
			"dtd_identifier", strconv.Itoa(number), "is_self_referencing", "NO"}
		out.putKnown(append(append(kv, precision(c.Type)...), more...)...)
	}
	identities := s.identities()
	s.relations(func(e catalog.Entry) {
		key := primaryKey(e)
		for i, c := range catalog.Columns(e) {
			put(e.Head().Schema, e.Head().Name, catalog.Number(catalog.Columns(e), i), c, c.NotNull || slices.Contains(key, i), columnSource(c, identities[defaultOID(e.Head().ID, i)]))
		}
	})
	for _, v := range s.virtualByID() {
		for i, f := range v.columns {
			put(v.schema, v.name, i+1, catalog.Column{Name: f.Name, Type: f.Type}, f.NotNull, nil)
		}
	}
	return nil
}

// identities are the sequences that identity columns take their numbers from, by the column's defaultOID.
func (s *Session) identities() map[catalog.ID]*catalog.Sequence {
	out := map[catalog.ID]*catalog.Sequence{}
	s.sequences(func(q *catalog.Sequence) {
		if s.ownership(q) == "i" {
			out[defaultOID(q.Table, q.Column)] = q
		}
	})
	return out
}

// columnSource is where a column's values come from if an INSERT does not give them. q is an identity column's sequence, nil for others.
func columnSource(c catalog.Column, q *catalog.Sequence) []any {
	text := func(n int64) string { return strconv.FormatInt(n, 10) }
	switch {
	case q != nil:
		return []any{"is_identity", "YES", "identity_generation", strings.ToUpper(c.Identity), "identity_start", text(q.Start), "identity_increment", text(q.Increment),
			"identity_maximum", text(q.Max), "identity_minimum", text(q.Min), "identity_cycle", yesNo(q.Cycle)}
	case c.Generated != "":
		return []any{"is_generated", "ALWAYS", "generation_expression", c.Generated}
	}
	return []any{"column_default", orNull(c.Default)}
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
	case types.Text:
		return []any{"character_octet_length", 1 << 30}
	case types.Varchar, types.BPChar:
		if t.Mod >= 0 {
			return []any{"character_maximum_length", int64(t.Mod - 4), "character_octet_length", int64(t.Mod-4) * 4}
		}
	case types.Bit, types.VarBit:
		if t.Mod >= 0 {
			return []any{"character_maximum_length", int64(t.Mod)}
		}
	case types.Date:
		return []any{"datetime_precision", 0}
	case types.Timestamp, types.TimestampTZ, types.Time, types.TimeTZ, types.Interval:
		if t.Mod >= 0 && t.Kind != types.Interval {
			return []any{"datetime_precision", int64(t.Mod)}
		}
		return []any{"datetime_precision", 6}
	}
	return nil
}

func infoSchemata(_ context.Context, s *Session, out *rowSet) error {
	for e := range s.snapshot().All() {
		if h := e.Head(); h.Kind == catalog.KindSchema {
			out.putKnown("catalog_name", catalog.Database, "schema_name", h.Name, "schema_owner", s.user)
		}
	}
	return nil
}
