package build

import (
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// aggregate binds an aggregate call to a column that the Aggregate node of its level will make.
func (c *exprCtx) aggregate(name string, f *sql.Func) (expr.Expr, error) {
	in, asked := c.argumentsOf()
	agg, err := c.resolveAggregate(name, f, in)
	if err != nil {
		return nil, err
	}
	own, err := c.level(readByAggregate(agg, *asked), "aggregate functions", f.Pos)
	if err != nil {
		return nil, err
	}
	for _, a := range *asked {
		own.below.attach(a)
	}
	out := own.add(agg, c.b.pos(f.Pos))
	if col, ok := out.(*expr.Column); ok && agg.T.Kind == types.Record && len(agg.Args) > 0 {
		c.b.shapes[col.ID] = c.b.recordOf(agg.Args[0])
	}
	if extreme(name) {
		return textOfExtreme(out, agg), nil
	}
	return out, nil
}

// textOfExtreme is what min or max gives: of a text with a collation, out is a key.
func textOfExtreme(out expr.Expr, agg *expr.Aggregate) expr.Expr {
	if text := expr.OrderedText(first(agg.Args)); text != nil {
		return expr.TextOfSortValue(out, text.Type())
	}
	return out
}

// extreme reports whether the aggregate called name is one of the values it is given, by their order.
func extreme(name string) bool { return name == "min" || name == "max" }

// nameFields makes JSON with the names of their fields of those arguments that are records, if the aggregate called name makes JSON. It returns
// the name of the aggregate to call.
func (c *exprCtx) nameFields(name string, args []expr.Expr, p sql.Pos) (_ string, err error) {
	binary := strings.HasPrefix(name, "jsonb")
	switch name {
	case "json_agg", "jsonb_agg":
		if len(args) != 1 {
			return name, nil
		}
		record := args[0].Type().Kind == types.Record
		args[0], err = c.b.namedJSON(args[0], binary, p)
		if record && !binary && args[0].Type().Kind == types.JSON {
			name = "json_agg_rows"
		}
	case "json_object_agg", "jsonb_object_agg":
		if len(args) == 2 {
			args[1], err = c.b.namedJSON(args[1], binary, p)
		}
	}
	return name, err
}

// resolveAggregate binds the parts of an aggregate call in the context in, below the grouping.
func (c *exprCtx) resolveAggregate(name string, f *sql.Func, in *exprCtx) (*expr.Aggregate, error) {
	inner := *in
	inner.inAgg = in != c // a window function's argument may be an aggregate
	args, err := inner.arguments(name, f)
	if err != nil {
		return nil, err
	}
	if name, err = c.nameFields(name, args, f.Pos); err != nil {
		return nil, err
	}
	if len(args) == 1 && extreme(name) {
		args[0] = expr.SortValue(args[0])
	}
	order, err := inner.sortKeys(f.OrderBy)
	if err != nil {
		return nil, err
	}
	if len(f.Within) > 0 {
		if f.Distinct {
			return nil, c.b.errorf(f.Pos, sqlerr.SyntaxError, "cannot use DISTINCT with WITHIN GROUP")
		}
		for _, o := range f.Within {
			x, err := inner.bind(o.X)
			if err != nil {
				return nil, err
			}
			order, args = append(order, sortKey(x, o)), append(args, x)
		}
	}
	filter, err := inner.aggregateFilter(f, args)
	if err != nil {
		return nil, err
	}
	var agg *expr.Aggregate
	if expr.IsHypothetical(name) {
		agg, err = expr.NewHypothetical(name, args, order, filter)
	} else {
		agg, err = expr.NewAggregate(name, args, f.Star, f.Distinct, order, filter)
	}
	if err != nil {
		return nil, c.b.fail(err, f.Pos)
	}
	if agg.Func.OrderedSet { // what is sorted is what the aggregate takes
		for i := range agg.OrderBy {
			agg.OrderBy[i].X = agg.Args[len(agg.Args)-len(agg.OrderBy)+i]
		}
	}
	if err := c.checkWithin(agg, f); err != nil {
		return nil, err
	}
	for _, x := range agg.Args {
		c.b.learn(x)
	}
	return agg, nil
}

// checkWithin checks that ordered-set aggregates, and only they, have WITHIN GROUP.
func (c *exprCtx) checkWithin(agg *expr.Aggregate, f *sql.Func) error {
	set := agg.Func.OrderedSet
	switch {
	case set && len(f.Within) == 0:
		return c.b.errorf(f.Pos, sqlerr.WrongObjectType, "WITHIN GROUP is required for ordered-set aggregate %s", agg.Func.Name)
	case !set && len(f.Within) > 0:
		return c.b.errorf(f.Pos, sqlerr.WrongObjectType,
			"%s is not an ordered-set aggregate, so it cannot have WITHIN GROUP", agg.Func.Name)
	case set && f.Over != nil:
		return c.b.errorf(f.Pos, sqlerr.FeatureNotSupported, "OVER is not supported for ordered-set aggregate %s", agg.Func.Name)
	}
	return nil
}

// aggregateFilter binds FILTER; IGNORE NULLS filters the NULLs out.
func (c *exprCtx) aggregateFilter(f *sql.Func, args []expr.Expr) (expr.Expr, error) {
	var filter expr.Expr
	if f.Filter != nil {
		inner := *c
		inner.clause, inner.inAgg, inner.group, inner.windows = "FILTER", false, nil, nil
		var err error
		if filter, err = inner.bindBool(f.Filter, "FILTER"); err != nil {
			return nil, err
		}
	}
	if f.Nulls == "ignore" && len(args) > 0 {
		present := expr.Expr(&expr.IsNull{X: args[0], Not: true})
		if filter != nil {
			present = &expr.And{Args: []expr.Expr{filter, present}}
		}
		filter = present
	}
	return filter, nil
}

// sortKeys binds the items of an ORDER BY inside a call or a window.
func (c *exprCtx) sortKeys(items []sql.OrderItem) ([]expr.SortKey, error) {
	var keys []expr.SortKey
	for _, o := range items {
		x, err := c.bindKnown(o.X)
		if err != nil {
			return nil, err
		}
		keys = append(keys, sortKey(expr.SortValue(x), o))
	}
	return keys, nil
}

// sortKey resolves where NULLs go: last in ascending order, first in descending, unless the query says.
func sortKey(x expr.Expr, o sql.OrderItem) expr.SortKey {
	k := expr.SortKey{X: x, Desc: o.Desc, NullsFirst: o.Desc}
	if o.Nulls != "" {
		k.NullsFirst = o.Nulls == "first"
	}
	return k
}

// owns reports whether the scope's own query makes the column.
func (s *scope) owns(id expr.ColumnID) bool {
	for _, c := range s.cols {
		if c.ID == id {
			return true
		}
	}
	for _, r := range s.rels {
		for _, c := range r.cols {
			if c.ID == id {
				return true
			}
		}
	}
	return false
}

// add returns the column of an aggregate; the same call twice is computed once.
func (g *grouping) add(a *expr.Aggregate, pos int) expr.Expr {
	for _, have := range g.aggs {
		if sameAggregate(have.Agg, a) {
			return g.result(have)
		}
	}
	out := g.b.column(a.Func.Name, a.T)
	g.aggs = append(g.aggs, logicalplan.AggNamed{Out: out, Agg: a, Pos: pos})
	g.b.aggregates[out.ID] = g
	return g.result(g.aggs[len(g.aggs)-1])
}

// result refers to an aggregate's column by the call, which reads better than a column's name.
func (g *grouping) result(a logicalplan.AggNamed) expr.Expr {
	return &expr.Column{ID: a.Out.ID, Name: a.Agg.String(), T: a.Out.Type}
}

func sameAggregate(a, b *expr.Aggregate) bool {
	if a.Func.Name != b.Func.Name || a.Distinct != b.Distinct || a.T != b.T ||
		len(a.Args) != len(b.Args) || len(a.OrderBy) != len(b.OrderBy) || (a.Filter == nil) != (b.Filter == nil) {
		return false
	}
	for i := range a.Args {
		if !logicalplan.Equal(a.Args[i], b.Args[i]) {
			return false
		}
	}
	for i, k := range a.OrderBy {
		o := b.OrderBy[i]
		if k.Desc != o.Desc || k.NullsFirst != o.NullsFirst || !logicalplan.Equal(k.X, o.X) {
			return false
		}
	}
	return a.Filter == nil || logicalplan.Equal(a.Filter, b.Filter)
}
