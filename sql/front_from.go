package sql

import "wmsql/sqlerr"

// fromList writes the comma-separated items of FROM.
func (p *parser) fromList() {
	n := 0
	p.list(func() {
		if n > 0 {
			p.out.word(",")
		}
		if n++; n > maxOperators {
			bail(sqlerr.Newf(sqlerr.StatementTooComplex, "query has too many tables").At(p.tok().pos + 1))
		}
		p.tableRef()
	})
}

// tableRef writes one item of FROM with all its joins and returns its last join, nil if there is
// none. Every join is written as LEFT JOIN ... ON n(cond), its kind being in the note: the MySQL
// grammar then nests "a JOIN b JOIN c ON .. ON .." as SQL does, and parentheses around a join can
// be left away.
func (p *parser) tableRef() *Join {
	p.enter()
	defer p.leave()
	last := p.tablePrimary()
	for n := 0; ; n++ {
		j := p.joinKind()
		if j == nil {
			return last
		}
		if n > maxOperators {
			bail(sqlerr.Newf(sqlerr.StatementTooComplex, "query has too many joins").At(int(j.Pos)))
		}
		p.out.word("LEFT JOIN")
		if j.Natural || j.Kind == "cross" {
			p.tablePrimary()
		} else {
			p.tableRef()
		}
		p.joinCondition(j)
		last = j
	}
}

// joinKind reads the words of a join up to JOIN; nil if none comes.
func (p *parser) joinKind() *Join {
	j := &Join{Pos: p.tok().at()}
	start := p.i
	j.Natural = p.accept("natural")
	switch {
	case p.accept("join"), p.accept("inner", "join"):
		j.Kind = "inner"
	case !j.Natural && p.accept("cross", "join"):
		j.Kind = "cross"
	case !j.Natural && (p.accept("asof", "join") || p.accept("asof", "inner", "join")):
		j.Kind = "asof"
	case !j.Natural && p.accept("asof", "left"):
		j.Kind = "asof left"
		p.accept("outer")
		p.want("join")
	case !j.Natural && p.accept("left", "asof", "join"):
		j.Kind = "asof left"
	case !j.Natural && p.accept("left", "semi", "join"), !j.Natural && p.accept("left", "anti", "join"):
		j.Kind = "left " + p.toks[p.i-2].text
	case p.isOneOf("left", "right", "full"):
		j.Kind = p.advance().text
		p.accept("outer")
		p.want("join")
	default:
		if j.Natural {
			p.unexpected()
		}
		p.i = start
		return nil
	}
	return j
}

// joinCondition writes ON or USING as the argument of the join's note.
func (p *parser) joinCondition(j *Join) {
	p.out.word("ON")
	c := p.out.open(note{node: j})
	switch {
	case j.Natural || j.Kind == "cross":
		c.close()
	case p.accept("on"):
		c.next()
		p.expr()
		c.close(&j.On)
	case p.accept("using"):
		j.Using = p.columnNames()
		c.close()
		if p.accept("as") {
			j.UsingAs = p.colID()
		}
	default:
		p.unexpected()
	}
}

// tablePrimary writes what a join joins. It returns the join that a pair of parentheses held.
func (p *parser) tablePrimary() *Join {
	t := p.tok()
	lateral := p.accept("lateral")
	switch {
	case p.isPunct("(") && p.queryAt(p.i+1):
		p.derived(t, lateral)
		return nil
	case p.isPunct("("):
		if lateral {
			p.i++
			p.unexpected()
		}
		return p.parenJoin()
	case p.is("table") && p.peek(1).isPunct("("):
		p.wrappedFunction(t, lateral)
		return nil
	case p.is("rows", "from") && p.peek(2).isPunct("("):
		p.rowsFrom(t, lateral)
		return nil
	case p.is("xmltable") && p.peek(1).isPunct("("):
		p.unsupported(t, "XMLTABLE")
	}
	only := p.accept("only")
	parens := only && p.acceptPunct("(")
	if !only && (p.calledName() || sqlValueFuncs[p.tok().text] && p.tok().kind == tokWord) {
		p.tableFunction(t, lateral)
		return nil
	}
	if p.tok().isTypeFuncName() && !p.tok().isColID() {
		p.i++
		p.unexpected() // only a call would have been right
	}
	name := p.qualifiedName()
	if lateral {
		p.unexpected()
	}
	if parens {
		p.wantPunct(")")
	}
	p.acceptOp("*")
	p.table(name, only)
	return nil
}

// calledName says whether a name and an opening parenthesis come next.
func (p *parser) calledName() bool {
	k := 1
	for p.peek(k).isPunct(".") {
		k += 2
	}
	if !p.peek(k).isPunct("(") {
		return false
	}
	first := p.tok()
	return first.isTypeFuncName() || k > 1 && first.isColID() || first.isWord("window")
}

// parenJoin writes a join in parentheses, which may have an alias of its own.
func (p *parser) parenJoin() *Join {
	p.i++
	j := p.tableRef()
	if j == nil {
		p.unexpected()
	}
	p.wantPunct(")")
	if a := p.alias(); a.Name != "" {
		if j.Alias.Name != "" {
			p.unsupported(p.tok(), "second alias of a join")
		}
		j.Alias = a
	}
	return j
}

// derived writes (query) AS alias, perhaps with Spark's WATERMARK clause:
//
//	(query) AS n1        (SELECT n2((query), n3)) AS n1
func (p *parser) derived(t token, lateral bool) {
	d := &Derived{Lateral: lateral, Pos: t.at()}
	start := len(p.out.text)
	p.i++
	p.out.word("(")
	d.Query = p.level()
	p.out.word(")")
	p.wantPunct(")")
	if !p.startsWatermark() {
		d.Alias = p.alias()
	}
	if p.startsWatermark() {
		holder := newCall(p.out, note{node: &group{}})
		p.out.insert(start, "( SELECT "+holder.head())
		holder.args = 1
		d.Watermark = p.delayOf(holder)
		holder.close(&d.Watermark.Delay)
		p.out.word(")")
	}
	p.out.word("AS")
	p.out.atom(d)
	if d.Alias.Name == "" {
		d.Alias = p.alias()
	}
	if d.Alias.Name == "" {
		p.needAlias(t)
	}
}

// needAlias refuses a subquery in FROM that has no alias, as Postgres 15 does.
func (p *parser) needAlias(t token) {
	kind, example := "subquery", "(SELECT ...)"
	if p.toks[p.indexAt(t.pos)+1].isWord("values") {
		kind, example = "VALUES", "(VALUES ...)"
	}
	bail(sqlerr.Newf(sqlerr.SyntaxError, "%s in FROM must have an alias", kind).At(t.pos+1).
		WithHint("For example, FROM %s [AS] foo.", example))
}

// indexAt returns the number of the token at a byte offset at or before the current one.
func (p *parser) indexAt(pos int) int {
	i := p.i
	for i > 0 && p.toks[i].pos > pos {
		i--
	}
	return i
}

// alias reads [AS] name [(columns)], also a column definition list; the zero Alias if none.
func (p *parser) alias() Alias {
	as := p.accept("as")
	if !as && (!p.tok().isColID() || p.startsEmit() || p.startsWatermark() || p.startsAsof()) {
		return Alias{}
	}
	a := Alias{Pos: p.tok().at()}
	if as && p.isPunct("(") {
		p.aliasColumns(&a, true)
		return a
	}
	a.Name = p.colID().Name
	if p.isPunct("(") {
		p.aliasColumns(&a, false)
	}
	return a
}

func (p *parser) startsAsof() bool {
	return p.is("asof") && (p.isAt(1, "join") || p.isAt(1, "left") || p.isAt(1, "inner", "join"))
}

// aliasColumns reads (name, ...) or, always so if typed, (name type, ...).
func (p *parser) aliasColumns(a *Alias, typed bool) {
	p.parenList(func() {
		a.Columns = append(a.Columns, p.colID().Name)
		if typed || a.Types != nil || len(a.Columns) == 1 && !p.isPunct(",") && !p.isPunct(")") {
			a.Types = append(a.Types, p.typeName())
		}
	})
}
