package physicalplan

import (
	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/types"
)

// Output is what an operator's batches look like. Every node but StreamScan embeds it.
type Output struct {
	IDs   []expr.ColumnID
	Schem *types.Schema
}

// Layout names the columns.
func (o *Output) Layout() []expr.ColumnID { return o.IDs }

// Schema is the row type.
func (o *Output) Schema() *types.Schema { return o.Schem }

type (
	// TableScan reads the stored rows of a table or of a view's result.
	TableScan struct {
		Output
		Object *catalog.Object
		Ords   []int
		// Conds are conditions of the Filter above that may narrow the range of keys that is read.
		// The Filter still tests them.
		Conds []expr.Expr
	}
	// VirtualScan reads a table that the server computes.
	VirtualScan struct {
		Output
		In, Name string // schema and name
		Ords     []int
	}
	// Values is constant rows.
	Values struct {
		Output
		Rows [][]expr.Expr
	}
	// RecursiveScan reads the last round of the Recursive with the same ID.
	RecursiveScan struct {
		Output
		ID int
	}
	// Watermark is an EventTimeWatermark: it notes the newest event time of all rows that pass.
	Watermark struct {
		Output
		Input  Node
		Column int // ordinal of the event time
		Delay  types.IntervalValue
		Stream *catalog.Stream // nil for a clause in a query
		State  uint32
		// NullTimes says what becomes of a row without an event time: "drop" or "skip_watermark" (both counted when
		// Timed), "fail".
		NullTimes string
		// Timed is set when an operator above needs the event time, so that a row without one cannot be counted.
		Timed bool
		// MaxSkew is how far ahead of its arrival a row may be, µs; -1: any distance.
		MaxSkew int64
		// Carried takes over the watermark of the view below, which comes with its rows. Column is -1 then, and Times are the
		// ordinals of the event times: a row that has none of them is without event time.
		Carried bool
		Times   []int
		// BySplit takes the least of the splits' newest event times instead of the newest of all.
		BySplit bool
		// IdleTimeout is after how long a silent stream, or a silent split under BySplit, is idle, µs; 0: never. Then it holds the
		// watermark of all back no more, or with WallClock moves on with the clock.
		IdleTimeout int64
		WallClock   bool
	}
	// LateFilter drops rows that expire at or before the watermark which the epoch before left.
	LateFilter struct {
		Output
		Input   Node
		Expires int    // ordinal of when a row expires
		After   int64  // µs from the column's value to when the row expires: 1 for window_time
		For     uint32 // state table of the operator above, which reports the count
		Keep    bool   // late rows are kept for wm_catalog.late_rows
		Shown   []int  // ordinals of the columns a kept row shows: without the window's
		Time    int    // ordinal of the event time, -1 if it is not there any more
	}
	// Filter keeps rows for which all conditions are true.
	Filter struct {
		Output
		Input Node
		Conds []expr.Expr
		// Retract turns a row of an upserting input that fails the conditions into the deletion of its key.
		Retract bool
		// Corrects does the same in an epoch that adds late rows to what is final.
		Corrects bool
		Reject   *Rejects
	}
	// Project computes expressions.
	Project struct {
		Output
		Input Node
		Exprs []expr.Expr
		// Retract and Corrects are as in Filter, for a row that cannot be computed.
		Retract, Corrects bool
		Reject            *Rejects
	}
	// Window assigns rows to windows.
	Window struct {
		Output
		Input  Node
		Time   int // ordinal
		Window *logicalplan.Window
		// Late makes the operator drop a row's windows that are closed already, and count the row as late or partly late
		// for the stateful operator For.
		Late bool
		Keep bool // as in LateFilter
		For  uint32
		// Pane makes the windows those of the slide alone, of which the aggregate above puts the real ones together.
		Pane   bool
		Reject *Rejects
	}
	// StreamAggregate keeps groups from epoch to epoch.
	StreamAggregate struct {
		Output
		Input Node
		Grouping
		Mode  catalog.OutputMode
		State uint32
		// KeepFor is for how long after its end, by the watermark, the groups of a closed window are kept, µs: REFRESH ... WITH LATE
		// ROWS adds to them. 0: they are freed.
		KeepFor int64
		// Expires is the ordinal of when a group expires, -1 if it never does; After as in LateFilter.
		Expires int
		After   int64
		// ByWindow says that equal Expires means the same window; else groups with near expiry share a bucket.
		ByWindow bool
		Reject   *Rejects // of groups that cannot be computed
		TTL      int64    // µs without change after which a group is freed; 0: never
		// Panes, of a sliding window: groups are of one slide, and a window is merged from those it covers. nil: groups are of windows.
		Panes *Panes
		// Changes makes update mode put out each changed group as it was before the epoch too, for an operator above that takes that back.
		Changes bool
		// Parallel says that the rows' order does not matter to the result, bit by bit.
		Parallel bool
		// Whole says that the groups of a window are put out in one epoch, however many: an operator above computes over all of them.
		Whole bool
		Why   string // what frees a group, or why nothing does
	}
	// Panes is how a sliding window is put together.
	Panes struct {
		Slide, Size int64  // µs; Size is a multiple of Slide
		Roles       []Role // of the keys that are Fixed, in order
	}
	// HashAggregate groups the whole input.
	HashAggregate struct {
		Output
		Input Node
		Grouping
		// Parallel says that the rows' order does not matter to the result, bit by bit.
		Parallel bool
		Totals   []int // values of the last key whose groups, with NULL for the other keys, exist without rows too
	}
	// Expand gives each row once for every grouping set. Its own columns come first: the keys, the number of the set; then the input's.
	Expand struct {
		Output
		Input Node
		Keys  []int    // ordinals
		Sets  [][]bool // of each set: which of Keys are in it; the others are NULL
	}
	// Grouping is what both aggregates compute: columns only, expressions are computed below.
	Grouping struct {
		Keys []int // ordinals
		// Fixed[i] says that key i is the same in all groups of one window.
		Fixed []bool
		Aggs  []AggColumn
		// Retracts says that rows of the input may be taken back. The last of Aggs then counts the rows of a group: one that has none
		// left is gone.
		Retracts bool
	}
	// AggColumn is one aggregate over columns.
	AggColumn struct {
		Agg    *expr.Aggregate
		Args   []int
		Filter int   // ordinal of a boolean column, -1 if none
		Order  []int // ordinals of Agg.OrderBy
	}
	// Distinct puts out the first row of each key.
	Distinct struct {
		Output
		Input Node
		On    []int // ordinals
	}
	// Dedup puts out the first row of each key, in the order of arrival, and keeps the keys from epoch to epoch.
	Dedup struct {
		Output
		Input Node
		On    []int // ordinals of the key
		State uint32
		// Expires is the ordinal of the time that a key is kept by, -1: for ever; After is how much later it is freed, µs.
		Expires int
		After   int64
		// InKey says that the time is part of the key, so that equal keys expire together; else a key expires by its first row.
		InKey bool
		// ByWindow says that equal times mean the same window; else keys with near expiry share a bucket.
		ByWindow bool
		// By is the ordinal of the event time by which a key's first row is found, -1: it is the one that comes first.
		By   int
		Desc bool  // the last by the event time
		TTL  int64 // µs after which a key is forgotten, where Expires is -1; 0: never
	}
	// HashJoin joins Left, which streams, with Right, which is held in memory. Kinds: inner, left, full, semi, anti, mark, single.
	HashJoin struct {
		Output
		Kind        logicalplan.JoinKind
		Left, Right Node
		L, R        []expr.Expr // equal pairs; none: nested loops
		On          []expr.Expr // over the columns of both
		Reject      *Rejects
	}
	// SetOp is UNION, INTERSECT or EXCEPT.
	SetOp struct {
		Output
		Kind logicalplan.SetKind
		All  bool
		In   []Node
		From []*Rejects // of each input, where its rows go that cannot be evaluated
	}
	// Sort orders its input; with Top set it keeps no more than the first Count + Offset rows of a Limit above.
	Sort struct {
		Output
		Input Node
		Keys  []expr.SortKey
		Top   *Limit // nil: all rows
	}
	// Limit passes Count rows after Offset.
	Limit struct {
		Output
		Input         Node
		Count, Offset expr.Expr
		Ties          []expr.SortKey // rows equal to the last one by these keys pass too
		State         uint32         // of a stream: the rows passed so far are kept
	}
	// Apply runs Subplan for every row of Input.
	Apply struct {
		Output
		Input, Subplan Node
		Kind           logicalplan.ApplyKind
		Test           expr.Expr
		All            bool
		// Free are ordinals of Input's columns that Subplan reads; rows with equal ones share a run.
		Free []int
		// Enclosed is set when Subplan reads columns of queries further out, so that results do not outlive one of their rows.
		Enclosed bool
		Reject   *Rejects
	}
	// TableFunc runs a set-returning function for every row of Input (nil: once).
	TableFunc struct {
		Output
		Input      Node
		Func       *expr.TableFunction
		Ordinality bool
		Reject     *Rejects
	}
	// ProjectSet is a select list with set-returning functions.
	ProjectSet struct {
		Output
		Input  Node
		Exprs  []expr.Expr
		Funcs  []*expr.TableFunction
		Reject *Rejects
	}
	// WindowFunc computes functions OVER one partitioning and order.
	WindowFunc struct {
		Output
		Input Node
		Over
	}
	// Over is functions over one partitioning and order.
	Over struct {
		PartitionBy []expr.Expr
		OrderBy     []expr.SortKey
		Funcs       []logicalplan.WindowCall
	}
	// Recursive is WITH RECURSIVE.
	Recursive struct {
		Output
		Base, Step Node
		ID         int
		All        bool
	}
	// Materialize writes the rows to the view's result.
	Materialize struct {
		Output
		Input Node
		View  *catalog.MaterializedView
		How   WriteMode
		Exact bool  // the rows say what was before, too: they are the changes of the result as they stand
		Key   []int // ordinals; empty: hidden numbers, or one row for Upsert
		Cols  int   // leading columns that are stored
		// Retention removes rows that are so old, µs; 0: none. They age by the watermark past Time, the ordinal of a column, or with -1
		// by the clock since they were last written.
		Retention int64
		Time      int
	}
)

// Role says which bound of a window a key is.
type Role uint8

// The roles.
const (
	WindowStart Role = iota
	WindowEnd
	WindowTime
)

// WriteMode is how emitted rows change a result.
type WriteMode uint8

// The write modes.
const (
	Insert  WriteMode = iota // each row is new
	Upsert                   // a row replaces the one with its key; deletions take it away
	Replace                  // an epoch's rows are the whole result
)

// String is the mode as EXPLAIN says it.
func (m WriteMode) String() string { return [...]string{"insert", "upsert", "replace"}[m] }
