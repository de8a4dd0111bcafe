package sql

import (
	"strings"

	"wmsql/sqlerr"
)

// createTable reads CREATE TABLE behind those words.
func (p *parser) createTable(t token, temp bool) Stmt {
	c := &CreateTable{Temp: temp, Pos: t.at(), IfNotExists: p.ifNotExists()}
	c.Name = p.qualifiedName()
	switch {
	case p.isPunct("(") && p.peek(1).isPunct(")"):
		p.i += 2
	case p.isPunct("("):
		p.parenList(func() { p.tableElement(c) })
	case !p.is("as") && !(temp && p.is("on", "commit")):
		if p.is("of") || p.is("partition") {
			p.unsupported(p.tok(), "CREATE TABLE ... %s", strings.ToUpper(p.tok().text))
		}
		p.want("as")
	}
	if temp && p.accept("on", "commit") {
		p.onCommit(c)
	}
	if t := p.tok(); p.isOneOf("inherits", "partition", "using", "with", "on", "tablespace") {
		p.unsupported(t, "CREATE TABLE ... %s", strings.ToUpper(t.text))
	}
	if untyped := c.untyped(); untyped != nil && !p.is("as") {
		p.unexpectedAt(p.toks[p.indexAt(int(untyped.Pos)-1)+1])
	}
	if p.accept("as") {
		c.Query = p.query()
		if p.is("with") {
			p.i++
			c.NoData = p.accept("no")
			p.want("data")
		}
	}
	return c
}

// onCommit reads what becomes of a temporary table at the end of a transaction.
func (p *parser) onCommit(c *CreateTable) {
	switch {
	case p.accept("drop"):
		c.OnCommit = "drop"
	case p.accept("preserve", "rows"):
		c.OnCommit = "preserve rows"
	case p.accept("delete", "rows"):
		c.OnCommit = "delete rows"
	default:
		p.unexpected()
	}
}

// untyped returns the first column without a type, which only CREATE TABLE ... AS may have.
func (c *CreateTable) untyped() *ColumnDef {
	for i := range c.Columns {
		if c.Columns[i].Type == nil && c.Columns[i].Generated == nil {
			return &c.Columns[i]
		}
	}
	return nil
}

// tableElement reads a column, a bare column name of CREATE TABLE ... AS, or a table constraint.
func (p *parser) tableElement(c *CreateTable) {
	name, named := p.constraintName()
	switch t := p.tok(); {
	case p.accept("primary", "key"):
		c.Keys = append(c.Keys, KeyDef{Name: name, Primary: true, Columns: p.identList(), Pos: t.at()})
	case p.is("unique") && p.peek(1).isPunct("("):
		p.i++
		c.Keys = append(c.Keys, KeyDef{Name: name, Columns: p.identList(), Pos: t.at()})
	case p.is("check"):
		c.Checks = append(c.Checks, p.check(name))
	case p.is("foreign", "key"):
		p.foreignKey(t, "FOREIGN KEY")
	case p.is("exclude"):
		p.unsupported(t, "EXCLUDE")
	case p.is("like"):
		p.unsupported(t, "CREATE TABLE ... LIKE")
	case named:
		p.unexpected()
	case p.peek(1).isPunct(",") || p.peek(1).isPunct(")"):
		id := p.colID()
		c.Columns = append(c.Columns, ColumnDef{Name: id, Pos: id.Pos})
	default:
		c.Columns = append(c.Columns, p.columnDef(c.Name))
	}
}

// foreignKey refuses a reference to another table.
func (p *parser) foreignKey(t token, what string) {
	bail(sqlerr.Unsupported("%s", what).At(t.pos + 1).
		WithHint("Leave it out: rows would not be looked for in the other table. ORMs have a setting for it, as Django's db_constraint=False."))
}

// constraintName reads CONSTRAINT name, if it stands there.
func (p *parser) constraintName() (name string, named bool) {
	if !p.accept("constraint") {
		return "", false
	}
	return p.colID().Name, true
}

// columnDef reads name type constraints, or Flink's name AS expr, for a column of the relation of.
func (p *parser) columnDef(of Name) ColumnDef {
	id := p.colID()
	c := ColumnDef{Name: id, Pos: id.Pos}
	if p.accept("as") {
		c.Generated, c.GeneratedText = p.exprText(p.expr)
		return c
	}
	t := p.typeName()
	c.Type = &t
	table := of.Parts[len(of.Parts)-1]
	for null := nullSaid(0); p.columnConstraint(&c, table, &null); {
	}
	return c
}

// nullSaid is what a column said about NULL so far.
type nullSaid uint8

const (
	saidNull nullSaid = 1 << iota
	saidNotNull
)

// say notes NULL or NOT NULL, which a column may not both say.
func (n *nullSaid) say(what nullSaid, c *ColumnDef, table string, at Pos) {
	if *n |= what; *n == saidNull|saidNotNull {
		bail(sqlerr.Newf(sqlerr.SyntaxError, `conflicting NULL/NOT NULL declarations for column "%s" of table "%s"`, c.Name.Name, table).At(int(at)))
	}
}

// columnConstraint reads one constraint of a column of table; false if none comes.
func (p *parser) columnConstraint(c *ColumnDef, table string, null *nullSaid) bool {
	name, named := p.constraintName()
	switch t := p.tok(); {
	case p.accept("not", "null"):
		null.say(saidNotNull, c, table, t.at())
		c.NotNull = true
	case p.accept("null"):
		null.say(saidNull, c, table, t.at())
	case p.accept("primary", "key"):
		if c.PrimaryKey {
			bail(sqlerr.Newf(sqlerr.InvalidTableDefinition, `multiple primary keys for table "%s" are not allowed`, table).At(t.pos + 1))
		}
		c.PrimaryKey, c.NotNull, c.KeyName = true, true, name
	case p.accept("unique"):
		c.Unique, c.KeyName = true, name
	case p.accept("default"):
		if c.Default != nil {
			bail(sqlerr.Newf(sqlerr.SyntaxError, `multiple default values specified for column "%s" of table "%s"`, c.Name.Name, table).At(t.pos + 1))
		}
		c.Default, c.DefaultText = p.exprText(p.simpleExpr)
	case p.is("check"):
		c.Checks = append(c.Checks, p.check(name))
	case p.accept("generated"):
		p.generated(c)
	case p.accept("collate"):
		n := p.dottedName(2)
		c.Collate = &n
	case p.is("references"):
		p.foreignKey(t, "REFERENCES of a column")
	case p.is("compression"), p.is("storage"):
		p.unsupported(t, "%s of a column", strings.ToUpper(t.text))
	default:
		if named {
			p.unexpected()
		}
		return false
	}
	return true
}

// check reads CHECK (expr).
func (p *parser) check(name string) CheckDef {
	at := p.tok().at()
	p.want("check")
	p.wantPunct("(")
	x, text := p.exprText(p.expr)
	p.wantPunct(")")
	if p.is("no", "inherit") {
		p.i += 2
	}
	return CheckDef{Name: name, X: x, Text: text, Pos: at}
}

// generated reads ALWAYS AS (expr) STORED.
func (p *parser) generated(c *ColumnDef) {
	if p.identity(c) {
		return
	}
	p.want("always", "as")
	p.wantPunct("(")
	c.Generated, c.GeneratedText = p.exprText(p.expr)
	p.wantPunct(")")
	p.want("stored")
}
