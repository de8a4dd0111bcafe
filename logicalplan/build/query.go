package build

import (
	"maps"
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// selectItem is one output column of a SELECT: as written, and bound.
type selectItem struct {
	x    sql.Expr // nil for a column that * stands for
	name string
	e    expr.Expr
}

// queryBinder is the state of binding one SELECT ... FROM ... .
type queryBinder struct {
	b       *binder
	q       *sql.Query
	outer   *scope
	scope   *scope
	node    logicalplan.Node // what has been planned so far
	items   []selectItem
	group   *grouping
	windows *windowCalls
	sets    *setCalls
	having  []expr.Expr
	// applies are the subqueries of HAVING and of what comes after it: they stand above the Aggregate.
	applies []*logicalplan.Apply
	sorts   []sortItem
	on      []expr.Expr // DISTINCT ON
}

// query binds one SELECT with the ORDER BY that belongs to it.
func (b *binder) query(q *sql.Query, order []sql.OrderItem, outer *scope, u unknowns) (*output, error) {
	if q.Distinct && len(q.DistinctOn) == 0 {
		u = resolveUnknown // they are compared here already
	}
	s := &queryBinder{b: b, q: q, outer: outer, windows: &windowCalls{named: q.Windows}, sets: &setCalls{}}
	for _, step := range []func() error{
		s.fromWhere,
		s.expandStars,
		func() error { return s.groupKeys(order) },
		func() error { return s.bindItems(u) },
		s.bindHaving,
		func() error { return s.bindOrder(order) },
		s.bindDistinctOn,
		s.planGroups,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s.finish()
}

// fromWhere binds FROM and WHERE.
func (s *queryBinder) fromWhere() error {
	it, err := s.b.from(s.q.From, s.outer)
	if err != nil {
		return err
	}
	s.node, s.scope = it.node, it.scopeOf(s.outer)
	if s.q.Where == nil {
		return nil
	}
	c := s.below("WHERE")
	cond, err := c.bindBool(s.q.Where, "WHERE")
	if err != nil {
		return err
	}
	s.node = &logicalplan.Filter{Input: s.node, Conds: conjuncts(cond), Pos: s.b.pos(s.q.Where.At())}
	return nil
}

// below is the context of an expression under the grouping.
func (s *queryBinder) below(clause string) *exprCtx {
	return &exprCtx{b: s.b, scope: s.scope, clause: clause, attach: func(a *logicalplan.Apply) {
		a.Input, s.node = s.node, a
	}}
}

// above is the context of an expression over the grouping, or over the rows if there is none.
func (s *queryBinder) above(clause string) *exprCtx {
	c := &exprCtx{b: s.b, scope: s.scope, clause: clause, group: s.group,
		attach: func(a *logicalplan.Apply) { s.applies = append(s.applies, a) }}
	if s.group != nil {
		c.spans = s.group.below.spans
	}
	return c
}

// expandStars replaces * and t.* by the columns they stand for.
func (s *queryBinder) expandStars() error {
	for _, it := range s.q.Items {
		cols, ok, err := s.star(it)
		if err != nil {
			return err
		}
		if !ok {
			name := it.Alias
			if name == "" {
				name = sql.ColumnName(it.X)
			}
			s.items = append(s.items, selectItem{x: it.X, name: name})
			continue
		}
		s.items = append(s.items, cols...)
	}
	return nil
}

// star expands one item; ok is false if it is no star.
func (s *queryBinder) star(it sql.Item) (out []selectItem, ok bool, err error) {
	c := s.below("SELECT")
	switch x := it.X.(type) {
	case *sql.Star:
		cols := s.scope.cols
		if len(x.Qualifier) > 0 {
			rl := s.scope.rel(x.Qualifier)
			for o := s.outer; rl == nil && o != nil; o = o.outer {
				rl = o.rel(x.Qualifier)
			}
			if rl == nil {
				return nil, true, c.missingRel(x.Qualifier, x.Pos)
			}
			cols = rl.cols
		} else if len(s.q.From) == 0 {
			return nil, true, s.b.errorf(x.Pos, sqlerr.SyntaxError, "SELECT * with no tables specified is not valid")
		}
		for _, col := range cols {
			out = append(out, selectItem{name: col.Name, e: s.b.reference(col, s.scope.display(col), x.Pos)})
		}
		if s.b.env.Star != nil && s.b.stored == 0 {
			s.b.env.Star(x, s.writtenOut(cols))
		}
		return out, true, nil
	case *sql.Field:
		if x.Name != "*" {
			return nil, false, nil
		}
		return s.recordStar(x)
	}
	return nil, false, nil
}

// recordStar expands (x).*: of a relation, or of a record whose fields are known.
func (s *queryBinder) recordStar(x *sql.Field) ([]selectItem, bool, error) {
	c := s.above("SELECT")
	c.sets, c.windows = s.sets, s.windows
	e, err := c.bind(x.X)
	if err != nil {
		return nil, true, err
	}
	fields := s.b.shapeOf(e)
	if fields == nil {
		return nil, true, s.b.errorf(x.Pos, sqlerr.WrongObjectType, "the fields of type %s are not known", e.Type())
	}
	var out []selectItem
	for i, f := range fields {
		out = append(out, selectItem{name: f.Name, e: s.b.fieldAt(e, i)})
	}
	return out, true, nil
}

// mayGroup reports whether the query has groups, be it only the one of all rows, or may yet prove to have: it does if a subquery in it
// calls an aggregate of its columns.
func (s *queryBinder) mayGroup(order []sql.OrderItem) bool {
	if s.groups() {
		return true
	}
	if s.q.Assigns != "" {
		return false
	}
	for _, it := range s.items {
		if it.x != nil && (hasAggregate(it.x) || hasSubquery(it.x)) {
			return true
		}
	}
	for _, o := range order {
		if hasAggregate(o.X) || hasSubquery(o.X) {
			return true
		}
	}
	return false
}

// groups reports whether the query has groups, now that all of its expressions are bound.
func (s *queryBinder) groups() bool {
	return len(s.q.GroupBy) > 0 || s.q.Having != nil || s.group != nil && len(s.group.aggs) > 0
}

// groupKeys binds GROUP BY.
func (s *queryBinder) groupKeys(order []sql.OrderItem) error {
	if !s.mayGroup(order) {
		return nil
	}
	s.group = &grouping{b: s.b, node: s.node, pos: s.b.pos(s.q.GroupPos)}
	s.group.below = s.below("GROUP BY")
	s.group.below.attach = func(a *logicalplan.Apply) { a.Input, s.group.node = s.group.node, a }
	s.group.below.sets = &setCalls{}
	if err := s.groupItems(); err != nil {
		return err
	}
	s.group.node = s.group.below.sets.plan(s.group.node, s.group.pos)
	s.group.below.sets = nil // an aggregate's argument returns no sets
	s.group.keepWindowEnds()
	return s.group.partitionSessions()
}

// groupKey binds an expression of GROUP BY and returns the keys that it is: a window is two.
func (s *queryBinder) groupKey(g sql.Expr) (groupSet, error) {
	x, name, e, err := s.groupTarget(g)
	if err != nil {
		return nil, err
	}
	if f, ok := x.(*sql.Func); ok && isGroupWindow(f) {
		return s.group.addGroupWindow(f)
	}
	if i, ok := s.group.numberOf(x); ok {
		return groupSet{i}, nil
	}
	sets := len(s.group.below.sets.calls)
	if e == nil {
		if e, err = s.group.below.bindKnown(x); err != nil {
			return nil, err
		}
	}
	if set, err := s.group.timeKey(e, g.At()); set != nil || err != nil {
		return set, err
	}
	i := s.group.addKey(e, name)
	if hasSubquery(x) || len(s.group.below.sets.calls) > sets {
		s.group.noteText(x, i)
	}
	return groupSet{i}, nil
}

// groupTarget resolves ordinals and output names: a column of FROM comes before an output name.
func (s *queryBinder) groupTarget(g sql.Expr) (x sql.Expr, name string, e expr.Expr, err error) {
	i, err := s.b.outputOrdinal(g, len(s.items), "GROUP BY")
	if err != nil {
		return nil, "", nil, err
	}
	if r, ok := g.(*sql.ColumnRef); ok && len(r.Parts) == 1 && !s.scope.hasColumn(r.Parts[0]) {
		for k, it := range s.items {
			if it.name != r.Parts[0] || it.x == nil {
				continue
			}
			i = k
			break
		}
	}
	if i < 0 {
		return g, sql.ColumnName(g), nil, nil
	}
	it := s.items[i]
	if it.x != nil && hasAggregate(it.x) {
		return nil, "", nil, s.b.errorf(g.At(), sqlerr.GroupingError, "aggregate functions are not allowed in GROUP BY")
	}
	if it.x == nil {
		return g, it.name, it.e, nil
	}
	return it.x, it.name, nil, nil
}

func (s *scope) hasColumn(name string) bool {
	for _, c := range s.cols {
		if c.Name == name {
			return true
		}
	}
	return false
}

// bindItems binds the select list.
func (s *queryBinder) bindItems(u unknowns) error {
	for i := range s.items {
		it := &s.items[i]
		if it.x == nil {
			continue
		}
		c := s.above("SELECT")
		c.windows, c.sets = s.windows, s.sets
		if s.q.Assigns != "" {
			c.clause, c.windows, c.sets = s.q.Assigns, nil, nil
		}
		e, err := c.bind(it.x)
		if err != nil {
			return err
		}
		if u == resolveUnknown {
			if e, err = c.known(e, it.x.At()); err != nil {
				return err
			}
		}
		it.e = e
	}
	return nil
}

// bindHaving binds HAVING.
func (s *queryBinder) bindHaving() error {
	if s.q.Having == nil {
		return nil
	}
	cond, err := s.above("HAVING").bindBool(s.q.Having, "HAVING")
	if err != nil {
		return err
	}
	s.having = conjuncts(cond)
	return nil
}

// planGroups makes the Aggregate, and rewrites all that stands above it.
func (s *queryBinder) planGroups() error {
	if !s.groups() {
		return s.planAbove()
	}
	s.nameAggregates()
	for _, a := range s.applies {
		if err := s.group.aboveApply(a); err != nil {
			return err
		}
		if a.Test != nil {
			var err error
			if a.Test, err = s.group.above(a.Test); err != nil {
				return err
			}
		}
	}
	if err := s.rewriteAbove(s.group.above); err != nil {
		return err
	}
	if err := s.noAggregates(); err != nil {
		return err
	}
	s.node = s.group.plan()
	return s.planAbove()
}

// nameAggregates gives an aggregate the name of the select item that is nothing else.
func (s *queryBinder) nameAggregates() {
	for _, it := range s.items {
		c, ok := it.e.(*expr.Column)
		for i := range s.group.aggs {
			if a := &s.group.aggs[i]; ok && a.Out.ID == c.ID && a.Out.Name == a.Agg.Func.Name {
				a.Out.Name = it.name
			}
		}
	}
}

// rewriteAbove applies f to every expression above the Aggregate.
func (s *queryBinder) rewriteAbove(f func(expr.Expr) (expr.Expr, error)) error {
	var err error
	for i := range s.items {
		if s.items[i].e, err = f(s.items[i].e); err != nil {
			return err
		}
	}
	for i := range s.having {
		if s.having[i], err = f(s.having[i]); err != nil {
			return err
		}
	}
	for i := range s.sorts {
		if s.sorts[i].key.X, err = f(s.sorts[i].key.X); err != nil {
			return err
		}
	}
	for i := range s.on {
		if s.on[i], err = f(s.on[i]); err != nil {
			return err
		}
	}
	if err := s.windows.rewrite(f); err != nil {
		return err
	}
	return s.sets.rewrite(f)
}

// planAbove stacks subqueries, HAVING, window functions and set-returning functions, and above these the subqueries that read them.
func (s *queryBinder) planAbove() error {
	now, later := ready(s.applies, s.windows.outs(), s.sets.outs())
	s.node = asked(s.node, now)
	if len(s.having) > 0 {
		s.node = &logicalplan.Filter{Input: s.node, Conds: s.having, Pos: s.b.pos(s.q.Having.At())}
	}
	s.node = s.windows.plan(s.node)
	now, later = ready(later, s.sets.outs())
	s.node = asked(s.node, now)
	s.node = asked(s.sets.plan(s.node, s.b.pos(s.q.Pos)), later)
	return nil
}

// writtenOut is the list of columns as a query could name them in place of a star.
func (s *queryBinder) writtenOut(cols []logicalplan.Column) string {
	var out []string
	for _, col := range cols {
		name := catalog.QuoteIdent(col.Name)
		for _, rl := range s.scope.rels {
			if i := slices.IndexFunc(rl.cols, func(c logicalplan.Column) bool { return c.ID == col.ID }); i >= 0 && rl.name != "" {
				name = catalog.QuoteIdent(rl.name) + "." + catalog.QuoteIdent(rl.cols[i].Name)
				break
			}
		}
		out = append(out, name)
	}
	return strings.Join(out, ", ")
}

// ready separates the subqueries that read none of the columns, nor answers of subqueries that do.
func ready(applies []*logicalplan.Apply, missing ...map[expr.ColumnID]bool) (now, later []*logicalplan.Apply) {
	all := map[expr.ColumnID]bool{}
	for _, m := range missing {
		maps.Copy(all, m)
	}
	for _, a := range applies {
		waits := false
		for id := range readBy(a) {
			waits = waits || all[id]
		}
		if waits {
			later, all[a.Out.ID] = append(later, a), true
		} else {
			now = append(now, a)
		}
	}
	return now, later
}
