package sql

import (
	"strings"

	"wmsql/sqlerr"
)

// typedWords are the type keywords that may stand before a string constant.
var typedWords = wordSet(`bigint bit boolean char character dec decimal double float int integer interval
	national nchar numeric real smallint time timestamp varchar`)

// typedLiteral reads DATE '2024-01-01' and the like for the types that are keywords. It reports false,
// having read nothing, if no string stands behind the type.
func (p *parser) typedLiteral() bool {
	t := p.tok()
	if !typedWords[t.text] || p.toks[p.typeEnd()].kind != tokString {
		return false
	}
	if t.text == "interval" && p.peek(1).kind == tokString {
		p.out.atom(p.interval())
		return true
	}
	typ := p.simpleTypeName()
	if p.tok().kind != tokString {
		p.unexpected()
	}
	if (typ.Name == "bpchar" || typ.Name == "bit") && !p.toks[p.i-1].isPunct(")") {
		typ.Mods = nil // before a constant, CHAR and BIT without a length have any length
	}
	p.out.atom(p.stringAs(typ))
	return true
}

// typeEnd returns the token behind the keyword type that comes next, without judging it.
func (p *parser) typeEnd() int {
	i := p.i + 1
	for p.toks[i].isWord("precision") || p.toks[i].isWord("varying") || p.toks[i].isWord("character") || p.toks[i].isWord("char") {
		i++
	}
	if p.toks[i].isPunct("(") {
		i = min(p.close[i]+1, len(p.toks)-1)
	}
	if (p.toks[i].isWord("with") || p.toks[i].isWord("without")) && i+2 < len(p.toks) {
		i += 3
	}
	return min(i, len(p.toks)-1)
}

// interval reads INTERVAL 'text' [fields].
func (p *parser) interval() Expr {
	n := &Interval{Pos: p.advance().at()}
	n.Text = p.advance().text
	var t TypeName
	n.Fields = p.intervalQualifier(&t)
	if t.Mods != nil {
		return &Cast{X: n, Type: TypeName{Name: "interval", Mods: t.Mods, Fields: n.Fields, Pos: n.Pos}, Pos: n.Pos}
	}
	return n
}

// sparkInterval reads what may stand behind DELAY OF: INTERVAL 20 MINUTES with Spark's unquoted
// number, or any expression.
func (p *parser) sparkInterval() {
	if !p.is("interval") || p.peek(1).kind != tokInt && p.peek(1).kind != tokNum {
		p.expr()
		return
	}
	n := &Interval{Pos: p.advance().at()}
	var parts []string
	for p.tok().kind == tokInt || p.tok().kind == tokNum {
		parts = append(parts, p.advance().text)
		unit := p.tok()
		if unit.kind != tokWord || !sparkUnits[strings.TrimSuffix(unit.text, "s")] {
			p.unexpected()
		}
		p.i++
		parts = append(parts, unit.text)
	}
	n.Text = strings.Join(parts, " ")
	p.out.atom(n)
}

// sparkUnits are the singular unit names of Spark's unquoted intervals.
var sparkUnits = wordSet("year month week day hour minute second millisecond microsecond")

// valueFunc reads CURRENT_DATE and its kin, which take no parentheses but perhaps a precision.
func (p *parser) valueFunc(t token) *Func {
	p.i++
	f := &Func{Name: Name{Parts: []string{t.text}, Pos: t.at()}, Keyword: true, Pos: t.at()}
	if p.isPunct("(") {
		switch t.text {
		case "current_time", "current_timestamp", "localtime", "localtimestamp":
			p.i++
			n := p.tok()
			p.integer()
			p.wantPunct(")")
			f.Args = []Arg{{Value: n.number()}}
		default:
			p.unexpected()
		}
	}
	p.out.atom(f)
	return f
}

// array reads ARRAY[...] or ARRAY(query).
func (p *parser) array() {
	t := p.advance()
	if p.acceptPunct("(") {
		if !p.startsQuery() {
			p.unexpected()
		}
		p.subqueryExpr(ArrayQuery, t)
		return
	}
	p.arrayItems(t)
}

// arrayItems reads [a, b], where items may be such lists themselves; t is what the array's
// position is.
func (p *parser) arrayItems(t token) {
	p.enter()
	defer p.leave()
	p.wantPunct("[")
	a := &Array{Pos: t.at()}
	c := p.out.open(note{node: a})
	if !p.isPunct("]") {
		nested := p.isPunct("[")
		p.list(func() {
			if nested {
				c.next()
				p.arrayItems(p.tok())
				a.Items = append(a.Items, nil)
				return
			}
			p.item(c, &a.Items)
		})
	}
	p.wantPunct("]")
	c.close(holesOf(a.Items)...)
}

// rowCall reads ROW(...).
func (p *parser) rowCall() {
	r := &Row{Pos: p.advance().at()}
	p.i++
	c := p.out.open(note{node: r})
	if !p.isPunct(")") {
		p.list(func() { p.item(c, &r.Items) })
	}
	p.wantPunct(")")
	c.close(holesOf(r.Items)...)
}

// caseExpr reads CASE ... END.
func (p *parser) caseExpr() {
	n := &Case{Pos: p.advance().at()}
	c := p.out.open(note{node: n})
	part := func() {
		c.next()
		p.expr()
	}
	var holes []*Expr
	if !p.is("when") {
		part()
		holes = append(holes, &n.X)
	}
	for p.accept("when") {
		part()
		p.want("then")
		part()
		n.Whens = append(n.Whens, When{})
	}
	if len(n.Whens) == 0 {
		p.unexpected()
	}
	for i := range n.Whens {
		holes = append(holes, &n.Whens[i].Cond, &n.Whens[i].Then)
	}
	if p.accept("else") {
		part()
		holes = append(holes, &n.Else)
	}
	p.want("end")
	c.close(holes...)
}

// castCall reads CAST(x AS t).
func (p *parser) castCall() {
	n := &Cast{Pos: p.advance().at()}
	p.wantPunct("(")
	c := p.out.open(note{node: n})
	c.next()
	p.expr()
	p.want("as")
	n.Type = p.typeName()
	p.wantPunct(")")
	c.close(&n.X)
}

// defaultItem reads DEFAULT where INSERT and UPDATE allow it.
func (p *parser) defaultItem() bool {
	t := p.tok()
	if !p.accept("default") {
		return false
	}
	p.out.atom(&Default{Pos: t.at()})
	return true
}

// duplicateClause gives up on a clause that stands twice.
func duplicateClause(t token, what string) {
	bail(sqlerr.Newf(sqlerr.SyntaxError, "multiple %s clauses not allowed", what).At(t.pos + 1))
}
