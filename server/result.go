package server

import (
	"context"

	"wmsql/column"
	"wmsql/pgwire"
	"wmsql/types"
)

// complete is a result that is all there: a command's tag, and the rows it returns if any.
type complete struct {
	tag   func(rows int64) string
	batch *column.Batch
}

// Next returns the rows, once.
func (c *complete) Next(context.Context) (*column.Batch, error) {
	b := c.batch
	c.batch = nil
	return b, nil
}

// Tag is the command tag.
func (c *complete) Tag(rows int64) string { return c.tag(rows) }

// Close does nothing.
func (c *complete) Close() error { return nil }

func done(tag string) *complete {
	return &complete{tag: func(int64) string { return tag }}
}

func doneRows(tag string, b *column.Batch) *complete {
	return &complete{tag: func(int64) string { return tag }, batch: b}
}

// command is a plan without rows.
type command func(ctx context.Context) (tag string, err error)

func (c command) schema() *types.Schema { return nil }

func (c command) run(ctx context.Context, _ []column.Vector) (pgwire.Result, error) {
	tag, err := c(ctx)
	if err != nil {
		return nil, err
	}
	return done(tag), nil
}

// listing is a plan whose few rows are computed at once: SHOW, DESCRIBE, EXPLAIN.
type listingPlan struct {
	tag    string
	fields *types.Schema
	rows   func(ctx context.Context, args []column.Vector, out *rowSet) error
}

func (l *listingPlan) schema() *types.Schema { return l.fields }

func (l *listingPlan) run(ctx context.Context, args []column.Vector) (pgwire.Result, error) {
	out := newRowSet(l.fields.Fields)
	if err := l.rows(ctx, args, out); err != nil {
		return nil, err
	}
	return doneRows(l.tag, out.batch()), nil
}

// running is a result whose errors are the client's.
type running struct {
	pgwire.Result
	st *statement
}

// Next returns the next rows.
func (r *running) Next(ctx context.Context) (*column.Batch, error) {
	r.st.s.running = ctx
	b, err := r.Result.Next(ctx)
	return b, r.st.translate(ctx, err)
}

// Live reports that Next may wait for what has not happened yet.
func (r *running) Live() bool {
	l, ok := r.Result.(pgwire.Live)
	return ok && l.Live()
}

// unwrap gives pgwire what speaks COPY.
func (r *running) unwrap() pgwire.Result {
	switch res := r.Result.(type) {
	case pgwire.CopyIn:
		return res
	case *copyOut:
		res.Result = &running{Result: res.Result, st: r.st}
		return res
	}
	return r
}
