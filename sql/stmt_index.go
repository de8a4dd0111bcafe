package sql

import (
	"strings"

	"wmsql/sqlerr"
)

// createIndex reads CREATE [UNIQUE] INDEX behind those words.
func (p *parser) createIndex(t token, unique bool) Stmt {
	x := &CreateIndex{Unique: unique, Pos: t.at(), Concurrently: p.accept("concurrently")}
	x.IfNotExists = p.ifNotExists()
	if x.IfNotExists || !p.is("on") {
		x.Name = p.colID()
	}
	p.want("on")
	p.accept("only")
	x.Table = p.qualifiedName()
	if p.accept("using") {
		x.Method = p.colID()
	}
	p.parenList(func() { x.Columns = append(x.Columns, p.indexColumn()) })
	p.indexClauses(unique)
	return x
}

// indexColumn reads column [COLLATE name] [operator class] [ASC | DESC] [NULLS FIRST | LAST].
func (p *parser) indexColumn() IndexColumn {
	t := p.tok()
	if t.isPunct("(") || p.peek(1).isPunct("(") {
		unsupportedIndex(t, "an index over an expression", "Index a column GENERATED ALWAYS AS (expression) STORED.")
	}
	c := IndexColumn{Name: p.colID()}
	if t := p.tok(); p.accept("collate") {
		if name := p.dottedName(2).Parts; name[len(name)-1] != "C" && name[len(name)-1] != "default" && name[len(name)-1] != "POSIX" {
			p.unsupported(t, "COLLATE of an index")
		}
	}
	if !p.isPunct(",") && !p.isPunct(")") && !p.isOneOf("asc", "desc", "nulls") {
		name := p.dottedName(2).Parts
		c.Class = name[len(name)-1]
	}
	c.Desc = p.acceptOneOf("asc", "desc") == "desc"
	c.NullsFirst = c.Desc
	if p.accept("nulls") {
		c.NullsFirst = p.is("first")
		if p.acceptOneOf("first", "last") == "" {
			p.unexpected()
		}
	}
	return c
}

// indexClauses reads what may stand behind the columns.
func (p *parser) indexClauses(unique bool) {
	if p.accept("nulls") {
		t := p.tok()
		if p.accept("not", "distinct") {
			p.unsupported(t, "NULLS NOT DISTINCT")
		}
		p.want("distinct")
	}
	switch t := p.tok(); {
	case p.is("include"):
		unsupportedIndex(t, "INCLUDE of an index", "Leave it out: a row is read whole.")
	case p.is("with"), p.is("tablespace"):
		unsupportedIndex(t, strings.ToUpper(t.text)+" of an index", "Leave it out.")
	case p.is("where"):
		hint := "Leave WHERE out: an index over all rows finds those, too."
		if unique {
			hint = "Index a column GENERATED ALWAYS AS (CASE WHEN condition THEN column END) STORED: NULL equals nothing."
		}
		unsupportedIndex(t, "an index over a part of the rows", hint)
	}
}

func unsupportedIndex(t token, what, hint string) {
	bail(sqlerr.Unsupported("%s", what).WithHint("%s", hint).At(t.pos + 1))
}

// reindex reads REINDEX [(options)] kind [CONCURRENTLY] name.
func (p *parser) reindex() Stmt {
	r := &Reindex{Pos: p.advance().at()}
	if p.isPunct("(") {
		p.options() // VERBOSE tells nothing here
	}
	if r.Kind = p.acceptOneOf("index", "table", "schema", "database", "system"); r.Kind == "" {
		p.unexpected()
	}
	r.Concurrently = p.accept("concurrently")
	r.Name = p.qualifiedName()
	return r
}

func (f *formatter) createIndex(s *CreateIndex) {
	f.write("CREATE ")
	f.flag(s.Unique, "UNIQUE ")
	f.write("INDEX ")
	f.flag(s.Concurrently, "CONCURRENTLY ")
	f.flag(s.IfNotExists, "IF NOT EXISTS ")
	f.flag(s.Name.Name != "", quoteIdent(s.Name.Name)+" ")
	f.write("ON ")
	f.name(s.Table)
	f.flag(s.Method.Name != "", " USING "+quoteIdent(s.Method.Name))
	var cols []string
	for _, c := range s.Columns {
		cols = append(cols, formatIndexColumn(c))
	}
	f.elements(cols)
}

func formatIndexColumn(c IndexColumn) string {
	var f formatter
	f.ident(c.Name.Name)
	f.flag(c.Class != "", " "+quoteIdent(c.Class))
	f.flag(c.Desc, " DESC")
	f.flag(c.NullsFirst && !c.Desc, " NULLS FIRST")
	f.flag(!c.NullsFirst && c.Desc, " NULLS LAST")
	return f.String()
}

func (f *formatter) reindex(s *Reindex) {
	f.write("REINDEX ", strings.ToUpper(s.Kind), " ")
	f.flag(s.Concurrently, "CONCURRENTLY ")
	f.name(s.Name)
}
