package build

import (
	"slices"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// join binds a join of two items; left is what stands to its left in FROM.
func (b *binder) join(j *sql.Join, outer *scope, left *item) (*item, error) {
	if t, ok := j.R.(*sql.Table); ok && t.AsOf != nil {
		return b.temporalJoin(j, t, outer, left)
	}
	kind, err := b.joinKind(j)
	if err != nil {
		return nil, err
	}
	l, err := b.joinSide(j.L, kind == logicalplan.RightJoin || kind == logicalplan.FullJoin, outer, left)
	if err != nil {
		return nil, err
	}
	r, err := b.joinSide(j.R, kind == logicalplan.LeftJoin || kind == logicalplan.FullJoin, outer, beside(left, l))
	if err != nil {
		return nil, err
	}
	if err := distinctNames(l, r); err != nil {
		return nil, err
	}
	out, err := b.joinItems(j, kind, l, r, outer)
	if err != nil {
		return nil, err
	}
	if j.Alias.Name != "" {
		return b.aliased(out.node, out.cols, j.Alias.Name, j.Alias)
	}
	return out, nil
}

// joinSide binds a side of a join; that of an outer join is nullable whose rows may be missing.
func (b *binder) joinSide(t sql.TableExpr, nullable bool, outer *scope, left *item) (it *item, err error) {
	if !nullable {
		return b.tableExpr(t, outer, left)
	}
	err = b.inside("an outer join", func() error {
		it, err = b.tableExpr(t, outer, left)
		return err
	})
	return it, err
}

func (b *binder) joinKind(j *sql.Join) (logicalplan.JoinKind, error) {
	kinds := map[string]logicalplan.JoinKind{"inner": logicalplan.InnerJoin, "left": logicalplan.LeftJoin,
		"right": logicalplan.RightJoin, "full": logicalplan.FullJoin, "cross": logicalplan.CrossJoin,
		"left semi": logicalplan.SemiJoin, "left anti": logicalplan.AntiJoin,
		"asof": logicalplan.AsOfJoin, "asof left": logicalplan.AsOfLeftJoin}
	kind, ok := kinds[j.Kind]
	if !ok {
		return 0, b.unsupported(j.Pos, "%s JOIN", j.Kind)
	}
	return kind, nil
}

// beside is what a lateral right side of a join may read: the items before the join and its left side.
func beside(left, l *item) *item {
	if left == nil {
		return l
	}
	return &item{
		rels: append(append([]*rel{}, left.rels...), l.rels...),
		cols: append(append([]logicalplan.Column{}, left.cols...), l.cols...),
	}
}

// joinItems makes the join node and the names above it.
func (b *binder) joinItems(j *sql.Join, kind logicalplan.JoinKind, l, r *item, outer *scope) (*item, error) {
	using := j.Using
	if j.Natural {
		using = commonNames(l, r)
	}
	if isAsOf(kind) && j.On == nil {
		return nil, b.unsupported(j.Pos, "ASOF JOIN without ON")
	}
	if len(using) > 0 {
		return b.joinUsing(j, kind, l, r, using)
	}
	out := &item{rels: append(append([]*rel{}, l.rels...), r.rels...),
		cols: append(append([]logicalplan.Column{}, l.cols...), r.cols...)}
	if kind == logicalplan.CrossJoin || j.On == nil {
		out.node = b.crossNode(l.node, r.node, j.Pos)
		return out, nil
	}
	var applies []*logicalplan.Apply
	c := &exprCtx{b: b, scope: out.scopeOf(outer), clause: "JOIN conditions",
		attach: func(a *logicalplan.Apply) { applies = append(applies, a) }}
	on, err := c.bindBool(j.On, "JOIN/ON")
	if err != nil {
		return nil, err
	}
	conds := conjuncts(on)
	switch {
	case isAsOf(kind):
		if len(applies) > 0 || reads(r.node, l.node) {
			return nil, b.unsupported(j.Pos, "a subquery or LATERAL in an ASOF JOIN")
		}
		out.node, err = b.asOfNode(kind, l.node, r.node, conds, j)
	case len(applies) > 0:
		out.node, err = b.joinWithSubqueries(j, kind, l, r, conds, applies)
	case reads(r.node, l.node):
		out.node, err = b.lateralJoin(j, kind, l, r, conds)
	default:
		out.node = b.joinNode(kind, l.node, r.node, conds, j.Pos)
	}
	if kind == logicalplan.SemiJoin || kind == logicalplan.AntiJoin {
		out.rels, out.cols = l.rels, l.cols
	}
	return out, err
}

// lateralJoin runs the right side, filtered by the condition, for every row of the left one.
func (b *binder) lateralJoin(j *sql.Join, kind logicalplan.JoinKind, l, r *item, conds []expr.Expr) (logicalplan.Node, error) {
	a := &logicalplan.Apply{Input: l.node, Subplan: r.node, Pos: b.pos(j.Pos)}
	switch kind {
	case logicalplan.InnerJoin:
		a.Kind = logicalplan.ApplyLateral
	case logicalplan.LeftJoin:
		a.Kind = logicalplan.ApplyLeftLateral
	default:
		return nil, b.errorf(j.Pos, sqlerr.InvalidColumnReference, "invalid reference to FROM-clause entry of the other side").
			WithDetail("The combining JOIN type must be INNER or LEFT for a LATERAL reference.")
	}
	if !alwaysTrue(conds) {
		a.Subplan = &logicalplan.Filter{Input: r.node, Conds: conds, Pos: b.pos(j.On.At())}
	}
	return a, nil
}

func alwaysTrue(conds []expr.Expr) bool {
	for _, c := range conds {
		if k, ok := c.(*expr.Const); !ok || k.Value != true {
			return false
		}
	}
	return true
}

// joinNode makes a join and takes the equalities between the sides out of the condition as its hash keys.
func (b *binder) joinNode(kind logicalplan.JoinKind, l, r logicalplan.Node, conds []expr.Expr, p sql.Pos) logicalplan.Node {
	n := &logicalplan.Join{Kind: kind, Left: l, Right: r, Pos: b.pos(p)}
	if alwaysTrue(conds) {
		if kind == logicalplan.InnerJoin {
			n.Kind = logicalplan.CrossJoin
		}
		return n
	}
	left, right := logicalplan.ColumnSet(l), logicalplan.ColumnSet(r)
	for _, c := range conds {
		if x, y, ok := logicalplan.EquiKey(c, left, right); ok {
			n.L, n.R = append(n.L, x), append(n.R, y)
			continue
		}
		n.On = append(n.On, c)
	}
	return n
}

func commonNames(l, r *item) []string {
	var out []string
	for _, c := range l.cols {
		if slices.ContainsFunc(r.cols, func(x logicalplan.Column) bool { return x.Name == c.Name }) && !slices.Contains(out, c.Name) {
			out = append(out, c.Name)
		}
	}
	return out
}

// joinUsing joins on equal columns and shows each pair as one column, first in the list.
func (b *binder) joinUsing(j *sql.Join, kind logicalplan.JoinKind, l, r *item, names []string) (*item, error) {
	out := &item{rels: append(append([]*rel{}, l.rels...), r.rels...)}
	if kind == logicalplan.CrossJoin {
		kind = logicalplan.InnerJoin
	}
	var conds []expr.Expr
	var merged []logicalplan.Named
	for _, name := range names {
		lc, err := usingColumn(l, name, "left")
		if err != nil {
			return nil, err
		}
		rc, err := usingColumn(r, name, "right")
		if err != nil {
			return nil, err
		}
		b.reads(lc)
		b.reads(rc)
		eq, err := b.op("=", use(lc), use(rc), j.Pos)
		if err != nil {
			return nil, err
		}
		conds = append(conds, eq)
		m, err := b.mergedColumn(kind, name, lc, rc, j.Pos)
		if err != nil {
			return nil, err
		}
		merged = append(merged, m)
	}
	out.node = b.joinNode(kind, l.node, r.node, conds, j.Pos)
	if kind == logicalplan.SemiJoin || kind == logicalplan.AntiJoin {
		out.rels, out.cols = l.rels, l.cols
		return out, nil
	}
	var extra []logicalplan.Named
	for _, m := range merged {
		out.cols = append(out.cols, m.Out)
		if _, plain := m.Expr.(*expr.Column); !plain {
			extra = append(extra, m)
		}
	}
	if j.UsingAs.Name != "" { // the merged columns are a relation of their own too
		named := &item{rels: []*rel{{name: j.UsingAs.Name, cols: slices.Clone(out.cols)}}}
		if err := distinctNames(out, named); err != nil {
			return nil, err
		}
		out.rels = append(out.rels, named.rels...)
	}
	if extra != nil {
		out.node = &logicalplan.Project{Input: out.node, Exprs: append(pass(out.node.Columns()), extra...), Pos: b.pos(j.Pos)}
	}
	for _, side := range [][]logicalplan.Column{l.cols, r.cols} {
		for _, c := range side {
			if !slices.Contains(names, c.Name) {
				out.cols = append(out.cols, c)
			}
		}
	}
	return out, nil
}

func usingColumn(i *item, name, side string) (logicalplan.Column, error) {
	var found []logicalplan.Column
	for _, c := range i.cols {
		if c.Name == name {
			found = append(found, c)
		}
	}
	switch len(found) {
	case 0:
		return logicalplan.Column{}, sqlerr.Newf(sqlerr.UndefinedColumn, "column \"%s\" specified in USING clause does not exist in %s table", name, side)
	case 1:
		return found[0], nil
	}
	return logicalplan.Column{}, sqlerr.Newf(sqlerr.AmbiguousColumn, "common column name \"%s\" appears more than once in %s table", name, side)
}

// mergedColumn is the one column that a USING pair becomes: the side that is never null-extended, of a full join whichever is there.
func (b *binder) mergedColumn(kind logicalplan.JoinKind, name string, l, r logicalplan.Column, p sql.Pos) (logicalplan.Named, error) {
	both, t, err := b.unify("JOIN/USING", []expr.Expr{use(l), use(r)}, p)
	if err != nil {
		return logicalplan.Named{}, err
	}
	e := both[0]
	switch kind {
	case logicalplan.RightJoin:
		e = both[1]
	case logicalplan.FullJoin:
		e = &expr.Coalesce{Args: both, T: t}
	}
	if c, ok := e.(*expr.Column); ok {
		return logicalplan.Named{Out: logicalplan.Column{ID: c.ID, Name: name, Type: c.T}, Expr: c}, nil
	}
	return logicalplan.Named{Out: b.column(name, t), Expr: e}, nil
}
