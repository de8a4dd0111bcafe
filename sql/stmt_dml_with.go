package sql

// dmlWith reads WITH ... INSERT, UPDATE, DELETE or MERGE.
func (p *parser) dmlWith() Stmt {
	with := p.withClause()
	switch {
	case p.is("insert"):
		s := p.insert().(*Insert)
		if s.Query != nil {
			s.Query.With = append(with.With, s.Query.With...)
			s.Query.Recursive = s.Query.Recursive || with.Recursive
		}
		return s
	case p.is("update"):
		s := p.update().(*Update)
		s.With, s.Recursive = with.With, with.Recursive
		return s
	case p.is("delete"):
		s := p.delete().(*Delete)
		s.With, s.Recursive = with.With, with.Recursive
		return s
	}
	s := p.merge().(*Merge)
	s.With, s.Recursive = with.With, with.Recursive
	return s
}

// withClause reads WITH by itself: it is transcribed as that of SELECT without items.
func (p *parser) withClause() *Select {
	p.advance()
	p.out = newEncoder()
	l := &level{levelNote: &levelNote{query: &Select{}}, parser: p}
	p.with(l.query)
	l.nothing()
	d := decoder{notes: p.out.notes}
	d.level(parseTranscript(p.out.text))
	d.done()
	return l.query
}

// nothing writes a query without items for the decoder.
func (l *level) nothing() {
	p := l.parser
	p.out.word("SELECT")
	p.out.open(note{node: &Query{}}).close()
	p.out.word("FROM n0")
	l.tail(note{node: l.levelNote}).close()
}

// changeInWith reads the INSERT, UPDATE or DELETE that an item of WITH is. It has transcriptions of its own.
func (p *parser) changeInWith() Stmt {
	out := p.out
	defer func() { p.out = out }()
	switch {
	case p.is("insert"):
		return p.insert()
	case p.is("update"):
		return p.update()
	}
	return p.delete()
}
