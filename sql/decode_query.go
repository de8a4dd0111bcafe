package sql

import (
	"fmt"
	"strconv"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

// level decodes a whole query and returns its node.
func (d *decoder) level(n ast.Node) *Select {
	switch n := n.(type) {
	case *ast.SelectStmt:
		l := d.tail(n.With, n.OrderBy)
		l.query.Body = d.core(n)
		return l.query
	case *ast.SetOprStmt:
		return d.setLevel(n.With, n.OrderBy, n.SelectList.Selects)
	case *ast.SetOprSelectList:
		if sel, ok := n.Selects[0].(*ast.SelectStmt); ok && len(n.Selects) == 1 {
			return d.level(sel)
		}
		return d.setLevel(n.With, n.OrderBy, n.Selects)
	case *ast.SubqueryExpr:
		return d.level(n.Query)
	}
	panic(fmt.Sprintf("cannot decode %T", n))
}

// tail decodes WITH and the ORDER BY that ends with the level's note.
func (d *decoder) tail(with *ast.WithClause, orderBy *ast.OrderByClause) *levelNote {
	if with != nil {
		for _, cte := range with.CTEs {
			d.noteOf(cte.Name.O)
			d.level(cte.Query.Query)
		}
	}
	last := len(orderBy.Items) - 1
	call := orderBy.Items[last].Expr.(*ast.FuncCallExpr)
	l := d.noteOf(call.FnName.O).node.(*levelNote)
	key := 0
	for _, item := range orderBy.Items[:last] {
		if d.limit(item.Expr) {
			continue
		}
		l.query.OrderBy[key].X = d.expr(item.Expr)
		key++
	}
	return l
}

// limit decodes a LIMIT or OFFSET; it reports false if n is a sort key.
func (d *decoder) limit(n ast.ExprNode) bool {
	call, ok := n.(*ast.FuncCallExpr)
	if !ok || call.FnName.O == "concat" {
		return false
	}
	id, _ := strconv.Atoi(call.FnName.O[1:])
	if _, ok = d.notes[id].node.(limitNote); ok {
		d.fill(d.noteOf(call.FnName.O), call)
	}
	return ok
}

// setLevel decodes a query with set operators.
func (d *decoder) setLevel(with *ast.WithClause, orderBy *ast.OrderByClause, operands []ast.Node) *Select {
	l := d.tail(with, orderBy)
	sides := make([]*Select, len(operands))
	for i, n := range operands {
		sel, ok := n.(*ast.SelectStmt)
		if !ok {
			sides[i] = d.level(n)
			continue
		}
		body := d.core(sel)
		sides[i] = &Select{Body: body, Pos: bodyPos(body)}
	}
	l.query.Body = precedence(sides, l.ops).Body
	return l.query
}

// precedence builds the tree of a flat list: INTERSECT binds tighter, the others from left to
// right.
func precedence(sides []*Select, ops []SetOp) *Select {
	terms := sides[:1:1]
	var rest []SetOp
	for i, op := range ops {
		if op.Op == "intersect" {
			last := len(terms) - 1
			terms[last] = combine(terms[last], op, sides[i+1])
			continue
		}
		terms = append(terms, sides[i+1])
		rest = append(rest, op)
	}
	tree := terms[0]
	for i, op := range rest {
		tree = combine(tree, op, terms[i+1])
	}
	return tree
}

func combine(l *Select, op SetOp, r *Select) *Select {
	op.L, op.R = l, r
	return &Select{Body: &op, Pos: l.Pos}
}

func bodyPos(b Body) Pos {
	switch b := b.(type) {
	case *Query:
		return b.Pos
	case *Values:
		return b.Pos
	case *SetOp:
		return b.Pos
	}
	return 0
}

// core decodes SELECT ... without what belongs to its level.
func (d *decoder) core(n *ast.SelectStmt) Body {
	fields := n.Fields.Fields
	head := fields[0].Expr.(*ast.FuncCallExpr)
	note := d.noteOf(head.FnName.O)
	d.fill(note, head)
	if v, ok := note.node.(*Values); ok {
		return v
	}
	q := note.node.(*Query)
	for i, f := range fields[1:] {
		q.Items[i].X = d.expr(f.Expr)
	}
	if n.From != nil {
		q.From = d.from(q.From, n.From.TableRefs)
	}
	if n.Where != nil {
		q.Where = d.expr(n.Where)
	}
	if n.GroupBy != nil {
		q.GroupBy = d.groupBy(n.GroupBy.Items)
	}
	if n.Having != nil {
		call := n.Having.Expr.(*ast.FuncCallExpr)
		d.fill(d.noteOf(call.FnName.O), call)
	}
	return q
}

// groupBy decodes the items of GROUP BY. GROUP BY (a, b) means GROUP BY a, b.
func (d *decoder) groupBy(items []*ast.ByItem) (keys []Expr) {
	for _, item := range items {
		x := d.expr(item.Expr)
		if row, ok := x.(*Row); ok && row.Implicit {
			keys = append(keys, row.Items...)
			continue
		}
		keys = append(keys, x)
	}
	return keys
}

// from appends the items of a comma-separated list, which the other grammar nests as joins without
// a condition.
func (d *decoder) from(list []TableExpr, n ast.ResultSetNode) []TableExpr {
	if j, ok := n.(*ast.Join); ok && j.On == nil {
		list = d.from(list, j.Left)
		if j.Right != nil {
			list = d.from(list, j.Right)
		}
		return list
	}
	if t := d.table(n); t != nil {
		list = append(list, t)
	}
	return list
}

// table decodes one item of FROM; nil for the table of a query without FROM.
func (d *decoder) table(n ast.ResultSetNode) TableExpr {
	switch n := n.(type) {
	case *ast.Join:
		call := n.On.Expr.(*ast.FuncCallExpr)
		note := d.noteOf(call.FnName.O)
		d.fill(note, call)
		j := note.node.(*Join)
		j.L, j.R = d.table(n.Left), d.table(n.Right)
		return j
	case *ast.TableSource:
		return d.source(n)
	}
	panic(fmt.Sprintf("cannot decode %T", n))
}

// source decodes a relation, a subquery or a function in FROM.
func (d *decoder) source(n *ast.TableSource) TableExpr {
	if name, ok := n.Source.(*ast.TableName); ok {
		t, _ := d.noteOf(name.Name.O).node.(TableExpr)
		return t
	}
	t := d.noteOf(n.AsName.O).node.(TableExpr)
	if sub, ok := t.(*Derived); ok && sub.Watermark == nil {
		d.level(n.Source)
		return t
	}
	for _, f := range n.Source.(*ast.SelectStmt).Fields.Fields {
		d.expr(f.Expr)
	}
	return t
}

// selectOf returns a transcription's SELECT.
func selectOf(n ast.StmtNode) *ast.SelectStmt { return n.(*ast.SelectStmt) }
