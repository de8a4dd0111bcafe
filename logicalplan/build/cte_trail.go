package build

import (
	"slices"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// trail is the columns that SEARCH and CYCLE add to a recursive query: what they are of the first rows, and of a row that the step makes of an
// older one. As in Postgres they are computed beside the step, which passes the older row's on:
//
//	SEARCH DEPTH FIRST BY a      ARRAY[ROW(a)], then old || ROW(a)
//	SEARCH BREADTH FIRST BY a    ROW(0, a), then ROW(old depth + 1, a)
//	CYCLE a                      the mark: whether ROW(a) is in the old path; the path as SEARCH DEPTH. A marked row makes no others.
type trail struct {
	added []addedColumn
	old   []logicalplan.Column // the added columns of the older row, in the step
	stop  func(old []logicalplan.Column) (expr.Expr, error)
}

// addedColumn makes its values of the columns of the query and those of the older row.
type addedColumn struct {
	name  sql.Ident
	first func(cols []logicalplan.Column) (expr.Expr, error)
	next  func(cols, old []logicalplan.Column) (expr.Expr, error)
}

func (b *binder) notRecursive(d *cte) error {
	return b.errorf(d.pos(), sqlerr.SyntaxError, "WITH query is not recursive")
}

func (d *cte) pos() sql.Pos {
	if d.search != nil {
		return d.search.Pos
	}
	return d.cycle.Pos
}

// trail checks the clauses against the columns of the query.
func (b *binder) trail(d *cte, cols []logicalplan.Column) (*trail, error) {
	t := &trail{}
	if s := d.search; s != nil {
		by, err := b.trailColumns("search", s.By, cols)
		if err != nil {
			return nil, err
		}
		if s.Breadth {
			t.added = append(t.added, depthOf(s.Column, by))
		} else {
			t.added = append(t.added, wayTo(s.Column, by, 0))
		}
	}
	if y := d.cycle; y != nil {
		if err := b.cycle(t, d.search, y, cols); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// cycle adds the mark and the path.
func (b *binder) cycle(t *trail, search *sql.Search, y *sql.Cycle, cols []logicalplan.Column) error {
	by, err := b.trailColumns("cycle", y.By, cols)
	if err != nil {
		return err
	}
	names := []struct {
		what string
		name sql.Ident
	}{{"cycle mark", y.Mark}, {"cycle path", y.Path}}
	if search != nil {
		names = slices.Insert(names, 0, struct {
			what string
			name sql.Ident
		}{"search sequence", search.Column})
	}
	for i, n := range names {
		for _, m := range names[:i] {
			if m.name.Name == n.name.Name {
				return b.errorf(n.name.Pos, sqlerr.SyntaxError, "%s column name and %s column name are the same", m.what, n.what)
			}
		}
	}
	marks, err := b.cycleMarks(y)
	if err != nil {
		return err
	}
	at := len(t.added)
	t.added = append(t.added, addedColumn{
		name:  y.Mark,
		first: func([]logicalplan.Column) (expr.Expr, error) { return marks[1], nil },
		next: func(cols, old []logicalplan.Column) (expr.Expr, error) {
			seen, err := expr.NewAnyAll("=", rowOf(cols, by), use(old[at+1]), false)
			if err != nil {
				return nil, err
			}
			return expr.NewCase([]expr.Expr{seen}, []expr.Expr{marks[0]}, marks[1])
		},
	}, wayTo(y.Path, by, at+1))
	t.stop = func(old []logicalplan.Column) (expr.Expr, error) { return expr.NewOp("<>", use(old[at]), marks[0]) }
	return nil
}

// cycleMarks are the values of the mark: of a row that is on the way to itself, and of others.
func (b *binder) cycleMarks(y *sql.Cycle) (marks []expr.Expr, err error) {
	if y.To == nil {
		return []expr.Expr{&expr.Const{Value: true, T: boolType}, &expr.Const{Value: false, T: boolType}}, nil
	}
	c := &exprCtx{b: b, clause: "CYCLE"}
	for _, x := range []sql.Expr{y.To, y.Other} {
		e, err := c.bind(x)
		if err != nil {
			return nil, err
		}
		marks = append(marks, e)
	}
	marks, _, err = b.unify("CYCLE", marks, y.Pos)
	return marks, err
}

// trailColumns finds the columns that a clause names.
func (b *binder) trailColumns(clause string, names []sql.Ident, cols []logicalplan.Column) (at []int, err error) {
	for i, n := range names {
		k := slices.IndexFunc(cols, func(c logicalplan.Column) bool { return c.Name == n.Name })
		if k < 0 {
			return nil, b.errorf(n.Pos, sqlerr.SyntaxError, "%s column \"%s\" not in WITH query column list", clause, n.Name)
		}
		if slices.ContainsFunc(names[:i], func(m sql.Ident) bool { return m.Name == n.Name }) {
			return nil, b.errorf(n.Pos, sqlerr.DuplicateColumn, "%s column \"%s\" specified more than once", clause, n.Name)
		}
		at = append(at, k)
	}
	return at, nil
}

func rowOf(cols []logicalplan.Column, by []int) *expr.Row {
	row := &expr.Row{}
	for _, i := range by {
		row.Items = append(row.Items, use(cols[i]))
	}
	return row
}

// wayTo is the rows on the way to a row; at is which added column it is.
func wayTo(name sql.Ident, by []int, at int) addedColumn {
	return addedColumn{
		name:  name,
		first: func(cols []logicalplan.Column) (expr.Expr, error) { return expr.NewArray([]expr.Expr{rowOf(cols, by)}) },
		next: func(cols, old []logicalplan.Column) (expr.Expr, error) {
			return expr.NewFunc("array_append", []expr.Expr{use(old[at]), rowOf(cols, by)})
		},
	}
}

// depthOf is the depth of a row and the row: the first of the added columns.
func depthOf(name sql.Ident, by []int) addedColumn {
	depth := types.Of(types.Int8)
	ranked := func(x expr.Expr, cols []logicalplan.Column) expr.Expr {
		row := rowOf(cols, by)
		row.Items = slices.Insert(row.Items, 0, x)
		return row
	}
	return addedColumn{
		name: name,
		first: func(cols []logicalplan.Column) (expr.Expr, error) {
			return ranked(&expr.Const{Value: int64(0), T: depth}, cols), nil
		},
		next: func(cols, old []logicalplan.Column) (expr.Expr, error) {
			deeper, err := expr.NewOp("+", &expr.Field{X: use(old[0]), N: 0, T: depth}, &expr.Const{Value: int64(1), T: depth})
			if err != nil {
				return nil, err
			}
			return ranked(deeper, cols), nil
		},
	}
}

// scan adds the columns to the rows that the step reads. A marked row is not read again.
func (t *trail) scan(b *binder, n *logicalplan.RecursiveScan) (logicalplan.Node, error) {
	t.old = nil
	for _, a := range t.added {
		e, err := a.first(n.Cols) // for its type
		if err != nil {
			return nil, b.fail(err, a.name.Pos)
		}
		t.old = append(t.old, b.column(a.name.Name, e.Type()))
	}
	n.Cols = append(slices.Clip(n.Cols), t.old...)
	if t.stop == nil {
		return n, nil
	}
	cond, err := t.stop(t.old)
	if err != nil {
		return nil, b.fail(err, t.added[0].name.Pos)
	}
	return &logicalplan.Filter{Input: n, Conds: []expr.Expr{cond}, Pos: n.Pos}, nil
}

// extend adds the columns to both halves of the recursion.
func (t *trail) extend(b *binder, d *cte, n *logicalplan.Recursive, base, cols []logicalplan.Column) error {
	step := n.Step
	for _, c := range t.old {
		in, ok := expose(step, c)
		if !ok {
			return b.errorf(d.pos(), sqlerr.FeatureNotSupported,
				"with a SEARCH or CYCLE clause, the recursive reference to WITH query \"%s\" must be at the top level of its right-hand SELECT", d.name)
		}
		step = in
	}
	first, next := pass(base), pass(cols)
	for _, a := range t.added {
		x, err := a.first(base)
		if err != nil {
			return b.fail(err, a.name.Pos)
		}
		y, err := a.next(cols, t.old)
		if err != nil {
			return b.fail(err, a.name.Pos)
		}
		first = append(first, logicalplan.Named{Out: b.column(a.name.Name, x.Type()), Expr: x})
		next = append(next, logicalplan.Named{Out: b.column(a.name.Name, x.Type()), Expr: y})
		n.Cols = append(n.Cols, b.column(a.name.Name, x.Type()))
	}
	n.Base = &logicalplan.Project{Input: n.Base, Exprs: first, Pos: n.Pos}
	n.Step = &logicalplan.Project{Input: step, Exprs: next, Pos: n.Pos}
	return nil
}
