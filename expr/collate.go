package expr

import (
	"slices"

	"wmsql/sqlerr"
	"wmsql/types"
)

// A collation is a part of a text's type. Equality is of bytes under every collation, as in Postgres (they are deterministic), so that only what
// orders texts has to look at it: it then orders the keys of collation_key instead.

// NewCollate is x COLLATE c. 42804 for what is no text.
func NewCollate(x Expr, c types.Collation) (Expr, error) {
	t := x.Type()
	if isUnknown(t) {
		var err error
		if x, err = NewCast(x, types.Of(types.Text), Implicit); err != nil {
			return nil, err
		}
		t = x.Type()
	}
	if !isCollatable(t) {
		return nil, sqlerr.Newf(sqlerr.DatatypeMismatch, "collations are not supported by type %s", plain(t))
	}
	if t.Coll == c {
		return x, nil
	}
	t.Coll = c
	f := relabelCast(x.Type(), t)
	f.Name, f.implicit = "collate", true
	return &Call{Func: f, Args: []Expr{x}, T: t}, nil
}

func isCollatable(t types.Type) bool {
	return isString(types.Type{Kind: t.Kind}) || t.Kind == types.Name
}

// commonCollation is the collation of what texts make together. 42P21 if two ask for different ones.
func commonCollation(es []Expr) (types.Collation, error) {
	out := types.Collation(0)
	for _, e := range es {
		switch c := e.Type().Coll; {
		case c == 0:
		case out != 0 && c != out:
			return 0, sqlerr.Newf(sqlerr.CollationMismatch, "collation mismatch between explicit collations \"%s\" and \"%s\"", out.Name(), c.Name())
		default:
			out = c
		}
	}
	return out, nil
}

// SortValue is what e is ordered by: e itself, or its key under a collation, which has the type text and is none.
func SortValue(e Expr) Expr {
	t := e.Type()
	if t.Coll == 0 || t.Array {
		return e
	}
	f := &Function{Name: "collation_key", Args: []types.Type{plain(t)}, Return: types.Of(types.Text), Strict: true, total: true, kernel: collationKey(t.Coll)}
	return &Call{Func: f, Args: []Expr{e}, T: types.Of(types.Text)}
}

// TextOfSortValue is the text, of type t, whose SortValue key is.
func TextOfSortValue(key Expr, t types.Type) Expr {
	f := &Function{Name: "collation_text", Args: []types.Type{types.Of(types.Text)}, Return: plain(t), Strict: true, total: true, kernel: collationText}
	return &Call{Func: f, Args: []Expr{key}, T: t}
}

// compareCollated makes an ordering operator of texts one of their keys; nil if they are ordered by bytes.
func compareCollated(op string, l, r Expr) (Expr, error) {
	c, err := commonCollation([]Expr{l, r})
	if c == 0 || err != nil || !slices.Contains([]string{"<", "<=", ">", ">="}, op) {
		return nil, err
	}
	if l, err = NewCollate(l, c); err == nil {
		r, err = NewCollate(r, c)
	}
	if err != nil {
		return nil, err
	}
	return NewOp(op, SortValue(l), SortValue(r))
}

// OrderedText is the text that k, a SortValue, is the key of; nil if k is none.
func OrderedText(k Expr) Expr {
	if c, ok := k.(*Call); ok && c.Func.Name == "collation_key" {
		return c.Args[0]
	}
	return nil
}

// newCollationFor is COLLATION FOR (x): the name of a text's collation.
func newCollationFor(t types.Type) (Expr, error) {
	name := t.Coll.Name()
	switch {
	case isUnknown(t):
		return &Const{T: types.Of(types.Text)}, nil
	case !isCollatable(t):
		return nil, sqlerr.Newf(sqlerr.DatatypeMismatch, "collations are not supported by type %s", plain(t))
	case t.Kind == types.Name:
		name = "C"
	}
	return &Const{Value: `"` + name + `"`, T: types.Of(types.Text)}, nil
}
