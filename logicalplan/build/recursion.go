package build

import (
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// recursion is the name of a recursive item inside its own query.
type recursion struct {
	id     int
	cols   []logicalplan.Column
	trail  *trail  // what SEARCH and CYCLE add; nil: nothing
	within int     // how many of binder.within stand around the item itself
	at     sql.Pos // where the recursive term names the item; 0: nowhere yet
}

// inside binds by f what stands in a part of the query where no recursive term may name its item: "a subquery", "an outer join", ...
func (b *binder) inside(part string, f func() error) error {
	b.within = append(b.within, part)
	err := f()
	b.within = b.within[:len(b.within)-1]
	return err
}

// named notes that the recursive term names its item, and refuses it where Postgres does: a round's rows are all that there is of it.
func (r *recursion) named(b *binder, d *cte, p sql.Pos) error {
	if n := len(b.within); n > r.within {
		return b.errorf(p, sqlerr.InvalidRecursion, "recursive reference to query \"%s\" must not appear within %s", d.name, b.within[n-1])
	}
	if r.at > 0 && r.at != p {
		return b.errorf(p, sqlerr.InvalidRecursion, "recursive reference to query \"%s\" must not appear more than once", d.name)
	}
	r.at = p
	return nil
}

// misplaced is the error of an item that names itself where it is no recursive term.
func (d *cte) misplaced(b *binder, p sql.Pos) error {
	if op, ok := d.query.Body.(*sql.SetOp); ok && op.Op == "union" {
		return b.errorf(p, sqlerr.InvalidRecursion, "recursive reference to query \"%s\" must not appear within its non-recursive term", d.name)
	}
	return b.errorf(d.at, sqlerr.InvalidRecursion, "recursive query \"%s\" does not have the form non-recursive-term UNION [ALL] recursive-term", d.name)
}

// noAggregates refuses aggregates in a query whose FROM names the recursive item.
func (s *queryBinder) noAggregates() error {
	for _, r := range s.scope.rels {
		if r.round && len(s.group.aggs) > 0 {
			return sqlerr.Newf(sqlerr.InvalidRecursion, "aggregate functions are not allowed in a recursive query's recursive term").At(s.group.aggs[0].Pos)
		}
	}
	return nil
}

// noTail refuses what would stand behind all rounds of a recursive query, as Postgres does.
func (b *binder) noTail(q *sql.Select) error {
	refuse := func(what string, p sql.Pos) error {
		return b.errorf(p, sqlerr.FeatureNotSupported, "%s in a recursive query is not implemented", what)
	}
	switch {
	case len(q.OrderBy) > 0:
		return refuse("ORDER BY", start(q.OrderBy[0].X))
	case q.Offset != nil:
		return refuse("OFFSET", start(q.Offset))
	case q.Limit != nil:
		return refuse("LIMIT", start(q.Limit))
	case q.Locking != nil:
		return refuse("FOR UPDATE/SHARE", 0)
	}
	return nil
}
