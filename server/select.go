package server

import (
	"context"

	"wmsql/column"
	"wmsql/exec"
	"wmsql/logicalplan"
	"wmsql/logicalplan/build"
	"wmsql/logicalplan/rule"
	"wmsql/pgwire"
	"wmsql/physicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/types"
)

// selectPlan is a query over what is there now.
type selectPlan struct {
	s     *Session
	query *logicalplan.Query
	fired []string
	plan  *physicalplan.Plan
	one   *exec.Lookup // nil: the plan is not the lookup of a row
	out   *types.Schema
	locks string // FOR what rows are locked; "": they are not
	// changes are made before the query is run; returned are what it may read of them, and of those of an enclosing statement, by name.
	changes  []*withChange
	returned map[string]*withChange
}

func (s *Session) planSelect(q *sql.Select, params *[]types.Type) (*selectPlan, error) {
	changes, err := s.planChanges(q, params)
	defer s.forgetChanges(changes)
	if err != nil {
		return nil, err
	}
	env := s.env(params)
	env.Changed = s.changed
	lq, err := build.Query(q, env)
	if err != nil {
		return nil, err
	}
	out, err := s.optimize(q, lq)
	if err != nil {
		return nil, err
	}
	if out.changes, out.returned = changes, s.returnedByName(); len(changes) > 0 {
		out.one = nil
	}
	return out, nil
}

// optimize makes a plan of a bound query.
func (s *Session) optimize(q *sql.Select, lq *logicalplan.Query) (*selectPlan, error) {
	root, fired := rule.Run(lq.Root)
	lq.Root = root
	p, err := physicalplan.New(lq, physicalplan.Target{})
	if err != nil {
		return nil, err
	}
	out := &selectPlan{s: s, query: lq, fired: fired, plan: p, out: lq.Schema()}
	if q.Locking != nil {
		out.locks = upper(q.Locking.Strength)
	}
	if !lq.Locks {
		out.one = exec.NewLookup(p)
	}
	return out, nil
}

func (p *selectPlan) schema() *types.Schema { return p.out }

// run starts the query and computes its first rows, so that one which fails before them, as SELECT 1/0 does, fails before its
// columns are told.
func (p *selectPlan) run(ctx context.Context, args []column.Vector) (pgwire.Result, error) {
	if p.one != nil {
		if r, err := p.lookup(args); r != nil || err != nil {
			return r, err
		}
	}
	r, err := p.begin(ctx, args)
	if err != nil {
		return nil, err
	}
	running := false
	defer r.closeUnless(&running)
	if r.first, err = r.Next(ctx); err != nil {
		return nil, err
	}
	r.ended = r.first == nil
	running = true
	return r, nil
}

// open starts the query and computes nothing yet.
func (p *selectPlan) open(ctx context.Context, args []column.Vector) (pgwire.Result, error) {
	r, err := p.begin(ctx, args)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// lookup reads the one row that the query is about; nil if it turns out to be another kind of query.
func (p *selectPlan) lookup(args []column.Vector) (pgwire.Result, error) {
	reader, release := p.s.start().read()
	defer release()
	b, ok, err := p.one.Run(&exec.Env{Expr: p.s.context(args), Reader: reader, Cache: p.s.srv.cache})
	if !ok || err != nil {
		return nil, err
	}
	out := &complete{tag: selectTag}
	if b.Rows > 0 {
		out.batch = &column.Batch{Schema: p.out, Cols: b.Cols[:len(p.out.Fields)], Rows: b.Rows}
	}
	return out, nil
}

// begin starts the query over a snapshot of now.
func (p *selectPlan) begin(ctx context.Context, args []column.Vector) (*selection, error) {
	if p.locks != "" && p.s.start().readOnly {
		return nil, sqlerr.Newf(sqlerr.ReadOnlyTransaction, "cannot execute SELECT FOR %s in a read-only transaction", p.locks)
	}
	if p.query.Locks {
		if err := p.s.start().lockRows(ctx, p.query.NoWait); err != nil {
			return nil, err
		}
	}
	reader, release, err := p.read(ctx, args)
	if err != nil {
		return nil, err
	}
	r := &selection{plan: p, release: release}
	running := false
	defer r.closeUnless(&running)
	now := p.s.txTime()
	q, err := exec.Build(p.plan, &exec.Env{
		Expr: p.s.context(args), Reader: reader, Workers: p.s.srv.workers(), Memory: p.s.srv.cfg.Memory, Virtual: p.computeVirtual,
		Temp: p.s.srv.store.Temp(), Cache: p.s.srv.cache,
	})
	if err != nil {
		return nil, err
	}
	r.query = q
	if err := r.feed(ctx); err != nil {
		return nil, err
	}
	if err := q.Root.Begin(ctx, &exec.Epoch{ID: 1, Now: now}); err != nil {
		return nil, err
	}
	running = true
	return r, nil
}

// closeUnless closes a query that could not be started; the error of that says more. It is deferred, for a bug in an operator must not
// keep the snapshot either.
func (r *selection) closeUnless(running *bool) {
	if !*running {
		_ = r.Close()
	}
}

// selection is a running query.
type selection struct {
	plan    *selectPlan
	query   *exec.Query
	sources []*backlog
	first   *column.Batch // computed by run and not returned yet
	ended   bool          // run found no rows
	release func()
}

// feed opens the streams that the query reads.
func (r *selection) feed(ctx context.Context) error {
	for _, f := range r.query.Feeds {
		b, err := r.plan.s.openBacklog(ctx, f.Scan)
		if err != nil {
			return err
		}
		r.sources = append(r.sources, b)
		f.Set(b.next, b.recycle)
	}
	return nil
}

// Next returns the next rows without the columns that are not for the client.
func (r *selection) Next(ctx context.Context) (*column.Batch, error) {
	if b := r.first; b != nil || r.ended {
		r.first = nil
		return b, nil
	}
	for {
		b, err := r.query.Root.Next(ctx)
		if b == nil || err != nil {
			return nil, err
		}
		if b.Rows == 0 {
			continue
		}
		n := len(r.plan.out.Fields)
		return &column.Batch{Schema: r.plan.out, Cols: b.Cols[:n], Rows: b.Rows}, nil
	}
}

// Tag is the command tag.
func (r *selection) Tag(rows int64) string { return selectTag(rows) }

var selectTag = tagRows("SELECT")

// Close frees what the query holds.
func (r *selection) Close() error {
	if r.release == nil {
		return nil
	}
	var err error
	if r.query != nil {
		err = r.query.Root.Close()
	}
	for _, b := range r.sources {
		b.close()
	}
	r.release()
	r.release = nil
	return err
}

// collect reads a whole result.
func collect(ctx context.Context, r pgwire.Result) ([]*column.Batch, error) {
	var out []*column.Batch
	for {
		b, err := r.Next(ctx)
		if b == nil || err != nil {
			return out, err
		}
		out = append(out, b.Take(all(b.Rows))) // the batch is valid until the next call only
	}
}

func all(n int) []int32 {
	idx := make([]int32, n)
	for i := range idx {
		idx[i] = int32(i)
	}
	return idx
}
