package pgwire

import (
	"context"

	"wmsql/column"
)

// prepared is a named or the unnamed prepared statement.
type prepared struct {
	text   string
	parsed Parsed
	st     Statement // nil for an empty statement
}

// portal is a statement bound to its arguments; it begins to run at its first Execute.
type portal struct {
	from    *prepared // nil in a simple query
	st      Statement
	args    []column.Vector
	formats []int16

	ctx  context.Context
	stop context.CancelCauseFunc

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
