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
// A plain Distinct and a Sort pass any condition.
var pushFilterThroughWindow = Rewrite{
	Name: "PushFilterThroughWindow",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		f, ok := n.(*logicalplan.Filter)
		if !ok {
			return n, false
		}
		switch in := f.Input.(type) {
		case *logicalplan.Window, *logicalplan.Sort:
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
