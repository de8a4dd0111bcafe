package sql

import "wmsql/sqlerr"

// selectCore writes SELECT ... up to WINDOW. The first item of the transcription is the query's
// note, with DISTINCT ON as its arguments; HAVING holds the windows too.
func (p *parser) selectCore() {
	q := &Query{Pos: p.advance().at()}
	p.out.word("SELECT")
	c := p.out.open(note{node: q})
	p.distinct(c, q)
	c.close(holesOf(q.DistinctOn)...)
	p.selectItems(q)
	if t := p.tok(); p.accept("into") {
		p.intoTable(t)
	}
	if p.accept("from") {
		p.out.word("FROM")
		p.fromList()
	} else {
		p.out.word("FROM n0")
	}
	if p.accept("where") {
		p.out.word("WHERE")
		p.expr()
	}
	p.groupBy(q)
	p.having(q)
}

// distinct reads ALL, DISTINCT and DISTINCT ON (...) [WITHIN WATERMARK].
func (p *parser) distinct(c *call, q *Query) {
	if p.accept("all") || !p.accept("distinct") {
		return
	}
	if !p.accept("on") {
		q.Distinct = true
		return
	}
	p.parenList(func() { p.item(c, &q.DistinctOn) })
	q.WithinWatermark = p.accept("within", "watermark")
}

// selectItems writes the select list, which may be empty.
func (p *parser) selectItems(q *Query) {
	if p.endsItems() {
		if q.Distinct || q.DistinctOn != nil {
			p.unexpected()
		}
		return
	}
	p.list(func() {
		p.out.word(",")
		q.Items = append(q.Items, p.selectItem())
	})
}

// endsItems says whether a select list cannot begin here.
func (p *parser) endsItems() bool {
	return p.atEnd() || p.isPunct(")") || p.isOneOf("from", "where", "group", "having", "window", "order", "limit", "offset",
		"fetch", "for", "union", "intersect", "except", "into") && !p.isSparkWindow()
}

// isSparkWindow says whether the word WINDOW that comes next is Spark's function or column, not the
// clause, which goes on with a name and AS.
func (p *parser) isSparkWindow() bool {
	return p.is("window") && !(p.peek(1).isColID() && p.peek(2).isWord("as"))
}

// selectItem writes one item's expression and returns its alias.
func (p *parser) selectItem() Item {
	if t := p.tok(); p.acceptOp("*") {
		p.out.atom(&Star{Pos: t.at()})
		return Item{}
	}
	p.expr()
	if p.accept("as") {
		return Item{Alias: p.label()}
	}
	if p.tok().isBareLabel() && !p.startsEmit() {
		return Item{Alias: p.advance().text}
	}
	return Item{}
}

// startsEmit says whether EMIT ON ... comes next, which is no alias.
func (p *parser) startsEmit() bool {
	return p.is("emit", "on") && (p.isAt(2, "window") || p.isAt(2, "update"))
}

// groupBy writes GROUP BY.
func (p *parser) groupBy(q *Query) {
	t := p.tok()
	if !p.accept("group") {
		return
	}
	p.want("by")
	q.GroupPos = t.at()
	if q.GroupDistinct = p.accept("distinct"); !q.GroupDistinct {
		p.accept("all")
	}
	p.out.word("GROUP BY")
	first := true
	p.list(func() {
		if !first {
			p.out.word(",")
		}
		first = false
		p.groupItem()
	})
}

// groupItem writes an expression, (), ROLLUP, CUBE or GROUPING SETS.
func (p *parser) groupItem() {
	t := p.tok()
	switch {
	case t.isPunct("(") && p.peek(1).isPunct(")"):
		p.i += 2
		p.out.atom(&GroupingSet{Kind: "empty", Pos: t.at()})
	case (t.isWord("rollup") || t.isWord("cube")) && p.peek(1).isPunct("("):
		p.i++
		p.groupingSets(t.text, t)
	case p.accept("grouping", "sets"):
		p.groupingSets("sets", t)
	default:
		p.expr()
	}
}

// groupingSets writes the parenthesised sets of ROLLUP, CUBE or GROUPING SETS.
func (p *parser) groupingSets(kind string, t token) {
	p.enter()
	defer p.leave()
	g := &GroupingSet{Kind: kind, Pos: t.at()}
	c := p.out.open(note{node: g})
	p.parenList(func() {
		var set []Expr
		switch {
		case p.isPunct("(") && p.peek(1).isPunct(")"):
			p.i += 2
		case p.isPunct("(") && p.setParens():
			p.parenList(func() { p.item(c, &set) })
		default:
			c.next()
			p.groupItem()
			set = append(set, nil)
		}
		g.Sets = append(g.Sets, set)
	})
	var holes []*Expr
	for _, set := range g.Sets {
		holes = append(holes, holesOf(set)...)
	}
	c.close(holes...)
}

// setParens says whether the parenthesis that comes next holds a whole grouping set, not just the
// beginning of an expression.
func (p *parser) setParens() bool {
	after := p.toks[min(p.close[p.i]+1, len(p.toks)-1)]
	return (after.isPunct(",") || after.isPunct(")")) && !p.queryAt(p.i+1)
}

// having writes HAVING and WINDOW as one call.
func (p *parser) having(q *Query) {
	if !p.is("having") && !p.is("window") {
		return
	}
	p.out.word("HAVING")
	c := p.out.open(note{node: &group{}})
	var holes []*Expr
	if p.accept("having") {
		c.next()
		p.expr()
		holes = append(holes, &q.Having)
	}
	if p.accept("window") {
		p.list(func() {
			id := p.colID()
			p.want("as")
			q.Windows = append(q.Windows, NamedWindow{Name: id.Name, Spec: *p.windowSpec(c)})
		})
	}
	for i := range q.Windows {
		for j := range i {
			if q.Windows[i].Name == q.Windows[j].Name {
				bail(sqlerr.Newf(sqlerr.WindowingError, `window "%s" is already defined`, q.Windows[i].Name).At(int(q.Windows[i].Spec.Pos)))
			}
		}
		holes = append(holes, q.Windows[i].Spec.holes()...)
	}
	c.close(holes...)
}
