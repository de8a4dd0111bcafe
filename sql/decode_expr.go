package sql

import (
	"fmt"
	"strconv"

	"github.com/pingcap/tidb/pkg/parser/ast"
)

// decoder fills the holes of an encoder's notes from the parsed transcription. What it cannot read
// is a bug of the front, so it panics.
type decoder struct {
	notes []note
	used  int // notes found in the tree
}

// noteOf returns the note of an identifier of the transcription.
func (d *decoder) noteOf(id string) *note {
	n, err := strconv.Atoi(id[1:])
	if err != nil || id[0] != 'n' || n >= len(d.notes) {
		panic(fmt.Sprintf("no note %q", id))
	}
	if n > 0 {
		d.used++
	}
	return &d.notes[n]
}

// done panics if part of the query was lost on its way through the other grammar.
func (d *decoder) done() {
	if d.used != len(d.notes)-1 {
		panic(fmt.Sprintf("%d of %d notes came back", d.used, len(d.notes)-1))
	}
}

// expr decodes an expression.
func (d *decoder) expr(n ast.ExprNode) Expr {
	switch n := n.(type) {
	case *ast.ColumnNameExpr:
		return d.noteOf(n.Name.Name.O).value()
	case *ast.FuncCallExpr:
		if n.FnName.O == "concat" {
			return d.operator(n.Args[0], n.Args[1])
		}
		note := d.noteOf(n.FnName.O)
		d.fill(note, n)
		return note.value()
	case *ast.BinaryOperationExpr:
		return d.operator(n.L, n.R)
	case *ast.ParenthesesExpr:
		return d.expr(n.Expr)
	}
	panic(fmt.Sprintf("cannot decode %T", n))
}

// value returns the expression that a note has become once its holes are full.
func (n *note) value() Expr {
	switch node := n.node.(type) {
	case *group:
		return node.x
	case *Unary:
		return negated(node)
	case Expr:
		return node
	}
	panic(fmt.Sprintf("%T is no expression", n.node))
}

// fill puts the arguments of a call into the holes of its note. A subquery has its own note.
func (d *decoder) fill(n *note, call *ast.FuncCallExpr) {
	holes := n.holes
	for _, arg := range call.Args {
		if sub, ok := arg.(*ast.SubqueryExpr); ok {
			d.level(sub.Query)
			continue
		}
		*holes[0] = d.expr(arg)
		holes = holes[1:]
	}
	if len(holes) > 0 {
		panic(fmt.Sprintf("%d arguments of %T are missing", len(holes), n.node))
	}
}

// operator decodes l op r: either r is a postfix operator's note, or l is "x op infix".
func (d *decoder) operator(l, r ast.ExprNode) Expr {
	if n := d.postfix(r); n != nil {
		*n.left = d.expr(l)
		if s, ok := n.node.(*Subscript); ok {
			s.Apart = d.grouped(l) && isSubscript(s.X)
		}
		return n.value()
	}
	x, marker := operands(l)
	n := d.noteOf(identifier(marker))
	if call, ok := marker.(*ast.FuncCallExpr); ok {
		d.fill(n, call)
	}
	*n.left = d.expr(x)
	*n.right = d.expr(r)
	return n.value()
}

// grouped says that n is an expression in parentheses.
func (d *decoder) grouped(n ast.ExprNode) bool {
	call, ok := n.(*ast.FuncCallExpr)
	if !ok || call.FnName.O == "concat" {
		return false
	}
	id, _ := strconv.Atoi(call.FnName.O[1:])
	_, ok = d.notes[id].node.(*group)
	return ok
}

func isSubscript(x Expr) bool {
	_, ok := x.(*Subscript)
	return ok
}

// postfix returns the note of a postfix operator, its arguments filled, or nil if n is none.
func (d *decoder) postfix(n ast.ExprNode) *note {
	call, ok := n.(*ast.FuncCallExpr)
	if !ok || call.FnName.O == "concat" {
		return nil
	}
	id, _ := strconv.Atoi(call.FnName.O[1:])
	if d.notes[id].left == nil {
		return nil
	}
	note := d.noteOf(call.FnName.O)
	d.fill(note, call)
	return note
}

// operands splits a binary node.
func operands(n ast.ExprNode) (l, r ast.ExprNode) {
	switch n := n.(type) {
	case *ast.BinaryOperationExpr:
		return n.L, n.R
	case *ast.FuncCallExpr:
		if n.FnName.O == "concat" {
			return n.Args[0], n.Args[1]
		}
	}
	panic(fmt.Sprintf("operator expected, not %T", n))
}

// identifier returns the name of an atom or a call.
func identifier(n ast.ExprNode) string {
	switch n := n.(type) {
	case *ast.ColumnNameExpr:
		return n.Name.Name.O
	case *ast.FuncCallExpr:
		return n.FnName.O
	}
	panic(fmt.Sprintf("identifier expected, not %T", n))
}

// negated makes a negative constant of a minus before a number, as Postgres does: only so does
// -2147483648 have type int4.
func negated(u *Unary) Expr {
	l, ok := u.X.(*Literal)
	if u.Op != "-" || u.Schema != "" || !ok || l.Kind != Integer && l.Kind != Decimal {
		return u
	}
	text := "-" + l.Text
	if l.Text[0] == '-' {
		text = l.Text[1:]
	}
	kind := Decimal
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		kind = Integer
	}
	return &Literal{Kind: kind, Text: text, Pos: u.Pos}
}
