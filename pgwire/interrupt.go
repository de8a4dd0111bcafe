package pgwire

import (
	"context"
	"errors"
	"time"

	"wmsql/sqlerr"
)

// begin makes the context of a statement: a cancel request, a client that goes away and a shutdown end it. end takes the statement's error and
// gives the one to report.
func (c *conn) begin() (ctx context.Context, end func(error) error) {
	ctx, stop := context.WithCancelCause(c.ctx)
	resumed := c.resume(ctx, stop)
	return ctx, func(err error) error {
		err = resumed(err)
		stop(nil)
		return err
	}
}

// resume makes ctx, which stop ends, the context of the running statement until end is called.
func (c *conn) resume(ctx context.Context, stop context.CancelCauseFunc) (end func(error) error) {
	c.mu.Lock()
	c.stop = stop
	if c.closing {
		stop(errShutdown())
	}
	c.startWatch()
	c.mu.Unlock()
	return func(err error) error {
		c.stopWatch()
		c.mu.Lock()
		c.stop = nil
		c.mu.Unlock()
		return causeOf(ctx, err)
	}
}

// causeOf replaces the error of a context that ended by why it ended.
func causeOf(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	var why *sqlerr.Error
	if errors.Is(err, context.Canceled) && errors.As(context.Cause(ctx), &why) {
		return why
	}
	return err
}

// interrupt ends the running statement, if one runs.
func (c *conn) interrupt(why *sqlerr.Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end(why)
}

// limit ends the statement that begins now when it has run for as long as it may; the caller calls over when it has ended.
func (c *conn) limit() (over func()) {
	d, why := c.session.StatementTimeout()
	if d == 0 {
		return func() {}
	}
	n := c.nextLimit()
	t := time.AfterFunc(d, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.limits == n {
			c.end(why)
		}
	})
	return func() {
		t.Stop()
		c.nextLimit()
	}
}

func (c *conn) nextLimit() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limits++
	return c.limits
}

// end is interrupt; c.mu is held.
func (c *conn) end(why *sqlerr.Error) {
	if c.stop == nil {
		return
	}
	c.stop(why)
	if c.reading {
		c.cutRead()
	}
}

// Cancel ends the running statement, if one runs, as its user asked.
func (c *conn) Cancel() {
	c.interrupt(sqlerr.Newf(sqlerr.QueryCanceled, "canceling statement due to user request"))
}

// Terminate ends the running statement and the connection: a read that waits for the client is cut short.
func (c *conn) Terminate() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closing = true
	if c.stop != nil {
		c.stop(errShutdown())
	}
	c.cutRead()
}

// cut breaks the connection off.
func (c *conn) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.net.Close()
}

// cutRead makes a read that waits return os.ErrDeadlineExceeded, and all later ones until freeRead. c.mu is held.
func (c *conn) cutRead() { _ = c.net.SetReadDeadline(time.Unix(1, 0)) }

// freeRead lets reads wait again, unless the connection is to end. c.mu is held.
func (c *conn) freeRead() {
	if !c.closing {
		_ = c.net.SetReadDeadline(time.Time{})
	}
}

// setReading says whether the running statement reads from the client, as COPY does: an interrupt then cuts the read.
func (c *conn) setReading(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reading = on
	if !on {
		c.freeRead()
	}
}
