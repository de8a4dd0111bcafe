package server

import (
	"slices"
	"sync"
	"time"

	"wmsql/pgwire"
	"wmsql/sql"
	"wmsql/sqlerr"
)

const (
	channelMax = 64      // bytes of a channel's name, with a NUL; Postgres's bound
	payloadMax = 8000    // bytes of a payload, likewise
	mailboxMax = 8 << 20 // bytes that wait for one session, which may sit in a transaction for long; then NOTIFY fails
)

// mailbox is what other sessions have said to one that listens.
type mailbox struct {
	client   pgwire.Client // nil: nobody is to be woken
	channels []string      // that it listens to, in the order of LISTEN; channels.mu guards it

	mu    sync.Mutex
	notes []pgwire.Notification
	bytes int
}

// channels knows who listens to what.
type channels struct {
	mu     sync.Mutex
	byName map[string]map[*mailbox]bool
}

// listening is LISTEN or UNLISTEN, which hold from the commit on; off without a channel is UNLISTEN *.
type listening struct {
	channel string
	off     bool
}

// listen runs LISTEN, UNLISTEN and NOTIFY.
func (s *Session) listen(n *sql.Listen) error {
	t := s.start()
	switch {
	case n.Kind == "notify":
		return s.notify(n.Channel, n.Payload)
	case n.Kind == "unlisten" && n.Channel == "*":
		t.listens = append(t.listens, listening{off: true})
	default:
		t.listens = append(t.listens, listening{channel: n.Channel, off: n.Kind == "unlisten"})
	}
	return nil
}

// notify says something on a channel once the transaction is committed. What a transaction says twice is heard once.
func (s *Session) notify(channel, payload string) error {
	switch {
	case channel == "":
		return sqlerr.Newf(sqlerr.InvalidParameterValue, "channel name cannot be empty")
	case len(channel) >= channelMax:
		return sqlerr.Newf(sqlerr.InvalidParameterValue, "channel name too long")
	case len(payload) >= payloadMax:
		return sqlerr.Newf(sqlerr.InvalidParameterValue, "payload string too long")
	}
	t := s.start()
	t.notes = append(t.notes, pgwire.Notification{PID: s.pid, Channel: channel, Payload: payload})
	return nil
}

// pgNotify is pg_notify(channel, payload); NULL is the empty text.
func pgNotify(s *Session, args []any) (any, error) {
	channel, _ := args[0].(string)
	payload, _ := args[1].(string)
	return "", s.notify(channel, payload)
}

// room refuses notes for which a listener has no room left.
func (c *channels) room(notes []pgwire.Notification) error {
	if len(notes) == 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range notes {
		for m := range c.byName[n.Channel] {
			if m.full() {
				return sqlerr.Newf(sqlerr.ProgramLimitExceeded, "too many notifications in the NOTIFY queue").
					WithDetail("A session that listens to %q has not taken 8 MB of them: it may be in a transaction.", n.Channel)
			}
		}
	}
	return nil
}

// committed does what a transaction of the session with mailbox own has asked for.
func (c *channels) committed(own *mailbox, listens []listening, notes []pgwire.Notification) {
	if len(listens) == 0 && len(notes) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range listens {
		c.listen(own, l)
	}
	said, woken := map[pgwire.Notification]bool{}, map[*mailbox]bool{}
	for _, n := range notes {
		if said[n] {
			continue
		}
		said[n] = true
		for m := range c.byName[n.Channel] {
			m.put(n)
			woken[m] = true
		}
	}
	for m := range woken {
		if m.client != nil {
			m.client.Wake()
		}
	}
}

func (c *channels) listen(own *mailbox, l listening) {
	switch {
	case !l.off:
		if c.byName[l.channel] == nil {
			c.byName[l.channel] = map[*mailbox]bool{}
		}
		if !c.byName[l.channel][own] {
			c.byName[l.channel][own] = true
			own.channels = append(own.channels, l.channel)
		}
	case l.channel != "":
		own.channels = slices.DeleteFunc(own.channels, func(name string) bool { return name == l.channel })
		own.forget(l.channel)
		if delete(c.byName[l.channel], own); len(c.byName[l.channel]) == 0 {
			delete(c.byName, l.channel)
		}
	default:
		for _, name := range slices.Clone(own.channels) {
			c.listen(own, listening{channel: name, off: true})
		}
	}
}

// listened are the channels that m listens to.
func (c *channels) listened(m *mailbox) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(m.channels)
}

// pgListeningChannels is pg_listening_channels(): what the session listens to since its last commit.
func pgListeningChannels(s *Session, _ []any) (any, error) {
	var out []any
	for _, name := range s.srv.channels.listened(s.mailbox) {
		out = append(out, name)
	}
	return out, nil
}

func (m *mailbox) full() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.bytes >= mailboxMax
}

func (m *mailbox) put(n pgwire.Notification) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.notes = append(m.notes, n)
	m.bytes += len(n.Channel) + len(n.Payload) + 32
}

// forget drops what was said on a channel.
func (m *mailbox) forget(channel string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.notes = slices.DeleteFunc(m.notes, func(n pgwire.Notification) bool { return n.Channel == channel })
}

// Notifications returns and forgets what was said to the session, nothing inside of a block.
func (s *Session) Notifications() []pgwire.Notification {
	if s.block {
		return nil
	}
	m := s.mailbox
	m.mu.Lock()
	defer m.mu.Unlock()
	out := m.notes
	m.notes, m.bytes = nil, 0
	return out
}

// StatementTimeout is how long the statement that begins now may run, 0 for ever, and what the client is told then.
func (s *Session) StatementTimeout() (time.Duration, *sqlerr.Error) {
	d := s.vars.often.statementTimeout
	if d == 0 { // the rule
		return 0, nil
	}
	return d, sqlerr.Newf(sqlerr.QueryCanceled, "canceling statement due to statement timeout")
}

// IdleTimeout is how long the session may wait for its client, 0 for ever, and what the client is told then.
func (s *Session) IdleTimeout() (time.Duration, *sqlerr.Error) {
	d, code, state := s.vars.often.idleTimeout, sqlerr.IdleSessionTimeout, "idle-session"
	if s.block {
		d, code, state = s.vars.often.idleInTransaction, sqlerr.IdleInTransactionTimeout, "idle-in-transaction"
	}
	if d == 0 { // the rule; asked after every statement
		return 0, nil
	}
	return d, sqlerr.Newf(code, "terminating connection due to %s timeout", state)
}
