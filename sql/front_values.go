package sql

// values writes VALUES (...), (...) as one call whose arguments are all items that are more than a
// constant. Constants are taken as they are: an INSERT of many rows is mostly they.
func (p *parser) values() {
	v := &Values{Pos: p.advance().at()}
	defaults := p.defaults
	p.defaults = false
	p.out.word("SELECT")
	c := p.out.open(note{node: v})
	p.list(func() {
		var row []Expr
		if len(v.Rows) > 0 {
			row = make([]Expr, 0, len(v.Rows[0]))
		}
		p.parenList(func() {
			if x := p.constantItem(defaults); x != nil {
				row = append(row, x)
			} else {
				p.item(c, &row)
			}
		})
		v.Rows = append(v.Rows, row)
	})
	var holes []*Expr
	for _, row := range v.Rows {
		for i := range row {
			if row[i] == nil {
				holes = append(holes, &row[i])
			}
		}
	}
	c.close(holes...)
	p.out.word("FROM n0")
}

// constantItem reads an item that is nothing but a constant, a parameter or, if allowed, DEFAULT;
// nil if it is something else.
func (p *parser) constantItem(defaults bool) Expr {
	t, end := p.tok(), p.peek(1)
	if t.isOp("-") && (end.kind == tokInt || end.kind == tokNum) {
		if end = p.peek(2); !end.isPunct(",") && !end.isPunct(")") {
			return nil
		}
		p.i += 2
		return negated(&Unary{Op: "-", X: p.toks[p.i-1].number(), Pos: t.at()})
	}
	if !end.isPunct(",") && !end.isPunct(")") {
		return nil
	}
	x := constant(t)
	if x == nil && defaults && t.isWord("default") {
		x = &Default{Pos: t.at()}
	}
	if x != nil {
		p.i++
	}
	return x
}

// constant returns the constant that a token is by itself, nil if it is none.
func constant(t token) Expr {
	switch t.kind {
	case tokInt, tokNum:
		return t.number()
	case tokString:
		return &Literal{Kind: String, Text: t.text, Pos: t.at()}
	case tokBits:
		return &Literal{Kind: BitString, Text: t.text, Pos: t.at()}
	case tokWord:
		switch t.text {
		case "null":
			return &Literal{Kind: Null, Pos: t.at()}
		case "true", "false":
			return &Literal{Kind: Bool, Text: t.text, Pos: t.at()}
		}
	}
	return nil
}
