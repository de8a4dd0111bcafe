package expr

import (
	"wmsql/sqlerr"
	"wmsql/types"
)

// The constructors below type what the syntax gives, as NewFunc and NewOp do for calls; their errors, too, are
// *sqlerr.Error without position.

// NewBool makes e a condition; what is the place for the message: "WHERE", "AND", "CASE/WHEN".
func NewBool(what string, e Expr) (Expr, error) {
	t := e.Type()
	if isUnknown(t) || t.Same(boolType) {
		return NewCast(e, boolType, Implicit)
	}
	return nil, sqlerr.Newf(sqlerr.DatatypeMismatch, "argument of %s must be type boolean, not type %s", what, plain(t))
}

// NewCase makes CASE WHEN cond THEN result ... ELSE last END; last may be nil.
func NewCase(conds, results []Expr, last Expr) (Expr, error) {
	if last == nil {
		last = &Const{T: types.Of(types.Unknown)}
	}
	// ELSE comes first when Postgres looks for the common type.
	all, t, err := Unify("CASE", append([]Expr{last}, results...))
	if err != nil {
		return nil, err
	}
	out := &Case{Else: all[0], T: t}
	for i, c := range conds {
		cond, err := NewBool("CASE/WHEN", c)
		if err != nil {
			return nil, err
		}
		out.Whens = append(out.Whens, When{Cond: cond, Then: all[1+i]})
	}
	return out, nil
}

// NewArray makes ARRAY[...]; arrays in it are a further dimension.
func NewArray(items []Expr) (Expr, error) {
	if len(items) == 0 {
		return nil, sqlerr.Newf(sqlerr.IndeterminateDatatype, "cannot determine type of empty array").
			WithHint("Explicitly cast to the desired type, for example ARRAY[]::integer[].")
	}
	out, t, err := Unify("ARRAY", items)
	if err != nil {
		return nil, err
	}
	if isArray(t) {
		return &Array{Items: out, T: t}, nil
	}
	return &Array{Items: out, T: arrayOver(t)}, nil
}

// NewInList makes x [NOT] IN (list). Constants are looked up in a set; other items are compared one by one.
func NewInList(x Expr, list []Expr, not bool) (Expr, error) {
	if e, ok, err := constantList(x, list, not); ok || err != nil {
		return e, err
	}
	op := "="
	if not {
		op = "<>"
	}
	parts := make([]Expr, len(list))
	for i, item := range list {
		var err error
		if parts[i], err = NewOp(op, x, item); err != nil {
			return nil, err
		}
	}
	switch {
	case len(parts) == 1:
		return parts[0], nil
	case not:
		return &And{Args: parts}, nil
	}
	return &Or{Args: parts}, nil
}

// constantList makes an InList if all items are constants of one common type with x that has an equality.
func constantList(x Expr, list []Expr, not bool) (Expr, bool, error) {
	if _, ok := x.(*Row); ok || len(list) == 0 {
		return nil, false, nil
	}
	t, ok := listType(x, list)
	if !ok {
		return nil, false, nil
	}
	if _, err := resolveOp("=", t, t); err != nil {
		return nil, false, err
	}
	left, err := NewCast(x, t, Implicit)
	if err != nil {
		return nil, false, err
	}
	out := &InList{X: left, Not: not}
	for _, item := range list {
		if item, err = NewCast(item, left.Type(), Implicit); err != nil {
			return nil, false, err
		}
		c, ok := item.(*Const)
		if !ok {
			return nil, false, nil
		}
		out.List = append(out.List, c)
	}
	return out, true, nil
}

// listType is the common type of x and the items; ok is false unless they have one and all items are constants.
func listType(x Expr, list []Expr) (types.Type, bool) {
	var ts []types.Type
	if !isUnknown(x.Type()) {
		ts = append(ts, plain(x.Type()))
	}
	for _, item := range list {
		if _, ok := item.(*Const); !ok {
			return types.Type{}, false
		}
		if t := item.Type(); !isUnknown(t) {
			ts = append(ts, plain(t))
		}
	}
	if len(ts) == 0 {
		return types.Of(types.Text), true
	}
	return commonType(ts)
}

// NewAnyAll makes x op ANY (array), or ALL.
func NewAnyAll(op string, x, array Expr, all bool) (Expr, error) {
	item := types.Of(types.Unknown)
	switch t := array.Type(); {
	case isArray(t):
		item = elemOf(t)
	case !isUnknown(t):
		return nil, sqlerr.Newf(sqlerr.WrongObjectType, "op ANY/ALL (array) requires array on right side")
	case isUnknown(x.Type()):
		item = types.Of(types.Text)
	}
	c, err := resolveOp(op, x.Type(), item)
	if err != nil {
		return nil, err
	}
	if coll := x.Type().Coll; coll != 0 && c.fn.cmp != 0 && op != "=" && op != "<>" {
		return nil, sqlerr.Unsupported("%s ANY/ALL under the collation %s", op, coll.Name())
	}
	if !c.fn.Return.Same(boolType) {
		return nil, sqlerr.Newf(sqlerr.WrongObjectType, "op ANY/ALL (array) requires operator to yield boolean")
	}
	b, _ := bindPolymorphic(c.args, []types.Type{x.Type(), item})
	left, err := NewCast(x, b.resolve(c.args[0], x.Type()), Implicit)
	if err != nil {
		return nil, err
	}
	want := b.resolve(c.args[1], item)
	if isArray(array.Type()) && want.Same(item) {
		return &AnyAll{Op: c.fn, X: left, Array: array, All: all}, nil
	}
	right, err := NewCast(array, arrayOver(want), Implicit)
	if err != nil {
		return nil, err
	}
	return &AnyAll{Op: c.fn, X: left, Array: right, All: all}, nil
}
