package sql

// Relations and functions in FROM. One without expressions of its own is written as a table named
// by its note; one with them as a subquery that selects them:
//
//	n1        (SELECT n2(n3, n4)) AS n1

// table writes a named relation with Spark's WATERMARK clause, FOR SYSTEM_TIME AS OF and its alias.
func (p *parser) table(name Name, only bool) {
	t := &Table{Name: name, Only: only, Pos: name.Pos}
	if !p.startsWatermark() && !p.is("for", "system_time") {
		if t.Alias = p.alias(); !p.startsWatermark() && !p.is("for", "system_time") && !p.is("tablesample") {
			p.out.atom(t)
			return
		}
	}
	p.out.word("( SELECT")
	c := p.out.open(note{node: &group{}})
	var holes []*Expr
	if p.startsWatermark() {
		t.Watermark = p.delayOf(c)
		holes = append(holes, &t.Watermark.Delay)
	}
	if p.accept("for", "system_time") {
		p.want("as", "of")
		c.next()
		p.expr()
		holes = append(holes, &t.AsOf)
	}
	if p.is("tablesample") {
		holes = append(holes, p.sample(c, t)...)
	}
	c.close(holes...)
	p.out.word(") AS")
	p.out.atom(t)
	if t.Alias.Name == "" {
		t.Alias = p.alias()
	}
}

// delayOf reads WATERMARK column DELAY OF interval; the interval becomes an argument of c.
func (p *parser) delayOf(c *call) *WatermarkClause {
	w := &WatermarkClause{Pos: p.advance().at()}
	w.Column = p.colID()
	p.want("delay", "of")
	c.next()
	p.sparkInterval()
	return w
}

func (p *parser) startsWatermark() bool {
	return p.is("watermark") && p.peek(1).isColID() && p.isAt(2, "delay", "of")
}

// sample reads TABLESAMPLE method (percent) [REPEATABLE (seed)]; the expressions become arguments of c.
func (p *parser) sample(c *call, t *Table) (holes []*Expr) {
	s := &Sample{Pos: p.advance().at()}
	t.Sample = s
	s.Method = p.colID()
	p.wantPunct("(")
	c.next()
	p.expr()
	p.wantPunct(")")
	holes = append(holes, &s.Percent)
	if p.accept("repeatable") {
		p.wantPunct("(")
		c.next()
		p.expr()
		p.wantPunct(")")
		holes = append(holes, &s.Seed)
	}
	return holes
}

// tableFunction writes a call in FROM with WITH ORDINALITY and its alias; t is the item's first
// token.
func (p *parser) tableFunction(t token, lateral bool) {
	f := &TableFunc{Lateral: lateral, Pos: t.at()}
	p.out.word("( SELECT")
	f.Call = p.functionCall()
	p.out.word(") AS")
	p.out.atom(f)
	p.finishFunction(f)
}

// functionCall writes the call of a table function.
func (p *parser) functionCall() *Func {
	t := p.tok()
	if t.kind == tokWord && sqlValueFuncs[t.text] && !p.calledName() {
		return p.valueFunc(t)
	}
	name := Name{Parts: []string{p.advance().text}, Pos: t.at()}
	for p.acceptPunct(".") {
		name.Parts = append(name.Parts, p.label())
	}
	return p.call(name, true)
}

// rowsFrom writes ROWS FROM (f(...), g(...)); t is the item's first token.
func (p *parser) rowsFrom(t token, lateral bool) {
	f := &TableFunc{Lateral: lateral, Pos: t.at()}
	p.i += 2
	p.out.word("( SELECT")
	p.parenList(func() {
		if !p.calledName() {
			p.unexpected()
		}
		if f.Call == nil {
			f.Call = p.functionCall()
		} else {
			p.out.word(",")
			f.More = append(f.More, p.functionCall())
		}
		if p.is("as") {
			p.unsupported(p.tok(), "a column definition list in ROWS FROM")
		}
	})
	p.out.word(") AS")
	p.out.atom(f)
	p.finishFunction(f)
}

func (p *parser) finishFunction(f *TableFunc) {
	f.Ordinality = p.accept("with", "ordinality")
	f.Alias = p.alias()
}

// wrappedFunction writes Flink's TABLE(f(...)), which is f(...).
func (p *parser) wrappedFunction(t token, lateral bool) {
	f := &TableFunc{Lateral: lateral, Pos: t.at()}
	p.i += 2
	p.out.word("( SELECT")
	if !p.calledName() {
		p.unexpected()
	}
	f.Call = p.functionCall()
	p.wantPunct(")")
	p.out.word(") AS")
	p.out.atom(f)
	p.finishFunction(f)
}
