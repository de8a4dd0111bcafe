package expr

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"wmsql/sqlerr"
	"wmsql/types"
)

// specialCall makes the calls that are nodes of their own or whose type is that of no single signature.
func specialCall(name string, args []Expr) (Expr, bool, error) {
	switch name {
	case "coalesce":
		e, err := newCoalesce(args)
		return e, true, err
	case "pg_collation_for":
		if len(args) == 1 {
			e, err := newCollationFor(args[0].Type())
			return e, true, err
		}
	case "greatest", "least":
		e, err := newGreatest(name, args)
		return e, true, err
	case "nullif":
		e, err := newNullIf(args)
		return e, true, err
	}
	return nil, false, nil
}

func newCoalesce(args []Expr) (Expr, error) {
	out, t, err := Unify("COALESCE", args)
	if err != nil {
		return nil, err
	}
	if len(out) == 1 {
		return out[0], nil
	}
	return &Coalesce{Args: out, T: t}, nil
}

// newGreatest makes GREATEST or LEAST: NULLs are passed over.
func newGreatest(name string, args []Expr) (Expr, error) {
	what := "GREATEST"
	if name == "least" {
		what = "LEAST"
	}
	out, t, err := Unify(what, args)
	if err != nil {
		return nil, err
	}
	if t.Coll != 0 {
		for i := range out {
			if out[i], err = NewCollate(out[i], t.Coll); err != nil {
				return nil, err
			}
			out[i] = SortValue(out[i])
		}
		key, err := newGreatest(name, out)
		if err != nil {
			return nil, err
		}
		return TextOfSortValue(key, t), nil
	}
	if _, err := resolveOp("<", t, t); err != nil {
		return nil, sqlerr.Newf(sqlerr.UndefinedFunction, "could not identify a comparison function for type %s", plain(t))
	}
	sign := 1
	if name == "least" {
		sign = -1
	}
	fn := &Function{Name: name, Args: []types.Type{plain(t)}, Variadic: true, Return: plain(t), total: true, kernel: greatestKernel(sign)}
	return &Call{Func: fn, Args: out, T: t}, nil
}

// newNullIf makes NULLIF(a, b): a, or NULL where a = b.
func newNullIf(args []Expr) (Expr, error) {
	if len(args) != 2 {
		return nil, sqlerr.Newf(sqlerr.SyntaxError, "NULLIF takes two arguments")
	}
	eq, err := NewOp("=", args[0], args[1])
	if err != nil {
		return nil, err
	}
	call, ok := eq.(*Call)
	if !ok {
		return nil, sqlerr.Unsupported("NULLIF of rows")
	}
	t := call.Args[0].Type()
	if t.Kind == types.Varchar && !t.Array {
		t = types.Of(types.Text) // of which Postgres's equality is
	}
	fn := &Function{
		Name: "nullif", Args: typesOf(call.Args), Return: plain(t),
		Volatility: call.Func.Volatility, total: call.Func.total, kernel: nullIfKernel(call.Func),
	}
	return &Call{Func: fn, Args: call.Args, T: t}, nil
}

// unsupportedFunction answers for functions that wmsql knows by name only.
func unsupportedFunction(name string, args int) error {
	switch {
	case slices.Contains(unsupportedAggregates, name):
		return sqlerr.Unsupported("aggregate %s", name)
	case lib().byName[name] != nil, lib().aggs[name] != nil, lib().sets[name] != nil:
		return nil
	case args == 1 && kindByName()[name] != types.Unknown:
		return nil // a cast
	case postgresFunctions()[name]:
		return sqlerr.Unsupported("function %s", name)
	}
	return nil
}

// functionList is the names of Postgres 15's functions, but those that serve its own types and indexes from within.
//
//go:embed functions.txt
var functionList string

var postgresFunctions = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for name := range strings.Lines(functionList) {
		m[strings.TrimSuffix(name, "\n")] = true
	}
	return m
})
