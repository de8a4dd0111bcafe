package sql

import "strings"

// maintain reads VACUUM, ANALYZE [VERBOSE] [table [(column, ...)], ...], either with options in parentheses, and CHECKPOINT.
func (p *parser) maintain() Stmt {
	t := p.advance()
	s := &Maintain{Kind: strings.Replace(t.text, "analyse", "analyze", 1), Pos: t.at()}
	if s.Kind == "checkpoint" {
		return s
	}
	if p.isPunct("(") {
		for _, o := range p.maintainOptions() {
			s.Full = s.Full || o.Name == "full" && o.Value != "off" && o.Value != "false" && o.Value != "0"
		}
	} else {
		for word := p.maintainWord(s.Kind); word != ""; word = p.maintainWord(s.Kind) {
			s.Full = s.Full || word == "full"
		}
	}
	if p.atEnd() {
		return s
	}
	p.list(func() {
		s.Names = append(s.Names, p.qualifiedName())
		if p.isPunct("(") {
			p.parenList(func() { p.label() })
		}
	})
	return s
}

func (p *parser) maintainWord(kind string) string {
	if kind == "vacuum" {
		return p.acceptOneOf("full", "freeze", "verbose", "analyze", "analyse")
	}
	return p.acceptOneOf("verbose")
}

// maintainOptions reads ( name [value], ... ).
func (p *parser) maintainOptions() (all []Option) {
	p.parenList(func() {
		o := Option{Name: p.label(), Pos: p.tok().at()}
		if !p.isPunct(",") && !p.isPunct(")") {
			o.Value = p.optionValue()
		}
		all = append(all, o)
	})
	return all
}
