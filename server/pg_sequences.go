package server

import (
	"context"
	"strconv"

	"wmsql/catalog"
	"wmsql/types"
)

// sequences calls f for every sequence of the session's catalog.
func (s *Session) sequences(f func(q *catalog.Sequence)) {
	s.relations(func(e catalog.Entry) {
		if q, ok := e.(*catalog.Sequence); ok {
			f(q)
		}
	})
}

func sequenceOID(q *catalog.Sequence) uint32 {
	return types.Of(map[int]types.Kind{2: types.Int2, 4: types.Int4, 8: types.Int8}[q.Bytes]).OID()
}

func pgSequence(_ context.Context, s *Session, out *rowSet) error {
	s.sequences(func(q *catalog.Sequence) {
		out.put("seqrelid", q.ID, "seqtypid", sequenceOID(q), "seqstart", q.Start, "seqincrement", q.Increment, "seqmax", q.Max, "seqmin", q.Min,
			"seqcache", 1, "seqcycle", q.Cycle)
	})
	return nil
}

func pgSequencesView(_ context.Context, s *Session, out *rowSet) error {
	var failed error
	s.sequences(func(q *catalog.Sequence) {
		last, ok, err := s.srv.sequences.Last(q.ID)
		if err != nil {
			failed = err
		}
		var shown any
		if ok {
			shown = last
		}
		out.put("schemaname", q.Schema, "sequencename", q.Name, "sequenceowner", s.user, "data_type", sequenceOID(q), "start_value", q.Start, "min_value", q.Min,
			"max_value", q.Max, "increment_by", q.Increment, "cycle", q.Cycle, "cache_size", 1, "last_value", shown)
	})
	return failed
}

func infoSequences(_ context.Context, s *Session, out *rowSet) error {
	text := func(n int64) string { return strconv.FormatInt(n, 10) }
	s.sequences(func(q *catalog.Sequence) {
		if s.ownership(q) == "i" {
			return // of an identity column: the column's own affair
		}
		out.putKnown("sequence_catalog", catalog.Database, "sequence_schema", q.Schema, "sequence_name", q.Name, "data_type", sequenceType(q),
			"numeric_precision", 8*q.Bytes, "numeric_precision_radix", 2, "numeric_scale", 0, "start_value", text(q.Start), "minimum_value", text(q.Min),
			"maximum_value", text(q.Max), "increment", text(q.Increment), "cycle_option", yesNo(q.Cycle))
	})
	return nil
}
