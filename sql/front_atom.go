package sql

import (
	"strconv"

	"wmsql/sqlerr"
)

// group stands for a parenthesised expression while it is decoded.
type group struct{ x Expr }

// atom writes what operators stand between: Postgres's c_expr. It reports whether a subscript or
// a field selection may follow.
func (p *parser) atom() (subscriptable bool) {
	t := p.tok()
	if x := constant(t); x != nil {
		p.i++
		p.out.atom(x)
		return false
	}
	switch t.kind {
	case tokParam:
		p.param(t)
		return true
	case tokPunct:
		if t.text != "(" {
			p.unexpected()
		}
		p.parenthesis()
		return true
	case tokIdent:
		return p.nameAtom()
	case tokWord:
		return p.wordAtom(t)
	default:
		p.unexpected()
		return false
	}
}

func (p *parser) param(t token) {
	p.i++
	n, err := strconv.Atoi(t.text)
	if err != nil || n < 1 || n > 65535 {
		bail(sqlerr.Newf(sqlerr.UndefinedParameter, "there is no parameter $%s", t.text).At(t.pos + 1))
	}
	p.out.atom(&Param{N: n, Pos: t.at()})
}

// parenthesis reads (query), (expr) or the row (a, b).
func (p *parser) parenthesis() {
	t := p.advance()
	if p.startsQuery() {
		p.subqueryExpr(Scalar, t)
		return
	}
	g := &group{}
	c := p.out.open(note{node: g})
	var items []Expr
	p.list(func() { p.item(c, &items) })
	p.wantPunct(")")
	if len(items) == 1 {
		c.close(&g.x)
		return
	}
	p.out.notes[c.id].node = &Row{Items: items, Implicit: true, Pos: t.at()}
	c.close(holesOf(items)...)
}

// subqueryExpr reads query ) and writes a subquery of the given kind; t is its first token.
func (p *parser) subqueryExpr(kind SubqueryKind, t token) {
	s := &SubqueryExpr{Kind: kind, Pos: t.at()}
	c := p.out.open(note{node: s})
	s.Query = p.subquery(c)
	c.close()
	p.wantPunct(")")
}

// startsQuery says whether a query comes next, possibly in parentheses of its own. An expression
// that merely begins with a subquery does not count.
func (p *parser) startsQuery() bool { return p.queryAt(p.i) }

// queryAt is startsQuery for token i. It looks no deeper than the parser reads.
func (p *parser) queryAt(i int) bool {
	depth := 0
	for p.toks[i+depth].isPunct("(") {
		if depth++; depth > maxNesting {
			p.tooDeep()
		}
	}
	return p.queryIn(i)
}

func (p *parser) queryIn(i int) bool {
	switch t := p.toks[i]; {
	case t.kind == tokWord:
		switch t.text {
		case "select", "with", "table":
			return true
		case "values":
			return p.toks[i+1].isPunct("(")
		}
	case t.isPunct("(") && p.queryIn(i+1):
		next := p.toks[min(p.close[i]+1, len(p.toks)-1)]
		if next.isPunct(")") {
			return true
		}
		switch next.text {
		case "union", "intersect", "except", "order", "limit", "offset", "fetch", "for":
			return next.kind == tokWord
		}
	}
	return false
}

// wordAtom reads an atom that begins with an unquoted word.
func (p *parser) wordAtom(t token) (subscriptable bool) {
	called := p.peek(1).isPunct("(")
	switch t.text {
	case "default":
		bail(sqlerr.Newf(sqlerr.SyntaxError, "DEFAULT is not allowed in this context").At(t.pos + 1))
	case "case":
		p.caseExpr()
		return false
	case "array":
		p.array()
		return false
	case "cast":
		p.castCall()
		return false
	case "exists":
		if called {
			p.i += 2
			if !p.startsQuery() {
				p.unexpected()
			}
			p.subqueryExpr(Exists, t)
			return false
		}
	case "row":
		if called {
			p.rowCall()
			return false
		}
	case "collation":
		if p.isAt(1, "for") && p.peek(2).isPunct("(") {
			p.i++
			p.keywordCall(t, "pg_collation_for", p.value)
			return false
		}
	case "window": // a reserved word in Postgres, but the name of Spark's window function and column
		return p.nameAtom()
	}
	if sqlValueFuncs[t.text] && !(t.text == "current_schema" && called) {
		p.valueFunc(t)
		return false
	}
	if called && p.specialCall(t) {
		return false
	}
	if p.typedLiteral() {
		return false
	}
	return p.nameAtom()
}

// nameAtom reads a column reference, table.* or an ordinary call.
func (p *parser) nameAtom() (subscriptable bool) {
	first := p.advance()
	parts := []string{first.text}
	for p.isPunct(".") {
		p.i++
		if p.acceptOp("*") {
			p.out.atom(&Star{Qualifier: parts, Pos: first.at()})
			return false
		}
		parts = append(parts, p.label())
	}
	window := first.isWord("window")
	if p.isPunct("(") {
		if !window && !(first.isTypeFuncName() || len(parts) > 1 && first.isColID()) {
			p.unexpectedAt(first)
		}
		if p.toks[min(p.close[p.i]+1, len(p.toks)-1)].kind == tokString {
			p.namedLiteral(parts, first)
			return false
		}
		p.call(Name{Parts: parts, Pos: first.at()}, false)
		return false
	}
	if p.tok().kind == tokString && (first.isTypeFuncName() || len(parts) > 1) {
		p.namedLiteral(parts, first)
		return false
	}
	switch {
	case window || first.isColID():
	case first.isTypeFuncName():
		p.unexpected() // only a call would have been right
	default:
		p.unexpectedAt(first)
	}
	p.out.atom(&ColumnRef{Parts: parts, Pos: first.at()})
	return true
}

// namedLiteral reads the modifiers and the string behind a type's name.
func (p *parser) namedLiteral(parts []string, first token) {
	if len(parts) > 2 {
		p.unexpected()
	}
	t := TypeName{Name: parts[len(parts)-1], Pos: first.at()}
	if len(parts) == 2 && parts[0] != "pg_catalog" {
		t.Schema = parts[0]
	}
	t.Mods = p.typeMods()
	p.out.atom(p.stringAs(t))
}

// stringAs reads a string and casts it to t.
func (p *parser) stringAs(t TypeName) *Cast {
	s := p.advance()
	return &Cast{X: &Literal{Kind: String, Text: s.text, Pos: s.at()}, Type: t, Pos: t.Pos}
}
