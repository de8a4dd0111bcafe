package pgwire

import (
	"time"

	"wmsql/sqlerr"
)

// watchAfter is how long a statement runs before its client is watched, and at most twice that: most end sooner.
const watchAfter = 200 * time.Millisecond

// watch has somebody read ahead from the client of a statement that has run for a while: a client that went away ends it. A busy connection
// runs ten thousand statements a second, for which a timer each is dear: instead one timer comes back, as long as there are statements, to see
// whether the one that it has seen still runs. conn.mu guards it.
type watch struct {
	on    bool          // a statement runs that is to be watched
	count int64         // of those so far
	timed bool          // look will come
	seen  int64         // the statement that look found, or will find
	ended chan struct{} // closed when the reading has ended; nil: nobody reads
}

// startWatch has the client watched from now on. Until stopWatch nothing else may read. c.mu is held.
func (c *conn) startWatch() {
	w := &c.watch
	w.on = true
	w.count++
	if !w.timed {
		w.timed, w.seen = true, w.count
		time.AfterFunc(watchAfter, c.look)
	}
}

// look watches the client if the statement that was seen last still runs.
func (c *conn) look() {
	c.mu.Lock()
	w := &c.watch
	if w.on && w.seen != w.count {
		w.seen = w.count
		time.AfterFunc(watchAfter, c.look)
		c.mu.Unlock()
		return
	}
	w.timed = false
	if !w.on {
		c.mu.Unlock()
		return
	}
	stop, ended := c.stop, make(chan struct{})
	w.ended = ended
	c.mu.Unlock()
	defer close(ended)
	if err := c.in.watch(); err != nil {
		stop(sqlerr.Newf(sqlerr.ConnectionFailure, "connection to client lost"))
	}
}

// stopWatch ends what startWatch began.
func (c *conn) stopWatch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	ended := c.watch.ended
	c.watch.on, c.watch.ended = false, nil
	if ended == nil {
		return
	}
	c.cutRead()
	c.mu.Unlock()
	<-ended
	c.mu.Lock()
	c.freeRead()
}
