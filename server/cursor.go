package server

import (
	"context"

	"wmsql/column"
	"wmsql/pgwire"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// cursor is a query that is read piece by piece. A plain cursor reads forward from the running query; one that
// may scroll, or outlives its transaction, has its whole result at hand.
type cursor struct {
	name   string
	out    *types.Schema
	text   string // of DECLARE
	at     types.MicroTime
	hold   bool
	scroll bool
	binary bool

	live    pgwire.Result // nil once all is stored
	follows bool          // live is a subscription, which has no end
	pending *column.Batch // of live, from row offset on
	offset  int
	stored  *column.Batch
	pos     int // of stored: 0 is before the first row, Rows+1 behind the last
}

func (c *cursor) close() {
	if c.live != nil {
		_ = c.live.Close() // only read from
		c.live = nil
	}
}

// store reads what is left of the running query.
func (c *cursor) store(ctx context.Context) error {
	if c.live == nil {
		return nil
	}
	rows, err := collect(ctx, c.live)
	if err != nil {
		return err
	}
	if c.pending != nil {
		rows = append([]*column.Batch{c.pending.Slice(c.offset, c.pending.Rows)}, rows...)
		c.pending = nil
	}
	c.stored = &column.Batch{Schema: c.out, Cols: emptyColumns(c.out)}
	if len(rows) > 0 {
		c.stored = column.Concat(c.out, rows)
	}
	c.close()
	return nil
}

func emptyColumns(s *types.Schema) []column.Vector {
	return column.BuildBatch(s, column.NewBuilders(s, 0)).Cols
}

func (s *Session) planDeclare(n *sql.DeclareCursor, text string, params *[]types.Type) (plan, error) {
	if n.Subscribe != nil {
		return s.planDeclareSubscribe(n, text)
	}
	p, err := s.planSelect(n.Query, params)
	switch {
	case err != nil:
		return nil, err
	case len(p.changes) > 0:
		return nil, sqlerr.Newf(sqlerr.FeatureNotSupported, "DECLARE CURSOR must not contain data-modifying statements in WITH")
	}
	return &declarePlan{s: s, n: n, text: text, query: p}, nil
}

type declarePlan struct {
	s     *Session
	n     *sql.DeclareCursor
	text  string
	query rowsPlan
}

func (p *declarePlan) schema() *types.Schema { return nil }

func (p *declarePlan) run(ctx context.Context, args []column.Vector) (pgwire.Result, error) {
	s, n := p.s, p.n
	if !n.Hold {
		if err := s.needBlock("DECLARE CURSOR"); err != nil {
			return nil, err
		}
	}
	if s.cursor(n.Name) != nil {
		return nil, sqlerr.Newf(sqlerr.DuplicateCursor, "cursor %q already exists", n.Name)
	}
	r, err := p.query.open(ctx, args)
	if err != nil {
		return nil, err
	}
	c := &cursor{
		name: n.Name, text: p.text, at: types.TimeOf(s.stmtTime), out: p.query.schema(), hold: n.Hold, scroll: n.Scroll == "scroll", binary: n.Binary, live: r, follows: n.Subscribe != nil,
	}
	if c.scroll {
		if err := c.store(ctx); err != nil {
			c.close()
			return nil, err
		}
	}
	if s.tx.cursors == nil {
		s.tx.cursors = map[string]*cursor{}
	}
	s.tx.cursors[n.Name] = c
	return done("DECLARE CURSOR"), nil
}

func (s *Session) cursor(name string) *cursor {
	if s.tx != nil {
		if c := s.tx.cursors[name]; c != nil {
			return c
		}
	}
	return s.held[name]
}

// Cursor returns the columns of a cursor, nil if there is none.
func (s *Session) Cursor(name string) *types.Schema {
	if c := s.cursor(name); c != nil {
		return c.out
	}
	return nil
}

// CloseCursor closes a cursor, if there is one.
func (s *Session) CloseCursor(name string) {
	if c := s.cursor(name); c != nil {
		s.dropCursor(c)
	}
}

func (s *Session) dropCursor(c *cursor) {
	c.close()
	if s.tx != nil {
		delete(s.tx.cursors, c.name)
	}
	delete(s.held, c.name)
}

// holdCursors keeps the cursors WITH HOLD of a transaction that is about to commit.
func (s *Session) holdCursors(ctx context.Context, t *tx) error {
	for name, c := range t.cursors {
		if !c.hold {
			continue
		}
		if err := c.store(ctx); err != nil {
			return err
		}
		s.held[name] = c
		delete(t.cursors, name)
	}
	return nil
}

func noCursor(name string) error {
	return sqlerr.Newf(sqlerr.InvalidCursorName, "cursor %q does not exist", name)
}

func (s *Session) closeCursor(n *sql.CloseCursor) (string, error) {
	if n.Name == "" {
		for _, c := range s.tx.cursors {
			c.close()
		}
		for _, c := range s.held {
			c.close()
		}
		clear(s.tx.cursors)
		clear(s.held)
		return "CLOSE CURSOR ALL", nil
	}
	c := s.cursor(n.Name)
	if c == nil {
		return "", noCursor(n.Name)
	}
	s.dropCursor(c)
	return "CLOSE CURSOR", nil
}

// next reads up to count rows of the running query, or with count -1 what comes at once; nil at its end. They are valid until the next call.
func (c *cursor) next(ctx context.Context, count int64) (*column.Batch, error) {
	if c.live == nil {
		return nil, nil
	}
	if c.pending == nil || c.offset == c.pending.Rows {
		b, err := c.live.Next(ctx)
		if err != nil || b == nil {
			return nil, err
		}
		c.pending, c.offset = b, 0
	}
	n := c.pending.Rows - c.offset
	if count >= 0 {
		n = int(min(int64(n), count))
	}
	c.offset += n
	return c.pending.Slice(c.offset-n, c.offset), nil
}

// skip passes up to count rows of the running query, -1: all, and returns how many there were.
func (c *cursor) skip(ctx context.Context, count int64) (rows int64, err error) {
	for rows != count {
		left := int64(-1)
		if count >= 0 {
			left = count - rows
		}
		b, err := c.next(ctx, left)
		if b == nil || err != nil {
			return rows, err
		}
		rows += int64(b.Rows)
	}
	return rows, nil
}

// fetchStored moves over the stored result as Postgres's cursors move.
func (c *cursor) fetchStored(n *sql.Fetch) *column.Batch {
	rows := c.stored.Rows
	count := int(min(max(n.Count, -int64(rows)-1), int64(rows)+1))
	if n.All {
		count = rows + 1
	}
	switch n.Direction {
	case "next":
		return c.span(1)
	case "prior":
		return c.span(-1)
	case "first":
		return c.jump(1)
	case "last":
		return c.jump(rows)
	case "absolute":
		if count < 0 {
			count = rows + 1 + count
		}
		return c.jump(count)
	case "relative":
		return c.jump(c.pos + count)
	case "backward":
		return c.span(-count)
	}
	return c.span(count)
}

// jump puts the cursor on a row and returns it, nil outside of the result.
func (c *cursor) jump(to int) *column.Batch {
	c.pos = min(max(to, 0), c.stored.Rows+1)
	if c.pos == 0 || c.pos > c.stored.Rows {
		return nil
	}
	return c.stored.Slice(c.pos-1, c.pos)
}

// span moves by n rows, backward when negative, and returns those passed; 0 returns the present one.
func (c *cursor) span(n int) *column.Batch {
	if n == 0 {
		return c.jump(c.pos)
	}
	var idx []int32
	for step := 0; step < max(n, -n); step++ {
		if n > 0 {
			c.pos++
		} else {
			c.pos--
		}
		if c.pos < 1 || c.pos > c.stored.Rows {
			c.pos = min(max(c.pos, 0), c.stored.Rows+1)
			break
		}
		idx = append(idx, int32(c.pos-1))
	}
	if idx == nil {
		return nil
	}
	return c.stored.Take(idx)
}
