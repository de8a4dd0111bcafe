package server

import (
	"wmsql/catalog"
	"wmsql/column"
	"wmsql/types"
)

// sequenceColumns are the columns that a sequence has when it is read as a table.
func sequenceColumns() []types.Field {
	return []types.Field{
		{Name: "last_value", Type: types.Of(types.Int8), NotNull: true}, {Name: "log_cnt", Type: types.Of(types.Int8), NotNull: true},
		{Name: "is_called", Type: types.Of(types.Bool), NotNull: true},
	}
}

// sequenceRow is the one row of a sequence. log_cnt, how many numbers may be given out before the log is written, is 0.
func (s *Session) sequenceRow(seq *catalog.Sequence) (*column.Batch, error) {
	last, called, err := s.srv.sequences.Last(seq.ID)
	if err != nil {
		return nil, err
	}
	out := newRowSet(sequenceColumns())
	out.add(last, 0, called)
	return out.batch(), nil
}
