package server

import (
	"slices"

	"wmsql/catalog"
	"wmsql/sqlerr"
	"wmsql/types"
)

// sequenceFuncs are the functions of sequences, by name.
func sequenceFuncs() map[string]catalogFunc {
	return map[string]catalogFunc{
		"nextval": nextval, "currval": currval, "lastval": lastval, "setval": setval,
		"pg_get_serial_sequence": serialSequence, "pg_sequence_last_value": sequenceLastValue,
	}
}

// sequenceArg finds the sequence that a regclass names.
func (s *Session) sequenceArg(arg any) (*catalog.Sequence, error) {
	id, _ := arg.(int64)
	e := s.snapshot().ByID(catalog.ID(id))
	if e == nil {
		return nil, sqlerr.Newf(sqlerr.UndefinedTable, "could not open relation with OID %d", id)
	}
	seq, ok := e.(*catalog.Sequence)
	if !ok {
		return nil, sqlerr.Newf(sqlerr.WrongObjectType, "%q is not a sequence", e.Head().Name)
	}
	return seq, nil
}

func nextval(s *Session, args []any) (any, error) {
	seq, err := s.sequenceArg(args[0])
	if err != nil {
		return nil, err
	}
	n, err := s.srv.sequences.Next(seq)
	if err != nil {
		return nil, err
	}
	s.given[seq.ID], s.lastGiven = n, seq.ID
	return n, nil
}

func currval(s *Session, args []any) (any, error) {
	seq, err := s.sequenceArg(args[0])
	if err != nil {
		return nil, err
	}
	n, ok := s.given[seq.ID]
	if !ok {
		return nil, sqlerr.Newf(sqlerr.ObjectNotReady, "currval of sequence %q is not yet defined in this session", seq.Name)
	}
	return n, nil
}

func lastval(s *Session, _ []any) (any, error) {
	if n, ok := s.given[s.lastGiven]; ok {
		return n, nil
	}
	return nil, sqlerr.Newf(sqlerr.ObjectNotReady, "lastval is not yet defined in this session")
}

func setval(s *Session, args []any) (any, error) {
	seq, err := s.sequenceArg(args[0])
	if err != nil {
		return nil, err
	}
	n, _ := args[1].(int64)
	called := true
	if len(args) > 2 {
		called, _ = args[2].(bool)
	}
	if n < seq.Min || n > seq.Max {
		return nil, sqlerr.Newf(sqlerr.NumericOutOfRange, "setval: value %d is out of bounds for sequence %q (%d..%d)", n, seq.Name, seq.Min, seq.Max)
	}
	if called {
		s.given[seq.ID] = n
	}
	return n, s.srv.sequences.Set(seq.ID, n, called)
}

// serialSequence is pg_get_serial_sequence(table, column).
func serialSequence(s *Session, args []any) (any, error) {
	table, _ := args[0].(string)
	column, _ := args[1].(string)
	if rel, err := s.names().Relation(splitName(table), s.path()); err == nil && rel.Virtual != nil {
		if slices.ContainsFunc(rel.Virtual.Columns, func(f types.Field) bool { return f.Name == column }) {
			return nil, nil
		}
		return nil, sqlerr.Newf(sqlerr.UndefinedColumn, "column %q of relation %q does not exist", column, rel.Virtual.Name)
	}
	e, err := s.snapshot().Lookup(splitName(table), s.path())
	if err != nil {
		return nil, err
	}
	for i, c := range catalog.Columns(e) {
		if c.Name != column {
			continue
		}
		for x := range s.snapshot().All() {
			if seq, ok := x.(*catalog.Sequence); ok && seq.Table == e.Head().ID && seq.Column == i {
				return catalog.QuoteIdent(seq.Schema) + "." + catalog.QuoteIdent(seq.Name), nil
			}
		}
		return nil, nil
	}
	return nil, sqlerr.Newf(sqlerr.UndefinedColumn, "column %q of relation %q does not exist", column, e.Head().Name)
}

func sequenceLastValue(s *Session, args []any) (any, error) {
	seq, err := s.sequenceArg(args[0])
	if err != nil {
		return nil, err
	}
	n, ok, err := s.srv.sequences.Last(seq.ID)
	if err != nil || !ok {
		return nil, err
	}
	return n, nil
}
