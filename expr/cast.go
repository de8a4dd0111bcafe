package expr

import (
	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// CastContext says who asks for a cast.
type CastContext uint8

// The contexts, each allowing what the one before allows and more.
const (
	Implicit CastContext = iota
	Assignment
	Explicit
)

// NewCast converts e to t, or fails with 42846 (42804 for Assignment). A constant of unknown type is read as t at
// once, so a bad literal fails here, with 22P02 or the like. The error is a *sqlerr.Error without position.
func NewCast(e Expr, t types.Type, ctx CastContext) (Expr, error) {
	from := e.Type()
	if from == t || isUnknown(t) {
		return e, nil
	}
	if isUnknown(from) {
		switch x := e.(type) {
		case *Const:
			return castLiteral(x, t, ctx)
		case *Param:
			return castLength(&Param{N: x.N, T: plain(t)}, t, ctx), nil
		}
	}
	if c, ok := e.(*Const); ok && c.Value == nil && canCoerce(from, t, ctx) {
		return &Const{T: t}, nil
	}
	out, err := castKind(e, t, ctx)
	if err != nil {
		return nil, err
	}
	return castLength(out, t, ctx), nil
}

// castKind converts e to the kind of t, leaving modifiers aside.
func castKind(e Expr, t types.Type, ctx CastContext) (Expr, error) {
	from := e.Type()
	if from.Same(t) {
		if ctx == Explicit && t.Mod == types.NoMod && from.Mod != t.Mod { // a type without a modifier hides that of the value
			return castCallOf(relabelCast(from, t), e, t, ctx), nil
		}
		return e, nil
	}
	if isUnknown(from) {
		return castCallOf(throughTextCast(types.Of(types.Text), t), e, plain(t), ctx), nil
	}
	m, fn := pathway(from, t, ctx)
	if m == byFunction && t.Kind == types.Bit && t.Mod > 0 && from.Layout() == types.LayoutInt64 {
		fn = intToBits(from, t.Mod)
	}
	switch m {
	case relabel:
		return castCallOf(relabelCast(from, t), e, plain(t), ctx), nil
	case byFunction:
		return castCallOf(fn, e, plain(t), ctx), nil
	case byElement:
		return castCallOf(elementCast(from, t, ctx), e, plain(t), ctx), nil
	case throughText:
		return castCallOf(throughTextCast(from, t), e, plain(t), ctx), nil
	}
	if isPolymorphic(t) {
		return e, nil
	}
	code := sqlerr.CannotCoerce
	if ctx == Assignment {
		code = sqlerr.DatatypeMismatch
	}
	return nil, sqlerr.Newf(code, "cannot cast type %s to %s", plain(from), plain(t))
}

// castCallOf calls a cast function; one that the user did not write is left out of the expression's text.
func castCallOf(fn *Function, e Expr, t types.Type, ctx CastContext) Expr {
	if ctx == Implicit {
		f := *fn
		f.implicit = true
		fn = &f
	}
	if isCollatable(t) {
		t.Coll = e.Type().Coll
	}
	return foldCast(&Call{Func: fn, Args: []Expr{e}, T: t})
}

// foldCast computes the cast of a constant. What reads columns stays as it is written, for GROUP BY knows its keys by that.
func foldCast(c *Call) Expr {
	reads := false
	Columns(c, func(*Column) { reads = true })
	if reads {
		return c
	}
	return Fold(c)
}

// castLength brings a value to the length, precision or scale of t.
func castLength(e Expr, t types.Type, ctx CastContext) Expr {
	if t.Mod == types.NoMod || e.Type().Mod == t.Mod {
		return e
	}
	fn := lengthCast(t, ctx == Explicit)
	if fn == nil {
		return e
	}
	t.Coll = e.Type().Coll
	return foldCast(&Call{Func: fn, Args: []Expr{e}, T: t})
}

// castLiteral reads a literal of unknown type as a t. Where the value depends on the session's zone, or on the catalog, it
// is read at run time, once a statement; its form is checked here all the same.
func castLiteral(c *Const, t types.Type, ctx CastContext) (Expr, error) {
	if c.Value == nil {
		return &Const{T: t}, nil
	}
	text := c.Value.(string)
	base := plain(t)
	if t.Kind == types.Interval && !t.Array {
		base = t // its fields say what a number without a unit means
	}
	if base.Kind.IsReg() {
		in := &Const{Value: text, T: types.Of(types.Text)}
		return &Call{Func: throughTextCast(in.T, base), Args: []Expr{in}, T: base}, nil
	}
	value, err := readText(text, base, types.UTC)
	if depends := dependsOnSession(text, base, value, err); err != nil && !depends {
		return nil, err
	} else if depends {
		in := &Const{Value: text, T: types.Of(types.Text)}
		call := &Call{Func: throughTextCast(in.T, base), Args: []Expr{in}, T: base}
		return castLength(call, t, ctx), nil
	}
	return castLength(&Const{Value: value, T: base}, t, ctx), nil
}

// readText reads the text form of a value as a datum.
func readText(text string, t types.Type, f *types.Format) (any, error) {
	b := column.NewBuilder(t, 1)
	if err := b.AppendText([]byte(text), f); err != nil {
		return nil, err
	}
	return column.Get(b.View(), 0), nil
}
