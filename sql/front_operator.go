package sql

import "strings"

// operator reads what may follow an operand: a postfix operator, or an infix one with its right
// operand. It reports false, having read nothing, at whatever ends the expression.
func (f *exprFront) operator() bool {
	t := f.tok()
	switch t.kind {
	case tokPunct:
		return f.punctOperator(t)
	case tokOp:
		r := rankOf(t.text)
		if r == 0 {
			return false
		}
		f.i++
		f.binary(r, t, "", t.text)
		return true
	case tokWord:
		return f.wordOperator(t)
	}
	return false
}

// binary reads the right side of a binary operator, also ANY (...) and ALL (...).
func (f *exprFront) binary(r rank, t token, schema, op string) {
	if f.isOneOf("any", "some", "all") {
		f.quantified(r, t, op)
		return
	}
	b := &Binary{Op: op, Schema: schema, Pos: t.at()}
	f.infix(r, t, note{node: b, left: &b.L, right: &b.R})
	f.operand()
}

// quantified reads ANY|ALL (array or query) behind an operator.
func (f *exprFront) quantified(r rank, t token, op string) {
	all := f.advance().text == "all"
	f.wantPunct("(")
	if f.startsQuery() {
		kind := AnyOf
		if all {
			kind = AllOf
		}
		s := &SubqueryExpr{Kind: kind, Op: op, Pos: t.at()}
		c := f.postfix(r, t, note{node: s, left: &s.X})
		s.Query = f.subquery(c)
		c.close()
	} else {
		a := &AnyAll{Op: op, All: all, Pos: t.at()}
		c := f.postfix(r, t, note{node: a, left: &a.X})
		c.next()
		f.expr()
		c.close(&a.Array)
	}
	f.wantPunct(")")
	f.subscriptable = false
}

// subquery writes the query that comes next as the only argument of c and returns the node that
// the decoder will fill.
func (p *parser) subquery(c *call) *Select {
	c.next()
	p.out.word("(")
	q := p.level()
	p.out.word(")")
	return q
}

// punctOperator reads ::type, [subscript] and .field.
func (f *exprFront) punctOperator(t token) bool {
	switch {
	case t.text == "::":
		f.i++
		c := &Cast{Pos: t.at()}
		c.Type = f.typeName()
		f.postfix(rankCast, t, note{node: c, left: &c.X}).close()
		f.subscriptable = false
	case t.text == "[" && f.subscriptable:
		f.subscript(t)
	case t.text == "." && f.subscriptable:
		f.i++
		d := &Field{Pos: t.at(), Name: "*"}
		if !f.acceptOp("*") {
			d.Name = f.label()
		}
		f.postfix(rankCast, t, note{node: d, left: &d.X}).close()
	default:
		return false
	}
	return true
}

// subscript reads [i] or [lo:hi].
func (f *exprFront) subscript(t token) {
	f.i++
	s := &Subscript{Pos: t.at()}
	c := f.postfix(rankCast, t, note{node: s, left: &s.X})
	var holes []*Expr
	if !f.isPunct(":") {
		c.next()
		f.expr()
		holes = append(holes, &s.Lo)
	}
	if f.acceptPunct(":") {
		s.Slice = true
		if !f.isPunct("]") {
			c.next()
			f.expr()
			holes = append(holes, &s.Hi)
		}
	}
	f.wantPunct("]")
	c.close(holes...)
}

// wordOperator reads the operators that are words.
func (f *exprFront) wordOperator(t token) bool {
	if t.text == "operator" && f.peek(1).isPunct("(") {
		schema, op := f.namedOperator()
		f.binary(rankOp, t, schema, op)
		return true
	}
	if t.text == "is" {
		return f.isOperator(t)
	}
	if f.restricted {
		return false
	}
	switch t.text {
	case "and", "or":
		f.i++
		r := rankAnd
		if t.text == "or" {
			r = rankOr
		}
		f.binary(r, t, "", t.text)
	case "isnull", "notnull":
		f.i++
		f.isTest(t, "null", t.text == "notnull")
	case "collate":
		f.i++
		c := &Collate{Pos: t.at()}
		c.Name = f.qualifiedName()
		f.postfix(rankCollate, t, note{node: c, left: &c.X}).close()
		f.subscriptable = false
	case "at":
		return f.atTimeZone(t)
	case "overlaps":
		f.i++
		b := &Binary{Op: "overlaps", Pos: t.at()}
		f.infix(rankOp, t, note{node: b, left: &b.L, right: &b.R})
		f.operand()
	case "escape":
		return f.escape()
	case "not":
		switch f.peek(1).text {
		case "between", "in", "like", "ilike", "similar":
			f.i++
			return f.likeOperator(t, f.advance(), true)
		}
		return false
	case "between", "in", "like", "ilike", "similar":
		if t.text == "similar" && !f.isAt(1, "to") {
			return false // SUBSTRING(x SIMILAR p ESCAPE e)
		}
		f.i++
		return f.likeOperator(t, t, false)
	default:
		return false
	}
	return true
}

// isOperator reads IS [NOT] NULL | TRUE | FALSE | UNKNOWN | DISTINCT FROM. A restricted expression
// has the last only.
func (f *exprFront) isOperator(t token) bool {
	k := 1
	if f.isAt(1, "not") {
		k = 2
	}
	word := f.peek(k)
	if f.isAt(k, "distinct", "from") {
		op := "is distinct from"
		if k == 2 {
			op = "is not distinct from"
		}
		f.i += k + 2
		b := &Binary{Op: op, Pos: t.at()}
		f.before(rankIs, t)
		f.out.word("<=>")
		f.out.id(f.out.add(note{node: b, left: &b.L, right: &b.R}))
		f.out.word("<=> (") // the comparisons, which MySQL ranks with <=>, belong to the right operand
		f.push(pending{rank: rankIs, paren: true})
		f.operand()
		return true
	}
	switch {
	case f.restricted || word.kind != tokWord:
	case word.text == "null" || word.text == "true" || word.text == "false" || word.text == "unknown":
		f.i += k + 1
		f.isTest(t, word.text, k == 2)
		return true
	case word.text == "document" || word.text == "normalized" || word.text == "json" || word.text == "of":
		f.unsupported(t, "IS %s", strings.ToUpper(word.text))
	}
	if f.i += k; word.isWord("distinct") {
		f.i++
	}
	f.unexpected()
	return false
}

func (f *exprFront) isTest(t token, test string, not bool) {
	n := &IsTest{Test: test, Not: not, Pos: t.at()}
	f.postfix(rankIs, t, note{node: n, left: &n.X}).close()
	f.subscriptable = false
}

// atTimeZone reads x AT TIME ZONE z, which is timezone(z, x).
func (f *exprFront) atTimeZone(t token) bool {
	if !f.accept("at", "time", "zone") {
		return false
	}
	n := &Func{Name: Name{Parts: []string{"timezone"}, Pos: t.at()}, Keyword: true, Args: make([]Arg, 2), Pos: t.at()}
	f.before(rankAt, t)
	f.out.word("||")
	f.out.id(f.out.add(note{node: n, left: &n.Args[1].Value, right: &n.Args[0].Value}))
	f.out.word("|| (") // MySQL ranks COLLATE and casts, written with || too, no higher
	f.push(pending{rank: rankAt, paren: true})
	f.operand()
	return true
}

// likeOperator reads the right side of [NOT] BETWEEN, IN, LIKE, ILIKE and SIMILAR TO. t is the
// operator's first token, word the one that names it.
func (f *exprFront) likeOperator(t, word token, not bool) bool {
	switch word.text {
	case "between":
		f.between(t, not)
	case "in":
		f.in(t, not)
	default:
		f.like(t, word, not)
	}
	return true
}

// between reads [SYMMETRIC] lo AND hi.
func (f *exprFront) between(t token, not bool) {
	b := &Between{Not: not, Sym: f.accept("symmetric"), Pos: t.at()}
	if !b.Sym {
		f.accept("asymmetric")
	}
	f.before(rankLike, t)
	f.out.word("|")
	c := f.out.open(note{node: b, left: &b.X, right: &b.Hi})
	c.next()
	f.simpleExpr()
	c.close(&b.Lo)
	f.want("and")
	f.out.word("|")
	f.push(pending{rank: rankLike})
	f.operand()
}

// in reads (query) or (a, b, ...).
func (f *exprFront) in(t token, not bool) {
	f.wantPunct("(")
	if f.startsQuery() {
		s := &SubqueryExpr{Kind: In, Not: not, Pos: t.at()}
		c := f.postfix(rankLike, t, note{node: s, left: &s.X})
		s.Query = f.subquery(c)
		c.close()
	} else {
		l := &InList{Not: not, Pos: t.at()}
		c := f.postfix(rankLike, t, note{node: l, left: &l.X})
		f.list(func() { f.item(c, &l.List) })
		c.close(holesOf(l.List)...)
	}
	f.wantPunct(")")
	f.subscriptable = false
}

// item writes an expression as the next argument of c and makes room for it in list.
func (p *parser) item(c *call, list *[]Expr) {
	c.next()
	p.expr()
	*list = append(*list, nil)
}

// holesOf returns the places of a list that has its final length.
func holesOf(list []Expr) []*Expr {
	holes := make([]*Expr, len(list))
	for i := range list {
		holes[i] = &list[i]
	}
	return holes
}

// like reads the pattern of LIKE, ILIKE or SIMILAR TO.
func (f *exprFront) like(t, word token, not bool) {
	l := &Like{Op: word.text, Not: not, Pos: t.at()}
	if word.text == "similar" {
		f.want("to")
		l.Op = "similar to"
	}
	if f.isOneOf("any", "some", "all") {
		op := map[string]string{"like": "~~", "ilike": "~~*"}[l.Op]
		if op == "" {
			f.unexpected()
		}
		if not {
			op = "!" + op
		}
		f.quantified(rankLike, t, op)
		return
	}
	f.infix(rankLike, t, note{node: l, left: &l.X, right: &l.Pattern})
	f.stack[len(f.stack)-1].like = l
	f.operand()
}

// escape reads ESCAPE e behind LIKE's pattern. It is an operator that yields its left operand, the
// Like, and puts the right one into it.
func (f *exprFront) escape() bool {
	n := len(f.stack) - 1
	for n >= 0 && f.stack[n].like == nil {
		n--
	}
	if n < 0 {
		return false
	}
	l := f.stack[n].like
	f.i++
	f.closed = 0
	for len(f.stack) > n+1 {
		f.pop()
	}
	f.stack[n].like = nil
	f.out.word("|")
	var self Expr
	f.out.id(f.out.add(note{node: l, left: &self, right: &l.Escape}))
	f.out.word("|")
	f.stack[n].start = len(f.out.text)
	f.operand()
	return true
}
