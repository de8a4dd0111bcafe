package stream

import (
	"context"
	"fmt"
	"time"

	"wmsql/connector"
	"wmsql/exec"
	"wmsql/internal/failpoint"
	"wmsql/state"
	"wmsql/types"
)

// epoch is one micro-batch on its way to its commit.
type epoch struct {
	q *Query
	exec.Epoch
	began     time.Time
	advances  int // how many of the waiting advances it does
	refreshes int // likewise
	rowsOut   int64
	rejects   int // numbers the rejected records
	progress  Progress
}

// Step runs one micro-batch to its commit; with nothing to read or evict it returns a Progress with Epoch 0.
// It is deterministic given what the sources hand out; tests call it.
func (q *Query) Step(ctx context.Context) (Progress, error) {
	p, err := q.step(ctx)
	if err != nil {
		q.broken = true
		if ctx.Err() == nil {
			q.fail(err)
		}
	}
	return p, err
}

func (q *Query) step(ctx context.Context) (Progress, error) {
	if err := q.cfg.Store.Writable(); err != nil {
		return Progress{}, err
	}
	if err := q.pollSync(); err != nil {
		return Progress{}, err
	}
	if q.broken {
		if err := q.restore(ctx); err != nil {
			return Progress{}, err
		}
	}
	now := q.now()
	logs := q.cfg.Results.begin(q.cfg.View.ID, now)
	defer q.cfg.Results.end(q.cfg.View.ID)
	e, err := q.beginEpoch(ctx, now)
	if e == nil || err != nil {
		return Progress{}, err
	}
	e.LogChanges = logs
	defer e.Txn.Abort()
	if err := e.run(ctx); err != nil {
		return Progress{}, err
	}
	pos, err := e.close()
	if err != nil {
		return Progress{}, err
	}
	return e.progress, e.commit(pos)
}

// beginEpoch sets the bounds and reads the first rows. It returns nil when there is nothing to do: no rows, no watermark to
// raise, nothing that is due by the clock, and not the first epoch, which gives a global aggregate its row.
func (q *Query) beginEpoch(ctx context.Context, now types.MicroTime) (*epoch, error) {
	if err := q.cfg.Fail.Hit(failpoint.EpochStart); err != nil {
		return nil, err
	}
	e := &epoch{q: q, began: time.Now()}
	bounds, err := q.bounds()
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	e.advances, e.refreshes = len(q.advances), len(q.refreshes)
	flushing := q.flushing > 0
	q.mu.Unlock()
	needed := q.pos.Epoch == 0 || q.pos.Reissue || q.pos.Held || e.advances > 0 || e.refreshes > 0 || q.pos.Wake != 0 && now >= q.pos.Wake
	for i, s := range q.scans {
		if err := s.begin(ctx, bounds[i]); err != nil {
			return nil, err
		}
		needed = needed || s.some() || flushing && s.src.Offset() != q.pos.Scans[i].Offset
	}
	if !needed {
		q.update(func() { q.recovered() })
		return nil, nil
	}
	e.timed("latestOffset", e.began)
	e.Epoch = exec.Epoch{
		ID: q.pos.Epoch + 1, Query: uint32(q.cfg.View.ID),
		Now: now, Txn: q.cfg.Store.Begin(), Reissue: q.pos.Reissue, Refresh: e.refreshes > 0,
	}
	return e, q.cfg.Fail.Hit(failpoint.SourcesBegun)
}

// now is the time of an epoch that begins: it never goes back, whatever the clock does.
func (q *Query) now() types.MicroTime {
	return max(types.MicroTime(q.cfg.Clock.Now().UnixMicro()), q.pos.Time)
}

// bounds gives each scan its bounds. Several internal streams are cut at one commit, so that a transaction that wrote to
// more than one of them comes whole.
func (q *Query) bounds() ([]connector.Bounds, error) {
	var internal []readAt
	for _, s := range q.scans {
		if s.internal {
			at, err := parseLogOffset(s.src.Offset())
			if err != nil {
				return nil, err
			}
			internal = append(internal, readAt{s.plan.Stream.ID, at})
		}
	}
	cut, rows := q.cfg.head(), q.size.rows
	if len(internal) > 1 {
		var err error
		if cut, err = q.cfg.Log.cut(internal, rows); err != nil {
			return nil, err
		}
		rows = 0
	}
	out := make([]connector.Bounds, len(q.scans))
	for i, s := range q.scans {
		out[i] = connector.Bounds{Rows: q.size.rows, Bytes: maxEpochBytes, Cut: cut}
		if s.internal {
			out[i] = connector.Bounds{Rows: rows, Cut: cut}
		}
	}
	return out, nil
}

func (c *Config) head() int64 {
	if c.Log == nil {
		return 0
	}
	return c.Log.Head()
}

// run sends the rows through the plan.
func (e *epoch) run(ctx context.Context) error {
	q, start := e.q, time.Now()
	q.mu.Lock()
	advances := q.advances[:e.advances]
	q.mu.Unlock()
	for _, a := range advances {
		q.ex.Advance(uint32(a.stream), a.to)
	}
	for i, f := range q.ex.Feeds {
		f.Set(q.scans[i].next, q.scans[i].recycle)
	}
	if err := q.ex.Root.Begin(ctx, &e.Epoch); err != nil {
		return err
	}
	if err := q.cfg.Fail.Hit(failpoint.RootBegun); err != nil {
		return err
	}
	for {
		b, err := q.ex.Root.Next(ctx)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		e.rowsOut += int64(b.Rows)
	}
	for _, s := range q.scans {
		if err := s.drain(ctx); err != nil {
			return err
		}
	}
	e.timed("addBatch", start)
	return q.cfg.Fail.Hit(failpoint.RootDrained)
}

// close puts what goes with the results into the transaction: rejected records, position, progress.
func (e *epoch) close() (*position, error) {
	q := e.q
	pos := &position{
		Version: positionVersion, Epoch: e.ID, Fingerprint: q.cfg.Plan.Fingerprint, Counters: q.pos.Counters, Time: e.Now,
	}
	if w := q.ex.Wake(); w < types.Infinity {
		pos.Wake = max(w, e.Now+types.MicroTime(epochGap.Microseconds()))
	}
	pos.Held = q.ex.Held()
	p := &e.progress
	p.Epoch, p.Start, p.RowsOut = e.ID, e.Now, e.rowsOut
	p.Operators, p.Watermarks = q.ex.Stats(), q.ex.Watermarks()
	for _, s := range q.scans {
		at := s.position()
		pos.Scans = append(pos.Scans, at)
		bad := int64(len(s.rejected))
		p.Sources = append(p.Sources, SourceProgress{
			Stream: at.Name, Start: string(s.start), End: string(at.Offset), Rows: s.rows + bad, Rejected: bad,
		})
		p.RowsIn += s.rows + bad
		p.Rejected += bad
		e.putRejected(s)
	}
	for i := range p.Watermarks {
		p.Rejected += p.Watermarks[i].Skewed // refused by its event time
	}
	p.Rejected += q.ex.Rejected()
	e.warnOfTimes(p.Watermarks)
	pos.Counters.add(p)
	mark := q.ex.Root.Bounds().EvictUpTo
	pos.Mark = &mark
	q.cfg.Results.trim(e.Txn, q.cfg.View.ID, e.Now)
	if err := pos.put(e.Txn, q.cfg.View.ID); err != nil {
		return nil, err
	}
	if e.ID == 1 {
		e.Txn.Put(state.Offsets, e.Query, planKey, []byte(planText(q.cfg.Plan)))
	}
	p.Took = time.Since(e.began)
	if err := putProgress(e.Txn, q.cfg.View.ID, p); err != nil {
		return nil, err
	}
	return pos, q.cfg.Fail.Hit(failpoint.BatchReady)
}

// add counts an epoch.
func (c *counters) add(p *Progress) {
	for i := range p.Watermarks {
		c.Null += p.Watermarks[i].NullTimes
	}
	for i := range p.Operators {
		c.Late += p.Operators[i].RowsDropped
	}
	c.In += p.RowsIn
	c.Rejected += p.Rejected
	c.Out += p.RowsOut
}

func (e *epoch) putRejected(s *scan) {
	for _, r := range s.rejected {
		at := r.Time
		if at == 0 {
			at = e.Now
		}
		exec.PutRejected(e.Txn, s.plan.Stream.ID, e.ID, e.rejects, &exec.RejectedRecord{
			Stream: s.plan.Stream.Name, Split: r.Split, Offset: r.Offset, Record: r.Record, Reason: r.Reason,
			Time: at, Epoch: e.ID, Query: e.Query,
		})
		e.rejects++
	}
	if n := len(s.rejected); n > 0 {
		e.q.cfg.Notify("records were rejected", "stream", s.plan.Stream.Name, "count", n,
			"first", fmt.Sprintf("%s, offset %s: %s", s.rejected[0].Split, s.rejected[0].Offset, s.rejected[0].Reason))
	}
}

// commit makes the epoch happen, as one batch of the store, and shows it.
func (e *epoch) commit(pos *position) error {
	q, start := e.q, time.Now()
	sync, wrote := q.syncDue(start), int64(e.Txn.Size())
	wait, err := e.apply(sync)
	if err != nil {
		return err
	}
	e.timed("walCommit", start)
	if err := q.cfg.Fail.Hit(failpoint.Committed); err != nil {
		return err
	}
	q.cfg.Results.committed(q.cfg.View.ID, e.ID, e.Logged)
	e.progress.Took = time.Since(e.began)
	e.timed("triggerExecution", e.began)
	q.more = q.size.full(e.progress.RowsIn)
	q.size.after(e.progress.RowsIn, e.progress.Took, wrote, q.ex.Cold())
	q.update(func() {
		q.pos, q.last, q.splits = pos, e.progress, q.splitStatus()
		q.recovered()
		if pos.Held {
			return // the advances are done when all they free is out
		}
		for _, a := range q.advances[:e.advances] {
			a.done <- nil
		}
		q.advances = q.advances[e.advances:]
		e.refreshed(e.progress.Operators)
	})
	if !sync {
		q.unsynced = true
		return nil
	}
	return q.startSync(start, wait)
}

// apply commits; with sync, wait returns when the epoch is on disk.
func (e *epoch) apply(sync bool) (wait func() error, err error) {
	if sync {
		return e.Txn.CommitNoWait()
	}
	return nil, e.Txn.Commit(false)
}

// recovered notes that a query that had failed goes on. mu is held.
func (q *Query) recovered() {
	if q.state == Failed {
		q.state, q.err = Running, nil
	}
}

// timed notes how long a phase took.
func (e *epoch) timed(phase string, since time.Time) {
	if e.progress.Durations == nil {
		e.progress.Durations = make(map[string]time.Duration, 4)
	}
	e.progress.Durations[phase] = time.Since(since)
}
