package server

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"wmsql/catalog"
	"wmsql/exec"
	"wmsql/expr"
	"wmsql/logicalplan/build"
	"wmsql/sql"
	"wmsql/sqlerr"
	"wmsql/stream"
	"wmsql/types"
)

// queries are the continuous queries of a server: one a materialized view.
type queries struct {
	srv *Server
	mu  sync.Mutex
	all map[catalog.ID]*continuing
}

// continuing is one continuous query at work, or the reason why it is not.
type continuing struct {
	view   *catalog.MaterializedView
	plan   *continuous   // nil when it could not be planned
	query  *stream.Query // nil when it could not be started
	failed error         // why query is nil
	cancel context.CancelFunc
	done   chan struct{} // closed when its goroutine has ended; nil if there is none
}

func newQueries(s *Server) *queries { return &queries{srv: s, all: map[catalog.ID]*continuing{}} }

// startAll starts every query of the catalog.
func (q *queries) startAll(ctx context.Context) {
	if err := q.restoreFollowers(); err != nil {
		q.srv.cfg.Log.Error("continuous queries over views may not start", "error", err)
	}
	for e := range q.srv.catalog.Current().All() {
		if mv, ok := e.(*catalog.MaterializedView); ok {
			if err := q.startOne(ctx, mv.ID); err != nil {
				q.srv.cfg.Log.Error("continuous query does not start", "view", mv.Name, "error", err)
			}
		}
	}
}

// start starts the queries with the given numbers that are still in the catalog.
func (q *queries) start(ctx context.Context, list []catalog.ID) {
	for _, id := range list {
		_ = q.startOne(ctx, id) // kept as the reason why the query is failed
	}
}

// startOne starts a query unless it is at work already. The error is kept, too: it is the query's state.
func (q *queries) startOne(ctx context.Context, id catalog.ID) error {
	mv, ok := q.srv.catalog.Current().ByID(id).(*catalog.MaterializedView)
	if !ok || q.srv.cfg.DefinitionsOnly || q.get(id) != nil && q.get(id).query != nil {
		return nil
	}
	c := &continuing{view: mv}
	c.failed = q.open(ctx, c)
	q.mu.Lock()
	q.all[id] = c
	q.mu.Unlock()
	if c.failed != nil {
		return c.failed
	}
	if mv.Paused {
		c.query.Pause()
	}
	if !q.srv.cfg.Manual {
		q.run(c)
	}
	return nil
}

// firstRowMax bounds how long CREATE waits for the row that a result without a key has from its creation on.
const firstRowMax = 2 * time.Second

// awaitFirst waits for the first epoch of a query.
func (q *queries) awaitFirst(ctx context.Context, id catalog.ID) {
	c := q.get(id)
	for deadline := time.Now().Add(firstRowMax); !q.srv.cfg.Manual && time.Now().Before(deadline) && ctx.Err() == nil; {
		if st := c.status(); st.Epoch > 0 || st.State != stream.Running {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func (q *queries) run(c *continuing) {
	ctx, cancel := context.WithCancel(context.Background())
	c.cancel, c.done = cancel, make(chan struct{})
	go func() {
		defer close(c.done)
		if err := c.query.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
			q.srv.cfg.Log.Error("continuous query failed", "view", c.view.Name, "error", err)
		}
	}()
}

// open plans the stored definition and restores the query from its last epoch.
func (q *queries) open(ctx context.Context, c *continuing) error {
	mv := c.view
	var err error
	if c.plan, err = q.srv.replan(mv, q.srv.catalog.Current()); err != nil {
		return err
	}
	if err := q.follow(ctx, c); err != nil {
		return err
	}
	_, zone, _ := zone(mv.TimeZone)
	if zone == nil {
		zone = time.UTC
	}
	format := *types.UTC
	format.Zone, format.ZoneName = zone, mv.TimeZone
	rows, delay := q.bounds(mv, c.plan)
	c.query, err = stream.New(ctx, stream.Config{
		View: mv, Plan: c.plan.plan,
		Env:   exec.Env{Expr: &expr.Context{Format: &format, Ongoing: true}, Query: uint32(mv.ID), Workers: q.srv.workers(), Memory: q.srv.cfg.Memory, Virtual: nil},
		Store: q.srv.store, Log: q.srv.log, Results: q.srv.results, Sources: q.srv.cfg.Connectors, Clock: q.srv.cfg.Clock,
		MaxRows: rows, MaxDelay: delay, Notify: q.srv.cfg.Log.Warn, Fail: q.srv.cfg.Fail, BatchRows: q.srv.cfg.BatchRows, SyncEvery: q.srv.cfg.SyncEvery,
	})
	return err
}

// bounds are the batch bounds of a view: its own options, else the tightest of its streams; 0 where nothing is said.
func (q *queries) bounds(mv *catalog.MaterializedView, c *continuous) (rows int64, delay time.Duration) {
	options := []map[string]string{mv.Options}
	for _, s := range streamsOf(c.root) {
		options = append(options, s.Options)
	}
	for i, o := range options {
		if n := wholeNumber(o["max_batch_rows"]); n > 0 && (rows == 0 || n < rows) {
			rows = n
		}
		if d := time.Duration(micros(o, "max_batch_delay", 0)) * time.Microsecond; d > 0 && (delay == 0 || d < delay) {
			delay = d
		}
		if i == 0 && rows > 0 && delay > 0 {
			break
		}
	}
	return rows, delay
}

// replan plans a stored view again, under a catalog that may have changed since the gate let it pass.
func (s *Server) replan(mv *catalog.MaterializedView, snap *catalog.Snapshot) (*continuous, error) {
	parsed, err := sql.Parse(mv.Query)
	if err != nil {
		return nil, err
	}
	sel, ok := parsed[0].Stmt.(*sql.SelectStmt)
	if !ok {
		return nil, sqlerr.Newf(sqlerr.Internal, "the stored query of %q is no query", mv.Name)
	}
	found := &names{snap: snap, virtual: s.virtual, srv: s}
	env := &build.Env{
		Catalog: found, Functions: found, SearchPath: mv.SearchPath, Zone: mv.TimeZone,
		Context: &expr.Context{Format: types.UTC},
	}
	stored := *mv
	c, err := planContinuous(&stored, sel.Query, env, mv.Query, "warn")
	if err != nil {
		return nil, err
	}
	c.finish()
	return c, c.planErr
}

func (q *queries) get(id catalog.ID) *continuing {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.all[id]
}

// list returns the queries in the order of creation, but each after those it follows.
func (q *queries) list() []*continuing {
	q.mu.Lock()
	defer q.mu.Unlock()
	out := make([]*continuing, 0, len(q.all))
	for _, c := range q.all {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b *continuing) int { return int(int64(a.view.ID) - int64(b.view.ID)) })
	return belowFirst(out)
}

// stop ends the queries with the given numbers at an epoch's end and forgets them.
func (q *queries) stop(list []catalog.ID) {
	for _, id := range list {
		q.mu.Lock()
		c := q.all[id]
		delete(q.all, id)
		q.mu.Unlock()
		if c != nil {
			if err := c.end(); err != nil {
				q.srv.cfg.Log.Warn("continuous query did not end cleanly", "view", c.view.Name, "error", err)
			}
		}
	}
}

func (q *queries) stopAll() error {
	var errs []error
	for _, c := range q.list() {
		errs = append(errs, c.end())
	}
	q.mu.Lock()
	clear(q.all)
	q.mu.Unlock()
	return errors.Join(errs...)
}

// end stops the query and waits for it.
func (c *continuing) end() error {
	if c.cancel != nil {
		c.cancel()
		<-c.done
	}
	if c.query == nil {
		return nil
	}
	return c.query.Close()
}

// standing is what a query is doing as others are to see it: one that runs is stalled while a view that it follows is not at work, for
// the reason that holds the lowest one.
func (q *queries) standing(c *continuing) stream.Status {
	st := c.status()
	if st.State != stream.Running || c.plan == nil {
		return st
	}
	for _, scan := range c.plan.plan.Scans {
		if scan.View == nil {
			continue
		}
		below := q.get(scan.View.ID)
		if below == nil {
			continue
		}
		switch s := q.standing(below); s.State {
		case stream.Running:
			continue
		case stream.Stalled:
			st.Err = s.Err
		default:
			st.Err = stalledBy(below.view, s)
		}
		st.State = stream.Stalled
		return st
	}
	return st
}

// stalledBy says why the queries above a view do not go on.
func stalledBy(mv *catalog.MaterializedView, s stream.Status) error {
	why := sqlerr.Newf(sqlerr.ObjectNotReady, "materialized view %q below is %s", mv.Name, s.State)
	if s.Err != nil {
		why.Msg += ": " + errorText(s.Err)
	}
	return why.WithHint("ALTER MATERIALIZED VIEW %s RESUME;", catalog.QuoteIdent(mv.Name))
}

// status is what the query itself is doing.
func (c *continuing) status() stream.Status {
	if c.query == nil {
		return stream.Status{View: c.view.ID, State: stream.Failed, Err: c.failed}
	}
	return c.query.Status()
}

// over returns the queries that read a stream.
func (q *queries) over(id catalog.ID) []*continuing {
	var out []*continuing
	for _, c := range q.list() {
		if slices.Contains(c.view.Depends, id) {
			out = append(out, c)
		}
	}
	return out
}
