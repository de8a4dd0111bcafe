package sql

// createSequence reads CREATE SEQUENCE behind those words.
func (p *parser) createSequence(t token) *CreateSequence {
	s := &CreateSequence{Pos: t.at(), IfNotExists: p.ifNotExists()}
	s.Name = p.qualifiedName()
	for p.sequenceOption(&s.Options) {
	}
	return s
}

// alterSequence reads ALTER SEQUENCE behind those words.
func (p *parser) alterSequence(t token) Stmt {
	s := &AlterSequence{Pos: t.at(), IfExists: p.ifExists()}
	s.Name = p.qualifiedName()
	switch {
	case p.is("rename"):
		return p.rename(&Rename{Kind: "sequence", Name: s.Name, IfExists: s.IfExists, Pos: s.Pos})
	case p.is("owner"), p.is("set", "schema"):
		return p.alterTable(&AlterTable{Kind: "sequence", Name: s.Name, IfExists: s.IfExists, Pos: s.Pos})
	}
	for p.sequenceOption(&s.Options) {
	}
	return s
}

// sequenceOption reads one option; false if none comes.
func (p *parser) sequenceOption(o *SequenceOptions) bool {
	number := func(into **int64) bool {
		n := p.signed()
		*into = &n
		return true
	}
	flag := func(into **bool, v bool) bool {
		*into = &v
		return true
	}
	switch {
	case p.accept("as"):
		t := p.typeName()
		o.Type = &t
		return true
	case p.accept("increment"):
		p.accept("by")
		return number(&o.Increment)
	case p.accept("minvalue"):
		return number(&o.Min)
	case p.accept("maxvalue"):
		return number(&o.Max)
	case p.accept("no", "minvalue"), p.accept("no", "maxvalue"):
		return true
	case p.accept("owned", "by", "none"):
		o.Disowned = true
		return true
	case p.accept("sequence", "name"):
		name := p.qualifiedName()
		o.Name = &name
		return true
	case p.accept("no", "cycle"):
		return flag(&o.Cycle, false)
	case p.accept("cycle"):
		return flag(&o.Cycle, true)
	case p.accept("start"):
		p.accept("with")
		return number(&o.Start)
	case p.accept("cache"):
		p.integer()
		return true
	case p.accept("restart"):
		o.Restart = true
		if p.accept("with") || p.tok().kind == tokInt {
			return number(&o.RestartWith)
		}
		return true
	case p.accept("owned", "by"):
		name := p.qualifiedName()
		o.OwnedBy = &name
		return true
	}
	return false
}

// identity reads what stands behind GENERATED in GENERATED ALWAYS | BY DEFAULT AS IDENTITY [(options)]; false if it is something else.
func (p *parser) identity(c *ColumnDef) bool {
	switch {
	case p.accept("by", "default", "as", "identity"):
		c.Identity = "by default"
	case p.accept("always", "as", "identity"):
		c.Identity = "always"
	default:
		return false
	}
	c.NotNull = true
	if p.isPunct("(") {
		p.i++
		for p.sequenceOption(&c.Sequence) {
		}
		p.wantPunct(")")
	}
	return true
}
