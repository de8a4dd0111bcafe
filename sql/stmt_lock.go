package sql

import "strings"

// lockModes are the modes of LOCK TABLE, the longer before those they begin with.
var lockModes = [][]string{
	{"access", "share"}, {"access", "exclusive"}, {"row", "share"}, {"row", "exclusive"}, {"share", "update", "exclusive"},
	{"share", "row", "exclusive"}, {"share"}, {"exclusive"},
}

// lockTable reads LOCK [TABLE] [ONLY] name [*], ... [IN mode MODE] [NOWAIT].
func (p *parser) lockTable() Stmt {
	s := &Lock{Pos: p.advance().at(), Mode: "access exclusive"}
	p.accept("table")
	p.list(func() {
		p.accept("only")
		s.Names = append(s.Names, p.qualifiedName())
		p.acceptOp("*")
	})
	if p.accept("in") {
		s.Mode = ""
		for _, words := range lockModes {
			if p.isAt(0, words...) && p.isAt(len(words), "mode") {
				p.i += len(words) + 1
				s.Mode = strings.Join(words, " ")
				break
			}
		}
		if s.Mode == "" {
			p.unexpected()
		}
	}
	s.NoWait = p.accept("nowait")
	return s
}
