package server

import (
	"cmp"
	"net"
	"slices"
	"sync"
	"time"

	"wmsql/pgwire"
)

// activity is what pg_stat_activity shows of a connected session. The session writes it, every session reads copies.
type activity struct {
	pid     int32
	user    string
	remote  net.Addr // nil if unknown
	tls     bool
	client  pgwire.Client
	started time.Time

	mu  sync.Mutex
	now doing
}

// doing is the part of an activity that changes.
type doing struct {
	app        string // application_name
	state      string // active, idle, idle in transaction, idle in transaction (aborted)
	query      string // running, or run last
	queryStart time.Time
	txStart    time.Time // zero outside of a transaction
	changed    time.Time // when state changed
}

// begins notes that a statement starts.
func (a *activity) begins(app, query string, txStart, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.now = doing{app: app, state: "active", query: query, queryStart: now, txStart: txStart, changed: now}
}

// rests notes that the session waits for its client; txStart is zero outside of a block.
func (a *activity) rests(state string, txStart, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.now.state, a.now.txStart, a.now.changed = state, txStart, now
}

func (a *activity) look() doing {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now
}

// sessions are those that a client is connected to, by process number.
type sessions struct {
	mu   sync.Mutex
	byID map[int32]*activity
}

func (l *sessions) add(a *activity) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.byID[a.pid] = a
}

func (l *sessions) remove(a *activity) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byID[a.pid] == a {
		delete(l.byID, a.pid)
	}
}

func (l *sessions) find(pid int32) *activity {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.byID[pid]
}

// list is all of them in the order of their numbers.
func (l *sessions) list() []*activity {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]*activity, 0, len(l.byID))
	for _, a := range l.byID {
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b *activity) int { return cmp.Compare(a.pid, b.pid) })
	return out
}

// connected makes the session one that pg_stat_activity shows, until it is closed.
func (s *Session) connected(st pgwire.Startup) {
	now := s.srv.now()
	s.activity = &activity{pid: st.PID, user: st.User, remote: st.Remote, tls: st.TLS, client: st.Client, started: now,
		now: doing{app: s.value("application_name"), state: "idle", changed: now}}
	s.srv.sessions.add(s.activity)
}

// begins notes that a statement of the session starts.
func (s *Session) begins(text string) {
	if s.activity != nil {
		s.activity.begins(s.vars.often.application, text, s.txStart, s.stmtTime)
	}
}

// rests notes that the session waits for its client.
func (s *Session) rests() {
	if s.activity == nil {
		return
	}
	now := s.srv.now()
	switch s.Status() {
	case 'T':
		s.activity.rests("idle in transaction", s.txStart, now)
	case 'E':
		s.activity.rests("idle in transaction (aborted)", s.txStart, now)
	default:
		s.activity.rests("idle", time.Time{}, now)
	}
}
