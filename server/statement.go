package server

import (
	"context"
	"errors"
	"slices"
	"time"

	"wmsql/column"
	"wmsql/pgwire"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// plan is a resolved statement: what it returns, and how to run it. The session's transaction has begun when
// run is called.
type plan interface {
	schema() *types.Schema // nil if it returns no rows
	run(ctx context.Context, args []column.Vector) (pgwire.Result, error)
}

// statement is a plan with what it was made under, so that it can be made again.
type statement struct {
	s       *Session
	stmt    sql.Stmt
	text    string
	given   []types.Type // as the client declared them
	params  []types.Type
	plan    plan
	version uint64
	path    []string
}

// Prepare resolves one statement.
func (s *Session) Prepare(ctx context.Context, p pgwire.Parsed, params []types.Type) (pgwire.Statement, error) {
	if s.failed && !p.AllowedInFailed() {
		return nil, errFailedBlock()
	}
	own, ok := p.(parsed)
	if !ok {
		panic("server: a statement of another parser")
	}
	return s.prepare(ctx, own.Stmt, own.Text, params)
}

func errFailedBlock() error {
	return sqlerr.Newf(sqlerr.FailedTransaction, "current transaction is aborted, commands ignored until end of transaction block")
}

func (s *Session) prepare(ctx context.Context, stmt sql.Stmt, text string, params []types.Type) (*statement, error) {
	st := &statement{s: s, stmt: stmt, text: text, given: params}
	if err := st.resolve(ctx); err != nil {
		return nil, s.translate(ctx, err)
	}
	return st, nil
}

// resolve makes the plan under the catalog of now.
func (st *statement) resolve(ctx context.Context) error {
	st.params = slices.Clone(st.given)
	st.version, st.path = st.s.snapshot().Version, st.s.path()
	var err error
	st.plan, err = st.s.plan(ctx, st.stmt, st.text, &st.params)
	return err
}

// Params are the types of $1, $2, ...
func (st *statement) Params() []types.Type { return st.params }

// Schema is the row type of the result, nil if there are no rows.
func (st *statement) Schema() *types.Schema { return st.plan.schema() }

// Run starts the statement.
func (st *statement) Run(ctx context.Context, args []column.Vector) (pgwire.Result, error) {
	s := st.s
	if s.failed && !(parsed{sql.Parsed{Stmt: st.stmt}}).AllowedInFailed() {
		return nil, errFailedBlock()
	}
	s.start()
	s.stmtTime = s.srv.now()
	s.begins(st.text)
	var deadline time.Time
	if d := s.millis("statement_timeout"); d > 0 {
		deadline = time.Now().Add(d) // real time: a client waits for it
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadlineCause(ctx, deadline, errStatementTimeout)
		defer cancel()
	}
	s.running = ctx
	res, err := st.execute(ctx, args)
	if err != nil {
		return nil, s.translate(ctx, err)
	}
	return (&running{Result: res, s: s, deadline: deadline}).unwrap(), nil
}

func (st *statement) execute(ctx context.Context, args []column.Vector) (pgwire.Result, error) {
	if err := st.refresh(ctx); err != nil {
		return nil, err
	}
	res, err := st.plan.run(ctx, args)
	if err != nil {
		return nil, err
	}
	if done, ok := res.(*complete); ok && st.s.alone() {
		// Nothing is left to do: the commit's error, if any, is the statement's.
		if err := st.s.commit(ctx); err != nil {
			return nil, err
		}
		return done, nil
	}
	return res, nil
}

// refresh plans again when the catalog or the search path changed since.
func (st *statement) refresh(ctx context.Context) error {
	if st.version == st.s.snapshot().Version && slices.Equal(st.path, st.s.path()) && !st.s.snapshotIsOwn() {
		return nil
	}
	before := st.plan.schema()
	if err := st.resolve(ctx); err != nil {
		return err
	}
	after := st.plan.schema()
	if (before == nil) != (after == nil) || before != nil && !slices.Equal(before.Fields, after.Fields) {
		return sqlerr.Newf(sqlerr.FeatureNotSupported, "cached plan must not change result type")
	}
	return nil
}

// snapshotIsOwn reports that the transaction changed the catalog, whose version says nothing then.
func (s *Session) snapshotIsOwn() bool { return s.tx != nil && s.tx.edit != nil }

// alone reports that the statement is a transaction of its own.
func (s *Session) alone() bool { return s.sequence == 1 && !s.block && s.tx != nil }

var (
	errStatementTimeout = errors.New("statement timeout")
	errLockTimeout      = errors.New("lock timeout")
)

// translate makes of an error what the client is told.
func (s *Session) translate(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var e *sqlerr.Error
	switch {
	case errors.Is(err, errStatementTimeout),
		errors.Is(err, context.DeadlineExceeded) && errors.Is(context.Cause(ctx), errStatementTimeout):
		return sqlerr.Newf(sqlerr.QueryCanceled, "canceling statement due to statement timeout")
	case errors.Is(err, errLockTimeout):
		return sqlerr.Newf(sqlerr.LockNotAvailable, "canceling statement due to lock timeout")
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled) && errors.As(context.Cause(ctx), &e):
		return e
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return sqlerr.Newf(sqlerr.QueryCanceled, "canceling statement due to user request")
	}
	return sqlerr.From(err)
}
