// Package connector is what a source of rows must do so that results are exactly once, and the
// registry of the sources that there are.
package connector

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"wmsql/column"
	"wmsql/sqlerr"
	"wmsql/types"
)

// Offset is a position in a source: JSON that only its source understands. "" is where the options say to start.
type Offset string

// Source is a replayable stream of rows. One goroutine calls it, but Wait, End and Recycle may be called from others.
//
// What was read and not committed is read again after a restart, perhaps cut otherwise: nothing of it was kept.
type Source interface {
	// Wait returns when Next may find a row after Begin, or when ctx ends (with its error).
	Wait(ctx context.Context) error
	// Begin starts an epoch within bounds.
	Begin(b Bounds) error
	// Next returns the next rows of the epoch, or nil when the bounds are reached or nothing more is there now. It does
	// not wait for rows that have not come yet. After nil the epoch has ended: Next returns nil until the next Begin, also when
	// rows have come meanwhile. The batch belongs to the caller, which gives it back by Recycle.
	Next(ctx context.Context) (*Batch, error)
	// Recycle gives a batch's memory back to the source.
	Recycle(b *Batch)
	// Offset is the position after all that Next returned.
	Offset() Offset
	// Rejected returns and forgets the records that could not be read since the last call. They count as read.
	Rejected() []Rejected
	// End returns the present end of the source; Reached reports whether position at has come to it. FLUSH asks them.
	End(ctx context.Context) (Offset, error)
	Reached(at, end Offset) bool
	// Release says that rows up to the offset will never be asked for again.
	Release(upTo Offset) error
	// Status describes the splits for wm_catalog.sources.
	Status() []SplitStatus
	Close() error
}

// Batch is rows from one split of a source.
type Batch struct {
	column.Batch
	Split int // ordinal of the partition or file the rows came from, for watermark_scope = 'partition'
	// Arrival is when the newest row came (the broker's or the log's time), 0 if unknown.
	Arrival types.MicroTime
	// Arrivals is the arrival time of every row in µs, nil if unknown. max_future_skew is measured from it.
	Arrivals []int64

	// Carried is the watermark that rows of a view's result came under: see exec.Input.
	Carried types.MicroTime

	Home any // where a source that does not use Even keeps the batch's memory

	part *Part // that it is a piece of; nil when Even did not make it
}

// Bounds limits an epoch. A transaction of an internal stream is never split: bounds yield to it.
type Bounds struct {
	Rows  int64
	Bytes int64
	// Cut is the commit number up to which internal streams are read, so that all of a query's streams see the same transactions.
	Cut int64
}

// Rejected is a record that is not a row.
type Rejected struct {
	Split  string // "partition 3", a file name
	Offset string // position in the split
	Record []byte // at most 4 KiB of it
	Reason string
	Time   types.MicroTime // of arrival, 0 if unknown
}

// SplitStatus is where one split stands.
type SplitStatus struct {
	Split  string
	Offset string
	Lag    int64 // records not read yet, -1 if unknown
	Newest types.MicroTime
	Note   string // what is wrong with it now, in a sentence; "" if nothing is
}

// Spec is what a stream asks of its connector.
type Spec struct {
	Stream    string
	Schema    *types.Schema // physical columns, in the stream's order, metadata columns among them
	Read      []int         // ordinals that the plan reads; batches have these columns, in this order
	EventTime int           // ordinal in Schema of the column the watermark is taken from, or from which it is computed; -1 if none
	Delay     time.Duration // of the watermark; splits are read evenly within it
	Options   map[string]string
	Now       func() time.Time
	Warn      func(msg string, args ...any) // tells the server's log of what is wrong and does not end the query; nil: nobody listens
	Memory    int64                         // bytes of records to be read ahead, where the connector would read more; 0: as it likes
}

// Ahead is how many bytes of records a connector reads ahead that would read most, if there is memory.
func (s *Spec) Ahead(most int64) int64 {
	if s.Memory > 0 {
		return min(most, s.Memory)
	}
	return most
}

// Tell warns the server's log, if it listens, with the stream's name in front of args (keys and values).
func (s *Spec) Tell(msg string, args ...any) {
	if s.Warn != nil {
		s.Warn(msg, append([]any{"stream", s.Stream}, args...)...)
	}
}

// Driver opens the sources of one connector name.
type Driver struct {
	// Check refuses bad options and columns with a *sqlerr.Error (22023, hint) at CREATE STREAM. It must not wait for the network longer than 5 s.
	Check func(ctx context.Context, spec Spec) error
	Open  func(ctx context.Context, spec Spec, from Offset) (Source, error)
	// Options are the option names the connector takes beside those every stream has; one that ends with a dot stands for
	// all that begin with it (see TakesOption). Check judges them in the end.
	Options []string
	// Whole are the options under which a source begins at the first record there is, whatever the stream's own say: a SELECT reads so.
	Whole map[string]string
	// Metadata are the metadata columns the connector can fill.
	Metadata []types.Field
}

// Registry maps connector = 'name' to its driver; cmd/wmsql fills it, no init does.
type Registry map[string]Driver

// Lookup returns the driver called name, or a 22023 error whose hint lists what there is.
func (r Registry) Lookup(name string) (Driver, *sqlerr.Error) {
	d, ok := r[name]
	if !ok {
		names := slices.Sorted(maps.Keys(r))
		return Driver{}, sqlerr.Newf(sqlerr.InvalidParameterValue, "unknown connector %q", name).
			WithHint("Connectors are %s. Without the option the stream is internal.", strings.Join(names, ", "))
	}
	return d, nil
}
