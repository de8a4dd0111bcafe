package pgwire

import (
	"errors"
	"os"
	"time"

	"github.com/jackc/pgproto3/v2"

	"wmsql/sqlerr"
)

// Notification is what another session, or the same, has said on a channel that this one listens to.
type Notification struct {
	PID              int32 // of the session that said it
	Channel, Payload string
}

// Wake makes an idle connection send the notifications that its session has; one that is busy sends them before it is ready again.
func (c *conn) Wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.woken = true
	if c.idle {
		c.cutRead()
	}
}

// receive flushes, so that the client never waits for what lies here, and reads a message. Meanwhile notifications go out, and the time
// runs that the session may be idle.
func (c *conn) receive() (pgproto3.FrontendMessage, error) {
	if !c.in.buffered() {
		if err := c.out.flush(); err != nil {
			return nil, err
		}
	}
	if !c.rested {
		return c.decode()
	}
	timeout, why := c.session.IdleTimeout()
	for {
		c.rest(timeout)
		m, err := c.decode()
		woken := c.rise(timeout > 0)
		switch {
		case !errors.Is(err, os.ErrDeadlineExceeded):
			c.rested = false
			return m, err
		case woken:
			c.notifications()
			if err := c.out.flush(); err != nil {
				return nil, err
			}
		case timeout > 0:
			return nil, c.whyIdle(err, why)
		default:
			return nil, err
		}
	}
}

// whyIdle tells a session that was idle for too long from one that is shut down.
func (c *conn) whyIdle(err error, why *sqlerr.Error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return err
	}
	return fatal(why)
}

// rest lets the next read wait for the client, be woken, and with a timeout end.
func (c *conn) rest(timeout time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = true
	switch {
	case c.closing: // the read is cut already
	case c.woken:
		c.cutRead()
	case timeout > 0:
		_ = c.net.SetReadDeadline(time.Now().Add(timeout))
	}
}

// rise ends rest and reports whether somebody woke the connection.
func (c *conn) rise(timed bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	woken := c.woken && !c.closing
	c.idle, c.woken = false, false
	if woken || timed {
		c.freeRead()
	}
	return woken
}

// notifications sends what the session has been told.
func (c *conn) notifications() {
	for _, n := range c.session.Notifications() {
		c.out.send(&pgproto3.NotificationResponse{PID: uint32(n.PID), Channel: n.Channel, Payload: n.Payload})
	}
}
