package server

import (
	"strings"

	"wmsql/sql"
	"wmsql/sqlerr"
)

// ofTransaction reports whether a setting, by its name in lower case, is the present transaction's own. It begins as the setting of the same
// name after default_ stands.
func ofTransaction(name string) bool {
	return name == "transaction_isolation" || name == "transaction_read_only" || name == "transaction_deferrable"
}

// modes applies the modes of BEGIN and SET TRANSACTION.
func (s *Session) modes(modes []string) error {
	for _, m := range modes {
		name, value := modeSetting(m)
		if err := s.setTransaction(name, value); err != nil {
			return err
		}
	}
	return nil
}

// characteristics sets what later transactions begin with.
func (s *Session) characteristics(modes []string) error {
	for _, m := range modes {
		name, value := modeSetting(m)
		if err := s.vars.assign("default_"+name, value, false); err != nil {
			return err
		}
	}
	return nil
}

// modeSetting is the setting that a mode such as READ ONLY stands for.
func modeSetting(mode string) (name, value string) {
	mode = strings.ToLower(mode)
	if level, ok := strings.CutPrefix(mode, "isolation level "); ok {
		return "transaction_isolation", level
	}
	if strings.HasPrefix(mode, "read ") {
		return "transaction_read_only", onOff(mode == "read only")
	}
	return "transaction_deferrable", onOff(mode == "deferrable")
}

// setTransaction changes the present transaction.
func (s *Session) setTransaction(name, value string) error {
	value, err := settings()[name].canonical(value)
	if err != nil {
		return err
	}
	t := s.start()
	if now := s.value(name); now != value {
		if err := t.mayChange(name, value); err != nil {
			return err
		}
	}
	switch name {
	case "transaction_read_only":
		t.readOnly = value == "on"
	case "transaction_isolation":
		t.freezes = freezes(value)
	}
	s.vars.local[name] = value // no plan depends on it
	return nil
}

// mayChange refuses what can only be said before a transaction's first query, as Postgres does.
func (t *tx) mayChange(name, value string) error {
	var queried, inner string // what is said after a query, and inside of a savepoint
	switch {
	case name == "transaction_isolation":
		queried, inner = "SET TRANSACTION ISOLATION LEVEL must be called before any query", "SET TRANSACTION ISOLATION LEVEL must not be called in a subtransaction"
	case name == "transaction_deferrable":
		queried, inner = "SET TRANSACTION [NOT] DEFERRABLE must be called before any query", "SET TRANSACTION [NOT] DEFERRABLE cannot be called within a subtransaction"
	case value == "off":
		queried, inner = "transaction read-write mode must be set before any query", "cannot set transaction read-write mode inside a read-only transaction"
	default:
		return nil
	}
	switch {
	case t.queried:
		return sqlerr.Newf(sqlerr.ActiveTransaction, "%s", queried)
	case len(t.saves) > 0:
		return sqlerr.Newf(sqlerr.ActiveTransaction, "%s", inner)
	}
	return nil
}

// looksAtRows reports whether a statement does: with the first one a transaction's modes are settled.
func looksAtRows(n sql.Stmt) bool {
	switch n.(type) {
	case *sql.Transaction, *sql.Set, *sql.Show:
		return false
	}
	return true
}
