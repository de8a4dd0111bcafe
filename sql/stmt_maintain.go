package sql

import (
	"slices"
	"strings"

	"wmsql/sqlerr"
)

// maintain reads VACUUM, ANALYZE [VERBOSE] [table [(column, ...)], ...], either with options in parentheses, and CHECKPOINT.
func (p *parser) maintain() Stmt {
	t := p.advance()
	s := &Maintain{Kind: strings.Replace(t.text, "analyse", "analyze", 1), Pos: t.at()}
	if s.Kind == "checkpoint" {
		return s
	}
	if p.isPunct("(") {
		for _, o := range p.maintainOptions() {
			checkMaintainOption(s.Kind, o)
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

// Options of VACUUM and ANALYZE in parentheses: those that are on or off, and those of VACUUM that have other values.
var (
	vacuumSwitches  = wordSet("verbose skip_locked analyze freeze full disable_page_skipping process_toast truncate")
	vacuumValues    = wordSet("index_cleanup parallel")
	analyzeSwitches = wordSet("verbose skip_locked")
)

// checkMaintainOption refuses an option that there is not, and a switch that is neither on nor off.
func checkMaintainOption(kind string, o Option) {
	switches, values := vacuumSwitches, vacuumValues
	if kind == "analyze" {
		switches, values = analyzeSwitches, nil
	}
	switch {
	case values[o.Name]:
	case !switches[o.Name]:
		bail(sqlerr.Newf(sqlerr.SyntaxError, "unrecognized %s option \"%s\"", strings.ToUpper(kind), o.Name).At(int(o.Pos)))
	case o.Value != "" && !slices.Contains([]string{"on", "off", "true", "false", "1", "0"}, strings.ToLower(o.Value)):
		bail(sqlerr.Newf(sqlerr.SyntaxError, "%s requires a Boolean value", o.Name))
	}
}

// maintainOptions reads ( name [value], ... ).
func (p *parser) maintainOptions() (all []Option) {
	p.parenList(func() {
		o := Option{Pos: p.tok().at()}
		o.Name = p.label()
		if !p.isPunct(",") && !p.isPunct(")") {
			o.Value = p.optionValue()
		}
		all = append(all, o)
	})
	return all
}
