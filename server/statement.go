package server

import (
	"context"
	"errors"
	"slices"

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
	s     *Session
	stmt  sql.Stmt
	text  string
	given []types.Type // as the client declared them
	at    types.MicroTime
	said  string // the text of the PREPARE that made it; "" of others
	resolved
	filled *filled // nil: the plan is that of the text itself
}

// resolved is what comes of resolving a statement.
type resolved struct {
	params []types.Type
	plan   plan
	under  conditions
}

// conditions are what a plan holds under: the catalog, the settings (the search path and the time zone are among them), and the schema of
// temporary relations.
type conditions struct {
	catalog, settings uint64
	temporary         string
	changing          bool // the transaction has changed the catalog, and may change it again: the plan is good for once
}

func (s *Session) conditions() conditions {
	return conditions{s.snapshot().Version, s.vars.version, s.temporary, s.tx != nil && s.tx.edit != nil}
}

// Prepare resolves one statement.
func (s *Session) Prepare(ctx context.Context, p pgwire.Parsed, params []types.Type) (pgwire.Statement, error) {
	if s.failed && !p.AllowedInFailed() {
		return nil, errFailedBlock()
	}
	own, ok := p.(*parsed)
	if !ok {
		panic("server: a statement of another parser")
	}
	if st := own.again(params); st != nil {
		return st, nil
	}
	if err := own.parse(); err != nil {
		return nil, err
	}
	st, err := s.prepare(ctx, own.Stmt, own.Text, params)
	if err != nil {
		return nil, err
	}
	s.remember(own, st)
	return st, nil
}

func errFailedBlock() error {
	return sqlerr.Newf(sqlerr.FailedTransaction, "current transaction is aborted, commands ignored until end of transaction block")
}

func (s *Session) prepare(ctx context.Context, stmt sql.Stmt, text string, params []types.Type) (*statement, error) {
	st := &statement{s: s, stmt: stmt, text: withoutSecret(stmt, text), given: params, at: types.TimeOf(s.srv.now())}
	var err error
	if st.resolved, err = st.resolve(ctx, params); err != nil {
		return nil, s.translate(ctx, err)
	}
	return st, nil
}

// resolve makes the plan under the conditions of now. params are the types of parameters that are known.
func (st *statement) resolve(ctx context.Context, params []types.Type) (resolved, error) {
	r := resolved{params: slices.Clone(params), under: st.s.conditions()}
	var err error
	r.plan, err = st.s.plan(ctx, st.stmt, st.text, &r.params)
	if e, ok := r.plan.(*executePlan); ok && err == nil {
		err = e.ends(st)
	}
	return r, err
}

// current reports that the plan is what resolve would make.
func (st *statement) current() bool { return !st.under.changing && st.under == st.s.conditions() }

// Params are the types of $1, $2, ...
func (st *statement) Params() []types.Type { return st.params }

// Schema is the row type of the result, nil if there are no rows.
func (st *statement) Schema() *types.Schema { return st.plan.schema() }

// Binary reports that the rows are of a cursor that was declared to be binary.
func (st *statement) Binary() bool {
	f, ok := st.plan.(*fetchPlan)
	return ok && f.binary
}

// Run starts the statement.
func (st *statement) Run(ctx context.Context, args []column.Vector) (pgwire.Result, error) {
	s := st.s
	if s.failed && !allowedInFailed(st.stmt) {
		return nil, errFailedBlock()
	}
	t := s.start()
	t.detach()
	t.lockWait = s.vars.often.lockTimeout // which may have been set within the transaction
	t.queried = t.queried || looksAtRows(st.stmt)
	s.stmtTime = s.srv.now()
	s.begins(st.text)
	s.running = ctx
	res, err := st.execute(ctx, args)
	if err != nil {
		return nil, st.translate(ctx, err)
	}
	return (&running{Result: res, st: st}).unwrap(), nil
}

func (st *statement) execute(ctx context.Context, args []column.Vector) (pgwire.Result, error) {
	res, err := st.run(ctx, args)
	for tries := 0; err != nil && tries < replansMax && st.outdated(err); tries++ {
		res, err = st.run(ctx, args)
	}
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

// replansMax bounds how often one execution is planned anew because of other sessions' ALTER TABLE.
const replansMax = 10

func (st *statement) run(ctx context.Context, args []column.Vector) (pgwire.Result, error) {
	if err := st.refresh(ctx); err != nil {
		return nil, err
	}
	if st.filled != nil {
		args = st.filled.values
	}
	return st.plan.run(ctx, args)
}

// outdated reports that a statement failed because another session changed a table between its planning and its first look at the rows, and
// that a plan of now would read them.
func (st *statement) outdated(err error) bool {
	if sqlerr.From(err).Code != sqlerr.SerializationFailure {
		return false
	}
	st.s.srv.ddl.RLock() // a change that is stored is in the catalog once its commit is over
	defer st.s.srv.ddl.RUnlock()
	return !st.current()
}

// refresh plans again when the plan may not hold any more. What types the parameters and the columns have the client knows already.
func (st *statement) refresh(ctx context.Context) error {
	if st.current() {
		return nil
	}
	if err := st.unfill(); err != nil {
		return err
	}
	fresh, err := st.resolve(ctx, st.params)
	if err != nil {
		return err
	}
	if !sameRows(st.plan.schema(), fresh.plan.schema()) {
		return sqlerr.Newf(sqlerr.FeatureNotSupported, "cached plan must not change result type")
	}
	st.resolved = fresh
	return nil
}

// sameRows reports whether rows of a and b have columns of the same names and types.
func sameRows(a, b *types.Schema) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.EqualFunc(a.Fields, b.Fields, func(x, y types.Field) bool { return x.Name == y.Name && x.Type == y.Type })
}

// alone reports that the statement is a transaction of its own.
func (s *Session) alone() bool { return s.sequence == 1 && !s.block && s.tx != nil }

var errLockTimeout = errors.New("lock timeout")

// translate makes of an error of running the statement what the client is told.
func (st *statement) translate(ctx context.Context, err error) error {
	err = st.s.translate(ctx, err)
	if err != nil && st.filled != nil {
		return st.filled.located(err)
	}
	return err
}

// translate makes of an error what the client is told.
func (s *Session) translate(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var e *sqlerr.Error
	switch {
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
