package sql

import (
	"slices"
	"strings"
)

// specialCall reads the calls that have a grammar of their own. It reports false, having read
// nothing, if t is no such function. An opening parenthesis follows t.
func (p *parser) specialCall(t token) bool {
	switch t.text {
	case "coalesce", "greatest", "least", "grouping":
		p.keywordCall(t, t.text, p.plainArgs)
	case "nullif":
		p.keywordCall(t, "nullif", p.nullifArgs)
	case "extract":
		p.keywordCall(t, "extract", p.extractArgs)
	case "position":
		p.keywordCall(t, "position", p.positionArgs)
	case "substring":
		p.keywordCall(t, "substring", p.substringArgs)
	case "overlay":
		p.keywordCall(t, "overlay", p.overlayArgs)
	case "trim":
		p.keywordCall(t, "btrim", p.trimArgs)
	case "normalize":
		p.keywordCall(t, "normalize", p.normalizeArgs)
	case "treat", "xmlconcat", "xmlelement", "xmlexists", "xmlforest", "xmlparse", "xmlpi", "xmlroot", "xmlserialize":
		p.unsupported(t, "%s", strings.ToUpper(t.text))
	default:
		return false
	}
	return true
}

// specialArgs reads a special call's arguments into c and says, through f, what they are.
type specialArgs func(c *call, f *Func)

// keywordCall reads a call that is spelled with keywords; args reads up to the closing
// parenthesis.
func (p *parser) keywordCall(t token, name string, args specialArgs) {
	p.enter()
	defer p.leave()
	p.i += 2
	f := &Func{Name: Name{Parts: []string{name}, Pos: t.at()}, Keyword: true, Pos: t.at()}
	c := p.out.open(note{node: f})
	args(c, f)
	p.wantPunct(")")
	holes := p.out.notes[c.id].holes // set by what fills its arguments out of order
	if holes == nil {
		holes = f.holes()
	}
	c.close(holes...)
}

// value writes an expression as the next argument.
func (p *parser) value(c *call, f *Func) {
	c.next()
	p.expr()
	f.Args = append(f.Args, Arg{})
}

func (p *parser) plainArgs(c *call, f *Func) {
	p.list(func() { p.value(c, f) })
}

func (p *parser) nullifArgs(c *call, f *Func) {
	p.value(c, f)
	p.wantPunct(",")
	p.value(c, f)
}

// extractArgs reads field FROM x.
func (p *parser) extractArgs(c *call, f *Func) {
	t := p.tok()
	if t.kind != tokString && t.kind != tokIdent && (t.kind != tokWord || keywordClass[t.text] != plain) {
		p.unexpected()
	}
	p.i++
	c.next()
	p.out.atom(&Literal{Kind: String, Text: t.text, Pos: t.at()})
	f.Args = append(f.Args, Arg{})
	p.want("from")
	p.value(c, f)
}

// positionArgs reads a IN b, which is position(b, a).
func (p *parser) positionArgs(c *call, f *Func) {
	f.Args = make([]Arg, 2)
	c.next()
	p.simpleExpr()
	p.want("in")
	c.next()
	p.simpleExpr()
	p.out.notes[c.id].holes = []*Expr{&f.Args[1].Value, &f.Args[0].Value}
}

// substringArgs reads x FROM a [FOR b], x FOR b [FROM a], or plain arguments.
func (p *parser) substringArgs(c *call, f *Func) {
	if p.isPunct(")") {
		return
	}
	p.value(c, f)
	switch {
	case p.accept("similar"):
		p.value(c, f)
		p.want("escape")
		p.value(c, f)
		f.Keyword = true
	case p.accept("from"):
		p.value(c, f)
		if p.accept("for") {
			p.value(c, f)
		}
	case p.is("for"):
		p.substringFor(c, f)
	default:
		p.restOfArgs(c, f)
	}
}

// normalizeArgs reads x [, NFC | NFD | NFKC | NFKD].
func (p *parser) normalizeArgs(c *call, f *Func) {
	p.value(c, f)
	if !p.acceptPunct(",") {
		return
	}
	form := p.acceptOneOf("nfc", "nfd", "nfkc", "nfkd")
	if form == "" {
		p.unexpected()
	}
	c.next()
	p.out.atom(&Literal{Kind: String, Text: form, Pos: p.toks[p.i-1].at()})
	f.Args = append(f.Args, Arg{})
}

// restOfArgs reads the arguments behind the first of a call in ordinary syntax.
func (p *parser) restOfArgs(c *call, f *Func) {
	f.Keyword = false
	for p.acceptPunct(",") {
		p.value(c, f)
	}
}

// substringFor reads FOR b [FROM a]; without FROM it begins at the first character.
func (p *parser) substringFor(c *call, f *Func) {
	t := p.advance()
	f.Args = append(f.Args, Arg{}, Arg{})
	c.next()
	p.expr()
	c.next()
	if p.accept("from") {
		p.expr()
	} else {
		p.out.atom(&Literal{Kind: Integer, Text: "1", Pos: t.at()})
	}
	p.out.notes[c.id].holes = []*Expr{&f.Args[0].Value, &f.Args[2].Value, &f.Args[1].Value}
}

// overlayArgs reads x PLACING y FROM a [FOR b], or plain arguments.
func (p *parser) overlayArgs(c *call, f *Func) {
	p.value(c, f)
	if !p.accept("placing") {
		p.restOfArgs(c, f)
		return
	}
	p.value(c, f)
	p.want("from")
	p.value(c, f)
	if p.accept("for") {
		p.value(c, f)
	}
}

// trimArgs reads [BOTH | LEADING | TRAILING] [characters] FROM x, or x [, characters].
func (p *parser) trimArgs(c *call, f *Func) {
	switch p.acceptOneOf("both", "leading", "trailing") {
	case "leading":
		f.Name.Parts[0] = "ltrim"
	case "trailing":
		f.Name.Parts[0] = "rtrim"
	}
	if p.accept("from") {
		p.plainArgs(c, f)
		return
	}
	p.value(c, f)
	if !p.accept("from") {
		for p.acceptPunct(",") {
			p.value(c, f)
		}
		return
	}
	p.plainArgs(c, f)
	if len(f.Args) < 2 {
		return
	}
	holes := f.holes() // the characters were written first and are the last argument
	p.out.notes[c.id].holes = slices.Concat(holes[len(holes)-1:], holes[:len(holes)-1])
}
