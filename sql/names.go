package sql

import "wmsql/sqlerr"

// colID reads the name of a column, table or alias.
func (p *parser) colID() Ident {
	if !p.tok().isColID() {
		p.unexpected()
	}
	t := p.advance()
	return Ident{Name: t.text, Pos: t.at()}
}

// label reads a name that may be any word: behind AS or a dot.
func (p *parser) label() string {
	if !p.tok().isLabel() {
		p.unexpected()
	}
	return p.advance().text
}

// nonReserved reads a name that may be any word but a reserved one.
func (p *parser) nonReserved() string {
	t := p.tok()
	if t.kind != tokIdent && (t.kind != tokWord || keywordClass[t.text] == reserved) {
		p.unexpected()
	}
	return p.advance().text
}

// qualifiedName reads name, schema.name or database.schema.name.
func (p *parser) qualifiedName() Name { return p.dottedName(3) }

// dottedName reads a name of at most so many parts: a relation's has three with the database, a column's four.
func (p *parser) dottedName(most int) Name {
	first := p.colID()
	n := Name{Parts: []string{first.Name}, Pos: first.Pos}
	for p.acceptPunct(".") {
		n.Parts = append(n.Parts, p.label())
	}
	if len(n.Parts) > most {
		bail(sqlerr.Newf(sqlerr.SyntaxError, "improper qualified name (too many dotted names): %s", n).At(int(n.Pos)))
	}
	return n
}

// names reads name, name, ...
func (p *parser) names() (all []Name) {
	p.list(func() { all = append(all, p.qualifiedName()) })
	return all
}

// identList reads ( name, name, ... ).
func (p *parser) identList() (all []Ident) {
	p.parenList(func() { all = append(all, p.colID()) })
	return all
}

// columnNames is identList without the positions.
func (p *parser) columnNames() (all []string) {
	p.parenList(func() { all = append(all, p.colID().Name) })
	return all
}

// String returns the name with dots between its parts, unquoted.
func (n Name) String() string {
	s := ""
	for i, part := range n.Parts {
		if i > 0 {
			s += "."
		}
		s += part
	}
	return s
}
