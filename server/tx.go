package server

import (
	"context"
	"maps"
	"slices"
	"time"

	"wmsql/catalog"
	"wmsql/exec"
	"wmsql/pgwire"
	"wmsql/sqlerr"
	"wmsql/state"
	"wmsql/stream"
)

// tx is a transaction of a session: what it changed and did not commit yet. Everything is committed as one
// batch of the store: rows of tables, rows of streams (under one commit number), definitions.
type tx struct {
	srv      *Server
	pending  *overlay
	edit     *catalog.Edit   // nil until the transaction changes the catalog
	appends  []stream.Append // rows for internal streams
	locked   bool            // this is the one writer
	readOnly bool
	queried  bool          // a statement has looked at rows: the modes are settled
	lockWait time.Duration // longest wait to become the writer; 0: no limit

	stops []catalog.ID                // continuous queries that must stand still before the commit
	still []func(state.Txn) error     // changes of what those have stored, made once they do
	after []func(ctx context.Context) // once it is durable
	undo  []func()                    // what else it changed, taken back unless it commits

	listens []listening
	notes   []pgwire.Notification
	saves   []savepoint
	level   int64    // see pgwire.Session.Level
	undone  [2]int64 // see pgwire.Session.Undone

	// frozen is what REPEATABLE READ and SERIALIZABLE read from; nil otherwise, or until the first statement.
	frozen  state.Snapshot
	freezes bool
	held    state.Reader                 // what all parts of a statement with changes in its WITH read; nil between such
	touched map[catalog.ID]*exec.Touched // what the statement's parts have changed, by table; nil if it has but one
	cursors map[string]*cursor
}

// savepoint is how much of a transaction is kept by ROLLBACK TO.
type savepoint struct {
	name                        string
	ops, appends, stops, afters int
	stills, undos               int
	listens, notes              int
	level                       int64
	edit                        *catalog.Edit
	vars                        settingsKept
	cursors                     map[string]*cursor
}

func (s *Server) begin() *tx {
	return &tx{srv: s, pending: newOverlay()}
}

// snapshot is the catalog as the transaction sees it.
func (t *tx) snapshot() *catalog.Snapshot {
	if t.edit != nil {
		return t.edit.Snapshot
	}
	return t.srv.catalog.Current()
}

// lock makes the transaction the one writer until it ends.
func (t *tx) lock(ctx context.Context) error {
	if t.locked {
		return nil
	}
	if t.lockWait > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, t.lockWait, errLockTimeout)
		defer cancel()
	}
	if err := t.srv.lock(ctx); err != nil {
		return err
	}
	t.locked = true
	return nil
}

// catalog returns the transaction's edit of the catalog, to be changed.
func (t *tx) catalog(ctx context.Context) (*catalog.Edit, error) {
	if err := t.lock(ctx); err != nil {
		return nil, err
	}
	if t.edit == nil {
		t.edit = t.srv.catalog.Edit()
	}
	return t.edit, nil
}

// read returns a reader of what is committed with the transaction's changes over it, those of the present statement too. The caller calls done.
func (t *tx) read() (r state.Reader, done func()) {
	if t.held != nil {
		return t.held, func() {}
	}
	over := t.pending
	over.open++
	if t.freezes {
		if t.frozen == nil {
			t.frozen = t.srv.store.Snapshot()
		}
		return over.reader(t.frozen), func() { over.open-- }
	}
	snap := t.srv.store.Snapshot()
	return over.reader(snap), func() {
		over.open--
		_ = snap.Close() // a read that failed said so already
	}
}

// detach begins a statement: queries that earlier ones left open, as cursors and portals are, do not see what it changes.
func (t *tx) detach() {
	if t.pending.open > 0 {
		t.pending = t.pending.first(len(t.pending.ops))
	}
}

// hold makes all reads those of what is there now, whatever the transaction changes, until resume is called. The caller calls done when nobody
// reads r any more.
func (t *tx) hold() (r state.Reader, resume, done func()) {
	if t.held != nil { // by the statement around
		return t.held, func() {}, func() {}
	}
	pending := t.pending
	t.pending = pending.first(len(pending.ops))
	t.held, done = t.read()
	t.pending = pending
	return t.held, func() { t.held = nil }, done
}

// oneStatement makes all parts of a statement that change tables change each row once, until end is called.
func (t *tx) oneStatement() (end func()) {
	if t.touched != nil { // of the statement around
		return func() {}
	}
	t.touched = map[catalog.ID]*exec.Touched{}
	return func() { t.touched = nil }
}

// share gives the writer of a table what other parts of its statement have changed.
func (t *tx) share(id catalog.ID, w *exec.TableWriter) {
	if t.touched == nil {
		return
	}
	if t.touched[id] == nil {
		t.touched[id] = exec.NewTouched()
	}
	w.Share(t.touched[id])
}

// stop asks that a continuous query stands still when the transaction commits.
func (t *tx) stop(id catalog.ID) { t.stops = append(t.stops, id) }

func (t *tx) empty() bool {
	return len(t.pending.ops) == 0 && t.edit == nil && len(t.appends) == 0
}

// commit makes everything durable and visible, or nothing.
func (t *tx) commit(ctx context.Context) error {
	defer t.end()
	if t.empty() {
		return nil
	}
	t.srv.queries.stop(t.stops)
	if err := t.store(); err != nil {
		t.srv.queries.start(ctx, t.stops)
		return err
	}
	t.undo = nil
	for _, f := range t.after {
		f(ctx)
	}
	return nil
}

func (t *tx) store() error {
	// Whoever writes to a full disk waits for space with the lock held: the others are told, not made to wait behind it.
	if err := t.srv.store.Writable(); err != nil {
		return err
	}
	if t.edit != nil {
		t.srv.ddl.Lock()
		defer t.srv.ddl.Unlock()
	} else {
		t.srv.ddl.RLock()
		defer t.srv.ddl.RUnlock()
	}
	for _, a := range t.appends {
		if t.snapshot().ByID(a.Stream) == nil {
			return sqlerr.Newf(sqlerr.UndefinedTable, "the stream was dropped by another session before the commit")
		}
	}
	txn := t.srv.store.Begin()
	defer txn.Abort()
	t.pending.apply(txn)
	for _, f := range t.still {
		if err := f(txn); err != nil {
			return err
		}
	}
	if t.edit != nil {
		if err := t.srv.catalog.Save(t.edit, catalogWriter{txn}); err != nil {
			return err
		}
	}
	var err error
	if len(t.appends) > 0 {
		err = t.srv.log.Commit(txn, t.appends)
	} else {
		err = txn.Commit(true)
	}
	if err == nil && t.edit != nil {
		t.srv.catalog.Publish(t.edit)
	}
	return err
}

// rollback forgets everything.
func (t *tx) rollback() { t.end() }

// takeBack undoes what came after the first n changes.
func (t *tx) takeBack(n int) {
	for _, f := range slices.Backward(t.undo[n:]) {
		f()
	}
	t.undo = t.undo[:n]
}

// end frees what the transaction holds.
func (t *tx) end() {
	t.takeBack(0)
	for _, c := range t.cursors {
		c.close()
	}
	t.cursors = nil
	if t.frozen != nil {
		_ = t.frozen.Close() // nothing is read from it any more
		t.frozen = nil
	}
	if t.locked {
		t.locked = false
		t.srv.unlock()
	}
	if !t.empty() { // readers that are still open keep what they read over
		t.pending, t.appends, t.edit = newOverlay(), nil, nil
	}
}

// save sets a savepoint.
func (t *tx) save(name string, set settingsKept) {
	t.level++
	sp := savepoint{name: name, level: t.level, ops: len(t.pending.ops), appends: len(t.appends), stops: len(t.stops), stills: len(t.still), afters: len(t.after), undos: len(t.undo),
		listens: len(t.listens), notes: len(t.notes), vars: set, cursors: maps.Clone(t.cursors)}
	if t.edit != nil {
		sp.edit = t.edit.Clone()
	}
	t.saves = append(t.saves, sp)
}

// release forgets a savepoint and those after it; its changes stay.
func (t *tx) release(name string) error {
	i := t.findSave(name)
	if i < 0 {
		return noSavepoint(name)
	}
	t.saves = t.saves[:i]
	return nil
}

// rollbackTo takes back what came after a savepoint, which stays. It returns the settings of that moment.
func (t *tx) rollbackTo(name string) (set settingsKept, err error) {
	i := t.findSave(name)
	if i < 0 {
		return set, noSavepoint(name)
	}
	sp := t.saves[i]
	t.takeBack(sp.undos)
	t.level++
	t.undone = [2]int64{sp.level, t.level}
	t.pending = t.pending.first(sp.ops)
	maps.DeleteFunc(t.cursors, func(name string, c *cursor) bool {
		later := sp.cursors[name] != c
		if later {
			c.close()
		}
		return later
	})
	t.appends, t.stops, t.still, t.after = t.appends[:sp.appends], t.stops[:sp.stops], t.still[:sp.stills], t.after[:sp.afters]
	t.listens, t.notes = t.listens[:sp.listens], t.notes[:sp.notes]
	t.edit = nil
	if sp.edit != nil {
		t.edit = sp.edit.Clone()
	}
	t.saves = t.saves[:i+1]
	return sp.vars, nil
}

func (t *tx) findSave(name string) int {
	for i, s := range slices.Backward(t.saves) {
		if s.name == name {
			return i
		}
	}
	return -1
}

func noSavepoint(name string) error {
	return sqlerr.Newf(sqlerr.InvalidSavepoint, "savepoint %q does not exist", name)
}
