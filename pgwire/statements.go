package pgwire

// Prepared is a prepared statement.
type Prepared struct {
	Text      string    // that positions of errors count in
	Parsed    Parsed    // nil: the text has no statement
	Statement Statement // nil likewise
	SQL       bool      // PREPARE made it
}

// Statements are the prepared statements of a connection by name, those of the protocol and those of PREPARE: they share their names. "" is the
// unnamed one. The session uses them while it prepares or runs a statement, at no other time.
type Statements map[string]*Prepared

// Forget drops a named statement and reports whether there was one.
func (s Statements) Forget(name string) bool {
	known := s[name] != nil && name != ""
	if known {
		delete(s, name)
	}
	return known
}

// ForgetAll drops all named statements.
func (s Statements) ForgetAll() {
	for name := range s {
		s.Forget(name)
	}
}
