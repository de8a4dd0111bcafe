package server

import (
	"context"

	"wmsql/sql"
	"wmsql/sqlerr"
)

// transaction runs BEGIN, COMMIT, ROLLBACK, savepoints and SET TRANSACTION.
func (s *Session) transaction(ctx context.Context, n *sql.Transaction) (string, error) {
	if n.Chain {
		return s.chain(ctx, n)
	}
	switch n.Kind {
	case "begin", "start transaction":
		return s.beginBlock(n)
	case "commit", "end":
		return s.commitBlock(ctx)
	case "rollback":
		if !s.block {
			s.noTransaction()
		}
		s.finish(false)
		return "ROLLBACK", nil
	case "savepoint":
		if err := s.needBlock("SAVEPOINT"); err != nil {
			return "", err
		}
		s.tx.save(n.Name, s.vars.keep())
		return "SAVEPOINT", nil
	case "release":
		if err := s.needBlock("RELEASE SAVEPOINT"); err != nil {
			return "", err
		}
		return "RELEASE", s.tx.release(n.Name)
	case "rollback to":
		return "ROLLBACK", s.rollbackTo(n.Name)
	case "set transaction":
		if !s.block && s.sequence < 2 {
			s.noticef(sqlerr.SevWarning, sqlerr.NoActiveTransaction, "SET TRANSACTION can only be used in transaction blocks")
		}
		return "SET", s.modes(n.Modes)
	case "set session characteristics":
		return "SET", s.characteristics(n.Modes)
	}
	return "", sqlerr.Unsupported("%s", upper(n.Kind)).At(int(n.Pos))
}

func (s *Session) beginBlock(n *sql.Transaction) (string, error) {
	if s.block {
		s.noticef(sqlerr.SevWarning, sqlerr.ActiveTransaction, "there is already a transaction in progress")
	}
	s.start()
	s.block = true
	return upper(n.Kind), s.modes(n.Modes)
}

func (s *Session) commitBlock(ctx context.Context) (string, error) {
	if s.failed {
		s.finish(false)
		return "ROLLBACK", nil
	}
	if !s.block {
		s.noTransaction()
	}
	return "COMMIT", s.commit(ctx)
}

// chain ends the block and begins another one of the same modes at once: COMMIT AND CHAIN, ROLLBACK AND CHAIN.
func (s *Session) chain(ctx context.Context, n *sql.Transaction) (string, error) {
	if !s.block {
		verb := "COMMIT"
		if n.Kind == "rollback" {
			verb = "ROLLBACK"
		}
		return "", sqlerr.Newf(sqlerr.NoActiveTransaction, "%s AND CHAIN can only be used in transaction blocks", verb)
	}
	mode := "read write"
	if s.tx.readOnly {
		mode = "read only"
	}
	modes := []string{mode, "isolation level " + s.value("transaction_isolation")}
	if s.value("transaction_deferrable") == "on" {
		modes = append(modes, "deferrable")
	}
	end := *n
	end.Chain = false
	tag, err := s.transaction(ctx, &end)
	if err != nil {
		return "", err
	}
	s.start()
	s.block = true
	return tag, s.modes(modes)
}

func (s *Session) noTransaction() {
	s.noticef(sqlerr.SevWarning, sqlerr.NoActiveTransaction, "there is no transaction in progress")
}

// needBlock refuses what makes sense in a transaction block only.
func (s *Session) needBlock(what string) error {
	if !s.block && s.sequence < 2 {
		return sqlerr.Newf(sqlerr.NoActiveTransaction, "%s can only be used in transaction blocks", what)
	}
	return nil
}

// needNoBlock refuses what cannot be part of a larger transaction; what an implicit one holds so far is committed.
func (s *Session) needNoBlock(ctx context.Context, what string) error {
	if s.block {
		return sqlerr.Newf(sqlerr.ActiveTransaction, "%s cannot run inside a transaction block", what)
	}
	if err := s.commit(ctx); err != nil {
		return err
	}
	s.start()
	return nil
}

func (s *Session) rollbackTo(name string) error {
	if err := s.needBlock("ROLLBACK TO SAVEPOINT"); err != nil {
		return err
	}
	set, err := s.tx.rollbackTo(name)
	if err != nil {
		return err
	}
	s.vars.goBack(set)
	s.tx.readOnly = s.value("transaction_read_only") == "on"
	s.failed = false
	return nil
}
