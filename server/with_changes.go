package server

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"wmsql/column"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/state"
	"wmsql/types"
)

// withChange is an INSERT, UPDATE or DELETE in the WITH of a query, which reads what it returns as a table. All changes of a statement are made,
// whether they are read or not, before its query is run; queries and changes see the tables as they were before all of them, as in Postgres.
type withChange struct {
	table build.Virtual
	plan  plan
	rows  *column.Batch // of the present run; nil: none
}

// planChanges plans the changes in a query's WITH, but those that an enclosing statement's WITH has planned already. A change may read the items before it.
func (s *Session) planChanges(q *sql.Select, params *[]types.Type) (mine []*withChange, err error) {
	for i, w := range q.With {
		if w.Change == nil || s.changes[w.Change] != nil {
			continue
		}
		c := &withChange{table: build.Virtual{Name: strconv.Itoa(len(s.changes))}}
		if c.plan, err = s.planChange(w.Change, q.With[:i], q.Recursive, params); err != nil {
			return mine, err
		}
		if out := c.plan.schema(); out != nil {
			c.table.Columns = out.Fields
		}
		if s.changes == nil {
			s.changes = map[sql.Stmt]*withChange{}
		}
		s.changes[w.Change] = c
		mine = append(mine, c)
	}
	return mine, nil
}

func (s *Session) planChange(change sql.Stmt, before []sql.CTE, recursive bool, params *[]types.Type) (plan, error) {
	switch n := change.(type) {
	case *sql.Insert:
		c := *n
		if n.Query != nil {
			query := *n.Query
			query.With, query.Recursive = slices.Concat(before, query.With), query.Recursive || recursive
			c.Query = &query
		}
		return s.planInsert(&c, params)
	case *sql.Update:
		c := *n
		c.With, c.Recursive = before, recursive
		return s.planUpdate(&c, params)
	}
	c := *change.(*sql.Delete)
	c.With, c.Recursive = before, recursive
	return s.planDelete(&c, params)
}

// changed is build.Env.Changed.
func (s *Session) changed(change sql.Stmt) *build.Virtual { return &s.changes[change].table }

// forgetChanges ends the planning of a statement's changes.
func (s *Session) forgetChanges(changes []*withChange) {
	maps.DeleteFunc(s.changes, func(_ sql.Stmt, c *withChange) bool { return slices.Contains(changes, c) })
}

// returnedByName is what the query that is being planned may read of changes.
func (s *Session) returnedByName() map[string]*withChange {
	if len(s.changes) == 0 {
		return nil
	}
	out := map[string]*withChange{}
	for _, c := range s.changes {
		out[c.table.Name] = c
	}
	return out
}

// read makes the changes and returns a reader of what was there before them.
func (p *selectPlan) read(ctx context.Context, args []column.Vector) (r state.Reader, done func(), err error) {
	tx := p.s.start()
	if len(p.changes) == 0 {
		r, done = tx.read()
		return r, done, nil
	}
	if err := tx.lock(ctx); err != nil { // others' changes are read, or wait
		return nil, nil, err
	}
	defer tx.oneStatement()()
	r, resume, done := tx.hold()
	defer resume()
	for _, c := range p.changes {
		if err := c.run(ctx, args); err != nil {
			done()
			return nil, nil, err
		}
	}
	return r, done, nil
}

// oneStatement is tx.oneStatement for a change of the rows that p finds, where there are changes in its WITH.
func (p *selectPlan) oneStatement() (end func()) {
	if p == nil || len(p.changes) == 0 {
		return func() {}
	}
	return p.s.start().oneStatement()
}

// run makes the change and keeps what it returns.
func (c *withChange) run(ctx context.Context, args []column.Vector) error {
	r, err := c.plan.run(ctx, args)
	if err != nil {
		return err
	}
	batches, err := collect(ctx, r)
	if closed := r.Close(); err == nil {
		err = closed
	}
	if out := c.plan.schema(); out != nil && err == nil {
		c.rows = column.Concat(out, batches)
	}
	return err
}

// computeVirtual is exec.Env.Virtual: what a change returned has no schema.
func (p *selectPlan) computeVirtual(ctx context.Context, schema, name string, ords []int) (*column.Batch, error) {
	if schema != "" {
		return p.s.computeVirtual(ctx, schema, name, ords)
	}
	return project(p.returned[name].rows, ords), nil
}
