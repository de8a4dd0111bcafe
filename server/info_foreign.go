package server

import (
	"context"
	"maps"
	"slices"

	"wmsql/catalog"
)

// streams calls f for every stream: to the standard, a foreign table whose server is its connector.
func (s *Session) streams(f func(st *catalog.Stream)) {
	s.relations(func(e catalog.Entry) {
		if st, ok := e.(*catalog.Stream); ok {
			f(st)
		}
	})
}

func infoForeignDataWrappers(_ context.Context, s *Session, out *rowSet) error {
	out.putKnown("foreign_data_wrapper_catalog", catalog.Database, "foreign_data_wrapper_name", connectorWrapper, "authorization_identifier", s.user,
		"foreign_data_wrapper_language", "c")
	return nil
}

func infoForeignServers(_ context.Context, s *Session, out *rowSet) error {
	seen := map[string]bool{}
	s.streams(func(st *catalog.Stream) {
		if name := connectorOf(st); !seen[name] {
			seen[name] = true
			out.putKnown("foreign_server_catalog", catalog.Database, "foreign_server_name", name, "foreign_data_wrapper_catalog", catalog.Database,
				"foreign_data_wrapper_name", connectorWrapper, "authorization_identifier", s.user)
		}
	})
	return nil
}

func infoForeignTables(_ context.Context, s *Session, out *rowSet) error {
	s.streams(func(st *catalog.Stream) {
		out.putKnown("foreign_table_catalog", catalog.Database, "foreign_table_schema", st.Schema, "foreign_table_name", st.Name,
			"foreign_server_catalog", catalog.Database, "foreign_server_name", connectorOf(st))
	})
	return nil
}

func infoForeignTableOptions(_ context.Context, s *Session, out *rowSet) error {
	s.streams(func(st *catalog.Stream) {
		for _, k := range slices.Sorted(maps.Keys(st.Options)) {
			if k != "connector" {
				out.putKnown("foreign_table_catalog", catalog.Database, "foreign_table_schema", st.Schema, "foreign_table_name", st.Name,
					"option_name", k, "option_value", st.Options[k])
			}
		}
	})
	return nil
}
