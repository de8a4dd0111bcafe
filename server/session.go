package server

import (
	"context"
	"slices"
	"strings"
	"time"

	"wmsql/catalog"
	"wmsql/pgwire"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// Session is one client's connection to the engine. One goroutine uses it.
type Session struct {
	srv      *Server
	user     string
	pid      int32
	vars     *vars
	notices  []*sqlerr.Error
	activity *activity // nil if no client is connected
	// advisoryUsed says that the session has taken advisory locks: they end with its transactions, and with itself.
	advisoryUsed bool
	mailbox      *mailbox
	statements   pgwire.Statements  // prepared, by the protocol and by PREPARE
	recent       map[string]*parsed // by text
	tokens       sql.Tokens         // of the text that was parsed last
	templates    templates
	held         map[string]*cursor // WITH HOLD, after their transaction

	tx        *tx                  // nil between transactions
	block     bool                 // BEGIN was said
	failed    bool                 // the block had an error: only its end is heard
	given     map[catalog.ID]int64 // what sequences gave this session last
	lastGiven catalog.ID
	temporary string // its schema for temporary relations; "" until it has made one
	sequence  int    // how many statements the present simple query has; 0 in the extended protocol
	stmtTime  time.Time
	txStart   time.Time
	ended     int64 // how many transactions have ended
	// running is the context of the statement that runs, for functions that wait.
	running context.Context
	// changes are those in the WITH of the statement that is being planned.
	changes map[sql.Stmt]*withChange
}

func newSession(srv *Server, st pgwire.Startup, v *vars) *Session {
	s := &Session{
		srv: srv, user: st.User, pid: st.PID, vars: v, statements: st.Statements,
		recent: map[string]*parsed{}, given: map[catalog.ID]int64{}, held: map[string]*cursor{}, stmtTime: srv.now(), txStart: srv.now(),
		running: context.Background(),
	}
	if s.statements == nil { // no client is connected
		s.statements = pgwire.Statements{}
	}
	s.mailbox = &mailbox{client: st.Client}
	v.objects = s
	v.changed()
	return s
}

// Empty reports that there is no statement.
func (p *parsed) Empty() bool { return p.Stmt == nil }

// AllowedInFailed reports that the statement may run in a failed block.
func (p *parsed) AllowedInFailed() bool { return allowedInFailed(p.Stmt) }

func allowedInFailed(n sql.Stmt) bool {
	t, ok := n.(*sql.Transaction)
	return ok && slices.Contains([]string{"commit", "end", "rollback", "rollback to"}, t.Kind)
}

// Simple tells that a simple query of n statements begins.
func (s *Session) Simple(n int) { s.sequence = n }

// Sync ends what ran since the last Sync.
func (s *Session) Sync(ctx context.Context, err error) error {
	s.sequence = 0
	defer s.rests()
	if s.tx == nil {
		return nil
	}
	if s.block {
		if err != nil {
			s.fail()
		}
		return nil
	}
	if err != nil {
		s.finish(false)
		return nil
	}
	return s.commit(ctx)
}

// fail marks an explicit block as failed. What it changed is given up at once unless a savepoint may bring it back.
func (s *Session) fail() {
	s.failed = true
	if len(s.tx.saves) == 0 {
		s.tx.rollback()
	}
}

// start makes sure that there is a transaction.
func (s *Session) start() *tx {
	if s.tx == nil {
		s.tx = s.srv.begin()
		s.txStart = s.srv.now()
		s.vars.format.Now = s.txTime()
		o := &s.vars.often
		s.tx.readOnly, s.tx.lockWait, s.tx.freezes = o.readOnly, o.lockTimeout, o.freezes
	}
	return s.tx
}

// commit ends the transaction, keeping what it did.
func (s *Session) commit(ctx context.Context) error {
	t := s.tx
	err := s.holdCursors(ctx, t)
	if err == nil {
		err = s.srv.channels.room(t.notes)
	}
	if err == nil {
		err = s.endTemporary(ctx)
	}
	if err == nil {
		err = t.commit(ctx)
	} else {
		t.rollback()
	}
	if err == nil {
		s.srv.channels.committed(s.mailbox, t.listens, t.notes)
	}
	s.over(err == nil)
	return err
}

// finish ends the transaction; commit only when nothing can fail any more.
func (s *Session) finish(commit bool) {
	s.tx.rollback()
	s.over(commit)
}

func (s *Session) over(commit bool) {
	s.tx, s.block, s.failed = nil, false, false
	s.ended++
	if s.advisoryUsed {
		s.srv.advisory.end(s, true)
	}
	s.vars.end(commit)
}

// Status is ReadyForQuery's byte.
func (s *Session) Status() byte {
	switch {
	case !s.block:
		return 'I'
	case s.failed:
		return 'E'
	}
	return 'T'
}

// Ended is how many transactions have ended.
func (s *Session) Ended() int64 { return s.ended }

// Level grows with each savepoint that is set or gone back to.
func (s *Session) Level() int64 {
	if s.tx == nil {
		return 0
	}
	return s.tx.level
}

// Undone are the levels that the last ROLLBACK TO took back, to not among them.
func (s *Session) Undone() (from, to int64) {
	if s.tx == nil {
		return 0, 0
	}
	return s.tx.undone[0], s.tx.undone[1]
}

// Format is the present rules for text.
func (s *Session) Format() *types.Format { return s.vars.format }

// Notices returns and forgets the notices since the last call, those that client_min_messages lets through.
func (s *Session) Notices() []*sqlerr.Error {
	out := s.notices
	if out == nil { // mostly
		return nil
	}
	s.notices = nil
	switch s.vars.often.minMessages {
	case "error":
		out = nil
	case "warning":
		out = slices.DeleteFunc(out, func(e *sqlerr.Error) bool { return e.Severity != sqlerr.SevWarning })
	}
	return out
}

func (s *Session) notice(n *sqlerr.Error) {
	if n != nil {
		s.notices = append(s.notices, n)
	}
}

func (s *Session) noticef(sev sqlerr.Severity, code sqlerr.Code, format string, args ...any) {
	n := sqlerr.Newf(code, format, args...)
	n.Severity = sev
	s.notice(n)
}

// Parameters returns the parameters that the client must be told.
func (s *Session) Parameters() []pgwire.Parameter { return s.vars.report() }

// Close ends the session; an open transaction is rolled back.
func (s *Session) Close() error {
	if s.tx != nil {
		s.finish(false)
	}
	for _, c := range s.held {
		c.close()
	}
	if s.advisoryUsed {
		s.srv.advisory.end(s, false)
	}
	s.srv.channels.committed(s.mailbox, []listening{{off: true}}, nil)
	if s.activity != nil {
		s.srv.sessions.remove(s.activity)
	}
	return s.dropTemporary()
}

// snapshot is the catalog as the session sees it now.
func (s *Session) snapshot() *catalog.Snapshot {
	if s.tx != nil {
		return s.tx.snapshot()
	}
	return s.srv.catalog.Current()
}

// path is the effective search path.
func (s *Session) path() []string { return s.vars.searchPath(s.snapshot(), s.user, s.temporary) }

func (s *Session) value(name string) string { v, _ := s.vars.get(name); return v }

func freezes(isolation string) bool {
	return isolation == "repeatable read" || isolation == "serializable"
}

// writes refuses a statement that changes something in a read-only transaction.
func (s *Session) writes(what string) error {
	if s.start().readOnly {
		return sqlerr.Newf(sqlerr.ReadOnlyTransaction, "cannot execute %s in a read-only transaction", strings.ToUpper(what))
	}
	return nil
}
