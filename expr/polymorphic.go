package expr

import (
	"wmsql/sqlerr"
	"wmsql/types"
)

// bindings is what the pseudo-types of a signature stand for in one call.
type bindings struct {
	elem       types.Type // anyelement, anyarray, anynonarray
	hasElem    bool
	compatible types.Type // the anycompatible family
	hasCompat  bool
	guessed    bool // elem is of unknown literals alone, which Postgres refuses
}

// bindPolymorphic finds what the pseudo-types of the signature args stand for, given the types of the arguments
// (check_generic_type_consistency). ok is false when they contradict each other.
func bindPolymorphic(args, actual []types.Type) (b bindings, ok bool) {
	var compat []types.Type
	nonArray, compatNonArray, unknownElem, unknownCompat := false, false, false, false
	for i, want := range args {
		have := plain(actual[i])
		if want.Array {
			continue
		}
		switch want.Kind {
		case types.AnyElement, types.AnyNonArray:
			nonArray = nonArray || want.Kind == types.AnyNonArray
			if isUnknown(have) {
				unknownElem = true
			} else if !b.bindElem(have) {
				return b, false
			}
		case types.AnyArray:
			if isUnknown(have) {
				unknownElem = true
			} else if !isArray(have) || !b.bindElem(elemOf(have)) {
				return b, false
			}
		case types.AnyCompatible, types.AnyCompatibleNonArray:
			compatNonArray = compatNonArray || want.Kind == types.AnyCompatibleNonArray
			if isUnknown(have) {
				unknownCompat = true
			} else {
				compat = append(compat, have)
			}
		case types.AnyCompatibleArray:
			if isUnknown(have) {
				unknownCompat = true
			} else if !isArray(have) {
				return b, false
			} else {
				compat = append(compat, elemOf(have))
			}
		}
	}
	if !b.hasElem && unknownElem {
		b.elem, b.hasElem, b.guessed = types.Of(types.Text), true, true
	}
	if len(compat) > 0 {
		b.compatible, b.hasCompat = commonType(compat)
		if !b.hasCompat {
			return b, false
		}
	} else if unknownCompat {
		b.compatible, b.hasCompat = types.Of(types.Text), true
	}
	return b, (!nonArray || !isArray(b.elem)) && (!compatNonArray || !isArray(b.compatible))
}

func errUnknownElement() error {
	return sqlerr.Newf(sqlerr.DatatypeMismatch, "could not determine polymorphic type because input has type unknown")
}

func (b *bindings) bindElem(t types.Type) bool {
	if b.hasElem {
		return b.elem == t
	}
	b.elem, b.hasElem = t, true
	return true
}

// resolve returns what t of a signature stands for; have is the argument's own type.
func (b *bindings) resolve(t, have types.Type) types.Type {
	if t.Array {
		return t
	}
	switch t.Kind {
	case types.Any:
		if isUnknown(have) {
			return types.Of(types.Text)
		}
		return have
	case types.AnyElement, types.AnyNonArray:
		return b.elem
	case types.AnyArray:
		if isArray(have) {
			return plain(have)
		}
		return arrayOver(b.elem)
	case types.AnyCompatible, types.AnyCompatibleNonArray:
		return b.compatible
	case types.AnyCompatibleArray:
		return arrayOver(b.compatible)
	}
	return t
}

// commonType finds the one type that all of ts become in UNION, CASE and the like (select_common_type); none is unknown.
func commonType(ts []types.Type) (types.Type, bool) {
	best := ts[0]
	for _, t := range ts[1:] {
		if t.Same(best) {
			continue
		}
		if category(t) != category(best) {
			return best, false
		}
		if !isPreferred(best) && canCoerce(best, t, Implicit) && !canCoerce(t, best, Implicit) {
			best = t
		}
	}
	for _, t := range ts {
		if !canCoerce(t, best, Implicit) {
			return best, false
		}
	}
	return best, true
}
