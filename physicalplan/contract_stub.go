package physicalplan

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/types"
)

// New chooses operators for a logical plan.
func New(q *logicalplan.Query, t Target) (*Plan, error) { panic("stub") }

// Format draws the operators, their state tables and keys, for EXPLAIN (PHYSICAL).
func Format(p *Plan) string { panic("stub") }

// Inputs returns nil: a leaf.
func (n *StreamScan) Inputs() []Node { return nil }

// Layout names the columns read.
func (n *StreamScan) Layout() []expr.ColumnID { return n.IDs }

// Schema is the row type.
func (n *StreamScan) Schema() *types.Schema { return n.Schem }

// Table is 0: no state.
func (n *StreamScan) Table() uint32 { return 0 }

// Title is the operator's line.
func (n *StreamScan) Title() string { return "StreamScan " + n.Stream.Name }
func (n *StreamScan) sealed()       {}
