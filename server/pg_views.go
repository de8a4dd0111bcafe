package server

import (
	"context"

	"wmsql/catalog"
)

func pgTablesView(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		if h := e.Head(); h.Kind == catalog.KindTable {
			out.put("schemaname", h.Schema, "tablename", h.Name, "tableowner", s.user, "tablespace", nil, "hasindexes", len(s.indexesOf(e)) > 0)
		}
	})
	for _, v := range s.virtualByID() {
		if v.relkind() == "r" {
			out.put("schemaname", v.schema, "tablename", v.name, "tableowner", s.user, "tablespace", nil, "hasindexes", false)
		}
	}
	return nil
}

func pgViews(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		if v, ok := e.(*catalog.View); ok {
			out.put("schemaname", v.Schema, "viewname", v.Name, "viewowner", s.user, "definition", " "+trimQuery(v.Query)+";")
		}
	})
	return nil
}

func pgMatviews(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		if v, ok := e.(*catalog.MaterializedView); ok {
			out.put("schemaname", v.Schema, "matviewname", v.Name, "matviewowner", s.user, "hasindexes", len(v.ShownKey()) > 0, "ispopulated", true,
				"definition", " "+trimQuery(v.Query)+";")
		}
	})
	return nil
}

func pgIndexes(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		for _, ix := range s.indexesOf(e) {
			out.put("schemaname", ix.schema, "tablename", ix.table, "indexname", ix.name, "indexdef", ix.definition())
		}
	})
	return nil
}
