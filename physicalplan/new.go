package physicalplan

import (
	"fmt"
	"slices"

	"wmsql/catalog"
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sqlerr"
	"wmsql/types"
)

// New chooses operators for a logical plan.
func New(q *logicalplan.Query, t Target) (*Plan, error) {
	l := &lowering{view: t.View, fresh: -1}
	root, flow, err := l.lower(q.Root)
	if err != nil {
		return nil, err
	}
	if t.View != nil {
		if err := l.checkResult(q, flow); err != nil {
			return nil, err
		}
		if root, err = l.materialize(q, root, flow); err != nil {
			return nil, err
		}
	}
	p := &Plan{Root: root, Scans: l.scans, NewestMark: t.View != nil && t.View.Policy == "max"}
	if Correctable(p) != "" {
		walk(root, func(n Node) {
			if a, ok := n.(*StreamAggregate); ok {
				a.KeepFor = 0
			}
		})
	}
	p.Fingerprint = fingerprint(root)
	return p, nil
}

// checkResult refuses rows that the view's result cannot take.
func (l *lowering) checkResult(q *logicalplan.Query, f flow) error {
	switch {
	case !f.alters():
		return nil
	case l.view.Mode == catalog.Append:
		return sqlerr.Newf(sqlerr.FeatureNotSupported, "append mode over rows that may change").At(q.Root.At()).
			WithDetail("A row of an append-only result is never changed, but those it comes from are.").
			WithHint("EMIT ON UPDATE, or GROUP BY a window of the event time.")
	case len(l.view.Key) == 0 && logicalplan.Derive(q.Root).Key == nil:
		return unsupported(q.Root.At(), "a result whose rows change and have no key")
	}
	return nil
}

// flow says how an operator's rows of one epoch relate to its relation.
type flow uint8

const (
	whole   flow = iota // they are the relation: tables, SELECT, complete mode
	appends             // they are added to it
	upserts             // they replace the rows with their key
	changes             // they say with their ops what is added and what is taken back, row by row
)

// alters reports whether rows may be replaced or taken back later.
func (f flow) alters() bool { return f == upserts || f == changes }

// lowering is the state of one translation.
type lowering struct {
	view    *catalog.MaterializedView // nil for a SELECT
	scans   []*StreamScan
	tables  uint32              // state tables given out
	fresh   expr.ColumnID       // the next ID of a column that the logical plan does not have, counting down
	timed   int                 // how many operators above need the event time
	undoes  int                 // how many operators above take back what they were given, and have to be told all of it
	session *logicalplan.Window // the session window that the aggregate above keeps over a stream
	stream  *catalog.Stream     // of the scan below, nil over tables: where rows go that cannot be evaluated
	union   *SetOp              // the UNION ALL below whose rows pass one by one, nil if there is none
	results bool                // rows are no records of that stream but results of an operator over it
}

// table gives out the next state table number.
func (l *lowering) table() uint32 {
	l.tables++
	return l.tables
}

// stateful reports whether rows of f come epoch by epoch.
func (f flow) stateful() bool { return f != whole }

func (l *lowering) lower(n logicalplan.Node) (Node, flow, error) {
	switch n := n.(type) {
	case *logicalplan.StreamScan:
		return l.streamScan(n)
	case *logicalplan.ResultScan:
		return l.resultScan(n)
	case *logicalplan.TableScan:
		return &TableScan{Output: outputOf(n), Object: n.Object, Ords: n.Ords}, whole, nil
	case *logicalplan.VirtualScan:
		return &VirtualScan{Output: outputOf(n), In: n.Schema, Name: n.Name, Ords: n.Ords}, whole, nil
	case *logicalplan.Values:
		return &Values{Output: outputOf(n), Rows: n.Rows}, whole, nil
	case *logicalplan.RecursiveScan:
		return &RecursiveScan{Output: outputOf(n), ID: n.ID}, whole, nil
	case *logicalplan.EventTimeWatermark:
		return l.watermark(n)
	case *logicalplan.Filter:
		return l.filter(n)
	case *logicalplan.Project:
		return l.project(n)
	case *logicalplan.Window:
		return l.window(n)
	case *logicalplan.Aggregate:
		return l.aggregate(n)
	case *logicalplan.Expand:
		return l.expand(n)
	case *logicalplan.Distinct:
		return l.distinct(n)
	case *logicalplan.Join:
		return l.join(n)
	case *logicalplan.SetOp:
		return l.setOp(n)
	case *logicalplan.Sort:
		return l.sort(n, nil)
	case *logicalplan.Limit:
		return l.limit(n)
	case *logicalplan.Apply:
		return l.apply(n)
	case *logicalplan.TableFunc:
		return l.tableFunc(n)
	case *logicalplan.ProjectSet:
		return l.projectSet(n)
	case *logicalplan.TopN:
		return l.topN(n)
	case *logicalplan.WindowFunc:
		return l.windowFunc(n)
	case *logicalplan.Recursive:
		return l.recursive(n)
	case *logicalplan.Process:
		return l.process(n)
	}
	panic(fmt.Sprintf("physicalplan: unknown node %T", n))
}

// outputOf returns the output of a node with the columns of n.
func outputOf(n logicalplan.Node) Output { return output(n.Columns()) }

func output(cols []logicalplan.Column) Output {
	o := Output{IDs: make([]expr.ColumnID, len(cols)), Schem: &types.Schema{Fields: make([]types.Field, len(cols))}}
	for i, c := range cols {
		o.IDs[i] = c.ID
		o.Schem.Fields[i] = types.Field{Name: c.Name, Type: c.Type}
	}
	return o
}

// same returns the output of an operator that passes in's columns.
func same(in Node) Output { return Output{IDs: in.Layout(), Schem: in.Schema()} }

// ordinal finds a column in n's layout, -1 if it is not there.
func ordinal(n Node, id expr.ColumnID) int { return slices.Index(n.Layout(), id) }

func unsupported(pos int, format string, args ...any) *sqlerr.Error {
	return sqlerr.Unsupported(format, args...).At(pos)
}
