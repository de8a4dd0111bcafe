package physicalplan

import (
	"wmsql/expr"
	"wmsql/types"
)

// Inputs returns nil: a leaf.
func (n *StreamScan) Inputs() []Node { return nil }

// Layout names the columns read.
func (n *StreamScan) Layout() []expr.ColumnID { return n.IDs }

// Schema is the row type.
func (n *StreamScan) Schema() *types.Schema { return n.Schem }

// Table is 0: no state of its own.
func (n *StreamScan) Table() uint32 { return 0 }
func (n *StreamScan) sealed()       {}

// Table is 0 for the operators that keep no state.
func (o *Output) Table() uint32 { return 0 }
func (o *Output) sealed()       {}

// Table is the table of the watermark itself.
func (n *Watermark) Table() uint32 { return n.State }

// Table is the table of the groups.
func (n *StreamAggregate) Table() uint32 { return n.State }

// Table is the table of the keys.
func (n *Dedup) Table() uint32 { return n.State }

// Table is the table of the row count, 0 in a SELECT.
func (n *Limit) Table() uint32 { return n.State }

// Inputs returns nil: a leaf.
func (n *TableScan) Inputs() []Node { return nil }

// Inputs returns nil: a leaf.
func (n *VirtualScan) Inputs() []Node { return nil }

// Inputs returns nil: a leaf.
func (n *Values) Inputs() []Node { return nil }

// Inputs returns nil: a leaf.
func (n *RecursiveScan) Inputs() []Node { return nil }

// Inputs returns the input.
func (n *Watermark) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the input.
func (n *LateFilter) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the input.
func (n *Filter) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the input.
func (n *Project) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the input.
func (n *Window) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the input.
func (n *StreamAggregate) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the input.
func (n *HashAggregate) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the input.
func (n *Expand) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the input.
func (n *Dedup) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the input.
func (n *Distinct) Inputs() []Node { return []Node{n.Input} }

// Inputs returns both sides.
func (n *HashJoin) Inputs() []Node { return []Node{n.Left, n.Right} }

// Inputs returns all inputs.
func (n *SetOp) Inputs() []Node { return n.In }

// Inputs returns the input.
func (n *Sort) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the input.
func (n *Limit) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the outer input, then the subplan.
func (n *Apply) Inputs() []Node { return []Node{n.Input, n.Subplan} }

// Inputs returns the input if there is one.
func (n *TableFunc) Inputs() []Node {
	if n.Input == nil {
		return nil
	}
	return []Node{n.Input}
}

// Inputs returns the input.
func (n *ProjectSet) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the input.
func (n *WindowFunc) Inputs() []Node { return []Node{n.Input} }

// Inputs returns the base, then the step.
func (n *Recursive) Inputs() []Node { return []Node{n.Base, n.Step} }

// Inputs returns the input.
func (n *Materialize) Inputs() []Node { return []Node{n.Input} }
