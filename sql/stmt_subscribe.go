package sql

// subscribe reads SUBSCRIBE [TO] name | (query) [WITH (SNAPSHOT, PROGRESS)] [AS OF epoch].
func (p *parser) subscribe() *Subscribe {
	s := &Subscribe{Pos: p.advance().at(), AsOf: -1}
	p.accept("to")
	if p.acceptPunct("(") {
		s.Query = p.query()
		p.wantPunct(")")
	} else {
		name := p.qualifiedName()
		s.Name = &name
	}
	if p.accept("with") {
		s.Options = p.switches()
	}
	if p.accept("as", "of") {
		s.AsOf = p.integer()
	}
	return s
}

// switches reads ( name, name = value, name value ).
func (p *parser) switches() (all []Option) {
	p.parenList(func() {
		o := p.option()
		if o.Value == "" && !p.isPunct(",") && !p.isPunct(")") {
			o.Value = p.optionValue()
		}
		all = append(all, o)
	})
	return all
}
