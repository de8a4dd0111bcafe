package build

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// sortItem is one key of ORDER BY; item is the select item it is, -1 if it is not selected.
type sortItem struct {
	key  expr.SortKey
	item int
	pos  sql.Pos
	text string // of an expression with a subquery, which is another one each time it is bound; else ""
}

// bindOrder binds ORDER BY: ordinals and output names first, then expressions over FROM.
func (s *queryBinder) bindOrder(order []sql.OrderItem) error {
	for _, o := range order {
		x, i, err := s.sortTarget(o.X, "ORDER BY")
		if err != nil {
			return err
		}
		it := sortItem{key: sortKey(x, o), item: i, pos: start(o.X)}
		if hasSubquery(o.X) {
			it.text = sql.Format(o.X)
		}
		s.sorts = append(s.sorts, it)
	}
	return nil
}

// sortTarget resolves what ORDER BY or DISTINCT ON names.
func (s *queryBinder) sortTarget(x sql.Expr, clause string) (expr.Expr, int, error) {
	i, err := s.b.outputOrdinal(x, len(s.items), clause)
	if err != nil {
		return nil, 0, err
	}
	if r, ok := x.(*sql.ColumnRef); ok && len(r.Parts) == 1 {
		if i, err = s.outputName(r, clause); err != nil {
			return nil, 0, err
		}
	}
	if i >= 0 {
		return s.items[i].e, i, nil
	}
	if e, k, ok := s.boundBefore(x); ok {
		return e, k, nil
	}
	c := s.above(clause)
	c.windows, c.sets = s.windows, s.sets
	e, err := c.bindKnown(x)
	if err != nil {
		return nil, 0, err
	}
	for k, it := range s.items {
		if logicalplan.Equal(it.e, e) {
			return it.e, k, nil
		}
	}
	return e, -1, nil
}

// boundBefore finds an expression with a subquery that stands in the select list or the ORDER BY already.
func (s *queryBinder) boundBefore(x sql.Expr) (e expr.Expr, item int, ok bool) {
	if !hasSubquery(x) {
		return nil, 0, false
	}
	text := sql.Format(x)
	for k, it := range s.items {
		if it.x != nil && sql.Format(it.x) == text {
			return it.e, k, true
		}
	}
	for _, o := range s.sorts {
		if o.text == text {
			return o.key.X, o.item, true
		}
	}
	return nil, 0, false
}

// outputName finds the select item of a name; two different ones are ambiguous.
func (s *queryBinder) outputName(r *sql.ColumnRef, clause string) (int, error) {
	found := -1
	for k, it := range s.items {
		if it.name != r.Parts[0] {
			continue
		}
		if found >= 0 && !logicalplan.Equal(s.items[found].e, it.e) {
			return 0, s.b.errorf(r.Pos, sqlerr.AmbiguousColumn, "%s \"%s\" is ambiguous", clause, r.Parts[0])
		}
		if found < 0 {
			found = k
		}
	}
	return found, nil
}

// bindDistinctOn binds DISTINCT ON, whose expressions ORDER BY must begin with.
func (s *queryBinder) bindDistinctOn() error {
	for _, x := range s.q.DistinctOn {
		e, _, err := s.sortTarget(x, "DISTINCT ON")
		if err != nil {
			return err
		}
		s.on = append(s.on, e)
	}
	for i, o := range s.sorts {
		if i >= len(s.on) {
			break
		}
		listed := false
		for _, e := range s.on {
			listed = listed || logicalplan.Equal(e, o.key.X)
		}
		if !listed {
			return s.b.errorf(s.q.DistinctOn[0].At(), sqlerr.InvalidColumnReference, "SELECT DISTINCT ON expressions must match initial ORDER BY expressions")
		}
	}
	return nil
}

// finish makes the Project of the select list, DISTINCT and the Sort.
func (s *queryBinder) finish() (*output, error) {
	p := &logicalplan.Project{Input: s.node, Pos: s.b.pos(s.q.Pos)}
	out := &output{}
	seen := map[expr.ColumnID]bool{}
	for _, it := range s.items {
		col := s.outColumn(it, seen)
		p.Exprs = append(p.Exprs, logicalplan.Named{Out: col, Expr: it.e})
		out.cols, out.names = append(out.cols, col), append(out.names, it.name)
	}
	hide := func(e expr.Expr) expr.Expr {
		for _, x := range p.Exprs {
			if logicalplan.Equal(x.Expr, e) {
				return use(x.Out)
			}
		}
		col := s.outColumn(selectItem{name: e.String(), e: e}, seen)
		p.Exprs = append(p.Exprs, logicalplan.Named{Out: col, Expr: e})
		out.hidden++
		return use(col)
	}
	keys := make([]expr.SortKey, len(s.sorts))
	for i, o := range s.sorts {
		if o.item < 0 && s.q.Distinct && len(s.q.DistinctOn) == 0 {
			return nil, s.b.errorf(o.pos, sqlerr.InvalidColumnReference, "for SELECT DISTINCT, ORDER BY expressions must appear in select list")
		}
		keys[i] = o.key
		if o.item >= 0 {
			keys[i].X = use(p.Exprs[o.item].Out)
		} else {
			keys[i].X = hide(o.key.X)
		}
	}
	on := make([]expr.Expr, len(s.on))
	for i, e := range s.on {
		on[i] = hide(e)
	}
	if s.q.WithinWatermark {
		s.keepEventTime(hide)
	}
	out.node = s.distinctAndSort(p, on, keys)
	return out, nil
}

// outColumn is the output column of an item: a plain column keeps its ID, unless it is selected twice.
func (s *queryBinder) outColumn(it selectItem, seen map[expr.ColumnID]bool) logicalplan.Column {
	c, ok := it.e.(*expr.Column)
	if ok && !seen[c.ID] && s.makes(c.ID) {
		seen[c.ID] = true
		return logicalplan.Column{ID: c.ID, Name: it.name, Type: c.T}
	}
	col := s.b.column(it.name, it.e.Type())
	if ok {
		s.b.origins[col.ID] = s.b.origins[c.ID]
	}
	if shape := s.b.recordOf(it.e); shape != nil {
		s.b.shapes[col.ID] = shape
	}
	return col
}

// makes reports whether the column is the input's, not an enclosing query's.
func (s *queryBinder) makes(id expr.ColumnID) bool {
	_, ok := logicalplan.FindColumn(s.node, id)
	return ok
}

func (s *queryBinder) distinctAndSort(n logicalplan.Node, on []expr.Expr, keys []expr.SortKey) logicalplan.Node {
	sorted := func(n logicalplan.Node) logicalplan.Node {
		if len(keys) == 0 {
			return n
		}
		collateKeys(keys)
		return &logicalplan.Sort{Input: n, Keys: keys, Pos: s.b.pos(s.sorts[0].pos)}
	}
	switch {
	case len(on) > 0:
		return &logicalplan.Distinct{Input: sorted(n), On: on, WithinWatermark: s.q.WithinWatermark, Pos: s.b.pos(s.q.Pos)}
	case s.q.Distinct:
		return sorted(&logicalplan.Distinct{Input: n, Pos: s.b.pos(s.q.Pos)})
	}
	return sorted(n)
}

// collateKeys orders texts by their collations.
func collateKeys(keys []expr.SortKey) {
	for i := range keys {
		keys[i].X = expr.SortValue(keys[i].X)
	}
}

// keepEventTime hands the event time on to DISTINCT ON ... WITHIN WATERMARK, also when it is not selected.
func (s *queryBinder) keepEventTime(hide func(expr.Expr) expr.Expr) {
	marks := logicalplan.Derive(s.node).Marks
	for _, c := range s.node.Columns() {
		if m, ok := marks[c.ID]; ok && m.Kind == logicalplan.MarkTime {
			hide(use(c))
			return
		}
	}
}
