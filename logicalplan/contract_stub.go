package logicalplan

import "wmsql/expr"

// Titles; the owner replaces this file.

func (n *EventTimeWatermark) Title() string { return "EventTimeWatermark" }
func (n *Filter) Title() string             { return "Filter" }
func (n *Project) Title() string            { return "Project" }
func (n *Window) Title() string             { return "Window" }
func (n *Aggregate) Title() string          { return "Aggregate" }
func (n *Distinct) Title() string           { return "Distinct" }
func (n *Sort) Title() string               { return "Sort" }
func (n *Limit) Title() string              { return "Limit" }
func (n *ProjectSet) Title() string         { return "ProjectSet" }
func (n *WindowFunc) Title() string         { return "WindowFunc" }
func (n *StreamScan) Title() string         { return "StreamScan" }
func (n *TableScan) Title() string          { return "TableScan" }
func (n *VirtualScan) Title() string        { return "VirtualScan" }
func (n *Values) Title() string             { return "Values" }
func (n *RecursiveScan) Title() string      { return "RecursiveScan" }
func (n *Join) Title() string               { return "Join" }
func (n *Apply) Title() string              { return "Apply" }
func (n *Recursive) Title() string          { return "Recursive" }
func (n *SetOp) Title() string              { return "SetOp" }
func (n *TableFunc) Title() string          { return "TableFunc" }

// Format draws the tree as EXPLAIN shows it.
func Format(n Node) string { panic("stub") }

// MarkKind says how a column is tied to a watermark.
type MarkKind uint8

// The kinds of mark.
const (
	MarkTime        MarkKind = iota // the event-time column itself
	MarkWindowStart                 // the start of a window of it
	MarkWindowEnd                   // the end of a window of it
	MarkWindowTime                  // the end of a window of it - 1 µs
)

// Mark ties a column to the EventTimeWatermark nodes that speak for it.
type Mark struct {
	Kind    MarkKind
	Sources []*EventTimeWatermark
	Window  *Window // nil for MarkTime
}

// Props is what is known of a node's output before the first row.
type Props struct {
	Stream   bool // unbounded: some leaf is a stream
	Marks    map[expr.ColumnID]Mark
	Lost     map[expr.ColumnID]Loss // columns made from a marked one in a way that loses the mark
	Updating bool                   // rows may be changed or taken back later
	Key      []expr.ColumnID        // a unique key of the output; nil if none is known
}

// Loss says where and why a mark died.
type Loss struct {
	Node   Node
	Column expr.ColumnID // that was marked
	Pos    int
	Why    string
}

// Derive computes the properties of n.
func Derive(n Node) *Props { panic("stub") }

// Bound is what bounds the state of a stateful node, and what frees it.
type Bound struct {
	Column expr.ColumnID // of the node's input, or a key: when its value is at or before the watermark the state is freed
	Kind   MarkKind      // MarkTime: freed at the value; MarkWindowEnd: the value is the window's end
	OK     bool          // false: unbounded
	Why    string        // one clause: "window_end <= watermark", "no watermark below"
}

// AggregateBound says what bounds the groups of a. Keys are named by their output IDs.
func AggregateBound(a *Aggregate) Bound { panic("stub") }
