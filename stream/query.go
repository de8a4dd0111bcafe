package stream

import (
	"context"
	"errors"
	"sync"
	"time"

	"wmsql/catalog"
	"wmsql/connector"
	"wmsql/exec"
	"wmsql/internal/clock"
	"wmsql/internal/failpoint"
	"wmsql/physicalplan"
	"wmsql/sqlerr"
	"wmsql/state"
)

// Config is what a query runs with.
type Config struct {
	View    *catalog.MaterializedView
	Plan    *physicalplan.Plan
	Env     exec.Env // Reader and Query are set by New
	Store   *state.Store
	Log     *Log
	Results *Results // of all queries; nil if none follows another
	Sources connector.Registry
	Clock   clock.Clock
	// MaxRows and MaxDelay bound a micro-batch (max_batch_rows, max_batch_delay); 0: the defaults.
	MaxRows  int64
	MaxDelay time.Duration
	// Notify gets warnings for the log: a row from the future, a rejected record, a failed query.
	Notify func(msg string, args ...any)
	// SyncEvery is how long epochs may stay unsynced; 0: defaultSyncEvery.
	SyncEvery time.Duration
	// BatchRows cuts what the sources hand out into batches of so many rows; 0: as it comes. For tests.
	BatchRows int
	// Fail holds the places where a test fails an epoch; nil outside tests.
	Fail *failpoint.Set

	build func(*physicalplan.Plan, *exec.Env) (*exec.Query, error) // exec.Build; tests of the loop have their own
}

// Query is one continuous query. Step and Run must not be called concurrently; the rest may be called at any time.
//
// What an epoch changes is one transaction of the store. When an epoch fails, the operators may hold what was never committed,
// so they and the sources are built anew from the last commit before the next one.
type Query struct {
	cfg  Config
	size batchSize

	// Of the goroutine that steps.
	ex       *exec.Query
	scans    []*scan
	broken   bool // ex and the sources do not stand at the last commit
	lastSync time.Time
	unsynced bool // epochs are committed that no sync is on its way for
	syncing  *syncing
	looping  bool // Run steps
	more     bool // the last epoch was ended by its bound on rows

	mu        sync.Mutex
	state     State
	err       error
	paused    bool
	closed    bool
	started   time.Time
	pos       *position // committed; Epoch 0 before the first
	last      Progress
	splits    map[string][]connector.SplitStatus
	sources   []connector.Source // open now, in the order of the scans; nil while broken
	advances  []*advance
	refreshes []*refresh
	flushing  int
	changed   chan struct{} // closed and replaced when any of the above changes
	cancel    context.CancelFunc
	running   chan struct{} // closed when Run has ended

	nudge chan struct{} // wakes Run
}

// New restores a query from its last committed epoch. A plan whose fingerprint differs from the stored one is refused. A source
// that cannot be reached now does not stop it: Step and Run try again.
func New(ctx context.Context, cfg Config) (*Query, error) {
	if cfg.Notify == nil {
		cfg.Notify = func(string, ...any) {}
	}
	if cfg.build == nil {
		cfg.build = exec.Build
	}
	cfg.Env.Reader, cfg.Env.Query = cfg.Store, uint32(cfg.View.ID)
	q := &Query{
		cfg: cfg, size: newBatchSize(cfg.MaxRows, cfg.MaxDelay, cfg.Env.Memory), broken: true,
		state: Running, started: cfg.Clock.Now(), changed: make(chan struct{}), nudge: make(chan struct{}, 1),
	}
	if err := q.readPosition(); err != nil {
		return nil, err
	}
	if err := q.checkPlan(); err != nil {
		return nil, err
	}
	if err := cfg.Results.opened(cfg.View.ID, q.pos.Epoch, q.now()); err != nil {
		return nil, err
	}
	var err error
	if q.last, err = lastProgress(cfg.Store, cfg.View.ID); err != nil {
		return nil, err
	}
	if err := q.restore(ctx); err != nil {
		if !transient(err) {
			return nil, errors.Join(err, q.release())
		}
		q.fail(err)
	}
	return q, nil
}

// restore builds the operators and opens the sources at the last commit.
func (q *Query) restore(ctx context.Context) error {
	if err := q.release(); err != nil {
		return err
	}
	if err := q.readPosition(); err != nil {
		return err
	}
	env := q.cfg.Env
	ex, err := q.cfg.build(q.cfg.Plan, &env)
	if err != nil {
		return err
	}
	q.ex = ex
	for i, p := range q.cfg.Plan.Scans {
		s, err := q.openScan(ctx, i, p)
		if err != nil {
			return err
		}
		q.scans = append(q.scans, s)
	}
	q.broken = false
	q.update(func() {
		q.sources = nil
		for _, s := range q.scans {
			q.sources = append(q.sources, s.src)
		}
		q.splits = q.splitStatus()
	})
	return nil
}

// release closes the operators and the sources.
func (q *Query) release() error {
	q.broken = true
	q.update(func() { q.sources = nil })
	var errs []error
	if q.ex != nil {
		errs = append(errs, q.ex.Root.Close())
	}
	for _, s := range q.scans {
		errs = append(errs, s.src.Close())
	}
	q.ex, q.scans = nil, nil
	return errors.Join(errs...)
}

// readPosition finds the last commit in the store, which alone knows how an epoch that failed at its commit ended.
func (q *Query) readPosition() error {
	pos, err := readPosition(q.cfg.Store, q.cfg.View.ID)
	if err != nil {
		return err
	}
	if pos == nil {
		pos = &position{Version: positionVersion, Fingerprint: q.cfg.Plan.Fingerprint}
	}
	q.update(func() { q.pos = pos })
	return nil
}

// checkPlan refuses state that another plan left.
func (q *Query) checkPlan() error {
	pos := q.pos
	if pos.Epoch == 0 {
		return nil
	}
	same := pos.Fingerprint == q.cfg.Plan.Fingerprint && len(pos.Scans) == len(q.cfg.Plan.Scans)
	for i := range pos.Scans {
		same = same && pos.Scans[i].Stream == q.cfg.Plan.Scans[i].Stream.ID
	}
	if same {
		return nil
	}
	v, err := q.cfg.Store.Get(state.Offsets, uint32(q.cfg.View.ID), planKey)
	if err != nil {
		return err
	}
	name := q.cfg.View.Name
	was, is := firstDifference(string(v), planText(q.cfg.Plan))
	return sqlerr.Newf(sqlerr.ObjectNotReady, "the stored state of materialized view \"%s\" does not fit its query any more", name).
		WithDetail("It was left by %s; the query now has %s.", was, is).
		WithHint("Go back to the query it was created with, or drop the view and create it again: it then reads its streams from the start.")
}

// update changes what others see and tells those who wait.
func (q *Query) update(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	f()
	close(q.changed)
	q.changed = make(chan struct{})
}

// fail notes why the query stands still.
func (q *Query) fail(err error) {
	q.update(func() {
		q.state, q.err = Failed, err
	})
}

// Status returns what the query is doing.
func (q *Query) Status() Status {
	q.mu.Lock()
	defer q.mu.Unlock()
	c := q.pos.Counters
	s := Status{
		View: q.cfg.View.ID, State: q.state, Err: q.err, Epoch: q.pos.Epoch, RowsIn: c.In, RowsLate: c.Late,
		RowsNull: c.Null, RowsRejected: c.Rejected, RowsOut: c.Out, Started: q.started,
	}
	if q.pos.Epoch > 0 {
		s.LastEpoch = q.pos.Time.Time()
	}
	switch full := q.cfg.Store.Writable(); {
	case q.closed:
		s.State = Stopped
	case q.state != Running:
	case q.paused:
		s.State = Paused
	case full != nil: // its commit waits
		s.State, s.Err = Failed, full
	}
	return s
}

// Last returns the newest progress, Epoch 0 if there was none.
func (q *Query) Last() Progress {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.last
}

// Splits returns where the sources stood after the last epoch, by stream name.
func (q *Query) Splits() map[string][]connector.SplitStatus {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.splits
}

func (q *Query) splitStatus() map[string][]connector.SplitStatus {
	out := make(map[string][]connector.SplitStatus, len(q.scans))
	for _, s := range q.scans {
		out[s.plan.Stream.Name] = s.src.Status()
	}
	return out
}

// Pause stops reading after the present epoch.
func (q *Query) Pause() { q.update(func() { q.paused = true }) }

// Resume continues reading.
func (q *Query) Resume() {
	q.update(func() { q.paused = false })
	q.wake()
}

func (q *Query) wake() {
	select {
	case q.nudge <- struct{}{}:
	default:
	}
}

// Close stops the query and closes its sources.
func (q *Query) Close() error {
	q.mu.Lock()
	already, running := q.closed, q.running
	q.closed = true
	if q.cancel != nil {
		q.cancel()
	}
	q.mu.Unlock()
	if already {
		return nil
	}
	if running != nil {
		<-running
	}
	err := q.syncNow()
	q.update(func() { q.failAdvances(errClosed(q.cfg.View.Name)) })
	return errors.Join(err, q.release())
}

func errClosed(name string) error {
	return sqlerr.Newf(sqlerr.ObjectNotReady, "materialized view \"%s\" is stopped", name)
}
