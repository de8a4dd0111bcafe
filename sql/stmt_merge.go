package sql

// merge reads MERGE INTO. Source, condition and each WHEN are transcriptions of their own.
func (p *parser) merge() Stmt {
	s := &Merge{Pos: p.advance().at()}
	p.want("into")
	s.Table, s.Alias = p.target()
	p.want("using")
	s.Source = p.transcribed(func(*Query) {
		p.out.word("FROM")
		p.tableRef()
	}).From[0]
	p.want("on")
	s.On = p.condition()
	for p.is("when") {
		s.Whens = append(s.Whens, p.mergeWhen())
	}
	if len(s.Whens) == 0 {
		p.unexpected()
	}
	return s
}

// condition reads an expression by itself.
func (p *parser) condition() Expr {
	return p.transcribed(func(*Query) {
		p.out.word("FROM n0 WHERE")
		p.expr()
	}).Where
}

func (p *parser) mergeWhen() MergeWhen {
	w := MergeWhen{Pos: p.advance().at(), Matched: !p.accept("not")}
	p.want("matched")
	if p.accept("and") {
		w.Cond = p.condition()
	}
	p.want("then")
	switch {
	case p.accept("do", "nothing"):
		w.Action = "nothing"
	case w.Matched && p.accept("delete"):
		w.Action = "delete"
	case w.Matched && p.accept("update", "set"):
		w.Action = "update"
		q := p.transcribed(func(q *Query) {
			p.setList(&w.Set, q)
			p.out.word("FROM n0")
		})
		w.Set = assigned(w.Set, q)
	case !w.Matched && p.accept("insert"):
		w.Action = "insert"
		p.mergeInsert(&w)
	default:
		p.unexpected()
	}
	return w
}

// mergeInsert reads [(columns)] [OVERRIDING ...] VALUES (...) or DEFAULT VALUES.
func (p *parser) mergeInsert(w *MergeWhen) {
	if p.isPunct("(") {
		w.Columns = p.identList()
	}
	if p.accept("overriding") {
		if w.Overriding = p.acceptOneOf("system", "user"); w.Overriding == "" {
			p.unexpected()
		}
		p.want("value")
	}
	if p.accept("default", "values") {
		return
	}
	p.want("values")
	q := p.transcribed(func(q *Query) {
		p.parenList(func() { p.setItem(q) })
		p.out.word("FROM n0")
	})
	for _, it := range q.Items {
		w.Values = append(w.Values, it.X)
	}
}
