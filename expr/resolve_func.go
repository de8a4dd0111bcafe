package expr

import (
	"maps"
	"slices"

	"wmsql/sqlerr"
	"wmsql/types"
)

// NewFunc resolves a call by Postgres's rules (unknown literals, implicit casts, preferred types,
// variadics) and inserts the casts it needs. The error is a *sqlerr.Error without position; the caller knows it.
func NewFunc(name string, args []Expr) (Expr, error) {
	if e, ok, err := specialCall(name, args); ok || err != nil {
		return e, err
	}
	if err := unsupportedFunction(name, len(args)); err != nil {
		return nil, err
	}
	actual := typesOf(args)
	cs := expand(lib().byName[name], len(args))
	best, none := exact(cs, actual), false
	if best == nil {
		if e, ok, err := castCall(name, args); ok || err != nil {
			return e, err
		}
		best, none = choose(cs, actual)
	}
	switch {
	case none:
		return nil, missingFunction(name, args)
	case best == nil:
		return nil, sqlerr.Newf(sqlerr.AmbiguousFunction, "function %s is not unique", signature(name, actual)).
			WithHint("Could not choose a best candidate function. You might need to add explicit type casts.")
	}
	return newCall(best, args)
}

// KnowsFunction reports whether there is a function, of whatever arguments, called name.
func KnowsFunction(name string) bool {
	_, cast := kindByName()[name]
	return cast || len(lib().byName[name]) > 0 || IsAggregate(name)
}

// missingFunction is the error of a call that fits no function: of one whose name is another's but for a letter, it is told.
func missingFunction(name string, args []Expr) *sqlerr.Error {
	err := sqlerr.Newf(sqlerr.UndefinedFunction, "function %s does not exist", signature(name, typesOf(args))).
		WithHint("No function matches the given name and argument types. You might need to add explicit type casts.")
	l := lib()
	if len(l.byName[name]) > 0 || len(l.aggs[name]) > 0 {
		return err
	}
	for _, names := range [][]string{slices.Sorted(maps.Keys(l.byName)), slices.Sorted(maps.Keys(l.aggs))} {
		if near := sqlerr.Nearest(name, names); near != "" && sqlerr.Distance(name, near) == 1 {
			return err.WithHint("Perhaps you meant to call the function %q.", near)
		}
	}
	return err
}

// newCall makes the call of a chosen overload: implicit casts on the arguments, the result type bound.
func newCall(c *candidate, args []Expr) (Expr, error) {
	b, ok := bindPolymorphic(c.args, typesOf(args))
	if !ok {
		panic("expr: a chosen overload does not bind")
	}
	if b.guessed {
		return nil, errUnknownElement()
	}
	out := make([]Expr, len(args))
	for i, a := range args {
		var err error
		if out[i], err = NewCast(a, b.resolve(c.args[i], a.Type()), Implicit); err != nil {
			return nil, err
		}
	}
	call := &Call{Func: c.fn, Args: out, T: b.resolve(c.fn.Return, types.Type{})}
	if !isCollatable(call.T) {
		return call, nil
	}
	coll, err := commonCollation(args)
	if coll == 0 || err != nil {
		return call, err
	}
	call.T.Coll = coll
	if f := caseIn(c.fn.Name, coll); f != nil {
		call.Func = f
	}
	return call, nil
}

// castCall reads name(x) as a cast when name is a type, as Postgres does if no function takes x as it is.
func castCall(name string, args []Expr) (Expr, bool, error) {
	k, ok := kindByName()[name]
	if !ok || len(args) != 1 || isPolymorphic(types.Of(k)) {
		return nil, false, nil
	}
	to, from := types.Of(k), args[0].Type()
	if !isUnknown(from) {
		// What Postgres has as a function of its own, date(timestamp) say, is a cast here too.
		if m, _ := pathway(from, to, Explicit); m == noPath || m == byElement || m == throughText && from.Kind == types.Record {
			return nil, false, nil
		}
	}
	e, err := NewCast(args[0], to, Explicit)
	return e, err == nil, err
}

func typesOf(es []Expr) []types.Type {
	out := make([]types.Type, len(es))
	for i, e := range es {
		out[i] = e.Type()
	}
	return out
}
