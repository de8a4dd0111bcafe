package expr

import (
	"wmsql/types"
)

// castKey names a cast of pg_cast.
type castKey struct{ from, to types.Type } // both plain

// castRule is a row of pg_cast: the widest context it may be used in, and how.
type castRule struct {
	oid     uint32
	context CastContext
	fn      *Function
}

// method is how a value gets from one type to another.
type method uint8

const (
	noPath      method = iota
	relabel            // the same value under another name
	byFunction         // castRule.fn
	byElement          // an array, element by element
	throughText        // the text of one is read as the other
)

// pathway finds how Postgres converts from one type to another in a context (find_coercion_pathway).
func pathway(from, to types.Type, ctx CastContext) (method, *Function) {
	from, to = plain(from), plain(to)
	if from == to {
		return relabel, nil
	}
	if r := lib().casts[castKey{from, to}]; r != nil {
		if r.context > ctx {
			return noPath, nil
		}
		if r.fn == nil {
			return relabel, nil
		}
		return byFunction, r.fn
	}
	if isArray(from) && !from.Array && to.Array && elemOf(from).Same(to.Elem()) {
		return relabel, nil // an int2vector or oidvector is an array of its elements
	}
	if isArray(from) && to.Array {
		if m, _ := pathway(elemOf(from), to.Elem(), ctx); m != noPath {
			return byElement, nil
		}
		return noPath, nil
	}
	if ctx >= Assignment && isString(to) || ctx == Explicit && isString(from) {
		return throughText, nil
	}
	return noPath, nil
}

// category is Postgres's typcategory.
func category(t types.Type) byte {
	if t.Array {
		return 'A'
	}
	return t.Kind.Info().Category
}

func isString(t types.Type) bool    { return category(t) == 'S' }
func isPreferred(t types.Type) bool { return !t.Array && t.Kind.Info().Preferred }
func isUnknown(t types.Type) bool   { return t.Kind == types.Unknown && !t.Array }

// isArray reports whether t has elements that polymorphic functions may bind.
func isArray(t types.Type) bool {
	return t.Array || t.Kind == types.Int2Vector || t.Kind == types.OIDVector
}

// elemOf returns the element type of an array or a vector type.
func elemOf(t types.Type) types.Type {
	switch {
	case t.Array:
		return t.Elem()
	case t.Kind == types.Int2Vector:
		return types.Of(types.Int2)
	case t.Kind == types.OIDVector:
		return types.Of(types.OID)
	}
	panic("expr: no element type of " + t.String())
}

// arrayOver returns the array type over t.
func arrayOver(t types.Type) types.Type { return types.Type{Kind: t.Kind, Array: true, Mod: t.Mod} }

// canCoerce reports whether a value of one type may stand where the other is asked for (can_coerce_type).
// Polymorphic targets are checked later, together.
func canCoerce(from, to types.Type, ctx CastContext) bool {
	if from.Same(to) || isUnknown(from) || isPolymorphic(to) {
		return true
	}
	m, _ := pathway(from, to, ctx)
	return m != noPath
}

// isPolymorphic reports whether t is one of the pseudo-types of signatures.
func isPolymorphic(t types.Type) bool {
	return !t.Array && t.Kind >= types.Any && t.Kind <= types.AnyCompatibleNonArray
}
