package stream

import (
	"context"
	"time"

	"wmsql/catalog"
	"wmsql/column"
	"wmsql/connector"
	"wmsql/exec"
	"wmsql/internal/clock"
	"wmsql/physicalplan"
	"wmsql/state"
	"wmsql/types"
)

// Config is what a query runs with.
type Config struct {
	View    *catalog.MaterializedView
	Plan    *physicalplan.Plan
	Env     exec.Env // Reader is set by New
	Store   *state.Store
	Log     *Log
	Sources connector.Registry
	Clock   clock.Clock
	// MaxRows and MaxDelay bound a micro-batch (max_batch_rows, max_batch_delay).
	MaxRows  int64
	MaxDelay time.Duration
	// Notify gets warnings for the log: a row from the future, a rejected record, a failed query.
	Notify func(msg string, args ...any)
}

// Query is one continuous query. Step and Run must not be called concurrently; the rest may be called at any time.
type Query struct{}

// New restores a query from its last committed epoch. A plan whose fingerprint differs from the stored one is refused.
func New(ctx context.Context, cfg Config) (*Query, error) { panic("stub") }

// Step runs one micro-batch to its commit; with nothing to read or evict it returns a Progress with Epoch 0.
// It is deterministic given what the sources hand out; tests call it.
func (q *Query) Step(ctx context.Context) (Progress, error) { panic("stub") }

// Run calls Step whenever a source has rows or an Advance is asked for, until ctx ends or a Step fails.
func (q *Query) Run(ctx context.Context) error { panic("stub") }

// Flush waits until all that was in the sources when it was called has been committed.
func (q *Query) Flush(ctx context.Context) error { panic("stub") }

// Advance raises the watermark of a stream and waits for the epoch that does.
func (q *Query) Advance(ctx context.Context, stream catalog.ID, to types.MicroTime) error {
	panic("stub")
}

// Pause and Resume stop and continue reading between epochs.
func (q *Query) Pause()  { panic("stub") }
func (q *Query) Resume() { panic("stub") }

// Status returns what the query is doing.
func (q *Query) Status() Status { panic("stub") }

// Last returns the newest progress, Epoch 0 if there was none.
func (q *Query) Last() Progress { panic("stub") }

// Splits returns where the sources stand, by stream name.
func (q *Query) Splits() map[string][]connector.SplitStatus { panic("stub") }

// Close stops the query and closes its sources.
func (q *Query) Close() error { panic("stub") }

// ScanProgress calls f for the stored progress rows of a query, oldest first.
func ScanProgress(r state.Reader, query catalog.ID, f func(*Progress) bool) error { panic("stub") }

// Log is the columnar log of the internal streams. A transaction's rows, of all streams, get one commit number.
type Log struct{}

// OpenLog returns the log kept in a store.
func OpenLog(s *state.Store, c clock.Clock) (*Log, error) { panic("stub") }

// Append adds rows of a transaction to txn; Publish gives them their commit number. The caller commits txn (synced: acknowledged rows are durable)
// between Publish's lock and release; see Commit.
type Append struct {
	Stream catalog.ID
	Schema *types.Schema
	Batch  *column.Batch
}

// Commit stores the batches as one transaction together with what txn holds already, synced, and wakes the readers.
func (l *Log) Commit(txn state.Txn, batches []Append) error { panic("stub") }

// Head is the newest commit number.
func (l *Log) Head() int64 { panic("stub") }

// Source reads an internal stream; it implements connector.Source.
func (l *Log) Source(spec connector.Spec, stream catalog.ID, from connector.Offset) (connector.Source, error) {
	panic("stub")
}

// Trim drops what is older than retention and already read by every query of the stream.
func (l *Log) Trim(stream catalog.ID, olderThan time.Time) error { panic("stub") }

// Drop forgets a stream's log.
func (l *Log) Drop(txn state.Txn, stream catalog.ID) { panic("stub") }
