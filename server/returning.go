package server

import (
	"wmsql/catalog"
	"wmsql/column"
	"wmsql/expr"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// returning computes RETURNING from the rows that were written.
type returning struct {
	schema *types.Schema
	of     *target
	others []build.Named
	exprs  []expr.Expr // over the columns numbered from 1, in the relation's order
}

// planReturning resolves RETURNING over the rows of t, which the statement calls alias ("": by its name), and over the rows of other tables
// that were joined with them.
func (s *Session) planReturning(t *target, alias string, items []sql.Item, others []build.Named, params *[]types.Type) (*returning, error) {
	r := &returning{schema: &types.Schema{}, of: t, others: others}
	over := append([]build.Named{t.named(alias, 0)}, others...)
	for _, it := range items {
		if star, ok := it.X.(*sql.Star); ok {
			if err := r.addStar(star, over); err != nil {
				return nil, err
			}
			continue
		}
		e, err := build.ScalarOver(it.X, over, "RETURNING", s.env(params))
		if err != nil {
			return nil, err
		}
		r.add(itemName(it), e)
	}
	return r, nil
}

// addStar adds the columns of * or of name.*.
func (r *returning) addStar(star *sql.Star, over []build.Named) error {
	found := false
	for _, n := range over {
		if q := star.Qualifier; len(q) > 0 && q[len(q)-1] != n.Name {
			continue
		}
		found = true
		for _, c := range n.Cols {
			r.add(c.Name, &expr.Column{ID: c.ID, Name: c.Name, T: c.Type})
		}
	}
	if !found {
		return sqlerr.Newf(sqlerr.UndefinedTable, "missing FROM-clause entry for table %q", star.Qualifier[len(star.Qualifier)-1]).At(int(star.Pos))
	}
	return nil
}

func (r *returning) add(name string, e expr.Expr) {
	f := types.Field{Name: name, Type: e.Type()}
	if c, ok := e.(*expr.Column); ok && int(c.ID) <= len(r.of.columns) {
		f.Origin = types.Origin{Table: uint32(r.of.id()), Column: int16(catalog.Number(r.of.columns, int(c.ID)-1))}
	}
	r.schema.Fields = append(r.schema.Fields, f)
	r.exprs = append(r.exprs, e)
}

// itemName is the name of an output column, as Postgres chooses it.
func itemName(it sql.Item) string {
	switch x := it.X.(type) {
	case *sql.ColumnRef:
		if it.Alias == "" {
			return x.Parts[len(x.Parts)-1]
		}
	case *sql.Func:
		if it.Alias == "" {
			return x.Name.Parts[len(x.Name.Parts)-1]
		}
	}
	if it.Alias == "" {
		return "?column?"
	}
	return it.Alias
}

// returned collects the rows of RETURNING; nil collects nothing.
type returned struct {
	r     *returning
	evals []expr.Evaluator
	rows  []*column.Batch
}

// open readies the collection for the rows w writes.
func (r *returning) open(s *Session, w *rowWriter, args []column.Vector) (*returned, error) {
	if r == nil {
		return nil, nil
	}
	out := &returned{r: r}
	layout := make([]expr.ColumnID, len(w.stores))
	for i, o := range w.stores {
		layout[i] = expr.ColumnID(o + 1)
	}
	for _, n := range r.others {
		for _, c := range n.Cols {
			layout = append(layout, c.ID)
		}
	}
	for _, e := range r.exprs {
		ev, err := expr.Compile(e, layout, s.context(args), nil)
		if err != nil {
			return nil, err
		}
		out.evals = append(out.evals, ev)
	}
	return out, nil
}

func (r *returned) add(stored *column.Batch) error {
	if r == nil {
		return nil
	}
	b := &column.Batch{Schema: r.r.schema, Rows: stored.Rows}
	for _, e := range r.evals {
		v, err := e.Eval(stored)
		if err != nil {
			return err
		}
		b.Cols = append(b.Cols, v.Take(all(stored.Rows)))
	}
	r.rows = append(r.rows, b)
	return nil
}

func (r *returned) batch() *column.Batch {
	if r == nil || len(r.rows) == 0 {
		return nil
	}
	return column.Concat(r.r.schema, r.rows)
}
