package build

import (
	"slices"
	"strings"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// rel is a relation of FROM as names see it.
type rel struct {
	schema string // "" when it has an alias
	name   string
	cols   []logicalplan.Column
	pk     []expr.ColumnID           // primary key; nil if none
	oid    catalog.ID                // for tableoid; 0 if it is no catalog object
	system []logicalplan.Column      // columns of Postgres's own, which * does not see
	rowKey func() logicalplan.Column // makes a stored relation read ctid; nil where rows have none
	round  bool                      // what a recursive query's last round has found
	table  string                    // its own name when it has an alias: for the error's words only
}

// scope is the names that an expression may use: those of its own query, then those of the enclosing ones.
type scope struct {
	outer *scope
	rels  []*rel
	cols  []logicalplan.Column // what unqualified names and * see: USING columns stand once
	// unseen are relations of the query that may not be used here (no LATERAL): for the error's words only.
	unseen []*rel
	asks   *exprCtx // with a subquery's enclosing query: where the subquery stands in it; nil in the scope of a query's own expressions and of LATERAL
}

// columnRef resolves a written name to a column, a constant (tableoid) or a whole row.
func (c *exprCtx) columnRef(r *sql.ColumnRef) (expr.Expr, error) {
	if e, err := c.groupWindowRef(r); e != nil || err != nil {
		return e, err
	}
	if len(r.Parts) == 1 {
		return c.bareName(r)
	}
	return c.qualifiedName(r)
}

func (c *exprCtx) bareName(r *sql.ColumnRef) (expr.Expr, error) {
	name := r.Parts[0]
	for s := c.scope; s != nil; s = s.outer {
		var found []logicalplan.Column
		for _, col := range s.cols {
			if col.Name == name {
				found = append(found, col)
			}
		}
		switch {
		case len(found) == 1:
			return c.reference(found[0], s.display(found[0]), r.Pos), nil
		case len(found) > 1:
			return nil, c.b.errorf(r.Pos, sqlerr.AmbiguousColumn, "column reference \"%s\" is ambiguous", name)
		}
		if len(s.rels) == 1 {
			if e, err := c.systemColumn(s.rels[0], name, r.Pos); e != nil || err != nil {
				return e, err
			}
		}
	}
	if w, err := c.groupWindowName(r); w != nil || err != nil {
		return w, err
	}
	for s := c.scope; s != nil; s = s.outer {
		if rl := s.rel([]string{name}); rl != nil {
			return c.b.wholeRow(rl, r.Pos), nil
		}
	}
	err := c.b.errorf(r.Pos, sqlerr.UndefinedColumn, "column \"%s\" does not exist", name)
	c.hintColumn(err, "", name)
	return nil, err
}

// rowOf is t.* where a value is wanted: the row of a relation.
func (c *exprCtx) rowOf(e *sql.Star) (expr.Expr, error) {
	for s := c.scope; s != nil; s = s.outer {
		if rl := s.rel(e.Qualifier); rl != nil {
			return c.b.wholeRow(rl, e.Pos), nil
		}
	}
	return nil, c.b.errorf(e.Pos, sqlerr.UndefinedTable, "missing FROM-clause entry for table \"%s\"", e.Qualifier[len(e.Qualifier)-1])
}

func (c *exprCtx) qualifiedName(r *sql.ColumnRef) (expr.Expr, error) {
	q, name := r.Parts[:len(r.Parts)-1], r.Parts[len(r.Parts)-1]
	if len(q) == 3 {
		q = q[1:]
	}
	for s := c.scope; s != nil; s = s.outer {
		rl := s.rel(q)
		if rl == nil {
			continue
		}
		return c.columnOf(rl, name, r)
	}
	return nil, c.missingRel(q, r.Pos)
}

func (c *exprCtx) columnOf(rl *rel, name string, r *sql.ColumnRef) (expr.Expr, error) {
	var found []logicalplan.Column
	for _, col := range rl.cols {
		if col.Name == name {
			found = append(found, col)
		}
	}
	switch {
	case len(found) == 1:
		return c.reference(found[0], rl.name+"."+name, r.Pos), nil
	case len(found) > 1:
		return nil, c.b.errorf(r.Pos, sqlerr.AmbiguousColumn, "column reference \"%s\" is ambiguous", name)
	}
	if e, err := c.systemColumn(rl, name, r.Pos); e != nil || err != nil {
		return e, err
	}
	err := c.b.errorf(r.Pos, sqlerr.UndefinedColumn, "column %s.%s does not exist", rl.name, name)
	c.hintColumn(err, rl.name, name)
	return nil, err
}

// missingRel is the error for a qualifier that names nothing.
func (c *exprCtx) missingRel(q []string, p sql.Pos) error {
	name := q[len(q)-1]
	for s := c.scope; s != nil; s = s.outer {
		for _, rl := range s.unseen {
			if rl.name == name {
				return c.b.errorf(p, sqlerr.UndefinedTable, "invalid reference to FROM-clause entry for table \"%s\"", name).
					WithHint("There is an entry for table \"%s\", but it cannot be referenced from this part of the query.", name)
			}
		}
		for _, rl := range s.rels {
			if rl.table == name {
				return c.b.errorf(p, sqlerr.UndefinedTable, "invalid reference to FROM-clause entry for table \"%s\"", name).
					WithHint("Perhaps you meant to reference the table alias \"%s\".", rl.name)
			}
		}
	}
	return c.b.errorf(p, sqlerr.UndefinedTable, "missing FROM-clause entry for table \"%s\"", name)
}

// rel finds a relation by alias, name or schema.name.
func (s *scope) rel(q []string) *rel {
	for _, rl := range s.rels {
		if rl.name == "" || rl.name != q[len(q)-1] {
			continue
		}
		if len(q) == 1 || rl.schema == q[len(q)-2] {
			return rl
		}
	}
	return nil
}

// display is a column's name as error messages give it.
func (s *scope) display(col logicalplan.Column) string {
	for _, rl := range s.rels {
		if rl.name == "" {
			continue
		}
		for _, x := range rl.cols {
			if x.ID == col.ID {
				return rl.name + "." + x.Name
			}
		}
	}
	return col.Name
}

// reference makes a column reference. Where several relations are in reach, EXPLAIN shows the column with its relation.
func (c *exprCtx) reference(col logicalplan.Column, name string, p sql.Pos) expr.Expr {
	e := c.b.reference(col, name, p)
	reach := 0
	for s := c.scope; s != nil; s = s.outer {
		reach += len(s.rels)
	}
	if reach > 1 {
		e.Name = name
	}
	return e
}

// reference makes a column reference and remembers its place.
func (b *binder) reference(col logicalplan.Column, name string, p sql.Pos) *expr.Column {
	b.reads(col)
	e := use(col)
	b.refs[e] = ref{pos: b.pos(p), name: name}
	return e
}

// systemColumn is a column that every relation of Postgres has and * does not see; nil if name is none.
func (c *exprCtx) systemColumn(rl *rel, name string, p sql.Pos) (expr.Expr, error) {
	if rl.oid == 0 {
		return nil, nil
	}
	switch name {
	case "tableoid":
		return &expr.Const{Value: int64(rl.oid), T: types.Of(types.OID)}, nil
	case "xmin", "xmax", "cmin", "cmax", "ctid":
		if name == "ctid" && rl.rowKey != nil {
			return c.reference(rl.rowKey(), rl.name+".ctid", p), nil
		}
		for _, col := range rl.system {
			if col.Name == name {
				return c.reference(col, rl.name+"."+name, p), nil
			}
		}
		return nil, c.b.unsupported(p, "system column %s of \"%s\"", name, rl.name)
	}
	return nil, nil
}

// wholeRow makes a row of all columns of a relation.
func (b *binder) wholeRow(rl *rel, p sql.Pos) expr.Expr {
	row := &expr.Row{}
	b.whole[row] = true
	for _, col := range rl.cols {
		row.Items = append(row.Items, b.reference(col, rl.name+"."+col.Name, p))
	}
	return row
}

// hintColumn suggests the nearest column names, as Postgres does: at most three edits, at most half of the name.
func (c *exprCtx) hintColumn(err *sqlerr.Error, q, name string) {
	best, dist := []string(nil), 4
	for s := c.scope; s != nil; s = s.outer {
		for _, rl := range s.rels {
			penalty := 0
			if q != "" && rl.name != q {
				penalty = sqlerr.Distance(q, rl.name)
			}
			for _, col := range rl.cols {
				d := sqlerr.Distance(name, col.Name)
				if d > len(col.Name)/2 || d+penalty > dist || d+penalty > 3 {
					continue
				}
				full := col.Name
				if rl.name != "" {
					full = rl.name + "." + full
				}
				if d+penalty < dist {
					best, dist = best[:0], d+penalty
				}
				best = append(best, full)
			}
		}
	}
	if len(best) == 0 || len(best) > 2 {
		return
	}
	err.WithHint("Perhaps you meant to reference the column \"%s\".", strings.Join(best, "\" or the column \""))
}

// without binds an expression that may not name a relation which is in reach.
func (c *exprCtx) without(e *sql.Without) (expr.Expr, error) {
	inner := *c
	inner.scope = c.scope.without(e.Relation)
	return inner.bind(e.X)
}

// without is the scope in which the innermost relation of that name may not be used.
func (s *scope) without(name string) *scope {
	if s == nil {
		return nil
	}
	out := *s
	r := s.rel([]string{name})
	if r == nil {
		out.outer = s.outer.without(name)
		return &out
	}
	own := func(c logicalplan.Column) bool {
		return slices.ContainsFunc(r.cols, func(x logicalplan.Column) bool { return x.ID == c.ID })
	}
	out.rels = slices.DeleteFunc(slices.Clone(s.rels), func(x *rel) bool { return x == r })
	out.cols = slices.DeleteFunc(slices.Clone(s.cols), own)
	out.unseen = append(slices.Clip(s.unseen), r)
	return &out
}
