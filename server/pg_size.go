package server

import (
	"fmt"
	"slices"

	"wmsql/catalog"
	"wmsql/sqlerr"
	"wmsql/state"
)

// sizeFuncs are the functions that tell what takes how much of the disk; NULL for what there is not.
func sizeFuncs() map[string]catalogFunc {
	return map[string]catalogFunc{
		"pg_table_size":          relationSize,
		"pg_total_relation_size": relationSize,
		"pg_relation_size":       relationSize,
		"pg_indexes_size":        indexesSize,
		"pg_database_size":       func(s *Session, _ []any) (any, error) { return s.databaseBytes(), nil },
		"pg_tablespace_size":     tablespaceSize,
		"pg_relation_filenode":   ofRelation(func(id int64) any { return id }),
		"pg_relation_filepath":   ofRelation(func(id int64) any { return fmt.Sprintf("base/%d/%d", oidDatabase, id) }),
	}
}

// ofRelation makes a function that tells something of a relation's number if there is the relation.
func ofRelation(f func(id int64) any) catalogFunc {
	return func(s *Session, args []any) (any, error) {
		id, _ := args[0].(int64)
		if e := s.snapshot().ByID(catalog.ID(id)); e == nil || e.Head().Kind == catalog.KindView {
			return nil, nil
		}
		return f(id), nil
	}
}

// relationSize is the bytes a relation's rows take on disk. There is one fork.
func relationSize(s *Session, args []any) (any, error) {
	if len(args) == 2 {
		fork, _ := args[1].(string)
		if !slices.Contains([]string{"main", "fsm", "vm", "init"}, fork) {
			return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "invalid fork name").
				WithHint("Valid fork names are \"main\", \"fsm\", \"vm\", and \"init\".")
		}
		if fork != "main" {
			return int64(0), nil
		}
	}
	id, _ := args[0].(int64)
	if name, err := regclassOut(s, args[:1]); name == nil {
		return nil, err
	}
	return s.relationBytes(uint32(id)), nil
}

// relationBytes is what a relation takes on disk: its rows, its columns, its log, and its query's state.
func (s *Session) relationBytes(id uint32) int64 {
	n := int64(0)
	for _, sp := range []state.Space{state.Result, state.Columns, state.Log, state.Operator, state.Progress} {
		n += s.srv.store.DiskBytes(sp, id)
	}
	return n
}

// indexesSize is what the indexes that CREATE INDEX made take; the rows of a table lie under its key.
func indexesSize(s *Session, args []any) (any, error) {
	id, _ := args[0].(int64)
	if name, err := regclassOut(s, args); name == nil {
		return nil, err
	}
	n := int64(0)
	for _, x := range s.snapshot().Indexes(catalog.ID(id)) {
		n += s.relationBytes(uint32(x.ID))
	}
	return n, nil
}

func (s *Session) databaseBytes() int64 {
	n := int64(0)
	s.relations(func(e catalog.Entry) { n += s.relationBytes(uint32(e.Head().ID)) })
	return n
}

// tablespaceSize is pg_tablespace_size(number or name): all there is lies in pg_default.
func tablespaceSize(s *Session, args []any) (any, error) {
	found, err := named(tablespaceOf, sqlerr.UndefinedObject, "tablespace")(s, args[0])
	switch {
	case err != nil || !found:
		return nil, err
	case args[0] == any("pg_default") || args[0] == any(int64(oidTablespace)):
		return s.databaseBytes(), nil
	}
	return int64(0), nil
}
