package sql

import (
	"strconv"

	"wmsql/sqlerr"
)

// setList writes the values of SET column = value, ... as the items of q, and keeps the columns in set. The columns of
// (a, b) = (SELECT ...) share one item: the first has it, the others have none of their own until assigned gives them theirs.
func (p *parser) setList(set *[]Assignment, q *Query) {
	p.list(func() {
		if p.isPunct("(") {
			p.setColumns(set, q)
			return
		}
		*set = append(*set, Assignment{Column: p.colID()})
		if p.isPunct(".") || p.isPunct("[") {
			p.unsupported(p.tok(), "UPDATE of a part of a column")
		}
		if !p.acceptOp("=") {
			p.unexpected()
		}
		p.setItem(q)
	})
}

// setItem writes one value of SET.
func (p *parser) setItem(q *Query) {
	p.out.word(",")
	q.Items = append(q.Items, Item{})
	if !p.defaultItem() {
		p.expr()
	}
}

// setColumns reads (column, ...) = (value, ...), ROW (value, ...) or (SELECT ...).
func (p *parser) setColumns(set *[]Assignment, q *Query) {
	columns := p.identList()
	if !p.acceptOp("=") {
		p.unexpected()
	}
	t := p.tok()
	row := p.accept("row")
	switch {
	case !p.isPunct("("):
		bail(sqlerr.Newf(sqlerr.FeatureNotSupported, "source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression").At(t.pos + 1))
	case !row && p.queryAt(p.i+1):
		for i, c := range columns {
			*set = append(*set, Assignment{Column: c, part: i + 1, parts: len(columns)})
		}
		p.out.word(",")
		q.Items = append(q.Items, Item{})
		p.expr()
		return
	}
	n := 0
	p.parenList(func() {
		n++
		p.setItem(q)
	})
	if n != len(columns) {
		bail(sqlerr.Newf(sqlerr.SyntaxError, "number of columns does not match number of values").At(t.pos + 1))
	}
	for _, c := range columns {
		*set = append(*set, Assignment{Column: c})
	}
}

// assigned gives the assignments their values, the items of q in order.
func assigned(set []Assignment, q *Query) []Assignment {
	item := 0
	for i := range set {
		a := &set[i]
		a.Value = q.Items[item].X
		if a.parts > 0 {
			a.Value = columnOf(a.Value, a.part, a.parts)
		}
		if a.part == a.parts {
			item++
		}
	}
	return set
}

// columnOf makes the scalar subquery of the part'th column of a subquery with as many columns as parts:
//
//	(SELECT c2 FROM (query) AS source (c1, c2, c3))
func columnOf(x Expr, part, parts int) Expr {
	s, ok := x.(*SubqueryExpr)
	if !ok || s.Kind != Scalar {
		bail(sqlerr.Newf(sqlerr.FeatureNotSupported, "source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression").At(int(x.At())))
	}
	if q, ok := s.Query.Body.(*Query); ok && len(q.Items) != parts && !q.hasStar() {
		bail(sqlerr.Newf(sqlerr.SyntaxError, "number of columns does not match number of values").At(int(s.Pos)))
	}
	from := &Derived{Query: s.Query, Alias: Alias{Name: "source"}, Pos: s.Pos}
	for i := range parts {
		from.Alias.Columns = append(from.Alias.Columns, "c"+strconv.Itoa(i+1))
	}
	item := Item{X: &ColumnRef{Parts: []string{"source", from.Alias.Columns[part-1]}, Pos: s.Pos}}
	return &SubqueryExpr{Kind: Scalar, Pos: s.Pos, Query: &Select{Pos: s.Pos, Body: &Query{Items: []Item{item}, From: []TableExpr{from}, Pos: s.Pos}}}
}

// hasStar says whether an item of the select list stands for an unknown number of columns.
func (q *Query) hasStar() bool {
	for _, it := range q.Items {
		switch x := it.X.(type) {
		case *Star:
			return true
		case *Field:
			if x.Name == "*" {
				return true
			}
		}
	}
	return false
}
