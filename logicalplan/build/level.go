package build

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// An aggregate belongs to the innermost query that makes a column which it reads, be that in its arguments, their order or FILTER; one that
// reads none belongs to the query it stands in. In a subquery it may so be one of an enclosing query: it is then computed there, and the subquery reads
// its column as it reads other columns of that query. (Postgres 15 docs, 4.2.7.)

// argumentsOf is the context of an aggregate's arguments. Whose rows their subqueries are asked of is known only once the aggregate's level is.
func (c *exprCtx) argumentsOf() (in *exprCtx, asked *[]*logicalplan.Apply) {
	inner := *c
	inner.windows, inner.sets = nil, nil
	if c.group != nil {
		inner = *c.group.below
	}
	inner.group, inner.inAgg = nil, true
	asked = &[]*logicalplan.Apply{}
	if inner.attach != nil {
		inner.attach = func(a *logicalplan.Apply) { *asked = append(*asked, a) }
	}
	return &inner, asked
}

// readByAggregate is the columns that an aggregate reads, itself or by the subqueries in it.
func readByAggregate(a *expr.Aggregate, asked []*logicalplan.Apply) map[expr.ColumnID]bool {
	read := map[expr.ColumnID]bool{}
	add := func(c *expr.Column) { read[c.ID] = true }
	for _, x := range a.Args {
		expr.Columns(x, add)
	}
	for _, k := range a.OrderBy {
		expr.Columns(k.X, add)
	}
	if a.Filter != nil {
		expr.Columns(a.Filter, add)
	}
	for _, sub := range asked {
		for id := range readBy(sub) {
			read[id] = true
		}
	}
	return read
}

// level is the grouping of the query to which something belongs that reads the columns and is called what.
func (c *exprCtx) level(read map[expr.ColumnID]bool, what string, p sql.Pos) (*grouping, error) {
	at := c
	for s := c.scope; s != nil; s = s.outer {
		if !s.makesAny(c.b, read) {
			continue
		}
		if s.asks != nil {
			at = s.asks
		} else if s != c.scope {
			return nil, c.b.errorf(p, sqlerr.GroupingError, "%s are not allowed in FROM clause of their own query level", what)
		}
		break
	}
	switch {
	case at.inAgg || at.group != nil && c.b.readsAggregateOf(at.group, read):
		return nil, c.b.errorf(p, sqlerr.GroupingError, "aggregate function calls cannot be nested")
	case at.group == nil:
		return nil, c.b.errorf(p, sqlerr.GroupingError, "%s are not allowed in %s", what, at.clause)
	}
	return at.group, nil
}

// makesAny reports whether the scope's own query makes one of the columns, from its rows or as an aggregate of them.
func (s *scope) makesAny(b *binder, ids map[expr.ColumnID]bool) bool {
	for id := range ids {
		if s.owns(id) || s.asks != nil && s.asks.group != nil && b.aggregates[id] == s.asks.group {
			return true
		}
	}
	return false
}

// readsAggregateOf reports whether one of the columns is an aggregate of g.
func (b *binder) readsAggregateOf(g *grouping, ids map[expr.ColumnID]bool) bool {
	for id := range ids {
		if b.aggregates[id] == g {
			return true
		}
	}
	return false
}

// asking is the scope of a subquery in the expression.
func (c *exprCtx) asking() *scope {
	if c.scope == nil {
		return &scope{asks: c}
	}
	s := *c.scope
	s.asks = c
	return &s
}
