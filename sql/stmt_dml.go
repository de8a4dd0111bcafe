package sql

// insert reads INSERT INTO.
func (p *parser) insert() Stmt {
	s := &Insert{Pos: p.advance().at()}
	p.want("into")
	s.Table = p.qualifiedName()
	if p.accept("as") {
		s.Alias = p.colID().Name
	}
	if p.isPunct("(") && !p.queryAt(p.i+1) {
		s.Columns = p.identList()
	}
	if p.accept("overriding") {
		if s.Overriding = p.acceptOneOf("system", "user"); s.Overriding == "" {
			p.unexpected()
		}
		p.want("value")
	}
	if !p.accept("default", "values") {
		p.defaults = p.is("values")
		s.Query = p.query()
	}
	if p.accept("on", "conflict") {
		s.OnConflict = p.onConflict()
	}
	s.Returning = p.returning()
	return s
}

// onConflict reads [target] DO NOTHING | DO UPDATE SET ... [WHERE ...] behind ON CONFLICT.
func (p *parser) onConflict() *OnConflict {
	c := &OnConflict{Pos: p.tok().at()}
	if p.isPunct("(") {
		c.Columns = p.identList()
		if p.is("where") {
			p.unsupported(p.tok(), "ON CONFLICT (...) WHERE")
		}
	} else if p.accept("on", "constraint") {
		id := p.colID()
		c.Constraint = &id
	}
	p.want("do")
	if p.accept("nothing") {
		return c
	}
	p.want("update", "set")
	c.Update = true
	q := p.transcribed(func(q *Query) {
		p.setList(&c.Set, q)
		p.fromWhere("")
	})
	c.Where = q.Where
	c.Set = assigned(c.Set, q)
	return c
}

// returning reads RETURNING items.
func (p *parser) returning() []Item {
	if !p.accept("returning") {
		return nil
	}
	if p.endsItems() {
		p.unexpected()
	}
	return p.transcribed(func(q *Query) {
		p.selectItems(q)
		p.out.word("FROM n0")
	}).Items
}

// transcribed reads what write writes behind the head of a SELECT and returns it.
func (p *parser) transcribed(write func(q *Query)) *Query {
	p.out = newEncoder()
	q := &Query{}
	p.out.word("SELECT")
	p.out.open(note{node: q}).close()
	write(q)
	d := decoder{notes: p.out.notes}
	d.core(selectOf(parseTranscript(p.out.text)))
	d.done()
	return q
}

// update reads UPDATE. The values, the joined tables and the condition are one transcription: SELECT
// values FROM tables WHERE condition.
func (p *parser) update() Stmt {
	s := &Update{Pos: p.advance().at()}
	s.Table, s.Alias = p.target()
	p.want("set")
	q := p.transcribed(func(q *Query) {
		p.setList(&s.Set, q)
		p.fromWhere("from")
	})
	s.Set = assigned(s.Set, q)
	s.From, s.Where = q.From, q.Where
	s.Returning = p.returning()
	return s
}

// delete reads DELETE FROM, in the same way.
func (p *parser) delete() Stmt {
	s := &Delete{Pos: p.advance().at()}
	p.want("from")
	s.Table, s.Alias = p.target()
	q := p.transcribed(func(*Query) { p.fromWhere("using") })
	s.Using, s.Where = q.From, q.Where
	s.Returning = p.returning()
	return s
}

// target reads the table of UPDATE or DELETE and its alias.
func (p *parser) target() (Name, string) {
	p.accept("only")
	name := p.qualifiedName()
	p.acceptOp("*")
	if p.accept("as") || p.tok().isColID() && !p.is("set") {
		return name, p.colID().Name
	}
	return name, ""
}

// fromWhere writes the joined tables, which word introduces ("": there are none), and WHERE.
func (p *parser) fromWhere(word string) {
	p.out.word("FROM")
	if word != "" && p.accept(word) {
		p.fromList()
	} else {
		p.out.word("n0")
	}
	if !p.accept("where") {
		return
	}
	if p.is("current", "of") {
		p.unsupported(p.tok(), "WHERE CURRENT OF")
	}
	p.out.word("WHERE")
	p.expr()
}
