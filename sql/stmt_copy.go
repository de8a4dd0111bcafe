package sql

import (
	"strings"

	"wmsql/sqlerr"
)

// copy reads COPY with the options of today or of Postgres before 9.0.
func (p *parser) copy() Stmt {
	t := p.advance()
	c := &Copy{Pos: t.at()}
	if bin := p.tok(); p.accept("binary") {
		c.Options = append(c.Options, Option{Name: "format", Value: "binary", Pos: bin.at()})
	}
	if p.acceptPunct("(") {
		if p.isOneOf("insert", "update", "delete") {
			p.unsupported(p.tok(), "COPY of a data-modifying statement")
		}
		if p.is("subscribe") {
			c.Subscribe = p.subscribe()
		} else {
			c.Query = p.query()
		}
		p.wantPunct(")")
		p.want("to")
	} else {
		name := p.qualifiedName()
		c.Table = &name
		if p.isPunct("(") {
			c.Columns = p.identList()
		}
		if c.From = p.accept("from"); !c.From {
			p.want("to")
		}
	}
	p.copyFile(c)
	p.copyOptions(c)
	if p.is("where") && c.From {
		bail(sqlerr.Unsupported("COPY ... WHERE").At(p.tok().pos + 1).
			WithHint("COPY into a temporary table, then INSERT INTO ... SELECT ... WHERE."))
	}
	return c
}

// copyFile reads STDIN, STDOUT or a file's name. As in Postgres either word does for either direction.
func (p *parser) copyFile(c *Copy) {
	switch t := p.tok(); {
	case p.accept("stdin"), p.accept("stdout"):
	case p.is("program"):
		p.unsupported(t, "COPY ... PROGRAM")
	case t.kind == tokString:
		p.i++
		c.File = t.text
	default:
		p.unexpected()
	}
}

func (p *parser) copyOptions(c *Copy) {
	if t := p.tok(); p.accept("delimiters") || p.accept("using", "delimiters") {
		c.Options = append(c.Options, Option{Name: "delimiter", Value: p.copyString(), Pos: t.at()})
	}
	p.accept("with")
	if p.isPunct("(") {
		p.parenList(func() { c.Options = append(c.Options, p.copyOption()) })
		return
	}
	for {
		o := p.oldCopyOption()
		if o.Name == "" {
			return
		}
		c.Options = append(c.Options, o)
	}
}

// copyOption reads name [value], where the value may be a list in parentheses or *.
func (p *parser) copyOption() Option {
	o := Option{Pos: p.tok().at(), Name: p.label()}
	switch {
	case p.isPunct(",") || p.isPunct(")"):
	case p.acceptOp("*"):
		o.Value = "*"
	case p.isPunct("("):
		o.Value = strings.Join(p.columnNames(), ",")
	default:
		o.Value = p.optionValue()
	}
	return o
}

// oldCopyOption reads one option of the old syntax under its new name; the zero Option if none
// comes.
func (p *parser) oldCopyOption() Option {
	t := p.tok()
	o := Option{Pos: t.at()}
	switch {
	case p.accept("binary"), p.accept("csv"):
		o.Name, o.Value = "format", t.text
	case p.accept("freeze"), p.accept("header"):
		o.Name, o.Value = t.text, "true"
	case p.accept("delimiter"), p.accept("null"), p.accept("quote"), p.accept("escape"), p.accept("encoding"):
		o.Name, o.Value = t.text, p.copyString()
	case p.accept("force"):
		o.Name = p.forceOption()
		if p.acceptOp("*") {
			o.Value = "*"
			break
		}
		var cols []string
		p.list(func() { cols = append(cols, p.colID().Name) })
		o.Value = strings.Join(cols, ",")
	}
	return o
}

// copyString reads [AS] 'text'.
func (p *parser) copyString() string {
	p.accept("as")
	if p.tok().kind != tokString {
		p.unexpected()
	}
	return p.advance().text
}

func (p *parser) forceOption() string {
	switch {
	case p.accept("quote"):
		return "force_quote"
	case p.accept("not", "null"):
		return "force_not_null"
	case p.accept("null"):
		return "force_null"
	}
	p.unexpected()
	return ""
}
