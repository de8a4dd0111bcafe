package pgwire

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/jackc/pgproto3/v2"

	"wmsql/column"
	"wmsql/password"
	"wmsql/sqlerr"
)

// conn is one client. Its goroutine reads a message, serves it and reads the next; only interrupt and Terminate
// are called from others.
type conn struct {
	service *service
	net     net.Conn
	in      *inbox
	out     *outbox
	proto   *pgproto3.Backend
	pid     int32
	counted bool              // as a session, by service.admit
	tls     *tls.Conn         // nil: in the clear
	binding *password.Binding // nil: there is nothing that a password could be bound to

	ctx     context.Context
	session Session

	statements Statements
	portals    map[string]*portal
	skip       bool  // after an error, until Sync
	failure    error // what Sync must tell the session
	rested     bool  // ReadyForQuery was the last that was sent

	mu      sync.Mutex
	stop    context.CancelCauseFunc // ends the running statement; nil if none runs
	limits  int                     // grows as a limit of a statement begins, and as it ends
	reading bool                    // the running statement waits for the client
	key     []byte                  // who knows it may cancel; nil before the login
	closing bool
	idle    bool // the loop waits for the client
	woken   bool // there are notifications
	watch   watch
}

func newConn(s *service, nc net.Conn, pid int32) *conn {
	c := &conn{service: s, net: nc, pid: pid, statements: Statements{}, portals: map[string]*portal{}}
	c.in = &inbox{conn: nc, max: s.cfg.MaxMessage}
	c.out = &outbox{w: nc}
	c.proto = pgproto3.NewBackend(c.in, nil)
	return c
}

// serve runs the connection to its end. A panic is a fault of the server's own: it ends this connection and no other.
func (c *conn) serve(ctx context.Context) {
	c.ctx = ctx
	log := c.service.cfg.Log.With("pid", c.pid, "remote", c.net.RemoteAddr().String())
	err := c.guarded(log, func() error {
		if err := c.start(); err != nil {
			return err
		}
		return c.loop()
	})
	var e *sqlerr.Error
	switch {
	case errors.As(err, &e):
		log.Info("connection ended", "code", e.Code, "err", e.Msg)
		c.out.report(e, "")
		_ = c.net.SetWriteDeadline(time.Now().Add(time.Second))
		_ = c.out.flush()
	case err != nil && !errors.Is(err, errNoSession) && !errors.Is(err, io.EOF):
		log.Info("connection ended", "err", err)
	}
	_ = c.net.Close()
	if c.session == nil {
		return
	}
	err = c.guarded(log, func() error {
		c.closePortals()
		return c.session.Close()
	})
	if err != nil {
		log.Error("session did not close", "err", err)
	}
}

// guarded turns a panic of f into a FATAL error.
func (c *conn) guarded(log *slog.Logger, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			log.Error("connection panicked", "panic", p, "stack", string(debug.Stack()))
			err = fatal(sqlerr.Newf(sqlerr.Internal, "internal error: %v", p))
		}
	}()
	return f()
}

// start brings the client to its first ReadyForQuery within the login timeout.
func (c *conn) start() error {
	_ = c.net.SetDeadline(time.Now().Add(c.service.cfg.LoginTimeout))
	st, err := c.handshake()
	if err != nil {
		return err
	}
	if err := c.login(st); err != nil {
		return err
	}
	if err := c.out.flush(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return errShutdown()
	}
	return c.net.SetDeadline(time.Time{})
}

func errShutdown() *sqlerr.Error {
	return fatal(sqlerr.Newf(sqlerr.AdminShutdown, "terminating connection due to administrator command"))
}

// loop serves messages until the client leaves. Its error is why the connection ends, nil if the client said goodbye.
func (c *conn) loop() error {
	for {
		m, err := c.receive()
		var large *tooLarge
		if errors.As(err, &large) {
			err = c.refuse(large)
			if err == nil {
				continue
			}
		}
		if err != nil {
			return c.whyEnded(err)
		}
		if _, ok := m.(*pgproto3.Terminate); ok {
			return nil
		}
		if err := c.serveMessage(m); err != nil {
			return c.whyEnded(err)
		}
	}
}

// decode guards pgproto3: what makes it panic in spite of the inbox is a protocol violation all the same.
func (c *conn) decode() (m pgproto3.FrontendMessage, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = protocolViolation("invalid message format")
		}
		if err != nil && c.in.err == nil && c.in.last == 'F' { // of a NULL argument pgproto3 makes a fault; it is refused anyway
			m, err = &pgproto3.FunctionCall{}, nil
		}
	}()
	return c.decodeUnguarded()
}

func (c *conn) decodeUnguarded() (pgproto3.FrontendMessage, error) {
	m, err := c.proto.Receive()
	if err != nil && c.in.err == nil {
		return nil, protocolViolation("invalid message format") // pgproto3's own finding
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return m, err
}

// whyEnded tells a shutdown, which cuts reads short, from other ends.
func (c *conn) whyEnded(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing && errors.Is(err, os.ErrDeadlineExceeded) {
		return errShutdown()
	}
	return err
}

func (c *conn) serveMessage(m pgproto3.FrontendMessage) error {
	if c.skip {
		if _, ok := m.(*pgproto3.Sync); !ok {
			return nil
		}
	}
	var err error
	switch m := m.(type) {
	case *pgproto3.Query:
		return c.simple(m.String)
	case *pgproto3.Parse:
		err = c.parse(m)
	case *pgproto3.Bind:
		err = c.bind(m)
	case *pgproto3.Describe:
		err = c.describe(m)
	case *pgproto3.Execute:
		err = c.execute(m)
	case *pgproto3.Close:
		c.closeNamed(m)
	case *pgproto3.Flush:
		return c.out.flush()
	case *pgproto3.Sync:
		return c.sync()
	case *pgproto3.FunctionCall:
		return c.refuseCall()
	case *pgproto3.CopyData, *pgproto3.CopyDone, *pgproto3.CopyFail:
		// What a client still sends after its COPY failed.
	default:
		return protocolViolation("unexpected message type 0x%02X", c.in.last)
	}
	if err != nil {
		return c.failExtended(err)
	}
	return nil
}

// refuse answers a message that was too large to be taken.
func (c *conn) refuse(large *tooLarge) error {
	switch {
	case c.skip:
		return nil
	case large.kind == 'Q':
		return c.answerQuery("", func(context.Context) (string, error) { return "", large })
	}
	return c.failExtended(large)
}

// failExtended reports an error at once and skips to the next Sync.
func (c *conn) failExtended(err error) error {
	c.skip = true
	if c.failure == nil {
		c.failure = err
	}
	if e := sqlerr.From(err); e.Severity == sqlerr.SevFatal {
		return e
	}
	c.tell(err, "")
	return c.out.flush()
}

// sync ends what ran since the last Sync and says that all is ready.
func (c *conn) sync() error {
	ctx, end := c.begin()
	err := end(c.session.Sync(ctx, c.failure))
	c.skip, c.failure = false, nil
	c.outlived(c.session.Status() == 'I')
	c.notices("")
	if err != nil {
		c.tell(err, "")
	}
	c.ready()
	return c.out.flush()
}

// refuseCall answers the message that calls a function by its number, which only old large-object libraries send.
func (c *conn) refuseCall() error {
	c.tell(sqlerr.Unsupported("the function call message"), "")
	c.ready()
	return c.out.flush()
}

// tell sends an error and logs what is a fault of the server's own.
func (c *conn) tell(err error, text string) {
	var told *positioned
	if errors.As(err, &told) {
		text = told.text
	}
	e := sqlerr.From(err)
	if e.Code == sqlerr.Internal || e.Code == sqlerr.DataCorrupted {
		c.service.cfg.Log.Error("statement failed", "pid", c.pid, "err", fmt.Sprintf("%+v", err))
	}
	c.notices(text)
	c.out.report(e, text)
}

// positioned is an error whose position counts in a text that is not at hand where it is reported.
type positioned struct {
	err  error
	text string
}

func (p *positioned) Error() string { return p.err.Error() }
func (p *positioned) Unwrap() error { return p.err }

// notices sends what the session has to say.
func (c *conn) notices(text string) {
	for _, n := range c.session.Notices() {
		c.out.report(n, text)
	}
}

// parameters sends the settings that changed and that clients follow.
func (c *conn) parameters() {
	for _, p := range c.session.Parameters() {
		c.out.send(&pgproto3.ParameterStatus{Name: p.Name, Value: p.Value})
	}
}

func (c *conn) ready() {
	c.parameters()
	c.notifications()
	c.rested = true
	c.out.send(&pgproto3.ReadyForQuery{TxStatus: c.session.Status()})
}

// failedBlock is the error of whatever is not allowed in a failed block.
func (c *conn) failedBlock(p Parsed) error {
	if c.session.Status() != 'E' || p.Empty() || p.AllowedInFailed() {
		return nil
	}
	return sqlerr.Newf(sqlerr.FailedTransaction, "current transaction is aborted, commands ignored until end of transaction block")
}

// checkString refuses text that is not UTF-8 or has a NUL.
func checkString(s string) error { return column.CheckText([]byte(s)) }
