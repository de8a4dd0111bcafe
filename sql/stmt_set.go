package sql

import "strings"

// set reads SET in all its forms.
func (p *parser) set() Stmt {
	t := p.advance()
	if p.is("session", "characteristics") {
		p.i += 2
		p.want("as", "transaction")
		return &Transaction{Kind: "set session characteristics", Modes: p.transactionModes(true), Pos: t.at()}
	}
	s := &Set{Pos: t.at()}
	if p.is("local") || p.is("session") && !p.isAt(1, "authorization") {
		s.Local = p.advance().text == "local"
	}
	switch {
	case p.accept("transaction"):
		if p.is("snapshot") {
			return p.skipped(t, "SET TRANSACTION SNAPSHOT")
		}
		return &Transaction{Kind: "set transaction", Modes: p.transactionModes(true), Pos: t.at()}
	case p.is("constraints"):
		return p.skipped(t, "SET CONSTRAINTS")
	case p.accept("time", "zone"):
		s.Name = "timezone"
		p.timeZone(s)
	case p.isOneOf("names", "schema", "role") && !p.isAt(1, "to") && !p.peek(1).isOp("="):
		s.Name = map[string]string{"names": "client_encoding", "schema": "search_path", "role": "role"}[p.advance().text]
		if s.Default = p.atEnd() && s.Name == "client_encoding"; !s.Default {
			p.setValue(s)
		}
	case p.accept("session", "authorization"):
		s.Name = "session_authorization"
		p.setValue(s)
	default:
		s.Name = p.parameter()
		p.setValues(s)
	}
	return s
}

// setValues reads TO or = and the values.
func (p *parser) setValues(s *Set) {
	if t := p.tok(); p.is("from", "current") {
		p.unsupported(t, "SET ... FROM CURRENT")
	}
	if !p.accept("to") && !p.acceptOp("=") {
		p.unexpected()
	}
	if p.accept("default") {
		s.Default = true
		return
	}
	p.list(func() { s.Values = append(s.Values, p.settingValue()) })
}

// settingValue reads a value, which no reserved word is but TRUE, FALSE and ON.
func (p *parser) settingValue() string {
	if t := p.tok(); t.kind == tokWord && keywordClass[t.text] == reserved && t.text != "true" && t.text != "false" && t.text != "on" {
		p.unexpected()
	}
	return p.optionValue()
}

// setValue reads one value or DEFAULT.
func (p *parser) setValue(s *Set) {
	if p.accept("default") {
		s.Default = true
		return
	}
	s.Values = []string{p.settingValue()}
}

// timeZone reads the value of SET TIME ZONE.
func (p *parser) timeZone(s *Set) {
	switch {
	case p.accept("local"):
		s.Default = true
	case p.is("interval") && p.peek(1).kind == tokString:
		p.i++
		s.Values = []string{strings.TrimSpace(p.advance().text)}
		var t TypeName
		p.intervalQualifier(&t)
	default:
		p.setValue(s)
	}
}

// reset reads RESET name | ALL.
func (p *parser) reset() Stmt {
	s := &Set{Default: true, Reset: true, Pos: p.advance().at()}
	if p.accept("all") {
		s.Name = "all"
		return s
	}
	s.Name = p.parameter()
	return s
}

// discard reads DISCARD ALL | PLANS | SEQUENCES | TEMP.
func (p *parser) discard() Stmt {
	d := &Discard{Pos: p.advance().at()}
	if d.What = p.acceptOneOf("all", "plans", "sequences", "temp", "temporary"); d.What == "" {
		p.unexpected()
	}
	if d.What == "temporary" {
		d.What = "temp"
	}
	return d
}
