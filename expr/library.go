package expr

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"wmsql/types"
)

// library is every function, operator, cast and aggregate, built once and read only from then on.
type library struct {
	functions []*Function
	operators []*Function // prefix operators have one argument
	casts     map[castKey]*castRule
	byName    map[string][]*Function
	ops       map[opKey][]candidate
	aggs      map[string][]*AggFunction
	sets      map[string][]*setFunction
}

// opKey names the overloads of an operator with one or two operands.
type opKey struct {
	name     string
	operands int
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
		ops:       map[opKey][]candidate{},
		aggs:      aggregateTable(),
		sets:      setFunctionTable(),
	}
	l.number()
	for _, f := range l.functions {
		l.byName[f.Name] = append(l.byName[f.Name], f)
	}
	for _, f := range l.operators {
		key := opKey{f.Name, len(f.Args)}
		l.ops[key] = append(l.ops[key], candidate{fn: f, args: f.Args})
	}
	return l
}

// number gives every overload its object id, and operators and casts their functions.
func (l *library) number() {
	ids := readOIDs()
	for _, f := range l.operators {
		f.OID = ids.find('o', oidKey(f.Name, f.Args))
	}
	for k, c := range l.casts {
		c.oid = ids.find('c', oidKey("cast", []types.Type{k.from, k.to}))
	}
	l.functions = append(l.functions, l.underlying()...)
	for _, f := range l.functions {
		f.OID = ids.find('f', oidKey(f.Name, f.Args))
	}
	for _, as := range l.aggs {
		for _, a := range as {
			a.OID = ids.find('f', oidKey(a.Name, a.Args))
		}
	}
	for _, ss := range l.sets {
		for _, s := range ss {
			s.fn.OID = ids.find('f', oidKey(s.fn.Name, s.fn.Args))
		}
	}
}

// SetFunctions lists every overload of every set-returning function, for pg_proc; Return is the type of a row.
func SetFunctions() []*Function {
	var out []*Function
	for _, ss := range lib().sets {
		for _, s := range ss {
			out = append(out, s.fn)
		}
	}
	slices.SortFunc(out, func(a, b *Function) int { return strings.Compare(signature(a.Name, a.Args), signature(b.Name, b.Args)) })
	return out
}

// CastInfo is a row of pg_cast. Binary says that the value does not change.
type CastInfo struct {
	OID      uint32
	From, To types.Type
	Context  CastContext
	Binary   bool
}

// Casts lists the casts between types, for pg_cast.
func Casts() []CastInfo {
	var out []CastInfo
	for k, c := range lib().casts {
		out = append(out, CastInfo{OID: c.oid, From: k.from, To: k.to, Context: c.context, Binary: c.fn == nil})
	}
	slices.SortFunc(out, func(a, b CastInfo) int { return cmp.Compare(a.OID, b.OID) })
	return out
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
