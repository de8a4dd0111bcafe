package pgwire

import (
	"context"

	"wmsql/column"
)

// portal is a statement bound to its arguments; it begins to run at its first Execute.
type portal struct {
	from    *Prepared // nil in a simple query
	st      Statement
	args    []column.Vector
	formats []int16

	ctx  context.Context
	stop context.CancelCauseFunc

	level int64 // what Session.Level was when Bind made it

	res   Result
	batch *column.Batch // rows [next, batch.Rows) have not been sent
	next  int
	done  bool
}

// close frees what the portal holds.
func (p *portal) close() {
	if p.res != nil {
		_ = p.res.Close()
		p.res = nil
	}
	if p.stop != nil {
		p.stop(nil)
	}
	p.batch = nil
}

// dropPortal closes the portal of a name, if there is one.
func (c *conn) dropPortal(name string) {
	if p, ok := c.portals[name]; ok {
		p.close()
		delete(c.portals, name)
	}
}

// closePortals closes all: none outlives its transaction.
func (c *conn) closePortals() {
	for name := range c.portals {
		c.dropPortal(name)
	}
}

// outlived closes the portals that what has just run ended: all with their transaction, and with ROLLBACK TO those that were made after the
// savepoint. In a failed block the others wait for either.
func (c *conn) outlived(over bool) {
	if over {
		c.closePortals()
		return
	}
	from, to := c.session.Undone()
	for name, p := range c.portals {
		if from <= p.level && p.level < to {
			c.dropPortal(name)
		}
	}
}
