package expr

import (
	"wmsql/sqlerr"
	"wmsql/types"
)

// Unify finds the common type of UNION, CASE, COALESCE, VALUES, ARRAY, GREATEST (Postgres 10.5) and casts all to it. what is
// the construct for the message: "CASE types %s and %s cannot be matched".
func Unify(what string, es []Expr) ([]Expr, types.Type, error) {
	t, err := unifiedType(what, es)
	if err != nil {
		return nil, t, err
	}
	out := make([]Expr, len(es))
	for i, e := range es {
		if !canCoerce(e.Type(), t, Implicit) {
			return nil, t, sqlerr.Newf(sqlerr.CannotCoerce, "%s could not convert type %s to %s", what, plain(e.Type()), t)
		}
		if out[i], err = NewCast(e, t, Implicit); err != nil {
			return nil, t, err
		}
	}
	return out, t, nil
}

// unifiedType is the type of Unify: text if all are unknown; the modifiers stay if all have the same, which an unknown has not.
func unifiedType(what string, es []Expr) (types.Type, error) {
	best := types.Of(types.Unknown)
	sameMod := true
	for _, e := range es {
		t := e.Type()
		switch {
		case isUnknown(t):
			sameMod = false
		case isUnknown(best):
			best = t
		case t.Same(best):
			sameMod = sameMod && t.Mod == best.Mod
		case category(t) != category(best):
			return best, sqlerr.Newf(sqlerr.DatatypeMismatch, "%s types %s and %s cannot be matched", what, plain(best), plain(t))
		default:
			sameMod = false
			if !isPreferred(best) && canCoerce(best, t, Implicit) && !canCoerce(t, best, Implicit) {
				best = t
			}
		}
	}
	if isUnknown(best) {
		return types.Of(types.Text), nil
	}
	if !sameMod {
		best = plain(best)
	}
	var err error
	if isCollatable(best) {
		best.Coll, err = commonCollation(es)
	}
	return best, err
}
