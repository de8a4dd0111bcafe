package sql

import "wmsql/sqlerr"

// rank is how tightly an operator binds, in Postgres's order.
type rank uint8

const (
	rankOr rank = iota + 1
	rankAnd
	rankNot
	rankIs      // IS ..., ISNULL, NOTNULL: not associative
	rankCompare // < > = <= >= <>: not associative
	rankLike    // BETWEEN, IN, LIKE, ILIKE, SIMILAR: not associative
	rankEscape
	rankOp // every other operator, and OPERATOR()
	rankAdd
	rankMul
	rankPow
	rankAt // AT TIME ZONE
	rankCollate
	rankSign // unary + and -
	rankCast // ::, [ ], .field
)

// carrier is the MySQL operator that binds like each rank. The ranks without one are written as
// calls.
var carrier = [...]string{
	rankOr: "OR", rankAnd: "AND", rankIs: "<=>", rankCompare: "=", rankLike: "|", rankEscape: "|", rankOp: "<<",
	rankAdd: "+", rankMul: "*", rankPow: "^", rankAt: "||", rankCollate: "||", rankCast: "||",
}

// pending is an operator whose right operand is still being read.
type pending struct {
	rank  rank
	start int   // where in the text its right operand begins
	paren bool  // that operand was opened with a parenthesis
	like  *Like // the operator is LIKE, which may take ESCAPE
}

// exprFront writes one expression. The MySQL grammar decides what an infix operator's operands
// are; the stack of pending operators serves what it cannot know: where the operand of a prefix
// operator ends, which operators do not associate, and where a low postfix operator that a higher
// operator follows (a IS NULL::text) needs parentheses.
type exprFront struct {
	*parser
	restricted bool // b_expr: no AND, OR, NOT, IN, LIKE, IS NULL, COLLATE, AT TIME ZONE
	start      int  // where in the text the expression begins
	stack      []pending
	operators  int

	subscriptable bool // what was just read may take [i] or .field
	closed        rank // rank of the postfix operator just read, 0 if none
	closedStart   int  // where its left operand begins
}

// expr writes one expression, Postgres's a_expr.
func (p *parser) expr() { p.exprIn(false) }

// simpleExpr writes one b_expr: the operators that could be taken for the clause around it are
// left out.
func (p *parser) simpleExpr() { p.exprIn(true) }

func (p *parser) exprIn(restricted bool) {
	p.enter()
	defer p.leave()
	f := exprFront{parser: p, restricted: restricted, start: len(p.out.text)}
	f.operand()
	for f.operator() {
	}
	f.reduce(0)
}

// reduce ends the operands of the pending operators that bind as tightly as r or tighter.
func (f *exprFront) reduce(r rank) {
	for len(f.stack) > 0 && f.stack[len(f.stack)-1].rank >= r {
		f.pop()
	}
}

// pop ends the operand of the innermost pending operator.
func (f *exprFront) pop() {
	n := len(f.stack) - 1
	if f.stack[n].paren {
		f.out.word(")")
	}
	f.stack = f.stack[:n]
}

// push makes an operator pending; its right operand begins here.
func (f *exprFront) push(op pending) {
	if f.operators++; f.operators > maxOperators {
		bail(sqlerr.Newf(sqlerr.StatementTooComplex, "expression has too many operators").At(f.tok().pos + 1))
	}
	if op.paren && f.depth+len(f.stack) > maxNesting {
		f.tooDeep()
	}
	op.start = len(f.out.text)
	f.stack = append(f.stack, op)
	f.closed, f.subscriptable = 0, false
}

// before makes the text ready for an operator of rank r, whose first token is t: it closes the
// tighter ones and refuses a second operator of a rank that does not associate.
func (f *exprFront) before(r rank, t token) {
	if f.closed != 0 && f.closed < r {
		f.out.insert(f.closedStart, "( ")
		f.out.word(")")
	}
	f.closed = 0
	f.reduce(r + 1)
	if n := len(f.stack); n > 0 && f.stack[n-1].rank == r && (r == rankIs || r == rankCompare || r == rankLike) {
		f.unexpectedAt(t)
	}
	f.reduce(r)
}

// infix writes a binary operator up to its right operand; t is its first token.
func (f *exprFront) infix(r rank, t token, n note) {
	f.before(r, t)
	f.out.word(carrier[r])
	f.out.id(f.out.add(n))
	f.out.word(carrier[r])
	f.push(pending{rank: r})
}

// postfix writes an operator that ends with itself. Its call may have arguments; the caller
// closes it.
func (f *exprFront) postfix(r rank, t token, n note) *call {
	f.before(r, t)
	f.closed, f.closedStart = r, f.start
	if k := len(f.stack); k > 0 {
		f.closedStart = f.stack[k-1].start
	}
	if f.operators++; f.operators > maxOperators {
		bail(sqlerr.Newf(sqlerr.StatementTooComplex, "expression has too many operators").At(t.pos + 1))
	}
	f.out.word(carrier[r])
	return f.out.open(n)
}

// operand reads prefix operators and one atom.
func (f *exprFront) operand() {
	for f.prefix() {
	}
	f.subscriptable = f.atom()
}

// prefix reads one prefix operator, if there is one: a call whose argument ends where a looser
// operator comes.
func (f *exprFront) prefix() bool {
	t := f.tok()
	u := &Unary{Pos: t.at()}
	r := rankOp
	switch {
	case t.isWord("not") && !f.restricted:
		f.i++
		u.Op, r = "not", rankNot
	case t.isOp("+") || t.isOp("-"):
		f.i++
		u.Op, r = t.text, rankSign
	case t.kind == tokOp && rankOf(t.text) == rankOp:
		f.i++
		u.Op = t.text
	case t.isWord("operator") && f.peek(1).isPunct("("):
		u.Schema, u.Op = f.namedOperator()
	default:
		return false
	}
	f.out.open(note{node: u, holes: []*Expr{&u.X}})
	f.push(pending{rank: r, paren: true})
	return true
}

// rankOf returns the rank of an infix operator made of operator characters.
func rankOf(op string) rank {
	switch op {
	case "<", ">", "=", "<=", ">=", "<>":
		return rankCompare
	case "+", "-":
		return rankAdd
	case "*", "/", "%":
		return rankMul
	case "^":
		return rankPow
	case "=>":
		return 0
	}
	return rankOp
}

// namedOperator reads OPERATOR(schema.op).
func (p *parser) namedOperator() (schema, op string) {
	p.want("operator")
	p.wantPunct("(")
	for p.tok().isLabel() {
		schema = p.label()
		p.wantPunct(".")
	}
	if p.tok().kind != tokOp {
		p.unexpected()
	}
	op = p.advance().text
	p.wantPunct(")")
	return schema, op
}
