package build

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// item is a bound item of FROM: its rows, and the names it brings.
type item struct {
	node logicalplan.Node
	rels []*rel
	cols []logicalplan.Column // what * and unqualified names see
}

// from binds the FROM list as a chain of cross joins. Without FROM there is one empty row.
func (b *binder) from(items []sql.TableExpr, outer *scope) (*item, error) {
	if len(items) == 0 {
		return &item{node: &logicalplan.Values{}}, nil
	}
	var left *item
	for _, t := range items {
		right, err := b.tableExpr(t, outer, left)
		if err != nil {
			return nil, err
		}
		if left == nil {
			left = right
			continue
		}
		if left, err = b.cross(left, right, t.At()); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// cross puts two items side by side. A right one that reads the left one runs once for each of its rows.
func (b *binder) cross(left, right *item, p sql.Pos) (*item, error) {
	if err := distinctNames(left, right); err != nil {
		return nil, err
	}
	return &item{
		node: b.crossNode(left.node, right.node, p),
		rels: append(append([]*rel{}, left.rels...), right.rels...),
		cols: append(append([]logicalplan.Column{}, left.cols...), right.cols...),
	}, nil
}

func (b *binder) crossNode(left, right logicalplan.Node, p sql.Pos) logicalplan.Node {
	if !reads(right, left) {
		return &logicalplan.Join{Kind: logicalplan.CrossJoin, Left: left, Right: right, Pos: b.pos(p)}
	}
	if f, ok := right.(*logicalplan.TableFunc); ok && f.Input == nil {
		c := *f
		c.Input = left
		return &c
	}
	return &logicalplan.Apply{Kind: logicalplan.ApplyLateral, Input: left, Subplan: right, Pos: b.pos(p)}
}

// reads reports whether n has outer references to columns of left.
func reads(n, left logicalplan.Node) bool {
	free := logicalplan.Free(n)
	for _, c := range left.Columns() {
		if free[c.ID] {
			return true
		}
	}
	return false
}

// distinctNames refuses two relations of one name.
func distinctNames(left, right *item) error {
	for _, r := range right.rels {
		for _, l := range left.rels {
			if r.name != "" && r.name == l.name && (r.schema == l.schema || r.schema == "" || l.schema == "") {
				return sqlerr.Newf(sqlerr.DuplicateAlias, "table name \"%s\" specified more than once", r.name)
			}
		}
	}
	return nil
}

// scopeOf is the names of an item.
func (i *item) scopeOf(outer *scope) *scope {
	return &scope{outer: outer, rels: i.rels, cols: i.cols}
}

// lateral is the scope of a FROM item that may read the items to its left; blind the one of an item that may not.
func lateral(left *item, outer *scope) *scope {
	if left == nil {
		return outer
	}
	return left.scopeOf(outer)
}

func blind(left *item, outer *scope) *scope {
	if left == nil {
		return outer
	}
	return &scope{outer: outer, unseen: left.rels}
}

// tableExpr binds one item; left is what stands to its left, nil if nothing.
func (b *binder) tableExpr(t sql.TableExpr, outer *scope, left *item) (*item, error) {
	switch t := t.(type) {
	case *sql.Table:
		return b.table(t, outer)
	case *sql.Derived:
		return b.derived(t, outer, left)
	case *sql.TableFunc:
		return b.tableFunc(t, outer, left)
	case *sql.Join:
		return b.join(t, outer, left)
	}
	panic("build: unknown table expression")
}

// derived binds a subquery in FROM.
func (b *binder) derived(t *sql.Derived, outer *scope, left *item) (*item, error) {
	sc := blind(left, outer)
	if t.Lateral {
		sc = lateral(left, outer)
	}
	out, err := b.subselect(t.Query, sc)
	if err != nil {
		return nil, err
	}
	it, err := b.aliased(out.node, out.cols, t.Alias.Name, t.Alias)
	if err != nil || t.Watermark == nil {
		return it, err
	}
	return it, b.delayOf(it, t.Watermark)
}

// aliased makes an item of a node under one name, its columns renamed as the alias says.
func (b *binder) aliased(n logicalplan.Node, cols []logicalplan.Column, name string, a sql.Alias) (*item, error) {
	cols = append([]logicalplan.Column{}, cols...)
	if len(a.Columns) > len(cols) {
		return nil, sqlerr.Newf(sqlerr.InvalidColumnReference, "table \"%s\" has %d columns available but %d columns specified",
			name, len(cols), len(a.Columns))
	}
	for i, c := range a.Columns {
		cols[i].Name = c
	}
	r := &rel{name: name, cols: cols}
	return &item{node: n, rels: []*rel{r}, cols: cols}, nil
}

// table binds a name in FROM: a CTE, then the catalog.
func (b *binder) table(t *sql.Table, outer *scope) (*item, error) {
	if t.AsOf != nil {
		return nil, b.unsupported(t.Pos, "FOR SYSTEM_TIME AS OF outside the right side of a join")
	}
	if b.relations++; b.relations > maxRelations {
		return nil, b.errorf(t.Pos, sqlerr.StatementTooComplex, "the query reads more than %d relations once views and CTEs are written out", maxRelations)
	}
	it, err := b.named(t)
	if err != nil {
		return nil, err
	}
	r := it.rels[0]
	if t.Alias.Name != "" {
		again, err := b.aliased(it.node, r.cols, t.Alias.Name, t.Alias)
		if err != nil {
			return nil, err
		}
		again.rels[0].pk, again.rels[0].oid, again.rels[0].system, again.rels[0].rowKey, again.rels[0].table = r.pk, r.oid, r.system, r.rowKey, r.name
		again.rels[0].round = r.round
		it = again
	}
	b.watch(it.rels[0])
	if t.Sample != nil {
		return b.sample(it, t, outer)
	}
	if t.Watermark != nil {
		return it, b.delayOf(it, t.Watermark)
	}
	return it, nil
}

func (b *binder) named(t *sql.Table) (*item, error) {
	if len(t.Name.Parts) == 1 {
		if d := b.ctes.find(t.Name.Parts[0]); d != nil {
			return b.cteScan(d, t.Pos)
		}
	}
	found, err := b.env.Catalog.Relation(t.Name.Parts, b.path)
	if err != nil {
		return nil, b.fail(err, t.Name.Pos)
	}
	if b.env.Refer != nil && b.stored == 0 {
		b.env.Refer(t.Name, t.Alias, found)
	}
	return b.relation(found, t)
}

// conjuncts splits a condition at its ANDs.
func conjuncts(e expr.Expr) []expr.Expr {
	if and, ok := e.(*expr.And); ok {
		var out []expr.Expr
		for _, a := range and.Args {
			out = append(out, conjuncts(a)...)
		}
		return out
	}
	return []expr.Expr{e}
}
