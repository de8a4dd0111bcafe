package server

import (
	"context"
	"fmt"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/expr"
	"wmsql/pgwire"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// insertPlan adds rows to a table or to an internal stream.
type insertPlan struct {
	s         *Session
	t         *target
	override  string // OVERRIDING: "", "system", "user"
	given     []int  // ordinals that the rows have
	literals  *column.Batch
	source    *selectPlan // nil with literals, and for DEFAULT VALUES
	conflict  onConflict
	returning *returning
}

func (s *Session) planInsert(n *sql.Insert, params *[]types.Type) (*insertPlan, error) {
	t, err := s.target("INSERT", n.Table)
	if err != nil {
		return nil, err
	}
	p := &insertPlan{s: s, t: t, override: n.Overriding}
	if p.conflict, err = s.planOnConflict(t, n, params); err != nil {
		return nil, err
	}
	if p.given, err = t.ordinals(n.Columns); err != nil {
		return nil, err
	}
	if n.Query == nil {
		p.given = nil
	} else if err := p.planSource(n, params); err != nil {
		return nil, err
	}
	if len(n.Returning) > 0 {
		p.returning, err = s.planReturning(t, n.Alias, n.Returning, nil, params)
	}
	return p, err
}

// planSource resolves VALUES or SELECT. Rows of literals alone are read at once.
func (p *insertPlan) planSource(n *sql.Insert, params *[]types.Type) error {
	rows, isValues := n.Query.Body.(*sql.Values)
	isValues = isValues && len(n.Query.With) == 0 && n.Query.OrderBy == nil && n.Query.Limit == nil && n.Query.Offset == nil
	if !isValues {
		return p.planQuery(n, params)
	}
	cells := len(rows.Rows[0])
	if len(n.Columns) == 0 && cells == len(p.t.columns) {
		p.given = upTo(cells) // computed columns stand in their place, to be given by DEFAULT
	}
	for _, row := range rows.Rows {
		if len(row) != cells {
			return sqlerr.Newf(sqlerr.SyntaxError, "VALUES lists must all be the same length").At(int(row[0].At()))
		}
	}
	if err := p.count(n, cells, rows.Rows[0]); err != nil {
		return err
	}
	rows, err := p.dropGenerated(rows)
	if err != nil {
		return err
	}
	if p.literals = readLiterals(rows.Rows, p.t.rowType(p.given), p.s.vars.format); p.literals != nil {
		return nil
	}
	typed := *n.Query
	typed.Body, err = p.typeRows(rows)
	if err != nil {
		return err
	}
	return p.planTyped(&typed, params, int(n.Pos))
}

// count compares the number of expressions with that of columns.
func (p *insertPlan) count(n *sql.Insert, cells int, row []sql.Expr) error {
	switch {
	case cells > len(p.given):
		e := sqlerr.Newf(sqlerr.SyntaxError, "INSERT has more expressions than target columns")
		if row != nil {
			e.At(int(row[len(p.given)].At()))
		}
		return e
	case cells < len(p.given) && len(n.Columns) > 0:
		return sqlerr.Newf(sqlerr.SyntaxError, "INSERT has more target columns than expressions").At(int(n.Columns[cells].Pos))
	}
	p.given = p.given[:cells]
	return nil
}

// dropGenerated takes DEFAULT for computed columns out of the rows and refuses anything else for them.
func (p *insertPlan) dropGenerated(v *sql.Values) (*sql.Values, error) {
	keep, given := []int{}, []int{}
	for i, o := range p.given {
		if p.t.columns[o].Generated == "" {
			keep, given = append(keep, i), append(given, o)
		}
		c := p.t.columns[o]
		if c.Identity != "" && p.override == "user" {
			for _, row := range v.Rows {
				row[i] = &sql.Default{Pos: row[i].At()} // what is given counts for nothing
			}
		}
		if c.Generated == "" && (c.Identity != "always" || p.override == "system") {
			continue
		}
		for _, row := range v.Rows {
			if _, ok := row[i].(*sql.Default); !ok {
				return nil, p.t.writable(o, row[i].At())
			}
		}
	}
	if len(keep) == len(p.given) {
		return v, nil
	}
	out := &sql.Values{Pos: v.Pos}
	for _, row := range v.Rows {
		kept := make([]sql.Expr, len(keep))
		for i, k := range keep {
			kept[i] = row[k]
		}
		out.Rows = append(out.Rows, kept)
	}
	p.given = given
	return out, nil
}

// typeRows gives untyped literals and parameters the type of their column, and DEFAULT its expression.
func (p *insertPlan) typeRows(v *sql.Values) (*sql.Values, error) {
	out := &sql.Values{Pos: v.Pos}
	for _, row := range v.Rows {
		typed := make([]sql.Expr, len(row))
		for i, x := range row {
			c := p.t.columns[p.given[i]]
			if _, ok := x.(*sql.Default); ok {
				x = &sql.Literal{Kind: sql.Null}
				if c.Default != "" {
					var err error
					if x, err = sql.ParseExpr(c.Default); err != nil {
						return nil, err
					}
				}
			}
			typed[i] = typeUntyped(x, c.Type)
		}
		out.Rows = append(out.Rows, typed)
	}
	return out, nil
}

// typeUntyped casts what has no type of its own to t without its modifiers, which an assignment applies.
func typeUntyped(x sql.Expr, t types.Type) sql.Expr {
	switch l := x.(type) {
	case *sql.Literal:
		if l.Kind != sql.String && l.Kind != sql.Null {
			return x
		}
	case *sql.Param:
		if l.Typed {
			return x
		}
	default:
		return x
	}
	dims := 0
	if t.Array {
		dims = 1
	}
	return &sql.Cast{X: x, Type: sql.TypeName{Schema: "pg_catalog", Name: t.Kind.Info().PgName, Dims: dims}, Pos: x.At()}
}

// planQuery resolves INSERT ... SELECT. Untyped literals of its list take the type of their column.
func (p *insertPlan) planQuery(n *sql.Insert, params *[]types.Type) error {
	typed := *n.Query
	if q, ok := n.Query.Body.(*sql.Query); ok {
		c := *q
		c.Items = append([]sql.Item(nil), q.Items...)
		for i := range c.Items {
			if _, star := c.Items[i].X.(*sql.Star); star || i >= len(p.given) {
				break
			}
			c.Items[i].X = typeUntyped(c.Items[i].X, p.t.columns[p.given[i]].Type)
		}
		typed.Body = &c
	}
	source, err := p.s.planSelect(&typed, params)
	if err != nil {
		return err
	}
	if err := p.count(n, len(source.out.Fields), nil); err != nil {
		return err
	}
	for _, o := range p.given {
		switch c := p.t.columns[o]; {
		case c.Identity != "" && p.override == "user":
			return sqlerr.Unsupported("OVERRIDING USER VALUE with a query").At(int(n.Pos))
		case c.Identity == "always" && p.override == "system":
			continue
		}
		if err := p.t.writable(o, n.Pos); err != nil {
			return err
		}
	}
	return p.assign(source, int(n.Pos))
}

func (p *insertPlan) planTyped(q *sql.Select, params *[]types.Type, pos int) error {
	source, err := p.s.planSelect(q, params)
	if err != nil {
		return err
	}
	return p.assign(source, pos)
}

// assign checks that the source's columns can be assigned to those of the target.
func (p *insertPlan) assign(source *selectPlan, pos int) error {
	p.source = source
	for i, o := range p.given {
		if err := assignable(p.t.columns[o], source.out.Fields[i], pos); err != nil {
			return err
		}
	}
	return nil
}

// assignable refuses a value whose type cannot be assigned to a column's.
func assignable(c catalog.Column, f types.Field, pos int) error {
	if _, err := expr.NewCast(&expr.Column{ID: 1, Name: f.Name, T: f.Type}, c.Type, expr.Assignment); err != nil {
		return sqlerr.Newf(sqlerr.DatatypeMismatch, "column %q is of type %s but expression is of type %s", c.Name, c.Type, f.Type).
			WithHint("You will need to rewrite or cast the expression.").At(pos)
	}
	return nil
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func (p *insertPlan) schema() *types.Schema {
	if p.returning == nil {
		return nil
	}
	return p.returning.schema
}

func (p *insertPlan) run(ctx context.Context, args []column.Vector) (pgwire.Result, error) {
	if err := p.s.writes("INSERT"); err != nil {
		return nil, err
	}
	defer p.source.oneStatement()()
	w, err := p.s.newRowWriter(ctx, p.t, p.given, args)
	if err != nil {
		return nil, err
	}
	w.on = p.conflict.on
	if w.update, err = p.conflict.open(w, args); err != nil {
		return nil, err
	}
	out, err := p.returning.open(p.s, w, args)
	if err != nil {
		return nil, err
	}
	var rows int64
	err = p.batches(ctx, args, func(b *column.Batch) error {
		stored, n, err := w.write(b)
		if err != nil {
			return err
		}
		rows += n
		return out.add(stored)
	})
	if err != nil {
		return nil, err
	}
	tag := fmt.Sprintf("INSERT 0 %d", rows)
	return &complete{tag: func(int64) string { return tag }, batch: out.batch()}, nil
}

// batches calls f with the rows to insert, typed as the columns are.
func (p *insertPlan) batches(ctx context.Context, args []column.Vector, f func(*column.Batch) error) error {
	switch {
	case p.literals != nil:
		return f(p.literals)
	case p.source == nil:
		return f(&column.Batch{Schema: &types.Schema{}, Rows: 1})
	}
	r, err := p.source.open(ctx, args)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // only read from
	cast, err := newCaster(p.source.out, p.t.rowType(p.given), p.s.context(args))
	if err != nil {
		return err
	}
	for {
		b, err := r.Next(ctx)
		if b == nil || err != nil {
			return err
		}
		typed, err := cast.batch(b)
		if err != nil {
			return err
		}
		if err := f(typed); err != nil {
			return err
		}
	}
}

// caster assigns rows of one type to columns of another.
type caster struct {
	to    *types.Schema
	evals []expr.Evaluator
}

func newCaster(from, to *types.Schema, ctx *expr.Context) (*caster, error) {
	c := &caster{to: to}
	layout := make([]expr.ColumnID, len(from.Fields))
	for i := range layout {
		layout[i] = expr.ColumnID(i + 1)
	}
	for i, f := range to.Fields {
		e, err := expr.NewCast(&expr.Column{ID: layout[i], Name: from.Fields[i].Name, T: from.Fields[i].Type}, f.Type, expr.Assignment)
		if err != nil {
			return nil, err
		}
		ev, err := expr.Compile(e, layout, ctx, nil)
		if err != nil {
			return nil, err
		}
		c.evals = append(c.evals, ev)
	}
	return c, nil
}

// batch returns a copy of b under the target's types.
func (c *caster) batch(b *column.Batch) (*column.Batch, error) {
	out := &column.Batch{Schema: c.to, Cols: make([]column.Vector, len(c.evals)), Rows: b.Rows}
	for i, e := range c.evals {
		v, err := e.Eval(b)
		if err != nil {
			return nil, err
		}
		out.Cols[i] = v.Take(all(b.Rows))
	}
	return out, nil
}
