package sql

// prepare reads PREPARE name [(types)] AS statement.
func (p *parser) prepare() Stmt {
	t := p.advance()
	if p.is("transaction") && p.peek(1).kind == tokString {
		return p.skipped(t, "PREPARE TRANSACTION")
	}
	s := &Prepare{Name: p.colID().Name, Pos: t.at()}
	if p.isPunct("(") {
		p.parenList(func() { s.Types = append(s.Types, p.typeName()) })
	}
	p.want("as")
	first := p.i
	if !p.startsQuery() && !p.isPunct("(") && !p.isOneOf("insert", "update", "delete", "merge") {
		p.unexpected()
	}
	s.Stmt = p.statement()
	s.Text = p.textSince(first)
	return s
}

// execute reads EXECUTE name [(values)].
func (p *parser) execute() Stmt {
	s := &Execute{Pos: p.advance().at()}
	s.Name = p.colID().Name
	if p.isPunct("(") {
		p.parenList(func() { s.Args = append(s.Args, p.loneExpr(p.expr)) })
	}
	return s
}

// deallocate reads DEALLOCATE [PREPARE] name | ALL.
func (p *parser) deallocate() Stmt {
	s := &Deallocate{Pos: p.advance().at()}
	p.accept("prepare")
	if !p.accept("all") {
		s.Name = p.colID().Name
	}
	return s
}

// explain reads EXPLAIN with either spelling of its options.
func (p *parser) explain() Stmt {
	t := p.advance()
	e := &Explain{Pos: t.at()}
	if p.accept("window") {
		return p.explainWindow(t)
	}
	if p.isPunct("(") && !p.queryAt(p.i+1) {
		p.parenList(func() { e.Options = append(e.Options, p.explainOption(e)) })
	} else {
		e.Analyze = p.acceptOneOf("analyze", "analyse") != ""
		e.Verbose = p.accept("verbose")
	}
	if !p.startsQuery() && !p.isPunct("(") && !p.isOneOf("insert", "update", "delete", "create", "alter", "execute", "declare", "refresh", "merge") {
		p.unexpected()
	}
	e.Stmt = p.statement()
	return e
}

// explainWindow reads view AT time.
func (p *parser) explainWindow(t token) Stmt {
	e := &ExplainWindow{Pos: t.at(), View: p.qualifiedName()}
	p.want("at")
	e.When = p.loneExpr(p.expr)
	return e
}

// explainOption reads name [value] and notes ANALYZE and VERBOSE.
func (p *parser) explainOption(e *Explain) Option {
	o := Option{Pos: p.tok().at()}
	if o.Name = p.acceptOneOf("analyze", "analyse"); o.Name == "" {
		o.Name = p.nonReserved()
	}
	if !p.isPunct(",") && !p.isPunct(")") {
		o.Value = p.optionValue()
	}
	on := true
	switch o.Value {
	case "false", "off", "0":
		on = false
	}
	switch o.Name {
	case "analyze", "analyse":
		e.Analyze = on
	case "verbose":
		e.Verbose = on
	}
	return o
}
