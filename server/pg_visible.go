package server

import (
	"strings"
	"sync"
)

// visibleFuncs are pg_type_is_visible and its like: NULL for a number that no object has. What belongs to no user lies in pg_catalog, which every
// search path reaches.
func visibleFuncs() map[string]catalogFunc {
	return map[string]catalogFunc{
		"pg_table_is_visible":     tableIsVisible,
		"pg_type_is_visible":      visibleIf(typeOut),
		"pg_operator_is_visible":  visibleIf(operatorOut),
		"pg_collation_is_visible": visibleIf(collationOut),
		"pg_opclass_is_visible":   visibleRow(sync.OnceValue(func() map[int64]bool { return fixedOIDs(pgOpclassRows) })),
		"pg_opfamily_is_visible":  visibleRow(sync.OnceValue(func() map[int64]bool { return fixedOIDs(pgOpfamilyRows) })),
		"pg_function_is_visible":  functionIsVisible,
	}
}

// visibleIf makes a function that is true for what out has a name for.
func visibleIf(out catalogFunc) catalogFunc {
	return func(s *Session, args []any) (any, error) {
		name, err := out(s, args)
		if name == nil {
			return nil, err
		}
		return true, err
	}
}

// visibleRow makes a function that is true for the given oids.
func visibleRow(known func() map[int64]bool) catalogFunc {
	return func(_ *Session, args []any) (any, error) {
		if id, _ := args[0].(int64); known()[id] {
			return true, nil
		}
		return nil, nil
	}
}

func functionIsVisible(s *Session, args []any) (any, error) {
	if f := s.userFunction(args[0]); f != nil {
		return s.snapshot().Visible(f, s.path()), nil
	}
	if procByOID(args[0]) == nil {
		return nil, nil
	}
	return true, nil
}

// fixedOIDs are the oids of rows whose first value they are.
func fixedOIDs(text string) map[int64]bool {
	out := map[int64]bool{}
	_, rows, _ := strings.Cut(text, "\n")
	for line := range strings.Lines(rows) {
		id, _, _ := strings.Cut(line, "|")
		out[oidsOf([]string{id})[0]] = true
	}
	return out
}
