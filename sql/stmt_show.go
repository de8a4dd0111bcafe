package sql

import "strings"

// show reads SHOW.
func (p *parser) show() Stmt {
	s := &Show{Pos: p.advance().at()}
	switch {
	case p.accept("materialized", "views"):
		s.What = "materialized views"
		s.Like = p.showLike()
	case p.isOneOf("streams", "tables", "views", "schemas", "functions"):
		s.What = p.advance().text
		s.Like = p.showLike()
	case p.accept("create"):
		kind := p.objectKind()
		switch kind {
		case "stream", "view", "materialized view", "table", "function":
			s.What = "create " + kind
		default:
			p.unexpected()
		}
		s.Name = p.qualifiedName()
	case p.accept("lateness", "for"):
		s.What = "lateness"
		s.Name = p.qualifiedName()
	case p.accept("all"):
		s.What = "all"
	default:
		s.What = "parameter"
		t := p.tok()
		s.Name = Name{Parts: []string{p.parameter()}, Pos: t.at()}
	}
	return s
}

// showLike reads LIKE 'pattern'.
func (p *parser) showLike() string {
	if !p.accept("like") {
		return ""
	}
	if p.tok().kind != tokString {
		p.unexpected()
	}
	return p.advance().text
}

// parameter reads the name of a setting: its dotted parts as one, in lower case, or one of the
// standard's spellings of two or three words.
func (p *parser) parameter() string {
	switch {
	case p.accept("time", "zone"):
		return "timezone"
	case p.accept("transaction", "isolation", "level"):
		return "transaction_isolation"
	case p.accept("session", "authorization"):
		return "session_authorization"
	}
	name := p.colID().Name
	for p.acceptPunct(".") {
		name += "." + p.colID().Name
	}
	return strings.ToLower(name)
}

// describe reads DESCRIBE name.
func (p *parser) describe() Stmt {
	d := &Describe{Pos: p.advance().at()}
	d.Name = p.qualifiedName()
	return d
}
