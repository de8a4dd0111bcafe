package logicalplan

import (
	"maps"
	"slices"

	"wmsql/expr"
)

// Exprs returns the expressions that n itself computes, not those of its inputs.
func Exprs(n Node) []expr.Expr {
	var out []expr.Expr
	MapExprs(n, func(e expr.Expr) expr.Expr {
		out = append(out, e)
		return e
	})
	return out
}

// MapExprs returns a copy of n with f applied to each expression of its own. Column IDs that stand bare in a
// node (EventTimeWatermark.Column, Window.Time) are not expressions.
func MapExprs(n Node, f func(expr.Expr) expr.Expr) Node {
	switch n := n.(type) {
	case *Filter:
		c := *n
		c.Conds = mapAll(n.Conds, f)
		return &c
	case *Project:
		c := *n
		c.Exprs = mapNamed(n.Exprs, f)
		return &c
	case *ProjectSet:
		c := *n
		c.Exprs = mapNamed(n.Exprs, f)
		c.Funcs = make([]*expr.TableFunction, len(n.Funcs))
		for i, t := range n.Funcs {
			c.Funcs[i] = mapFunc(t, f)
		}
		return &c
	case *Values:
		c := *n
		c.Rows = make([][]expr.Expr, len(n.Rows))
		for i, r := range n.Rows {
			c.Rows[i] = mapAll(r, f)
		}
		return &c
	case *Window:
		c := *n
		c.TimeExpr, c.Gap, c.Partition = maybe(n.TimeExpr, f), maybe(n.Gap, f), mapAll(n.Partition, f)
		return &c
	case *Aggregate:
		c := *n
		c.Keys = mapNamed(n.Keys, f)
		c.Aggs = make([]AggNamed, len(n.Aggs))
		for i, a := range n.Aggs {
			a.Agg = MapAggregate(a.Agg, f)
			c.Aggs[i] = a
		}
		return &c
	case *Expand:
		c := *n
		c.Keys = mapNamed(n.Keys, f)
		return &c
	case *Distinct:
		c := *n
		c.On = mapAll(n.On, f)
		if n.By != nil {
			c.By = &mapKeys([]expr.SortKey{*n.By}, f)[0]
		}
		return &c
	case *Sort:
		c := *n
		c.Keys = mapKeys(n.Keys, f)
		return &c
	case *Limit:
		c := *n
		c.Count, c.Offset, c.Ties = maybe(n.Count, f), maybe(n.Offset, f), mapKeys(n.Ties, f)
		return &c
	case *Join:
		c := *n
		c.L, c.R, c.On = mapAll(n.L, f), mapAll(n.R, f), mapAll(n.On, f)
		return &c
	case *Apply:
		c := *n
		c.Test = maybe(n.Test, f)
		return &c
	case *TableFunc:
		c := *n
		c.Func = mapFunc(n.Func, f)
		return &c
	case *TopN:
		c := *n
		c.PartitionBy, c.OrderBy = mapAll(n.PartitionBy, f), mapKeys(n.OrderBy, f)
		return &c
	case *Process:
		c := *n
		c.Args, c.Keys = mapAll(n.Args, f), mapAll(n.Keys, f)
		return &c
	case *WindowFunc:
		return mapWindowFunc(n, f)
	}
	return n
}

// MapAggregate returns a copy of a with f applied to its arguments, order and filter.
func MapAggregate(a *expr.Aggregate, f func(expr.Expr) expr.Expr) *expr.Aggregate {
	c := *a
	c.Args = mapAll(a.Args, f)
	c.OrderBy = mapKeys(a.OrderBy, f)
	c.Filter = maybe(a.Filter, f)
	return &c
}

func mapWindowFunc(n *WindowFunc, f func(expr.Expr) expr.Expr) Node {
	c := *n
	c.PartitionBy, c.OrderBy = mapAll(n.PartitionBy, f), mapKeys(n.OrderBy, f)
	c.Funcs = make([]WindowCall, len(n.Funcs))
	for i, w := range n.Funcs {
		w.Args = mapAll(w.Args, f)
		if w.Agg != nil {
			w.Agg = MapAggregate(w.Agg, f)
		}
		c.Funcs[i] = w
	}
	return &c
}

func mapFunc(t *expr.TableFunction, f func(expr.Expr) expr.Expr) *expr.TableFunction {
	c := *t
	c.Args = mapAll(t.Args, f)
	return &c
}

func maybe(e expr.Expr, f func(expr.Expr) expr.Expr) expr.Expr {
	if e == nil {
		return nil
	}
	return f(e)
}

func mapAll(es []expr.Expr, f func(expr.Expr) expr.Expr) []expr.Expr {
	if es == nil {
		return nil
	}
	out := make([]expr.Expr, len(es))
	for i, e := range es {
		out[i] = f(e)
	}
	return out
}

func mapNamed(es []Named, f func(expr.Expr) expr.Expr) []Named {
	out := make([]Named, len(es))
	for i, e := range es {
		out[i] = Named{Out: e.Out, Expr: f(e.Expr)}
	}
	return out
}

func mapKeys(ks []expr.SortKey, f func(expr.Expr) expr.Expr) []expr.SortKey {
	if ks == nil {
		return nil
	}
	out := make([]expr.SortKey, len(ks))
	for i, k := range ks {
		k.X = f(k.X)
		out[i] = k
	}
	return out
}

// Reads adds to set the columns that n itself reads. A Window reads its time, which is computed below it; a Process all that its
// rows show.
func Reads(n Node, set map[expr.ColumnID]bool) {
	switch n := n.(type) {
	case *EventTimeWatermark:
		set[n.Column] = true
		return
	case *Process:
		for _, c := range n.In {
			set[c.ID] = true
		}
		if t := n.EventTime(); t.ID != 0 {
			set[t.ID] = true
		}
	case *Window:
		set[n.Time] = true
		for _, e := range append(slices.Clip(n.Partition), n.Gap, n.TimeExpr) {
			if e != nil {
				expr.Columns(e, func(c *expr.Column) { set[c.ID] = true })
			}
		}
		return
	}
	for _, e := range Exprs(n) {
		expr.Columns(e, func(c *expr.Column) { set[c.ID] = true })
	}
}

// Free returns the columns that the tree reads and does not make: the outer references of a correlated subplan.
func Free(n Node) map[expr.ColumnID]bool {
	read, made, own := map[expr.ColumnID]bool{}, map[expr.ColumnID]bool{}, map[expr.ColumnID]bool{}
	Walk(n, func(x Node) bool {
		clear(own)
		Reads(x, own)
		maps.Copy(read, own)
		for _, c := range x.Columns() {
			if !own[c.ID] { // else it is passed on, as a key that is a plain column
				made[c.ID] = true
			}
		}
		return true
	})
	for id := range made {
		delete(read, id)
	}
	return read
}
