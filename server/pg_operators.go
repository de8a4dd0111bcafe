package server

import (
	"context"
	"slices"
	"strings"

	"wmsql/expr"
	"wmsql/sqlerr"
)

func pgOperator(_ context.Context, _ *Session, out *rowSet) error {
	there := map[uint32]bool{0: true}
	for _, f := range expr.Operators() {
		there[f.OID] = true
	}
	for _, f := range expr.Operators() {
		sides := operatorSides(f)
		kind := "b"
		if sides[0] == 0 {
			kind = "l"
		}
		info := expr.OperatorInfos()[f.OID]
		for _, other := range []*uint32{&info.Commutator, &info.Negator} {
			if !there[*other] {
				*other = 0
			}
		}
		out.put("oprcode", operatorProc(info, f), "oprcom", info.Commutator, "oprnegate", info.Negator, "oprcanmerge", info.Merges, "oprcanhash", info.Hashes,
			"oprrest", procNamed(info.Rest), "oprjoin", procNamed(info.Join), "oid", f.OID, "oprname", f.Name, "oprnamespace", oidPgCatalog, "oprowner", oidSuperuser, "oprkind", kind, "oprleft", sides[0],
			"oprright", sides[1], "oprresult", f.Return.OID())
	}
	return nil
}

// operatorProc is the function under an operator, 0 if it has none of its own.
func operatorProc(info expr.OperatorInfo, f *expr.Function) int64 {
	for _, p := range procsByName(info.Code) {
		if slices.Equal(p.args, typeOIDs(f.Args)) {
			return p.oid
		}
	}
	return 0
}

// procNamed is the first function of a name, 0 if there is none.
func procNamed(name string) int64 {
	if found := procsByName(name); len(found) > 0 {
		return found[0].oid
	}
	return 0
}

// operatorSides are the types left and right of an operator; nothing stands left of a prefix operator.
func operatorSides(f *expr.Function) []int64 {
	if len(f.Args) == 1 {
		return []int64{0, int64(f.Args[0].OID())}
	}
	return typeOIDs(f.Args)
}

func operatorByOID(oid any) *expr.Function {
	id, _ := oid.(int64)
	for _, f := range expr.Operators() {
		if int64(f.OID) == id {
			return f
		}
	}
	return nil
}

func operatorsByName(name string) []*expr.Function {
	name = name[strings.LastIndexByte(name, '.')+1:] // no operator has a dot in it
	var out []*expr.Function
	for _, f := range expr.Operators() {
		if f.Name == name {
			out = append(out, f)
		}
	}
	return out
}

// operIn reads a regoper: a name that one operator has.
func operIn(_ *Session, args []any) (any, error) {
	text, _ := args[0].(string)
	switch found := operatorsByName(text); len(found) {
	case 0:
		return nil, sqlerr.Newf(sqlerr.UndefinedFunction, "operator does not exist: %s", text)
	case 1:
		return int64(found[0].OID), nil
	}
	return nil, sqlerr.Newf(sqlerr.AmbiguousFunction, "more than one operator named %s", text)
}

func operOut(_ *Session, args []any) (any, error) {
	f := operatorByOID(args[0])
	switch {
	case f == nil:
		return nil, nil
	case len(operatorsByName(f.Name)) > 1:
		return "pg_catalog." + f.Name, nil
	}
	return f.Name, nil
}

// operatorIn reads a regoperator: a name and the types of both sides.
func operatorIn(s *Session, args []any) (any, error) {
	text, _ := args[0].(string)
	name, list, err := signatureParts(text)
	if err != nil {
		return nil, err
	}
	switch {
	case len(list) < 2:
		return nil, sqlerr.Newf(sqlerr.UndefinedParameter, "missing argument").WithHint("Use NONE to denote the missing argument of a unary operator.")
	case len(list) > 2:
		return nil, sqlerr.Newf(sqlerr.TooManyArguments, "too many arguments").WithHint("Provide two argument types for operator.")
	}
	oids, err := s.typeList(list)
	if err != nil {
		return nil, err
	}
	for _, f := range operatorsByName(name) {
		if slices.Equal(operatorSides(f), oids) {
			return int64(f.OID), nil
		}
	}
	return nil, sqlerr.Newf(sqlerr.UndefinedFunction, "operator does not exist: %s", text)
}

func operatorOut(_ *Session, args []any) (any, error) {
	f := operatorByOID(args[0])
	if f == nil {
		return nil, nil
	}
	left := "NONE"
	sides := operatorSides(f)
	if sides[0] != 0 {
		left = typeText(sides[0])
	}
	return f.Name + "(" + left + "," + typeText(sides[1]) + ")", nil
}
