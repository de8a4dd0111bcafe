package sql

import "strings"

// createFunction reads FUNCTION name(params) RETURNS TABLE (columns), then LANGUAGE, AS and what Postgres lets one say of how a
// function behaves, in any order. A function that returns something else is not done.
func (p *parser) createFunction(t token, replace bool) Stmt {
	p.want("function")
	f := &CreateFunction{OrReplace: replace, Pos: t.at()}
	f.Name = p.qualifiedName()
	p.wantPunct("(")
	if !p.isPunct(")") {
		if !p.peek(1).isWord("table") && !p.typedParam() {
			return p.otherFunction(t, "CREATE FUNCTION with parameters that have no name")
		}
		p.list(func() { p.functionParam(f) })
	}
	p.wantPunct(")")
	if !p.is("returns", "table") {
		return p.otherFunction(t, "CREATE FUNCTION that does not return a table")
	}
	p.i += 2
	p.parenList(func() { p.returnedColumn(f) })
	for p.functionClause(f) {
	}
	if f.Source == "" || f.Language.Name == "" {
		p.unexpected()
	}
	return f
}

// otherFunction skips a function that is not done, for what it is or, first of all, for its language.
func (p *parser) otherFunction(t token, what string) *Unsupported {
	from := p.i
	u := p.skipped(t, what)
	for i := from; i < p.i-1; i++ {
		if lang := p.toks[i+1]; p.toks[i].isWord("language") && !strings.EqualFold(lang.text, "starlark") {
			return &Unsupported{What: "LANGUAGE " + strings.ToLower(lang.text), Hint: "The one language is starlark, a small Python, for functions over the rows of a stream.", Pos: lang.at()}
		}
	}
	return u
}

// typedParam says whether a name and a type come next, and not a type alone.
func (p *parser) typedParam() bool {
	next := p.peek(1)
	return p.tok().isColID() && !next.isPunct(",") && !next.isPunct(")") && !next.isPunct("(")
}

// functionParam reads name TABLE, or name type [DEFAULT value].
func (p *parser) functionParam(f *CreateFunction) {
	p.accept("in")
	id := p.colID()
	if t := p.tok(); p.accept("table") {
		if f.Table.Name != "" {
			p.unsupported(t, "a function of two tables")
		}
		f.Table = id
		return
	}
	ty := p.typeName()
	c := ColumnDef{Name: id, Type: &ty, Pos: id.Pos}
	if p.accept("default") || p.acceptOp("=") {
		c.Default, c.DefaultText = p.exprText(p.simpleExpr)
	}
	f.Params = append(f.Params, c)
}

// returnedColumn reads name type, or WATERMARK FOR column.
func (p *parser) returnedColumn(f *CreateFunction) {
	if t := p.tok(); p.accept("watermark", "for") {
		if f.Watermark.Name != "" {
			duplicateClause(t, "WATERMARK FOR")
		}
		f.Watermark = p.colID()
		return
	}
	id := p.colID()
	ty := p.typeName()
	f.Returns = append(f.Returns, ColumnDef{Name: id, Type: &ty, Pos: id.Pos})
}

// functionClause reads one clause behind RETURNS; false if none comes.
func (p *parser) functionClause(f *CreateFunction) bool {
	switch t := p.tok(); {
	case p.accept("language"):
		if t = p.tok(); t.kind == tokString {
			p.i++
			f.Language = Ident{Name: strings.ToLower(t.text), Pos: t.at()}
			return true
		}
		f.Language = p.colID()
	case p.accept("as"):
		if p.tok().kind != tokString {
			p.unexpected()
		}
		f.Source = p.advance().text
	case p.acceptOneOf("immutable", "stable", "volatile", "strict") != "":
	case p.accept("parallel"):
		p.colID()
	default:
		return false
	}
	return true
}

// functionNames reads the names of DROP FUNCTION; the types of parameters may follow each, and say nothing: names are unique.
func (p *parser) functionNames() (all []Name) {
	p.list(func() {
		all = append(all, p.qualifiedName())
		if p.isPunct("(") {
			p.i = p.close[p.i] + 1
		}
	})
	return all
}
