package expr

import (
	"slices"
	"sync"

	"wmsql/types"
)

// library is every function, operator, cast and aggregate, built once and read only from then on.
type library struct {
	functions []*Function
	operators []*Function // prefix operators have one argument
	casts     map[castKey]*castRule
	byName    map[string][]*Function
	opsByName map[string][]*Function
	aggs      map[string][]*AggFunction
	sets      map[string][]*setFunction
}

// libraryOnce holds the library once lib has built it. It is no sync.OnceValue because kernels, which the library holds, call
// lib in their turn, which Go takes for a cycle of initialization.
var libraryOnce struct {
	once sync.Once
	lib  *library
}

func lib() *library {
	libraryOnce.once.Do(func() { libraryOnce.lib = newLibrary() })
	return libraryOnce.lib
}

func newLibrary() *library {
	l := &library{
		functions: slices.Concat(functionFamilies()...),
		operators: slices.Concat(operatorFamilies()...),
		casts:     castRules(),
		byName:    map[string][]*Function{},
		opsByName: map[string][]*Function{},
		aggs:      aggregateTable(),
		sets:      setFunctionTable(),
	}
	for _, f := range l.functions {
		l.byName[f.Name] = append(l.byName[f.Name], f)
	}
	for _, f := range l.operators {
		l.opsByName[f.Name] = append(l.opsByName[f.Name], f)
	}
	return l
}

// Functions lists every overload of every scalar function, for pg_proc.
func Functions() []*Function { return lib().functions }

// Operators lists every overload of every operator, for pg_operator; prefix operators have one argument.
func Operators() []*Function { return lib().operators }

// kindByName finds a kind by its pg_type name.
var kindByName = sync.OnceValue(func() map[string]types.Kind {
	m := make(map[string]types.Kind, types.NumKinds)
	for k := range types.NumKinds {
		m[k.Info().PgName] = k
	}
	return m
})
