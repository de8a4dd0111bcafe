package server

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"wmsql/expr"
	"wmsql/sqlerr"
	"wmsql/types"
)

// pgProcedure is a function as pg_proc knows it. Types are oids, since some have types that no wmsql value has: cstring, internal.
type pgProcedure struct {
	oid        int64
	name       string
	kind       byte // prokind: f function, a aggregate, w window function
	set        bool
	args       []int64
	ret        int64
	variadic   bool
	strict     bool
	volatility byte // provolatile: i, s, v
}

// pgWindowProcs are the window functions: oid, name, result, arguments.
const pgWindowProcs = `3100 row_number 20
3101 rank 20
3102 dense_rank 20
3103 percent_rank 701
3104 cume_dist 701
3105 ntile 23 23
3106 lag 2283 2283
3107 lag 2283 2283 23
3108 lag 5077 5077 23 5077
3109 lead 2283 2283
3110 lead 2283 2283 23
3111 lead 5077 5077 23 5077
3112 first_value 2283 2283
3113 last_value 2283 2283
3114 nth_value 2283 2283 23
`

// pgProcedures lists every function there is.
var pgProcedures = sync.OnceValue(func() []pgProcedure {
	var out []pgProcedure
	add := func(f *expr.Function, set bool) {
		out = append(out, pgProcedure{oid: int64(f.OID), name: f.Name, kind: 'f', set: set, args: typeOIDs(f.Args), ret: int64(f.Return.OID()),
			variadic: f.Variadic && len(f.Args) > 0, strict: f.Strict, volatility: "isv"[f.Volatility]})
	}
	for _, f := range expr.Functions() {
		add(f, false)
	}
	for _, f := range expr.SetFunctions() {
		add(f, true)
	}
	for _, a := range expr.Aggregates() {
		out = append(out, pgProcedure{oid: int64(a.OID), name: a.Name, kind: 'a', args: typeOIDs(a.Args), ret: int64(a.Return.OID()), volatility: 'i'})
	}
	for line := range strings.Lines(pgWindowProcs) {
		f := strings.Fields(line)
		out = append(out, pgProcedure{oid: oidsOf(f[:1])[0], name: f[1], kind: 'w', ret: oidsOf(f[2:3])[0], args: oidsOf(f[3:]), volatility: 'i'})
	}
	_, ioProcs, _ := strings.Cut(pgIOProcRows, "\n")
	for line := range strings.Lines(ioProcs) {
		f := strings.Split(strings.TrimSpace(line), "|")
		out = append(out, pgProcedure{oid: oidsOf(f[:1])[0], name: f[1], kind: 'f', ret: oidsOf(f[3:4])[0], args: oidsOf(strings.Fields(f[4])),
			strict: f[5] == "t", volatility: f[6][0]})
	}
	return out
})

func typeOIDs(ts []types.Type) []int64 {
	out := make([]int64, len(ts))
	for i, t := range ts {
		out[i] = int64(t.OID())
	}
	return out
}

// oidsOf reads the oids of a list that is part of this program.
func oidsOf(texts []string) []int64 {
	out := make([]int64, len(texts))
	for i, t := range texts {
		n, err := strconv.ParseInt(t, 10, 64)
		if err != nil {
			panic("server: bad oid " + t)
		}
		out[i] = n
	}
	return out
}

func pgProc(_ context.Context, s *Session, out *rowSet) error {
	s.putUserProcs(out)
	for _, p := range pgProcedures() {
		kv := []any{"oid", p.oid, "proname", p.name, "pronamespace", oidPgCatalog, "proowner", oidSuperuser, "prolang", 12, "procost", 1.0, "prokind", p.kind,
			"proisstrict", p.strict, "proretset", p.set, "provolatile", p.volatility, "proparallel", "s", "pronargs", len(p.args), "prorettype", p.ret,
			"proargtypes", p.args, "prosrc", p.name}
		if p.set {
			kv = append(kv, "prorows", 1000.0)
		}
		if p.variadic {
			kv = append(kv, "provariadic", p.args[len(p.args)-1])
		}
		out.put(kv...)
	}
	return nil
}

func pgAggregate(_ context.Context, _ *Session, out *rowSet) error {
	for _, a := range expr.Aggregates() {
		kind := "n"
		if a.OrderedSet {
			kind = "o"
		}
		out.put("aggfnoid", a.OID, "aggkind", kind, "aggfinalmodify", "r", "aggmfinalmodify", "r")
	}
	return nil
}

// procByOID finds a function by its oid, given as a datum; nil if there is none.
func procByOID(oid any) *pgProcedure {
	id, _ := oid.(int64)
	all := pgProcedures()
	if i := slices.IndexFunc(all, func(p pgProcedure) bool { return p.oid == id }); i >= 0 {
		return &all[i]
	}
	return nil
}

func procsByName(name string) []*pgProcedure { return procNames()[name] }

var procNames = sync.OnceValue(func() map[string][]*pgProcedure {
	out := map[string][]*pgProcedure{}
	all := pgProcedures()
	for i := range all {
		out[all[i].name] = append(out[all[i].name], &all[i])
	}
	return out
})

// procIn reads a regproc: a name that one function has.
func procIn(s *Session, args []any) (any, error) {
	text, _ := args[0].(string)
	if f := s.userFunctionNamed(text); f != nil {
		return int64(f.ID), nil
	}
	switch found := procsByName(lastPart(text)); len(found) {
	case 0:
		return nil, sqlerr.Newf(sqlerr.UndefinedFunction, "function %q does not exist", text)
	case 1:
		return found[0].oid, nil
	}
	return nil, sqlerr.Newf(sqlerr.AmbiguousFunction, "more than one function named %q", text)
}

// procOut writes a regproc; a name that several functions have is qualified.
func procOut(s *Session, args []any) (any, error) {
	if f := s.userFunction(args[0]); f != nil {
		return s.snapshot().QuotedName(f, s.path()), nil
	}
	p := procByOID(args[0])
	switch {
	case p == nil:
		return nil, nil
	case len(procsByName(p.name)) > 1:
		return "pg_catalog." + p.name, nil
	}
	return p.name, nil
}

// procedureIn reads a regprocedure: a name and the types of its arguments.
func procedureIn(s *Session, args []any) (any, error) {
	text, _ := args[0].(string)
	name, list, err := signatureParts(text)
	if err != nil {
		return nil, err
	}
	oids, err := s.typeList(list)
	if err != nil {
		return nil, err
	}
	if f := s.userFunctionNamed(name); f != nil && slices.Equal(inputOIDs(f), oids) {
		return int64(f.ID), nil
	}
	for _, p := range procsByName(lastPart(name)) {
		if slices.Equal(p.args, oids) {
			return p.oid, nil
		}
	}
	return nil, sqlerr.Newf(sqlerr.UndefinedFunction, "function %q does not exist", text)
}

func procedureOut(s *Session, args []any) (any, error) {
	if f := s.userFunction(args[0]); f != nil {
		return s.snapshot().QuotedName(f, s.path()) + "(" + typeNames(inputOIDs(f), ",") + ")", nil
	}
	p := procByOID(args[0])
	if p == nil {
		return nil, nil
	}
	return p.name + "(" + typeNames(p.args, ",") + ")", nil
}

// signatureParts cuts name(type, type).
func signatureParts(text string) (name string, list []string, err error) {
	name, rest, ok := strings.Cut(text, "(")
	if !ok {
		return "", nil, sqlerr.Newf(sqlerr.InvalidTextRepresentation, "expected a left parenthesis")
	}
	rest, ok = strings.CutSuffix(strings.TrimRight(rest, " "), ")")
	if !ok {
		return "", nil, sqlerr.Newf(sqlerr.InvalidTextRepresentation, "expected a right parenthesis")
	}
	if strings.TrimSpace(rest) == "" {
		return name, nil, nil
	}
	depth := 0
	list = strings.FieldsFunc(rest, func(c rune) bool {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		return c == ',' && depth == 0
	})
	return name, list, nil
}

// typeList reads type names as oids; none is 0, for the left side of a prefix operator.
func (s *Session) typeList(names []string) ([]int64, error) {
	out := make([]int64, len(names))
	for i, n := range names {
		n = strings.TrimSpace(n)
		if strings.EqualFold(n, "none") {
			continue
		}
		id, err := typeIn(s, []any{n})
		if err != nil {
			return nil, err
		}
		out[i] = id.(int64)
	}
	return out, nil
}

// lastPart is the last part of a dotted name, folded unless it is quoted.
func lastPart(name string) string {
	parts := splitName(name)
	if len(parts) == 0 {
		return ""
	}
	return parts[len(parts)-1]
}

// functionArguments is pg_get_function_arguments(oid).
func functionArguments(s *Session, args []any) (any, error) {
	if f := s.userFunction(args[0]); f != nil {
		return functionParams(f), nil
	}
	p := procByOID(args[0])
	if p == nil {
		return nil, nil
	}
	if !p.variadic {
		return typeNames(p.args, ", "), nil
	}
	last := len(p.args) - 1
	return strings.TrimPrefix(typeNames(p.args[:last], ", ")+", VARIADIC "+typeText(p.args[last]), ", "), nil
}

// functionResult is pg_get_function_result(oid).
func functionResult(s *Session, args []any) (any, error) {
	if f := s.userFunction(args[0]); f != nil {
		return returnsText(f), nil
	}
	p := procByOID(args[0])
	switch {
	case p == nil:
		return nil, nil
	case p.set:
		return "SETOF " + typeText(p.ret), nil
	}
	return typeText(p.ret), nil
}

// functionDefinition is pg_get_functiondef(oid), which psql's \sf and \ef show.
func functionDefinition(s *Session, args []any) (any, error) {
	if f := s.userFunction(args[0]); f != nil {
		// psql numbers the lines of \sf+ from the one that begins with AS.
		head, body, _ := strings.Cut(f.SQL, "\nLANGUAGE "+f.Language+" AS ")
		return strings.Replace(head, "CREATE", "CREATE OR REPLACE", 1) + "\nLANGUAGE " + f.Language + "\nAS " + body + "\n", nil
	}
	p := procByOID(args[0])
	if p == nil {
		return nil, nil
	}
	if p.kind == 'a' {
		return nil, sqlerr.Newf(sqlerr.WrongObjectType, "%q is an aggregate function", p.name)
	}
	list, _ := functionArguments(s, args)
	ret, _ := functionResult(s, args)
	words := []string{map[byte]string{'i': "IMMUTABLE", 's': "STABLE", 'v': "VOLATILE"}[p.volatility], "PARALLEL SAFE"}
	if p.kind == 'w' {
		words = append([]string{"WINDOW"}, words...)
	}
	if p.strict {
		words = append(words, "STRICT")
	}
	return fmt.Sprintf("CREATE OR REPLACE FUNCTION pg_catalog.%s(%s)\n RETURNS %s\n LANGUAGE internal\n %s\nAS $function$%[1]s$function$\n",
		p.name, list, ret, strings.Join(words, " ")), nil
}
