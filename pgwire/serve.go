package pgwire

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"wmsql/sqlerr"
)

// Serve takes connections from l until ctx ends, then says goodbye to its clients (57P01), waits for their statements and
// returns nil. It returns an error only when l fails.
func Serve(ctx context.Context, l net.Listener, b Backend, cfg Config) error {
	s := &service{backend: b, cfg: cfg.withDefaults(), conns: map[int32]*conn{}}
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	var failed error
	for pause := time.Duration(0); ; {
		nc, err := l.Accept()
		if err == nil {
			pause = 0
			s.start(ctx, nc)
			continue
		}
		if ctx.Err() != nil || errors.Is(err, net.ErrClosed) {
			if ctx.Err() == nil {
				failed = err
			}
			break
		}
		// Out of file descriptors and the like: others may leave soon.
		pause = min(max(2*pause, 5*time.Millisecond), time.Second)
		s.cfg.Log.Warn("accept failed", "err", err)
		time.Sleep(pause)
	}
	s.shutdown()
	return failed
}

// service is one call of Serve: its connections, and who may cancel what.
type service struct {
	backend Backend
	cfg     Config

	mu       sync.Mutex
	conns    map[int32]*conn // all connections, by PID
	sessions int             // of them, logged in
	lastPID  int32
	closing  bool
	all      sync.WaitGroup
}

// start runs a connection in a goroutine of its own.
func (s *service) start(ctx context.Context, nc net.Conn) {
	if tcp, ok := nc.(*net.TCPConn); ok {
		_ = tcp.SetKeepAlivePeriod(keepAlive)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || len(s.conns)-s.sessions >= loginsMax {
		_ = nc.Close()
		return
	}
	for s.lastPID++; s.lastPID <= 0 || s.conns[s.lastPID] != nil; s.lastPID++ {
		if s.lastPID <= 0 {
			s.lastPID = 0
		}
	}
	c := newConn(s, nc, s.lastPID)
	s.conns[c.pid] = c
	s.all.Go(func() {
		c.serve(context.WithoutCancel(ctx))
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.conns, c.pid)
		if c.counted {
			s.sessions--
		}
	})
}

// admit counts a session in, or refuses it.
func (s *service) admit(c *conn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closing:
		return fatal(sqlerr.Newf(sqlerr.CannotConnectNow, "the database system is shutting down"))
	case s.sessions >= s.cfg.MaxSessions:
		return fatal(sqlerr.Newf(sqlerr.TooManyConnections, "sorry, too many clients already"))
	}
	s.sessions++
	c.counted = true
	return nil
}

// shutdown tells every connection to end, and cuts those that do not within the grace.
func (s *service) shutdown() {
	s.mu.Lock()
	s.closing = true
	for _, c := range s.conns {
		c.Terminate()
	}
	s.mu.Unlock()
	cut := time.AfterFunc(s.cfg.Grace, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, c := range s.conns {
			c.cut()
		}
	})
	defer cut.Stop()
	s.all.Wait()
}

// fatal makes e an error after which the connection ends.
func fatal(e *sqlerr.Error) *sqlerr.Error {
	e.Severity = sqlerr.SevFatal
	return e
}

func protocolViolation(format string, args ...any) *sqlerr.Error {
	return fatal(sqlerr.Newf(sqlerr.ProtocolViolation, format, args...))
}
