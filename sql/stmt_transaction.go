package sql

import "strings"

// transaction reads the statements of transaction control.
func (p *parser) transaction() Stmt {
	t := p.advance()
	s := &Transaction{Kind: t.text, Pos: t.at()}
	switch t.text {
	case "begin":
		p.acceptOneOf("work", "transaction")
		s.Modes = p.transactionModes(false)
	case "start":
		p.want("transaction")
		s.Kind, s.Modes = "start transaction", p.transactionModes(false)
	case "savepoint":
		s.Name = p.colID().Name
	case "release":
		p.accept("savepoint")
		s.Name = p.colID().Name
	default:
		return p.endTransaction(t, s)
	}
	return s
}

// endTransaction reads COMMIT, END, ROLLBACK and ABORT.
func (p *parser) endTransaction(t token, s *Transaction) Stmt {
	if p.is("prepared") {
		return p.skipped(t, strings.ToUpper(t.text)+" PREPARED")
	}
	p.acceptOneOf("work", "transaction")
	if s.Kind == "abort" {
		s.Kind = "rollback"
	}
	if t.text == "rollback" && p.accept("to") {
		p.accept("savepoint")
		s.Kind, s.Name = "rollback to", p.colID().Name
		return s
	}
	if p.accept("and") {
		s.Chain = !p.accept("no")
		p.want("chain")
	}
	return s
}

// transactionModes reads ISOLATION LEVEL ..., READ ONLY, READ WRITE and [NOT] DEFERRABLE; a comma
// between them may be missing.
func (p *parser) transactionModes(must bool) (modes []string) {
	for {
		mode := p.transactionMode()
		if mode == "" {
			if must {
				p.unexpected()
			}
			return modes
		}
		modes = append(modes, mode)
		must = p.acceptPunct(",")
	}
}

func (p *parser) transactionMode() string {
	switch {
	case p.accept("isolation"):
		p.want("level")
		switch {
		case p.accept("serializable"):
			return "isolation level serializable"
		case p.accept("repeatable", "read"):
			return "isolation level repeatable read"
		case p.accept("read", "committed"):
			return "isolation level read committed"
		case p.accept("read", "uncommitted"):
			return "isolation level read uncommitted"
		}
		p.unexpected()
	case p.accept("read", "only"):
		return "read only"
	case p.accept("read", "write"):
		return "read write"
	case p.accept("deferrable"):
		return "deferrable"
	case p.accept("not", "deferrable"):
		return "not deferrable"
	}
	return ""
}
