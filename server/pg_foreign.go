package server

import (
	"context"
	"maps"
	"slices"

	"wmsql/catalog"
)

// Streams are shown as foreign tables: their connector is the server, their options are the table's.

func pgForeignDataWrapper(_ context.Context, _ *Session, out *rowSet) error {
	out.put("oid", connectorWrapperOID, "fdwname", connectorWrapper, "fdwowner", oidSuperuser)
	return nil
}

func connectorOf(st *catalog.Stream) string {
	if st.Connector == "" {
		return "internal"
	}
	return st.Connector
}

func pgForeignServer(_ context.Context, s *Session, out *rowSet) error {
	seen := map[string]bool{}
	s.relations(func(e catalog.Entry) {
		st, ok := e.(*catalog.Stream)
		if !ok || seen[connectorOf(st)] {
			return
		}
		seen[connectorOf(st)] = true
		out.put("oid", serverOID(connectorOf(st)), "srvname", connectorOf(st), "srvowner", oidSuperuser, "srvfdw", connectorWrapperOID)
	})
	return nil
}

func pgForeignTable(_ context.Context, s *Session, out *rowSet) error {
	s.relations(func(e catalog.Entry) {
		st, ok := e.(*catalog.Stream)
		if !ok {
			return
		}
		var opts []string
		for _, k := range slices.Sorted(maps.Keys(st.Options)) {
			if k != "connector" {
				opts = append(opts, k+"="+st.Options[k])
			}
		}
		out.put("ftrelid", st.ID, "ftserver", serverOID(connectorOf(st)), "ftoptions", opts)
	})
	return nil
}
