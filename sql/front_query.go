package sql

import "wmsql/sqlerr"

// levelNote is a whole query: what one pair of parentheses holds. It stands behind the items of its
// ORDER BY in the transcription:
//
//	WITH n1 AS (...) SELECT n2, n3 FROM n4 UNION SELECT n5, n6 FROM n7 ORDER BY n8, n9(n10)
//
// where n8 is a sort key and n9 the level, with its LIMIT as an argument.
type levelNote struct {
	query *Select
	ops   []SetOp // Op, All and Pos of its set operators, from left to right
}

// level is a query being written.
type level struct {
	*levelNote
	parser  *parser
	ordered bool // ORDER BY has been written, for a sort key or the level
	limited bool
	skipped bool // OFFSET was read
}

// level writes the query that comes next and returns the node that the decoder will fill.
func (p *parser) level() *Select {
	p.enter()
	defer p.leave()
	l := &level{levelNote: &levelNote{query: &Select{Pos: p.tok().at()}}, parser: p}
	l.read()
	l.tail(note{node: l.levelNote}).close()
	return l.query
}

// tail adds an item to the ORDER BY of the transcription.
func (l *level) tail(n note) *call {
	l.orderKey()
	return l.parser.out.open(n)
}

func (l *level) orderKey() {
	if l.ordered {
		l.parser.out.word(",")
	} else {
		l.parser.out.word("ORDER BY")
	}
	l.ordered = true
}

// read reads [WITH] body [ORDER BY] [LIMIT] [FOR UPDATE]. A body in parentheses that nothing is
// united with is the same level, as in Postgres: (SELECT ... LIMIT 5) ORDER BY a sorts, then limits.
func (l *level) read() {
	p := l.parser
	p.enter()
	defer p.leave()
	if t := p.tok(); p.accept("with") {
		if l.query.With != nil {
			duplicateClause(t, "WITH")
		}
		p.with(l.query)
	}
	if p.isPunct("(") && !p.setOperatorAt(p.close[p.i]+1) {
		p.i++
		if !p.startsQuery() {
			p.unexpected()
		}
		l.read()
		p.wantPunct(")")
	} else {
		l.body()
	}
	l.clauses()
}

// setOperatorAt says whether token i is a set operator.
func (p *parser) setOperatorAt(i int) bool {
	t := p.toks[min(i, len(p.toks)-1)]
	return t.isWord("union") || t.isWord("intersect") || t.isWord("except")
}

// body writes operand {UNION|INTERSECT|EXCEPT operand}, flat: the decoder applies INTERSECT's
// precedence.
func (l *level) body() {
	p := l.parser
	l.operand()
	for p.setOperatorAt(p.i) {
		t := p.advance()
		op := SetOp{Op: t.text, Pos: t.at()}
		if op.All = p.accept("all"); !op.All {
			p.accept("distinct")
		}
		l.ops = append(l.ops, op)
		if len(l.ops) > maxOperators {
			bail(sqlerr.Newf(sqlerr.StatementTooComplex, "query has too many set operations").At(t.pos + 1))
		}
		p.out.word(map[bool]string{true: t.text + " ALL", false: t.text}[op.All])
		l.operand()
	}
}

// operand writes one side of a set operator: a query in parentheses, SELECT, VALUES or TABLE.
func (l *level) operand() {
	p := l.parser
	switch t := p.tok(); {
	case p.isPunct("("):
		p.i++
		if !p.startsQuery() {
			p.unexpected()
		}
		p.out.word("(")
		p.level()
		p.out.word(")")
		p.wantPunct(")")
	case p.is("select"):
		p.selectCore()
	case p.is("values"):
		p.values()
	case p.accept("table"):
		p.tableCommand(t)
	default:
		p.unexpected()
	}
}

// with writes the items of WITH.
func (p *parser) with(q *Select) {
	p.out.word("WITH")
	if q.Recursive = p.accept("recursive"); q.Recursive {
		p.out.word("RECURSIVE")
	}
	p.list(func() {
		if q.With != nil {
			p.out.word(",")
		}
		q.With = append(q.With, p.cte())
	})
}

// cte writes name [(columns)] AS [[NOT] MATERIALIZED] (query).
func (p *parser) cte() CTE {
	c := CTE{Name: p.colID()}
	if p.isPunct("(") {
		c.Columns = p.columnNames()
	}
	p.want("as")
	switch {
	case p.accept("materialized"):
		c.Materialized = "materialized"
	case p.accept("not", "materialized"):
		c.Materialized = "not materialized"
	}
	p.wantPunct("(")
	p.out.atom(nil)
	p.out.word("AS (")
	switch {
	case p.isOneOf("insert", "update", "delete"):
		c.Change = p.changeInWith()
		(&level{levelNote: &levelNote{query: &Select{}}, parser: p}).nothing()
	case p.startsQuery():
		c.Query = p.level()
	case p.is("merge"):
		bail(sqlerr.Newf(sqlerr.FeatureNotSupported, "MERGE not supported in WITH query").At(int(c.Name.Pos)))
	default:
		p.unexpected()
	}
	p.out.word(")")
	p.wantPunct(")")
	if p.is("search") {
		c.Search = p.search()
	}
	if p.is("cycle") {
		c.Cycle = p.cycle()
	}
	return c
}

func (p *parser) search() *Search {
	s := &Search{Pos: p.advance().at()}
	if s.Breadth = p.accept("breadth"); !s.Breadth {
		p.want("depth")
	}
	p.want("first")
	p.want("by")
	p.list(func() { s.By = append(s.By, p.colID()) })
	p.want("set")
	s.Column = p.colID()
	return s
}

func (p *parser) cycle() *Cycle {
	c := &Cycle{Pos: p.advance().at()}
	p.list(func() { c.By = append(c.By, p.colID()) })
	p.want("set")
	c.Mark = p.colID()
	if p.accept("to") {
		c.To = p.constantToken()
		p.want("default")
		c.Other = p.constantToken()
	}
	p.want("using")
	c.Path = p.colID()
	return c
}

// constantToken reads a constant of one token.
func (p *parser) constantToken() Expr {
	c := constant(p.tok())
	if c == nil {
		p.unexpected()
	}
	p.i++
	return c
}

// tableCommand writes TABLE name, which is SELECT * FROM name; t is TABLE.
func (p *parser) tableCommand(t token) {
	q := &Query{Items: []Item{{}}, Pos: t.at()}
	p.out.word("SELECT")
	p.out.open(note{node: q}).close()
	p.out.word(",")
	p.out.atom(&Star{Pos: t.at()})
	p.out.word("FROM")
	only := p.accept("only")
	table := &Table{Name: p.qualifiedName(), Only: only}
	table.Pos = table.Name.Pos
	p.out.atom(table)
}
