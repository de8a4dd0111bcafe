// Package sql turns text into statements. It alone knows the TiDB parser.
//
// A text goes through four hands. The scanner (lex*.go) cuts it into tokens by Postgres's rules.
// The statement parser (stmt*.go) reads everything that is no query. Queries and expressions are
// transcribed by the front (front*.go, note.go) for TiDB's parser, whose grammar decides how clauses
// and operators nest, and the decoder (decode*.go) makes our tree of what it returns.
package sql

import (
	"unicode/utf8"

	"wmsql/sqlerr"
)

// Parsed is one statement of a text with the part of the text it came from.
type Parsed struct {
	Stmt Stmt // nil for an empty statement
	Text string
}

// Parse splits text at top-level semicolons and parses each part. The error is a *sqlerr.Error
// with its position. Positions count from the start of text. An empty text yields nothing.
func Parse(text string) ([]Parsed, error) {
	var t Tokens
	if err := t.Scan(text); err != nil {
		return nil, err
	}
	return t.Parse()
}

// statements reads all statements of the text.
func (p *parser) statements() (all []Parsed) {
	for {
		for p.acceptPunct(";") {
		}
		if p.tok().kind == tokEOF {
			return all
		}
		first := p.i
		stmt := p.statement()
		if !p.atEnd() {
			p.unexpected()
		}
		all = append(all, Parsed{Stmt: stmt, Text: p.textSince(first)})
	}
}

// ParseExpr parses a lone expression, as stored in the catalog.
func ParseExpr(text string) (e Expr, err error) {
	err = guard(func() {
		p := newTextParser(text)
		e = p.loneExpr(p.expr)
		p.wantEOF()
	})
	return e, err
}

// ParseType parses a type name.
func ParseType(text string) (t TypeName, err error) {
	err = guard(func() {
		p := newTextParser(text)
		t = p.typeName()
		p.wantEOF()
	})
	return t, err
}

func newTextParser(text string) *parser {
	checkUTF8(text)
	return newParser(text, lex(text))
}

func checkUTF8(text string) {
	if !utf8.ValidString(text) {
		bail(invalidUTF8(text))
	}
}

func (p *parser) wantEOF() {
	if p.tok().kind != tokEOF {
		p.unexpected()
	}
}

// query reads a query and returns its tree.
func (p *parser) query() *Select {
	if !p.startsQuery() && !p.is("values") && !p.isPunct("(") {
		p.unexpected()
	}
	p.out = newEncoder()
	q := p.level()
	d := decoder{notes: p.out.notes}
	d.level(parseTranscript(p.out.text))
	d.done()
	return q
}

// loneExpr reads what write writes, which is one expression, and returns its tree.
func (p *parser) loneExpr(write func()) Expr {
	p.out = newEncoder()
	p.out.word("SELECT")
	write()
	d := decoder{notes: p.out.notes}
	x := d.expr(selectOf(parseTranscript(p.out.text)).Fields.Fields[0].Expr)
	d.done()
	return x
}

// internalf panics with a broken invariant; guard makes XX000 of it.
func internalf(format string, args ...any) {
	panic(sqlerr.Newf(sqlerr.Internal, format, args...))
}
