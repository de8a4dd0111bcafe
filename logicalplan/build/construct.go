package build

import (
	"slices"
	"strings"

	"wmsql/expr"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// castExpr binds x::t. ARRAY[...]::t[] gives its elements their type at once, so that it may be empty.
func (c *exprCtx) castExpr(e *sql.Cast) (expr.Expr, error) {
	t, err := Type(e.Type)
	if err != nil {
		return nil, c.b.fail(err, e.Type.Pos)
	}
	if a, ok := e.X.(*sql.Array); ok && t.Array {
		return c.array(a, &t)
	}
	x, err := c.bind(e.X)
	if err != nil {
		return nil, err
	}
	return c.b.cast(x, t, expr.Explicit, e.Pos)
}

// caseExpr binds both forms of CASE; CASE x WHEN y is CASE WHEN x = y.
func (c *exprCtx) caseExpr(e *sql.Case) (expr.Expr, error) {
	var x expr.Expr
	if e.X != nil {
		var err error
		if x, err = c.bindKnown(e.X); err != nil {
			return nil, err
		}
	}
	n := len(e.Whens)
	conds, results := make([]expr.Expr, n), make([]expr.Expr, n)
	for i, w := range e.Whens {
		var err error
		if x == nil {
			conds[i], err = c.bindBool(w.Cond, "CASE/WHEN")
		} else if conds[i], err = c.bind(w.Cond); err == nil {
			conds[i], err = c.b.op("=", x, conds[i], w.Cond.At())
		}
		if err != nil {
			return nil, err
		}
		if results[i], err = c.bind(w.Then); err != nil {
			return nil, err
		}
	}
	last := expr.Expr(&expr.Const{T: types.Of(types.Unknown)})
	if e.Else != nil {
		var err error
		if last, err = c.bind(e.Else); err != nil {
			return nil, err
		}
	}
	all, t, err := c.b.unify("CASE", append([]expr.Expr{last}, results...), e.Pos) // as in Postgres, ELSE says the type first
	if err != nil {
		return nil, err
	}
	out := &expr.Case{Else: all[0], T: t}
	for i := range conds {
		out.Whens = append(out.Whens, expr.When{Cond: conds[i], Then: all[i+1]})
	}
	return out, nil
}

// array binds ARRAY[...]; want is the array type it is cast to, nil if none.
func (c *exprCtx) array(e *sql.Array, want *types.Type) (expr.Expr, error) {
	items, nested, err := c.arrayItems(e, want)
	if err != nil {
		return nil, err
	}
	if want != nil {
		item := want.Elem()
		if nested {
			item = *want
		}
		for i := range items {
			if items[i], err = c.b.cast(items[i], item, expr.Explicit, e.Items[i].At()); err != nil {
				return nil, err
			}
		}
		return &expr.Array{Items: items, T: *want}, nil
	}
	if len(items) == 0 {
		return nil, c.b.errorf(e.Pos, sqlerr.IndeterminateDatatype, "cannot determine type of empty array").
			WithHint("Explicitly cast to the desired type, for example ARRAY[]::integer[].")
	}
	items, t, err := c.b.unify("ARRAY", items, e.Pos)
	if err != nil {
		return nil, err
	}
	if t.Array {
		return &expr.Array{Items: items, T: t}, nil
	}
	return &expr.Array{Items: items, T: types.Type{Kind: t.Kind, Array: true, Mod: t.Mod}}, nil
}

// arrayItems binds the items of ARRAY[...]; arrays written in it become what it is cast to. nested says that there are arrays among them.
func (c *exprCtx) arrayItems(e *sql.Array, want *types.Type) (items []expr.Expr, nested bool, err error) {
	items = make([]expr.Expr, len(e.Items))
	for i, item := range e.Items {
		if inner, ok := item.(*sql.Array); ok {
			items[i], err = c.array(inner, want)
		} else {
			items[i], err = c.bind(item)
		}
		if err != nil {
			return nil, false, err
		}
		nested = nested || items[i].Type().Array
	}
	return items, nested, nil
}

func (c *exprCtx) row(e *sql.Row) (expr.Expr, error) {
	items, err := c.bindAll(e.Items)
	if err != nil {
		return nil, err
	}
	return &expr.Row{Items: items}, nil
}

// field binds (x).name of a relation's row or of a record column.
func (c *exprCtx) field(e *sql.Field) (expr.Expr, error) {
	if f, ok := e.X.(*sql.Func); ok && isGroupWindow(f) {
		return c.groupWindowField(f, e.Name, e.Pos)
	}
	if r, ok := e.X.(*sql.ColumnRef); ok && len(r.Parts) == 1 && !c.isColumn(r.Parts[0]) {
		return c.columnRef(&sql.ColumnRef{Parts: []string{r.Parts[0], e.Name}, Pos: e.Pos})
	}
	x, err := c.bind(e.X)
	if err != nil {
		return nil, err
	}
	if f, ok := c.b.fieldOf(x, e.Name); ok {
		return f, nil
	}
	if x.Type().Kind != types.Record || x.Type().Array {
		return nil, c.b.errorf(e.Pos, sqlerr.WrongObjectType,
			"column notation .%s applied to type %s, which is not a composite type", e.Name, x.Type())
	}
	return nil, c.b.errorf(e.Pos, sqlerr.UndefinedColumn, "could not identify column \"%s\" in record data type", e.Name)
}

// isColumn reports whether name is a column in reach.
func (c *exprCtx) isColumn(name string) bool {
	for s := c.scope; s != nil; s = s.outer {
		for _, col := range s.cols {
			if col.Name == name {
				return true
			}
		}
	}
	return false
}

// fieldOf reads a field of a record whose fields are known.
func (b *binder) fieldOf(x expr.Expr, name string) (expr.Expr, bool) {
	for i, f := range b.shapeOf(x) {
		if f.Name == name {
			return b.fieldAt(x, i), true
		}
	}
	return nil, false
}

func (b *binder) fieldAt(x expr.Expr, i int) expr.Expr {
	if row, ok := x.(*expr.Row); ok {
		return row.Items[i]
	}
	return &expr.Field{X: x, N: i, T: b.shapeOf(x)[i].Type}
}

// subscript binds x[i], x[lo:hi] and several of them: of an array they are one look-up, of a jsonb one behind the other.
func (c *exprCtx) subscript(e *sql.Subscript) (expr.Expr, error) {
	steps := []*sql.Subscript{e}
	base := e.X
	for !steps[len(steps)-1].Apart {
		inner, ok := base.(*sql.Subscript)
		if !ok {
			break
		}
		steps, base = append(steps, inner), inner.X
	}
	slices.Reverse(steps)
	x, err := c.bind(base)
	if err != nil {
		return nil, err
	}
	if !x.Type().Array {
		for _, s := range steps {
			if x, err = c.subscripted(x, []*sql.Subscript{s}); err != nil {
				return nil, err
			}
		}
		return x, nil
	}
	return c.subscripted(x, steps)
}

// subscripted takes one look-up. If one of several is a slice, all are: [i] is [1:i] then.
func (c *exprCtx) subscripted(x expr.Expr, steps []*sql.Subscript) (expr.Expr, error) {
	pos := steps[len(steps)-1].Pos
	sliced := slices.ContainsFunc(steps, func(s *sql.Subscript) bool { return s.Slice })
	bounds := make([][2]expr.Expr, len(steps))
	var idx []expr.Expr
	for k, s := range steps {
		for i, b := range []sql.Expr{s.Lo, s.Hi} {
			if b == nil {
				continue
			}
			var err error
			if bounds[k][i], err = c.bind(b); err != nil {
				return nil, err
			}
		}
		if !s.Slice {
			idx = append(idx, bounds[k][0])
			bounds[k] = [2]expr.Expr{&expr.Const{Value: int64(1), T: types.Of(types.Int4)}, bounds[k][0]}
		}
	}
	var out expr.Expr
	var err error
	switch {
	case sliced:
		out, err = expr.NewSlice(x, bounds)
	case len(idx) == 1:
		out, err = expr.NewSubscript(x, idx[0])
	default:
		out, err = expr.NewElement(x, idx)
	}
	if err != nil {
		return nil, c.b.fail(err, pos)
	}
	return c.b.placed(c.b.learn(out), pos), nil
}

// collate gives a text another order than that of its bytes.
func (c *exprCtx) collate(e *sql.Collate) (expr.Expr, error) {
	x, err := c.bind(e.X)
	if err != nil {
		return nil, err
	}
	coll, err := Collation(e.Name)
	if err != nil {
		return nil, c.b.fail(err, e.Pos)
	}
	out, err := expr.NewCollate(x, coll)
	if err != nil {
		return nil, c.b.fail(err, e.Pos)
	}
	return out, nil
}

// Collation finds what COLLATE names. 42704 if there is no such collation.
func Collation(name sql.Name) (types.Collation, error) {
	last := name.Parts[len(name.Parts)-1]
	c, ok := types.CollationByName(last)
	if !ok {
		return 0, sqlerr.Newf(sqlerr.UndefinedObject, "collation \"%s\" for encoding \"UTF8\" does not exist", strings.Join(name.Parts, ".")).At(int(name.Pos))
	}
	return c, nil
}
