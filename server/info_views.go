package server

import (
	"context"

	"wmsql/catalog"
)

func infoViews(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		if v, ok := e.(*catalog.View); ok {
			out.putKnown("table_catalog", catalog.Database, "table_schema", v.Schema, "table_name", v.Name, "view_definition", " "+trimQuery(v.Query)+";",
				"check_option", "NONE", "is_updatable", "NO", "is_insertable_into", "NO", "is_trigger_updatable", "NO", "is_trigger_deletable", "NO", "is_trigger_insertable_into", "NO")
		}
	})
	return nil
}

// infoViewTableUsage shows what views read; like Postgres, not what materialized views read.
func infoViewTableUsage(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		v, ok := e.(*catalog.View)
		if !ok {
			return
		}
		for _, id := range v.Depends {
			if used := s.snapshot().ByID(id); used != nil && used.Head().Kind != catalog.KindFunction {
				out.putKnown("view_catalog", catalog.Database, "view_schema", v.Schema, "view_name", v.Name,
					"table_catalog", catalog.Database, "table_schema", used.Head().Schema, "table_name", used.Head().Name)
			}
		}
	})
	return nil
}
