package server

import (
	"context"
	"errors"
	"strings"
	"time"

	"wmsql/column"
	"wmsql/pgwire"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// fetchPlan is FETCH or MOVE.
type fetchPlan struct {
	s       *Session
	n       *sql.Fetch
	out     *types.Schema // nil of MOVE
	binary  bool
	timeout time.Duration // how long to wait for rows of a subscription; negative: for the first one, and no longer
}

func (s *Session) planFetch(n *sql.Fetch) (plan, error) {
	c := s.cursor(n.Cursor)
	if c == nil {
		return nil, noCursor(n.Cursor)
	}
	p := &fetchPlan{s: s, n: n, binary: c.binary, timeout: -1}
	for _, o := range n.Options {
		if !strings.EqualFold(o.Name, "timeout") {
			return nil, sqlerr.Newf(sqlerr.SyntaxError, "option %q not recognized", o.Name).At(int(o.Pos))
		}
		v, err := types.ParseInterval(o.Value, types.NoMod)
		if err != nil {
			return nil, sqlerr.From(err).At(int(o.Pos))
		}
		us, err := types.AddInterval(0, v)
		if err != nil || us < 0 {
			return nil, sqlerr.Newf(sqlerr.InvalidParameterValue, "timeout must not be negative").At(int(o.Pos))
		}
		p.timeout = time.Duration(us) * time.Microsecond
	}
	if !n.Move {
		p.out = c.out
	}
	return p, nil
}

func (p *fetchPlan) schema() *types.Schema { return p.out }

func (p *fetchPlan) run(ctx context.Context, _ []column.Vector) (pgwire.Result, error) {
	c := p.s.cursor(p.n.Cursor)
	switch {
	case c == nil:
		return nil, noCursor(p.n.Cursor)
	case c.live == nil && c.stored != nil:
		return p.stored(c.fetchStored(p.n)), nil
	}
	count, err := p.ahead(ctx, c)
	if err != nil {
		return nil, err
	}
	f := &fetching{c: c, left: count, timed: p.timeout >= 0}
	if f.timed {
		f.due = time.Now().Add(p.timeout) // real time: a client waits for it
	}
	if !p.n.Move {
		return f, nil
	}
	rows, err := f.skip(ctx)
	if err != nil {
		return nil, err
	}
	return done(queryTag("MOVE", rows)), nil
}

// stored is the answer from a result that is all there.
func (p *fetchPlan) stored(b *column.Batch) pgwire.Result {
	if !p.n.Move {
		return &complete{tag: tagRows("FETCH"), batch: b}
	}
	rows := int64(0)
	if b != nil {
		rows = int64(b.Rows)
	}
	return done(queryTag("MOVE", rows))
}

// ahead says how many rows of a running query to read, -1: all, and passes those that FETCH RELATIVE leaves out.
func (p *fetchPlan) ahead(ctx context.Context, c *cursor) (int64, error) {
	count := p.n.Count
	switch p.n.Direction {
	case "next":
		count = 1
	case "forward":
		if p.n.All {
			return -1, nil
		}
	case "relative":
		if count > 0 {
			_, err := c.skip(ctx, count-1)
			return 1, err
		}
	default:
		return 0, errForwardOnly()
	}
	if count <= 0 {
		return 0, errForwardOnly()
	}
	return count, nil
}

func errForwardOnly() error {
	return sqlerr.Newf(sqlerr.ObjectNotReady, "cursor can only scan forward").
		WithHint("Declare it with SCROLL option to enable backward scan.")
}

// fetching hands out the rows of a FETCH from a running query as they come. From a subscription it returns what is there: it waits for
// all that were asked for until a timeout, or without one for the first row.
type fetching struct {
	c     *cursor
	left  int64 // -1: all
	timed bool
	due   time.Time
	got   bool // some rows were returned
}

var errFetchDue = errors.New("the timeout of FETCH has passed")

// Next returns the next rows.
func (f *fetching) Next(ctx context.Context) (*column.Batch, error) {
	if f.left == 0 {
		return nil, nil
	}
	if f.c.follows && (f.timed || f.got) {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadlineCause(ctx, f.due, errFetchDue) // due is long ago for what was not timed
		defer cancel()
	}
	b, err := f.c.next(ctx, f.left)
	if errors.Is(err, context.DeadlineExceeded) && errors.Is(context.Cause(ctx), errFetchDue) {
		f.left = 0
		return nil, nil
	}
	if b != nil {
		f.got = true
		if f.left > 0 {
			f.left -= int64(b.Rows)
		}
	}
	return b, err
}

// skip passes the rows.
func (f *fetching) skip(ctx context.Context) (rows int64, err error) {
	for {
		b, err := f.Next(ctx)
		if b == nil || err != nil {
			return rows, err
		}
		rows += int64(b.Rows)
	}
}

// Live reports that rows are waited for that are not there yet.
func (f *fetching) Live() bool { return f.c.follows }

// Tag is the command tag.
func (f *fetching) Tag(rows int64) string { return tagRows("FETCH")(rows) }

// Close leaves the cursor where it is.
func (f *fetching) Close() error { return nil }
