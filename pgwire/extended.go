package pgwire

import (
	"context"

	"github.com/jackc/pgproto3/v2"

	"wmsql/sqlerr"
	"wmsql/types"
)

// parse makes a prepared statement.
func (c *conn) parse(m *pgproto3.Parse) error {
	if err := checkString(m.Query); err != nil {
		return err
	}
	if m.Name == "" {
		delete(c.statements, "")
	} else if c.statements[m.Name] != nil {
		return sqlerr.Newf(sqlerr.DuplicateStatement, "prepared statement \"%s\" already exists", m.Name)
	}
	p, err := c.prepare(m)
	if err != nil {
		return &positioned{err, m.Query}
	}
	c.statements[m.Name] = p
	c.out.send(&pgproto3.ParseComplete{})
	return nil
}

func (c *conn) prepare(m *pgproto3.Parse) (*Prepared, error) {
	list, err := c.session.Parse(m.Query)
	c.notices(m.Query)
	if err != nil {
		return nil, err
	}
	p := &Prepared{Text: m.Query}
	for _, q := range list {
		switch {
		case q.Empty():
		case p.Parsed != nil:
			return nil, sqlerr.Newf(sqlerr.SyntaxError, "cannot insert multiple commands into a prepared statement")
		default:
			p.Parsed = q
		}
	}
	if p.Parsed == nil {
		return p, nil
	}
	if err := c.failedBlock(p.Parsed); err != nil {
		return nil, err
	}
	params, err := paramTypes(m.ParameterOIDs)
	if err != nil {
		return nil, err
	}
	ctx, end := c.begin()
	p.Statement, err = c.session.Prepare(ctx, p.Parsed, params)
	err = end(err)
	c.notices(m.Query)
	return p, err
}

func paramTypes(oids []uint32) ([]types.Type, error) {
	out := make([]types.Type, len(oids))
	for k, oid := range oids {
		if oid == 0 {
			out[k] = types.Of(types.Unknown)
			continue
		}
		t, ok := types.ByOID(oid)
		if !ok {
			return nil, sqlerr.Newf(sqlerr.UndefinedObject, "type with OID %d of parameter $%d does not exist", oid, k+1)
		}
		out[k] = t
	}
	return out, nil
}

func (c *conn) statement(name string) (*Prepared, error) {
	p := c.statements[name]
	switch {
	case p != nil:
		return p, nil
	case name == "":
		return nil, sqlerr.Newf(sqlerr.InvalidStatementName, "unnamed prepared statement does not exist")
	}
	return nil, sqlerr.Newf(sqlerr.InvalidStatementName, "prepared statement \"%s\" does not exist", name)
}

// bind makes a portal of a prepared statement and values for its parameters.
func (c *conn) bind(m *pgproto3.Bind) error {
	from, err := c.statement(m.PreparedStatement)
	if err != nil {
		return err
	}
	p := &portal{from: from, st: from.Statement, formats: m.ResultFormatCodes, done: from.Statement == nil}
	if from.Parsed != nil {
		if err := c.failedBlock(from.Parsed); err != nil {
			return err
		}
	}
	if m.DestinationPortal == "" {
		c.dropPortal("")
	} else if c.portals[m.DestinationPortal] != nil {
		return sqlerr.Newf(sqlerr.DuplicateCursor, "cursor \"%s\" already exists", m.DestinationPortal)
	}
	if p.args, err = c.arguments(m, from); err != nil {
		return &positioned{err, from.Text}
	}
	if err := p.checkFormats(); err != nil {
		return err
	}
	p.ctx, p.stop = context.WithCancelCause(c.ctx)
	p.level = c.session.Level()
	c.portals[m.DestinationPortal] = p
	c.out.send(&pgproto3.BindComplete{})
	return nil
}

func (p *portal) checkFormats() error {
	for _, f := range p.formats {
		if f != formatText && f != formatBinary {
			return sqlerr.Newf(sqlerr.InvalidParameterValue, "unsupported format code: %d", f)
		}
	}
	cols := 0
	if p.st != nil && p.st.Schema() != nil {
		cols = len(p.st.Schema().Fields)
	}
	if n := len(p.formats); n > 1 && n != cols {
		return sqlerr.Newf(sqlerr.ProtocolViolation, "bind message has %d result formats but query has %d columns", n, cols)
	}
	return nil
}

// describe tells the types of a statement's parameters and columns, or of a portal's columns.
func (c *conn) describe(m *pgproto3.Describe) error {
	if m.ObjectType == 'P' {
		if cursor := c.cursor(m.Name); cursor != nil {
			c.rowDescription(cursor, nil)
			return nil
		}
		p, err := c.portal(m.Name)
		if err != nil {
			return err
		}
		return c.describeColumns(p.from, p.formats)
	}
	p, err := c.statement(m.Name)
	if err != nil {
		return err
	}
	if p.Statement != nil && p.Statement.Schema() != nil {
		if err := c.failedBlock(p.Parsed); err != nil {
			return err
		}
	}
	d := &pgproto3.ParameterDescription{}
	if p.Statement != nil {
		for _, t := range p.Statement.Params() {
			if t.Kind == types.Unknown {
				t = types.Of(types.Text)
			}
			d.ParameterOIDs = append(d.ParameterOIDs, t.OID())
		}
	}
	c.out.send(d)
	return c.describeColumns(p, nil)
}

func (c *conn) describeColumns(p *Prepared, formats []int16) error {
	if p.Statement == nil || p.Statement.Schema() == nil {
		c.out.send(&pgproto3.NoData{})
		return nil
	}
	if err := c.failedBlock(p.Parsed); err != nil {
		return err
	}
	c.rowDescription(p.Statement.Schema(), formats)
	return nil
}

// cursor returns the columns of the cursor that DECLARE gave a name to, nil if there is none or a portal of Bind has it.
func (c *conn) cursor(name string) *types.Schema {
	if c.portals[name] != nil {
		return nil
	}
	return c.session.Cursor(name)
}

func (c *conn) portal(name string) (*portal, error) {
	if p := c.portals[name]; p != nil {
		return p, nil
	}
	return nil, sqlerr.Newf(sqlerr.InvalidCursorName, "portal \"%s\" does not exist", name)
}

// closeNamed forgets a statement or a portal; it is no error if there is none.
func (c *conn) closeNamed(m *pgproto3.Close) {
	if m.ObjectType == 'P' {
		if c.cursor(m.Name) != nil {
			c.session.CloseCursor(m.Name)
		}
		c.dropPortal(m.Name)
	} else {
		delete(c.statements, m.Name)
	}
	c.out.send(&pgproto3.CloseComplete{})
}

// execute runs a portal, or goes on with it where its row limit stopped it.
func (c *conn) execute(m *pgproto3.Execute) error {
	if c.cursor(m.Portal) != nil {
		return sqlerr.Unsupported("executing the cursor \"%s\" by the protocol", m.Portal).WithHint("FETCH reads from a cursor that DECLARE made.")
	}
	p, err := c.portal(m.Portal)
	if err != nil {
		return err
	}
	if p.st == nil {
		c.out.send(&pgproto3.EmptyQueryResponse{})
		return nil
	}
	if err := c.failedBlock(p.from.Parsed); err != nil {
		return err
	}
	if p.done && (p.st.Schema() == nil || p.res == nil) {
		return sqlerr.Newf(sqlerr.ObjectNotReady, "portal \"%s\" cannot be run", m.Portal)
	}
	before := c.session.Ended()
	end := c.resume(p.ctx, p.stop)
	over := c.limit()
	err = c.runPortal(p, rowLimit(m.MaxRows))
	over()
	err = end(err)
	if err != nil {
		p.close()
		p.done = true
		return &positioned{err, p.from.Text}
	}
	c.outlived(c.session.Ended() != before)
	return nil
}

// rowLimit reads Execute's limit, where 0 and, as Postgres has it, negative numbers are none.
func rowLimit(n uint32) int { return max(int(int32(n)), 0) }

func (c *conn) runPortal(p *portal, limit int) (err error) {
	text := p.from.Text
	if p.done {
		return c.complete(p, 0, text)
	}
	if p.res == nil {
		p.res, err = p.st.Run(p.ctx, p.args)
		c.notices(text)
		if err != nil {
			return err
		}
	}
	switch res := p.res.(type) {
	case CopyIn:
		tag, err := c.copyIn(p.ctx, res)
		return c.finishCopy(p, tag, err, text)
	case CopyOut:
		tag, err := c.copyOut(p.ctx, res, text)
		return c.finishCopy(p, tag, err, text)
	}
	if p.st.Schema() == nil {
		limit = 0
	}
	rows, all, err := c.sendRows(p.ctx, p, limit, text)
	if err != nil {
		return err
	}
	if !all {
		c.out.send(&pgproto3.PortalSuspended{})
		return nil
	}
	p.done = true
	return c.complete(p, rows, text)
}

// complete sends the command tag. A portal that is done keeps its result for the tag of later Executes.
func (c *conn) complete(p *portal, rows int64, text string) error {
	tag := p.res.Tag(rows)
	c.notices(text)
	c.out.send(&pgproto3.CommandComplete{CommandTag: []byte(tag)})
	return nil
}

func (c *conn) finishCopy(p *portal, tag string, err error, text string) error {
	if err != nil {
		return err
	}
	p.done = true
	c.notices(text)
	c.out.send(&pgproto3.CommandComplete{CommandTag: []byte(tag)})
	return nil
}
