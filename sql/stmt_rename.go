package sql

import "strings"

// rename reads RENAME TO name | RENAME [COLUMN] name TO name | RENAME CONSTRAINT name TO name of an ALTER whose beginning a holds.
func (p *parser) rename(a *Rename) Stmt {
	p.i++ // RENAME
	switch {
	case p.accept("to"):
	case p.accept("constraint"):
		a.What, a.Old = "constraint", p.colID()
		p.want("to")
	default:
		p.accept("column")
		a.What, a.Old = "column", p.colID()
		p.want("to")
	}
	a.New = p.colID()
	return a
}

// NameEnd is the offset, from 0, behind the possibly qualified name, or the * or t.*, that begins at pos in text.
func NameEnd(text string, pos Pos) int {
	from := int(pos) - 1
	toks := lex(text[from:])
	i := 0
	for toks[i+1].isPunct(".") {
		i += 2
	}
	return from + toks[i].end
}

func (f *formatter) rename(s *Rename) {
	f.write("ALTER ", strings.ToUpper(s.Kind), " ")
	f.flag(s.IfExists, "IF EXISTS ")
	f.name(s.Name)
	f.write(" RENAME ")
	switch s.What {
	case "column":
		f.write("COLUMN ", quoteIdent(s.Old.Name), " ")
	case "constraint":
		f.write("CONSTRAINT ", quoteIdent(s.Old.Name), " ")
	}
	f.write("TO ", quoteIdent(s.New.Name))
}
