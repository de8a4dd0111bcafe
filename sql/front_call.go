package sql

// call reads the arguments and suffixes of an ordinary call; its name has been read. fromClause
// allows what a table function takes: TABLE t, DESCRIPTOR(c).
func (p *parser) call(name Name, fromClause bool) *Func {
	if len(name.Parts) > 3 {
		p.unexpected()
	}
	if len(name.Parts) > 1 && name.Parts[0] == "pg_catalog" {
		name.Parts = name.Parts[1:]
	}
	p.enter()
	defer p.leave()
	f := &Func{Name: name, Pos: name.Pos}
	c := p.out.open(note{node: f})
	p.wantPunct("(")
	if !p.acceptPunct(")") {
		p.arguments(c, f, fromClause)
		p.wantPunct(")")
	}
	if !fromClause { // in FROM, filter and over are aliases
		p.callSuffix(c, f)
	}
	c.close(f.holes()...)
	return f
}

// holes returns the places that a call's parts fill, in the order in which they are written.
func (f *Func) holes() []*Expr {
	var holes []*Expr
	for i := range f.Args {
		holes = append(holes, &f.Args[i].Value)
	}
	holes = append(holes, orderHoles(f.OrderBy)...)
	holes = append(holes, orderHoles(f.Within)...)
	if f.Filter != nil {
		holes = append(holes, &f.Filter)
	}
	if f.Over != nil {
		holes = append(holes, f.Over.holes()...)
	}
	return holes
}

// arguments reads what stands between a call's parentheses.
func (p *parser) arguments(c *call, f *Func, fromClause bool) {
	if p.acceptOp("*") {
		f.Star = true
		return
	}
	if f.Distinct = p.accept("distinct"); !f.Distinct {
		p.accept("all")
	}
	p.list(func() {
		if n := len(f.Args); n > 0 && f.Args[n-1].Variadic {
			p.i-- // only the last argument may be variadic: the comma is wrong
			p.unexpected()
		}
		c.next()
		f.Args = append(f.Args, p.argument(fromClause))
	})
	f.Nulls = p.nullTreatment()
	if p.accept("order", "by") {
		f.OrderBy = p.orderItems(c)
	}
}

// wholeRow reads t.* as an argument: the row of a relation as one value.
func (p *parser) wholeRow() bool {
	n := 0
	for p.peek(n).isColID() && p.peek(n+1).isPunct(".") {
		n += 2
	}
	if end := p.peek(n + 1); n == 0 || !p.peek(n).isOp("*") || !end.isPunct(",") && !end.isPunct(")") {
		return false
	}
	s := &Star{Pos: p.tok().at()}
	for range n / 2 {
		s.Qualifier = append(s.Qualifier, p.colID().Name)
		p.i++
	}
	p.i++
	p.out.atom(s)
	return true
}

// argument reads one argument: [VARIADIC] [name =>] value. The name may be a reserved word, such as
// the offset of a window function.
func (p *parser) argument(fromClause bool) Arg {
	var a Arg
	a.Variadic = p.accept("variadic")
	if next := p.peek(1); p.tok().isLabel() && (next.isOp("=>") || next.isPunct(":=")) {
		a.Name = p.advance().text
		p.i++
	}
	switch {
	case p.wholeRow():
	case fromClause && p.is("table"):
		p.tableArg()
	case fromClause && p.is("descriptor") && p.peek(1).isPunct("("):
		d := &Descriptor{Pos: p.advance().at()}
		d.Columns = p.identList()
		p.out.atom(d)
	default:
		p.expr()
	}
	return a
}

// tableArg reads TABLE name or TABLE (query), then PARTITION BY and ORDER BY.
func (p *parser) tableArg() {
	a := &TableArg{Pos: p.advance().at()}
	c := p.out.open(note{node: a})
	if p.acceptPunct("(") {
		if !p.startsQuery() {
			p.unexpected()
		}
		a.Query = p.subquery(c)
		p.wantPunct(")")
	} else {
		name := p.qualifiedName()
		a.Name = &name
	}
	if p.accept("partition", "by") {
		p.tableArgList(func() { p.item(c, &a.PartitionBy) })
	}
	if p.accept("order", "by") {
		p.tableArgList(func() {
			c.next()
			a.OrderBy = append(a.OrderBy, p.orderItem())
		})
	}
	c.close(append(holesOf(a.PartitionBy), orderHoles(a.OrderBy)...)...)
}

// tableArgList reads the keys of a table argument: one, (a, b), or a, b where the DESCRIPTOR that
// follows shows which commas are the call's.
func (p *parser) tableArgList(item func()) {
	if p.isPunct("(") {
		p.parenList(item)
		return
	}
	item()
	for p.isPunct(",") && p.keyAhead() {
		p.i++
		item()
	}
}

// keyAhead says whether the comma that comes next is followed by another key.
func (p *parser) keyAhead() bool {
	if next := p.peek(2); next.isOp("=>") || next.isPunct(":=") || p.isAt(1, "descriptor") {
		return false
	}
	for i := p.i + 1; i < len(p.toks); i++ {
		switch t := p.toks[i]; {
		case t.isWord("descriptor") && p.toks[i+1].isPunct("("):
			return true
		case t.isPunct("("):
			i = p.close[i]
		case t.isPunct(")") || t.kind == tokEOF:
			return false
		}
	}
	return false
}

// nullTreatment reads IGNORE NULLS or RESPECT NULLS.
func (p *parser) nullTreatment() string {
	if p.is("ignore", "nulls") || p.is("respect", "nulls") {
		word := p.advance().text
		p.i++
		return word
	}
	return ""
}

// callSuffix reads WITHIN GROUP, FILTER, IGNORE NULLS and OVER.
func (p *parser) callSuffix(c *call, f *Func) {
	if p.accept("within", "group") {
		p.wantPunct("(")
		p.want("order", "by")
		f.Within = p.orderItems(c)
		p.wantPunct(")")
	}
	if p.accept("filter") {
		p.wantPunct("(")
		p.want("where")
		c.next()
		p.expr()
		f.Filter = &group{} // its hole exists; the decoder puts the condition here
		p.wantPunct(")")
	}
	if nulls := p.nullTreatment(); nulls != "" {
		f.Nulls = nulls
	}
	if p.accept("over") {
		f.Over = p.over(c)
	}
}

// orderItems reads the items of ORDER BY as arguments of c.
func (p *parser) orderItems(c *call) (items []OrderItem) {
	p.list(func() {
		c.next()
		items = append(items, p.orderItem())
	})
	return items
}

// orderItem writes the expression of one item of ORDER BY and returns the rest.
func (p *parser) orderItem() OrderItem {
	var item OrderItem
	p.expr()
	switch {
	case p.accept("asc"):
	case p.accept("desc"):
		item.Desc = true
	case p.accept("using"):
		switch t := p.advance(); {
		case t.isOp(">"):
			item.Desc = true
		case !t.isOp("<"):
			p.unsupported(t, "ORDER BY ... USING %s", t.text)
		}
	}
	if p.is("nulls") && (p.isAt(1, "first") || p.isAt(1, "last")) {
		p.i++
		item.Nulls = p.advance().text
	}
	return item
}

func orderHoles(items []OrderItem) []*Expr {
	holes := make([]*Expr, len(items))
	for i := range items {
		holes[i] = &items[i].X
	}
	return holes
}

// expr makes group an Expr, so that it can stand for one until the decoder has replaced it.
func (*group) expr() {}

// At returns 0: a group has no place of its own.
func (*group) At() Pos { return 0 }
