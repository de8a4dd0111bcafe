package sql

// declareCursor reads DECLARE name CURSOR FOR query.
func (p *parser) declareCursor() Stmt {
	t := p.advance()
	s := &DeclareCursor{Name: p.colID().Name, Pos: t.at()}
	for more := true; more; {
		switch {
		case p.accept("binary"):
			s.Binary = true
		case p.accept("insensitive"), p.accept("asensitive"):
		case p.accept("no", "scroll"):
			s.Scroll = "no scroll"
		case p.accept("scroll"):
			s.Scroll = "scroll"
		default:
			more = false
		}
	}
	p.want("cursor")
	if p.accept("with", "hold") {
		s.Hold = true
	} else {
		p.accept("without", "hold")
	}
	p.want("for")
	first := p.i
	if p.is("subscribe") {
		s.Subscribe = p.subscribe()
	} else {
		s.Query = p.query()
	}
	s.Text = p.textSince(first)
	return s
}

// fetch reads FETCH and MOVE.
func (p *parser) fetch() Stmt {
	t := p.advance()
	s := &Fetch{Move: t.text == "move", Direction: "next", Count: 1, Pos: t.at()}
	if p.direction(s) {
		p.acceptOneOf("from", "in")
	}
	s.Cursor = p.colID().Name
	if p.accept("with") {
		s.Options = p.switches()
	}
	return s
}

// direction reads which rows to fetch; false if the cursor's name comes at once.
func (p *parser) direction(s *Fetch) bool {
	if p.isOneOf("from", "in") {
		return true
	}
	if p.tok().kind == tokInt || p.tok().isOp("-") || p.tok().isOp("+") {
		s.Direction, s.Count = "forward", p.signed()
		return true
	}
	if p.accept("all") {
		s.Direction, s.All = "forward", true
		return true
	}
	if p.peek(1).kind == tokEOF || p.peek(1).isPunct(";") || p.isAt(1, "with") {
		return false
	}
	switch word := p.acceptOneOf("next", "prior", "first", "last", "absolute", "relative", "forward", "backward"); word {
	case "":
		return false
	case "absolute", "relative":
		s.Direction, s.Count = word, p.signed()
	case "forward", "backward":
		s.Direction = word
		if s.All = p.accept("all"); !s.All && (p.tok().kind == tokInt || p.tok().kind == tokOp) {
			s.Count = p.signed()
		}
	default:
		s.Direction = word
	}
	return true
}

// signed reads an integer with a sign.
func (p *parser) signed() int64 {
	sign := int64(1)
	if p.acceptOp("-") {
		sign = -1
	} else {
		p.acceptOp("+")
	}
	return sign * p.integer()
}

// closeCursor reads CLOSE name | ALL.
func (p *parser) closeCursor() Stmt {
	s := &CloseCursor{Pos: p.advance().at()}
	if !p.accept("all") {
		s.Name = p.colID().Name
	}
	return s
}

// listen reads LISTEN, UNLISTEN and NOTIFY.
func (p *parser) listen() Stmt {
	t := p.advance()
	s := &Listen{Kind: t.text, Pos: t.at()}
	if t.text == "unlisten" && p.acceptOp("*") {
		s.Channel = "*"
		return s
	}
	s.Channel = p.colID().Name
	if t.text == "notify" && p.acceptPunct(",") {
		if p.tok().kind != tokString {
			p.unexpected()
		}
		s.Payload = p.advance().text
	}
	return s
}
