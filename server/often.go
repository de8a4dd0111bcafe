package server

import "time"

// often is what every statement asks of the settings: read anew when one of them changes, not at each statement.
type often struct {
	application       string
	minMessages       string
	readOnly, freezes bool // what a transaction begins with
	templates         bool

	// 0: none.
	statementTimeout, lockTimeout  time.Duration
	idleTimeout, idleInTransaction time.Duration
}

func (v *vars) readOften() often {
	value := func(name string) string { s, _ := v.get(name); return s }
	millis := func(name string) time.Duration {
		d, err := time.ParseDuration(value(name) + "ms")
		if err != nil {
			return 0
		}
		return d
	}
	return often{
		application: value("application_name"), minMessages: value("client_min_messages"),
		readOnly: value("default_transaction_read_only") == "on", freezes: freezes(value("default_transaction_isolation")),
		templates:        value("plan_cache_mode") != "force_custom_plan",
		statementTimeout: millis("statement_timeout"), lockTimeout: millis("lock_timeout"),
		idleTimeout: millis("idle_session_timeout"), idleInTransaction: millis("idle_in_transaction_session_timeout"),
	}
}
