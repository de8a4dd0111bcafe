package server

import (
	"wmsql/column"
	"wmsql/expr"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/types"
)

// returning computes RETURNING from the rows that were written.
type returning struct {
	schema *types.Schema
	exprs  []expr.Expr // over the columns numbered from 1, in the relation's order
}

// planReturning resolves RETURNING over the rows of t, which the statement calls alias ("": by its name).
func (s *Session) planReturning(t *target, alias string, items []sql.Item, params *[]types.Type) (*returning, error) {
	r := &returning{schema: &types.Schema{}}
	over := t.named(alias, 0)
	for _, it := range items {
		if _, star := it.X.(*sql.Star); star {
			for _, c := range over.Cols {
				r.add(c.Name, &expr.Column{ID: c.ID, Name: c.Name, T: c.Type})
			}
			continue
		}
		e, err := build.ScalarOver(it.X, []build.Named{over}, "RETURNING", s.env(params))
		if err != nil {
			return nil, err
		}
		r.add(itemName(it), e)
	}
	return r, nil
}

func (r *returning) add(name string, e expr.Expr) {
	r.schema.Fields = append(r.schema.Fields, types.Field{Name: name, Type: e.Type()})
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
