package expr

import (
	"strings"

	"wmsql/column"
	"wmsql/types"
)

// Volatility is Postgres's provolatile.
type Volatility uint8

// The volatilities: Immutable may be folded, Stable depends on the Context, Volatile changes per row.
const (
	Immutable Volatility = iota
	Stable
	Volatile
)

// Function is one overload of a scalar function, operator or cast. It is immutable.
type Function struct {
	OID        uint32 // Postgres's own where the overload exists there
	Name       string // "lower", "+", "cast"
	Args       []types.Type
	Variadic   bool // the last argument may be repeated
	Return     types.Type
	Strict     bool // NULL in, NULL out
	Volatility Volatility

	kernel   kernel
	total    bool // no value of the arguments makes it fail
	cmp      cmpOp
	implicit bool // a cast that the user did not write
}

// body computes one call over n rows. nulls marks the rows that are NULL whatever the function says (nil: none); they
// must not fail, and must be NULL in the result. The result may be memory that the next run reuses.
type body func(in []column.Vector, nulls []bool, n int) (column.Vector, error)

// kernel makes the body of one call in one compiled expression.
type kernel func(s *site) body

// site is what a kernel knows of the call it is compiled for.
type site struct {
	fn   *Function
	args []types.Type // of the arguments after resolution
	ret  types.Type
	ctx  *Context
}

// option changes a function as it is defined.
type option func(*Function)

func stable(f *Function)   { f.Volatility = Stable }
func volatile(f *Function) { f.Volatility = Volatile }

// called marks a function that sees NULLs.
func called(f *Function) { f.Strict = false }

// total marks a function that cannot fail.
func total(f *Function) { f.total = true }

// def defines a function from its signature, written with pg_type's names:
//
//	substr(text,int4,int4) text
//	concat(variadic any) text
func def(signature string, k kernel, opts ...option) *Function {
	name, rest, _ := strings.Cut(signature, "(")
	args, ret, ok := strings.Cut(rest, ") ")
	if !ok {
		panic("expr: bad signature " + signature)
	}
	f := &Function{Name: name, Return: typeOf(ret), Strict: true, kernel: k}
	for a := range strings.SplitSeq(args, ",") {
		if a == "" {
			continue
		}
		if v, ok := strings.CutPrefix(a, "variadic "); ok {
			f.Variadic = true
			a = v
		}
		f.Args = append(f.Args, typeOf(a))
	}
	for _, o := range opts {
		o(f)
	}
	return f
}

// typeOf reads a type by its pg_type name, with [] for an array of it.
func typeOf(name string) types.Type {
	base, array := strings.CutSuffix(name, "[]")
	k, ok := kindByName()[base]
	if !ok {
		panic("expr: unknown type " + name)
	}
	return types.Type{Kind: k, Array: array, Mod: types.NoMod}
}

// signature is the call as error messages name it: substr(text, integer).
func signature(name string, args []types.Type) string {
	var sb strings.Builder
	sb.WriteString(name)
	sb.WriteByte('(')
	for i, t := range args {
		if i > 0 {
			sb.WriteString(", ")
		}
		sb.WriteString(plain(t).String())
	}
	sb.WriteByte(')')
	return sb.String()
}

// plain is t without modifiers and collation.
func plain(t types.Type) types.Type { t.Mod, t.Coll = types.NoMod, 0; return t }
