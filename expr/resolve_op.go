package expr

import (
	"wmsql/sqlerr"
	"wmsql/types"
)

// NewOp resolves a prefix (l nil) or infix operator. Beside Postgres's operators it knows "is distinct from" and
// "is not distinct from"; rows are compared field by field. The error is a *sqlerr.Error without position.
func NewOp(op string, l, r Expr) (Expr, error) {
	if op == "!=" {
		op = "<>"
	}
	if l == nil {
		return newPrefixOp(op, r)
	}
	if op == "is distinct from" || op == "is not distinct from" {
		return newDistinct(l, r, op == "is not distinct from")
	}
	if lr, ok := l.(*Row); ok {
		if rr, ok := r.(*Row); ok {
			return compareRows(op, lr, rr)
		}
	}
	if e, err := compareCollated(op, l, r); e != nil || err != nil {
		return e, err
	}
	args := []Expr{l, r}
	c, err := resolveOp(op, l.Type(), r.Type())
	if err != nil {
		return nil, err
	}
	return newCall(c, args)
}

// resolveOp chooses the overload of an infix operator (oper).
func resolveOp(op string, l, r types.Type) (*candidate, error) {
	actual := []types.Type{l, r}
	cs := lib().ops[opKey{op, 2}]
	if c := exact(cs, assumeOther(actual)); c != nil {
		return c, nil
	}
	best, none := choose(cs, actual)
	switch {
	case none:
		return nil, sqlerr.Newf(sqlerr.UndefinedFunction, "operator does not exist: %s %s %s", plain(l), op, plain(r)).
			WithHint("No operator matches the given name and argument types. You might need to add explicit type casts.")
	case best == nil:
		return nil, sqlerr.Newf(sqlerr.AmbiguousFunction, "operator is not unique: %s %s %s", plain(l), op, plain(r)).
			WithHint("Could not choose a best candidate operator. You might need to add explicit type casts.")
	}
	return best, nil
}

// assumeOther gives an unknown operand the type of the other one (binary_oper_exact).
func assumeOther(actual []types.Type) []types.Type {
	l, r := plain(actual[0]), plain(actual[1])
	switch {
	case isUnknown(l) && !isUnknown(r):
		l = r
	case isUnknown(r) && !isUnknown(l):
		r = l
	}
	return []types.Type{l, r}
}

func newPrefixOp(op string, x Expr) (Expr, error) {
	actual := []types.Type{x.Type()}
	best, none := choose(lib().ops[opKey{op, 1}], actual)
	switch {
	case none:
		return nil, sqlerr.Newf(sqlerr.UndefinedFunction, "operator does not exist: %s %s", op, plain(x.Type())).
			WithHint("No operator matches the given name and argument type. You might need to add an explicit type cast.")
	case best == nil:
		return nil, sqlerr.Newf(sqlerr.AmbiguousFunction, "operator is not unique: %s %s", op, plain(x.Type())).
			WithHint("Could not choose a best candidate operator. You might need to add explicit type casts.")
	}
	return newCall(best, []Expr{x})
}

// newDistinct makes IS [NOT] DISTINCT FROM: the equality operator made to see NULLs.
func newDistinct(l, r Expr, not bool) (Expr, error) {
	if isNullConst(l) || isNullConst(r) {
		x := l
		if isNullConst(l) {
			x = r
		}
		return &IsNull{X: x, Not: !not}, nil
	}
	eq, err := NewOp("=", l, r)
	if err != nil {
		return nil, err
	}
	if x, ok := l.(*Row); ok {
		if y, ok := r.(*Row); ok {
			return distinctRows(x, y, not)
		}
	}
	call, ok := eq.(*Call)
	if !ok {
		return nil, sqlerr.Unsupported("IS DISTINCT FROM between rows")
	}
	name := "is distinct from"
	if not {
		name = "is not distinct from"
	}
	fn := *call.Func
	fn.Name, fn.Strict, fn.cmp, fn.kernel = name, false, cmpNone, distinctKernel(call.Func, not)
	return &Call{Func: &fn, Args: call.Args, T: boolType}, nil
}

// distinctRows tells rows apart: they are alike where all fields are.
func distinctRows(x, y *Row, not bool) (Expr, error) {
	alike := &And{Args: []Expr{&Const{Value: true, T: boolType}}}
	for i := range x.Items {
		same, err := newDistinct(x.Items[i], y.Items[i], true)
		if err != nil {
			return nil, err
		}
		alike.Args = append(alike.Args, same)
	}
	if not {
		return alike, nil
	}
	return &Not{X: alike}, nil
}

// isNullConst reports whether e is the NULL constant.
func isNullConst(e Expr) bool {
	c, ok := e.(*Const)
	return ok && c.Value == nil
}

// compareRows compares (a, b) with (c, d): field by field for = and <>, by the first difference for the rest.
func compareRows(op string, l, r *Row) (Expr, error) {
	if len(l.Items) != len(r.Items) {
		return nil, sqlerr.Newf(sqlerr.SyntaxError, "unequal number of entries in row expressions")
	}
	if len(l.Items) == 0 {
		return nil, sqlerr.Newf(sqlerr.FeatureNotSupported, "cannot compare rows of zero length")
	}
	switch op {
	case "=", "<>":
		parts := make([]Expr, len(l.Items))
		for i := range parts {
			var err error
			if parts[i], err = NewOp(op, l.Items[i], r.Items[i]); err != nil {
				return nil, err
			}
		}
		switch {
		case len(parts) == 1:
			return parts[0], nil
		case op == "=":
			return &And{Args: parts}, nil
		}
		return &Or{Args: parts}, nil
	case "<", "<=", ">", ">=":
		return compareLexically(op, l.Items, r.Items)
	}
	return nil, sqlerr.Newf(sqlerr.FeatureNotSupported, "could not determine interpretation of row comparison operator %s", op).
		WithHint("Row comparison operators must be associated with btree operator families.")
}

// compareLexically makes a < c OR (a = c AND rest).
func compareLexically(op string, l, r []Expr) (Expr, error) {
	if len(l) == 1 {
		return NewOp(op, l[0], r[0])
	}
	first, err := NewOp(op[:1], l[0], r[0])
	if err != nil {
		return nil, err
	}
	same, err := NewOp("=", l[0], r[0])
	if err != nil {
		return nil, err
	}
	rest, err := compareLexically(op, l[1:], r[1:])
	if err != nil {
		return nil, err
	}
	return &Or{Args: []Expr{first, &And{Args: []Expr{same, rest}}}}, nil
}
