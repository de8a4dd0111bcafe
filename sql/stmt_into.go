package sql

import "wmsql/sqlerr"

// intoTable reads [TEMP] [TABLE] name behind SELECT ... INTO; t is INTO. Only the outermost SELECT of a statement may have it.
func (p *parser) intoTable(t token) {
	if !p.whole || p.depth != selectDepth || p.into != nil {
		bail(sqlerr.Newf(sqlerr.SyntaxError, "SELECT ... INTO is not allowed here").At(p.tok().pos + 1))
	}
	c := &CreateTable{Pos: t.at()}
	if p.isOneOf("global", "local") && (p.isAt(1, "temp") || p.isAt(1, "temporary")) {
		p.i++
	}
	if c.Temp = p.acceptOneOf("temp", "temporary") != ""; !c.Temp {
		p.accept("unlogged")
	}
	p.accept("table")
	c.Name = p.qualifiedName()
	p.into = c
}

// selectDepth is the nesting of the SELECT that is a whole statement: its level, and the reading of that.
const selectDepth = 2

// selectInto makes CREATE TABLE ... AS of SELECT ... INTO.
func (p *parser) selectInto(q *Select) Stmt {
	c := p.into
	p.into = nil
	c.Query = q
	return c
}
