package sql

import "fmt"

// streamAnew is what is to be done when another stream is wanted than ALTER STREAM can make.
const streamAnew = "ALTER STREAM adds columns and changes the watermark and the options. For another stream, DROP STREAM ... CASCADE and create it and its views again."

// createStream reads CREATE STREAM behind those words: columns, watermark, options and, for a derived
// stream, a query.
func (p *parser) createStream(t token) Stmt {
	s := &CreateStream{Pos: t.at(), IfNotExists: p.ifNotExists()}
	s.Name = p.qualifiedName()
	if p.isPunct("(") && !p.peek(1).isPunct(")") {
		p.parenList(func() { p.streamElement(s) })
	} else if p.acceptPunct("(") {
		p.wantPunct(")")
	}
	for p.streamClause(s) {
	}
	return s
}

// streamElement reads a column or a watermark.
func (p *parser) streamElement(s *CreateStream) {
	if p.startsWatermarkFor() {
		s.Watermarks = append(s.Watermarks, p.watermark())
		return
	}
	if p.is("primary", "key") {
		p.unsupported(p.tok(), "PRIMARY KEY of a stream")
	}
	s.Columns = append(s.Columns, p.columnDef(s.Name))
}

// streamClause reads what may follow the columns, in any order.
func (p *parser) streamClause(s *CreateStream) bool {
	switch {
	case p.startsWatermarkFor():
		s.Watermarks = append(s.Watermarks, p.watermark())
	case p.accept("with"):
		s.Options = append(s.Options, p.options()...)
	case s.Query == nil && p.accept("as"):
		first := p.i
		s.Query = p.query()
		s.Text = p.textSince(first)
	default:
		return false
	}
	return true
}

// startsWatermarkFor says whether a watermark comes next, and not a column of that name; one without FOR is told apart by what follows
// its column.
func (p *parser) startsWatermarkFor() bool {
	return p.is("watermark") && (p.isAt(1, "for") || p.peek(1).isColID() && (p.isAt(2, "as") || p.peek(2).isOp("-")))
}

// watermark reads WATERMARK FOR column AS expr.
func (p *parser) watermark() WatermarkClause {
	w := WatermarkClause{Pos: p.advance().at()}
	clause := func(column string) string {
		return fmt.Sprintf("WATERMARK FOR %[1]s AS %[1]s - INTERVAL '10 minutes'", column)
	}
	t := p.tok()
	p.wantAs(clause(p.src[t.pos:t.end]), "for")
	w.Column = p.colID()
	p.wantAs(clause(quoteIdent(w.Column.Name)), "as")
	w.Value = p.loneExpr(p.expr)
	return w
}
