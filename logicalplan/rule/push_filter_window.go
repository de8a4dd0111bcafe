package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
)

// pushFilterThroughWindow filters rows before they are copied into their windows, and before a subplan or a set-returning
// function of FROM runs for them, when the condition reads only the input:
//
//	Filter page = 'a'               Window TUMBLE(...)
//	  Window TUMBLE(...)      =>      Filter page = 'a'
//	    X                               X
//
// A plain Distinct and a Sort pass any condition. A session is made of all rows of its partition: only a condition on what it is
// partitioned by takes whole sessions away.
var pushFilterThroughWindow = Rewrite{
	Name: "PushFilterThroughWindow",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		f, ok := n.(*logicalplan.Filter)
		if !ok {
			return n, false
		}
		switch in := f.Input.(type) {
		case *logicalplan.Window:
			if in.Kind == logicalplan.Session {
				return pushIntoPartition(f, in)
			}
		case *logicalplan.Sort:
		case *logicalplan.Distinct:
			if in.On != nil {
				return n, false
			}
		case *logicalplan.TableFunc:
			if in.Input == nil {
				return n, false
			}
		default:
			return n, false
		}
		return pushIntoFirst(f)
	},
}

// pushIntoPartition moves the conditions that read only columns which the sessions are partitioned by.
func pushIntoPartition(f *logicalplan.Filter, w *logicalplan.Window) (logicalplan.Node, bool) {
	parts := columnIDs{}
	for _, e := range w.Partition {
		if c, ok := e.(*expr.Column); ok {
			parts[c.ID] = true
		}
	}
	move, stay := split(f.Conds, func(c expr.Expr) bool {
		only := true
		expr.Columns(c, func(c *expr.Column) { only = only && parts[c.ID] })
		return only && readsAny(c, parts)
	})
	if len(move) == 0 {
		return f, false
	}
	return filter(w.WithInputs([]logicalplan.Node{filter(w.Input, move, f.Pos)}), stay, f.Pos), true
}

// pushIntoFirst moves the conditions that read only the first input of f's input.
func pushIntoFirst(f *logicalplan.Filter) (logicalplan.Node, bool) {
	in := f.Input.Inputs()
	below := logicalplan.ColumnSet(in[0])
	own := logicalplan.ColumnSet(f.Input)
	for id := range below {
		delete(own, id)
	}
	move, stay := split(f.Conds, func(c expr.Expr) bool { return !readsAny(c, own) && readsAny(c, below) })
	if len(move) == 0 {
		return f, false
	}
	fresh := append([]logicalplan.Node{filter(in[0], move, f.Pos)}, in[1:]...)
	return filter(f.Input.WithInputs(fresh), stay, f.Pos), true
}
