package sql

import (
	"fmt"

	"wmsql/sqlerr"
)

// maxNesting bounds how deep parentheses, calls, subqueries and joins may stand in each other.
const maxNesting = 200

// maxOperators bounds the operators of one expression: what follows walks the tree by recursion,
// and 10,000 levels stay far below Go's stack limit.
const maxOperators = 10_000

// parser reads the tokens of one text. Its methods leave by bail when the text is wrong.
type parser struct {
	src   string
	toks  []token
	i     int   // next token
	reach int   // the token at which the longest run of words that began a clause broke off
	close []int // for each opening parenthesis, the token that closes it
	depth int
	out   *encoder // where the query or expression being read is transcribed

	defaults bool         // the VALUES that comes next may hold DEFAULT
	whole    bool         // the query that comes next is a statement, which may be SELECT INTO
	into     *CreateTable // SELECT INTO, which the statement is; nil: none
}

// bailout carries a user's error from the depth of the parser to its entry.
type bailout struct{ err *sqlerr.Error }

func bail(err *sqlerr.Error) { panic(bailout{err}) }

// guard runs f and turns what it bails out with into an error. Any other panic is a bug and
// answers XX000, so that one bad text cannot end the server.
func guard(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case bailout:
			err = r.err
		default:
			err = sqlerr.Newf(sqlerr.Internal, "parser failed: %v", r)
		}
	}()
	f()
	return nil
}

func newParser(text string, toks []token) *parser {
	p := &parser{src: text, toks: toks}
	p.matchParens()
	return p
}

// matchParens records for each opening parenthesis the token that closes it.
func (p *parser) matchParens() {
	p.close = make([]int, len(p.toks))
	var open []int
	for i, t := range p.toks {
		switch {
		case t.isPunct("("):
			open = append(open, i)
		case t.isPunct(")") && len(open) > 0:
			p.close[open[len(open)-1]] = i
			open = open[:len(open)-1]
		case t.isPunct(";"):
			open = open[:0]
		}
	}
	for _, i := range open {
		p.close[i] = len(p.toks) - 1
	}
}

// tok returns the next token, peek the one k places behind it.
func (p *parser) tok() token { return p.toks[p.i] }

func (p *parser) peek(k int) token {
	if p.i+k < len(p.toks) {
		return p.toks[p.i+k]
	}
	return p.toks[len(p.toks)-1]
}

func (p *parser) advance() token {
	t := p.toks[p.i]
	if t.kind != tokEOF {
		p.i++
	}
	return t
}

// unexpected gives up where Postgres does: at the first token that cannot go on from what was read.
// In ORDER x that is x, though the attempt to read ORDER BY has left the parser at ORDER.
func (p *parser) unexpected() { p.unexpectedAt(p.toks[max(p.i, p.reach)]) }

func (p *parser) unexpectedAt(t token) { bail(p.syntaxError(t)) }

func (p *parser) syntaxError(t token) *sqlerr.Error {
	if t.kind == tokEOF {
		return sqlerr.Newf(sqlerr.SyntaxError, "syntax error at end of input").At(t.pos + 1)
	}
	return sqlerr.Newf(sqlerr.SyntaxError, `syntax error at or near "%s"`, p.src[t.pos:t.end]).At(t.pos + 1)
}

// unsupported gives up on what Postgres has and wmsql has not.
func (p *parser) unsupported(t token, format string, args ...any) {
	bail(sqlerr.Unsupported("%s", fmt.Sprintf(format, args...)).At(t.pos + 1))
}

// enter counts a level of nesting; the caller defers p.leave.
func (p *parser) enter() {
	p.depth++
	if p.depth > maxNesting {
		p.tooDeep()
	}
}

func (p *parser) tooDeep() {
	bail(sqlerr.Newf(sqlerr.StatementTooComplex, "statement is nested too deeply").At(p.tok().pos+1).
		WithDetail("At most %d levels of parentheses, calls and subqueries are read.", maxNesting))
}

func (p *parser) leave() { p.depth-- }

// is reports whether the next tokens are the given unquoted words.
func (p *parser) is(words ...string) bool {
	for n, w := range words {
		if !p.peek(n).isWord(w) {
			if n > 0 && w != "time" && w != "ordinality" { // Postgres looks ahead of WITH for these
				p.reach = max(p.reach, min(p.i+n, len(p.toks)-1))
			}
			return false
		}
	}
	return true
}

// isAt is is for the tokens k places ahead.
func (p *parser) isAt(k int, words ...string) bool {
	for n, w := range words {
		if !p.peek(k + n).isWord(w) {
			return false
		}
	}
	return true
}

// isOneOf reports whether the next token is one of the given words.
func (p *parser) isOneOf(words ...string) bool {
	for _, w := range words {
		if p.tok().isWord(w) {
			return true
		}
	}
	return false
}

// accept reads the words if they all come next.
func (p *parser) accept(words ...string) bool {
	if !p.is(words...) {
		return false
	}
	p.i += len(words)
	return true
}

// acceptOneOf reads one of the words and returns it, or "".
func (p *parser) acceptOneOf(words ...string) string {
	if p.isOneOf(words...) {
		return p.advance().text
	}
	return ""
}

// want reads the words or gives up at the first that is missing.
func (p *parser) want(words ...string) {
	for _, w := range words {
		if !p.accept(w) {
			p.unexpected()
		}
	}
}

// wantAs is want with a hint that shows the whole clause.
func (p *parser) wantAs(clause string, words ...string) {
	for _, w := range words {
		if t := p.tok(); !p.accept(w) {
			bail(p.syntaxError(t).WithHint("%s", clause))
		}
	}
}

func (p *parser) isPunct(s string) bool { return p.tok().isPunct(s) }

func (p *parser) acceptPunct(s string) bool {
	if p.isPunct(s) {
		p.i++
		return true
	}
	return false
}

func (p *parser) wantPunct(s string) {
	if !p.acceptPunct(s) {
		p.unexpected()
	}
}

func (p *parser) acceptOp(s string) bool {
	if p.tok().isOp(s) {
		p.i++
		return true
	}
	return false
}

// atEnd reports whether the statement is over.
func (p *parser) atEnd() bool { return p.tok().kind == tokEOF || p.isPunct(";") }

// list reads item, item, ...
func (p *parser) list(item func()) {
	for {
		item()
		if !p.acceptPunct(",") {
			return
		}
	}
}

// parenList reads ( item, item, ... ).
func (p *parser) parenList(item func()) {
	p.wantPunct("(")
	p.list(item)
	p.wantPunct(")")
}

// exprText reads a lone expression by f and returns its text too.
func (p *parser) exprText(f func()) (Expr, string) {
	first := p.i
	x := p.loneExpr(f)
	return x, p.textSince(first)
}

// textSince returns the source from token number first to the last token read.
func (p *parser) textSince(first int) string {
	if p.i <= first {
		return ""
	}
	return p.src[p.toks[first].pos:p.toks[p.i-1].end]
}
