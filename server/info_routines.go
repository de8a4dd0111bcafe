package server

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"wmsql/catalog"
)

// userFunctions calls f for every function that a user created.
func (s *Session) userFunctions(f func(fn *catalog.Function)) {
	for e := range s.snapshot().All() {
		if fn, ok := e.(*catalog.Function); ok {
			f(fn)
		}
	}
}

// specificName tells functions of one name apart.
func specificName(f *catalog.Function) string { return fmt.Sprintf("%s_%d", f.Name, f.ID) }

func infoRoutines(_ context.Context, s *Session, out *rowSet) error {
	s.userFunctions(func(f *catalog.Function) {
		out.putKnown("specific_catalog", catalog.Database, "specific_schema", f.Schema, "specific_name", specificName(f),
			"routine_catalog", catalog.Database, "routine_schema", f.Schema, "routine_name", f.Name, "routine_type", "FUNCTION", "data_type", "record",
			"type_udt_catalog", catalog.Database, "type_udt_schema", "pg_catalog", "type_udt_name", "record", "dtd_identifier", "0",
			"routine_body", "EXTERNAL", "routine_definition", f.Source, "external_language", strings.ToUpper(f.Language), "parameter_style", "GENERAL",
			"is_deterministic", "NO", "sql_data_access", "MODIFIES", "is_null_call", "NO", "schema_level_routine", "YES", "max_dynamic_result_sets", 0,
			"security_type", "INVOKER", "as_locator", "NO", "is_udt_dependent", "NO")
	})
	return nil
}

func infoParameters(_ context.Context, s *Session, out *rowSet) error {
	s.userFunctions(func(f *catalog.Function) {
		n := 0
		put := func(c catalog.Column, mode string) {
			n++
			out.putKnown("specific_catalog", catalog.Database, "specific_schema", f.Schema, "specific_name", specificName(f), "ordinal_position", n,
				"parameter_mode", mode, "is_result", "NO", "as_locator", "NO", "parameter_name", c.Name, "data_type", dataType(c.Type),
				"udt_catalog", catalog.Database, "udt_schema", "pg_catalog", "udt_name", udtName(c.Type), "dtd_identifier", strconv.Itoa(n),
				"parameter_default", orNull(c.Default))
		}
		for _, p := range f.Params {
			put(p, "IN")
		}
		for _, r := range f.Returns {
			put(r, "OUT")
		}
	})
	return nil
}
