package sql

import "strings"

// alterTable reads the actions of ALTER TABLE behind the table's name.
func (p *parser) alterTable(a *AlterTable) Stmt {
	p.list(func() { a.Actions = append(a.Actions, p.tableAction(a.Kind, a.Name)) })
	return a
}

// tableAction reads one action. What only changes how Postgres stores or finds rows is not known here.
func (p *parser) tableAction(kind string, of Name) TableAction {
	t := p.tok()
	a := TableAction{Pos: t.at()}
	switch {
	case p.accept("owner", "to"):
		a.What, a.Name = "owner", p.colLabel()
		return a
	case p.accept("set", "schema"):
		a.What, a.Name = "set schema", p.colID()
		return a
	case kind != "table":
	case p.accept("add"):
		p.addAction(&a, of)
		return a
	case p.accept("drop"):
		p.dropAction(&a)
		return a
	case p.accept("alter"):
		p.accept("column")
		a.Name = p.colID()
		p.alterColumn(&a)
		return a
	case p.accept("validate", "constraint"):
		a.What, a.Name = "validate constraint", p.colID()
		return a
	case p.accept("cluster", "on"): // there is one order, that of the key
		a.What, a.Name = "cluster", p.colID()
		return a
	case p.is("set", "without", "cluster"), p.is("replica", "identity"):
		p.i += 2
		a.What = "nothing"
		p.skipAction()
		return a
	}
	if t.kind != tokWord {
		p.unexpected()
	}
	p.unsupported(t, "ALTER %s ... %s", strings.ToUpper(kind), strings.ToUpper(t.text))
	return a
}

// skipAction reads to the end of an action of words alone.
func (p *parser) skipAction() {
	for !p.atEnd() && !p.isPunct(",") {
		p.i++
	}
}

// colLabel reads a name that may be any word, as that of a role.
func (p *parser) colLabel() Ident {
	at := p.tok().at()
	return Ident{Name: p.label(), Pos: at}
}

// addAction reads ADD [COLUMN] column or ADD constraint behind ADD.
func (p *parser) addAction(a *TableAction, of Name) {
	if p.isOneOf("constraint", "check", "foreign", "exclude", "unique") || p.is("primary", "key") {
		p.addConstraint(a)
		return
	}
	p.accept("column")
	a.What, a.Exists = "add column", p.ifNotExists()
	c := p.columnDef(of)
	if c.Type == nil {
		p.unexpected()
	}
	a.Column, a.Name = &c, c.Name
}

func (p *parser) addConstraint(a *TableAction) {
	a.What = "add constraint"
	name, _ := p.constraintName()
	switch t := p.tok(); {
	case p.isOneOf("unique", "primary") && p.usingIndex():
		p.unsupported(t, "ADD CONSTRAINT ... USING INDEX")
	case p.accept("primary", "key"):
		a.Key = &KeyDef{Name: name, Primary: true, Columns: p.identList(), Pos: t.at()}
	case p.accept("unique"):
		a.Key = &KeyDef{Name: name, Columns: p.identList(), Pos: t.at()}
	case p.is("check"):
		c := p.check(name)
		a.Check = &c
		a.NotValid = p.accept("not", "valid")
		return
	case p.is("foreign", "key"):
		p.foreignKey(t, "FOREIGN KEY")
	case p.is("exclude"):
		p.unsupported(t, "EXCLUDE")
	default:
		p.unexpected()
	}
	if t := p.tok(); p.isOneOf("deferrable", "initially") {
		p.unsupported(t, "%s of a key", strings.ToUpper(t.text))
	}
	p.accept("not", "deferrable")
}

// usingIndex reports whether UNIQUE or PRIMARY KEY goes on with USING INDEX.
func (p *parser) usingIndex() bool {
	at := 1
	if p.is("primary", "key") {
		at = 2
	}
	return p.peek(at).isWord("using")
}

// dropAction reads [COLUMN | CONSTRAINT] [IF EXISTS] name [CASCADE | RESTRICT] behind DROP.
func (p *parser) dropAction(a *TableAction) {
	a.What = "drop column"
	if p.accept("constraint") {
		a.What = "drop constraint"
	} else {
		p.accept("column")
	}
	a.Exists = p.ifExists()
	a.Name = p.colID()
	a.Cascade = p.acceptOneOf("cascade", "restrict") == "cascade"
}

// alterColumn reads what ALTER COLUMN changes behind the column's name.
func (p *parser) alterColumn(a *TableAction) {
	switch t := p.tok(); {
	case p.accept("set", "default"):
		a.What = "set default"
		a.X, a.Text = p.exprText(p.expr)
	case p.accept("drop", "default"):
		a.What = "drop default"
	case p.accept("set", "not", "null"):
		a.What = "set not null"
	case p.accept("drop", "not", "null"):
		a.What = "drop not null"
	case p.accept("drop", "expression"):
		a.What, a.Exists = "drop expression", p.ifExists()
	case p.accept("drop", "identity"):
		a.What, a.Exists = "drop identity", p.ifExists()
	case p.accept("add", "generated"):
		a.What, a.Column = "add identity", &ColumnDef{Name: a.Name, Pos: a.Name.Pos}
		if !p.identity(a.Column) {
			p.unexpected()
		}
	case p.accept("set", "data", "type"), p.accept("type"):
		p.newType(a)
	case p.is("set", "generated"), p.is("restart"), p.setsSequence():
		p.alterIdentity(a)
	case p.isOneOf("set", "reset", "drop"):
		p.unsupported(t, "ALTER COLUMN ... %s %s", strings.ToUpper(t.text), strings.ToUpper(p.peek(1).text))
	default:
		p.unexpected()
	}
}

// newType reads type [COLLATE c] [USING expr].
func (p *parser) newType(a *TableAction) {
	a.What = "set type"
	t := p.typeName()
	a.Type = &t
	if t := p.tok(); p.is("collate") {
		p.unsupported(t, "COLLATE of a column")
	}
	if p.accept("using") {
		a.X, a.Text = p.exprText(p.expr)
	}
}

// setsSequence reports whether SET begins an option of a sequence.
func (p *parser) setsSequence() bool {
	if !p.is("set") {
		return false
	}
	for _, word := range []string{"increment", "minvalue", "maxvalue", "start", "cache", "cycle", "no", "sequence"} {
		if p.peek(1).isWord(word) {
			return true
		}
	}
	return false
}

// alterIdentity reads SET GENERATED ALWAYS | BY DEFAULT, SET option and RESTART, as often as they come.
func (p *parser) alterIdentity(a *TableAction) {
	a.What, a.Column = "set identity", &ColumnDef{Name: a.Name, Pos: a.Name.Pos}
	for {
		switch {
		case p.accept("set", "generated", "always"):
			a.Column.Identity = "always"
		case p.accept("set", "generated", "by", "default"):
			a.Column.Identity = "by default"
		case p.is("restart"):
			p.sequenceOption(&a.Column.Sequence)
		case p.setsSequence():
			p.i++
			if !p.sequenceOption(&a.Column.Sequence) {
				p.unexpected()
			}
		default:
			return
		}
	}
}
