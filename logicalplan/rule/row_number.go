package rule

import (
	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/types"
)

// rowNumberOne makes the deduplication of a stream as Flink writes it a DISTINCT ON:
//
//	Filter rn = 1                                                      Project [..., 1 AS rn]
//	  WindowFunc [row_number() AS rn] partition by k order by t   =>     Distinct on [k] first by t
//	    X                                                                  X
//
// The order must be that of the event time. Where k holds the event time, all rows of a partition have the same, and the one that came
// first is as good as any.
var rowNumberOne = Rewrite{
	Name: "RowNumberOne",
	Apply: func(n logicalplan.Node) (logicalplan.Node, bool) {
		f, ok := n.(*logicalplan.Filter)
		if !ok {
			return n, false
		}
		w, ok := f.Input.(*logicalplan.WindowFunc)
		if !ok || len(w.Funcs) != 1 || w.Funcs[0].Name != "row_number" || len(w.PartitionBy) == 0 {
			return n, false
		}
		rn := w.Funcs[0].Out
		first, rest := split(f.Conds, func(c expr.Expr) bool { return isFirst(c, rn.ID) })
		if len(first) == 0 {
			return n, false
		}
		d, ok := firstByTime(w)
		if !ok {
			return n, false
		}
		p := &logicalplan.Project{Input: d, Pos: w.Pos}
		for _, c := range w.Input.Columns() {
			p.Exprs = append(p.Exprs, logicalplan.Named{Out: c, Expr: &expr.Column{ID: c.ID, Name: c.Name, T: c.Type}})
		}
		p.Exprs = append(p.Exprs, logicalplan.Named{Out: rn, Expr: &expr.Const{T: types.Of(types.Int8), Value: int64(1)}})
		return filter(p, rest, f.Pos), true
	},
}

// firstByTime is the Distinct of a row_number() = 1, if its order is that of the event time.
func firstByTime(w *logicalplan.WindowFunc) (*logicalplan.Distinct, bool) {
	in := logicalplan.Derive(w.Input)
	if !in.Stream || in.Updating || len(w.OrderBy) != 1 || w.OrderBy[0].NullsFirst != w.OrderBy[0].Desc {
		return nil, false
	}
	isTime := func(e expr.Expr) bool {
		c, ok := e.(*expr.Column)
		if !ok {
			return false
		}
		m, ok := in.Marks[c.ID]
		return ok && m.Kind == logicalplan.MarkTime
	}
	if !isTime(w.OrderBy[0].X) {
		return nil, false
	}
	d := &logicalplan.Distinct{Input: w.Input, On: w.PartitionBy, By: &w.OrderBy[0], Pos: w.Pos}
	for _, e := range w.PartitionBy {
		if isTime(e) {
			d.By = nil
		}
	}
	return d, true
}

// isFirst reports whether c says that the row number is 1.
func isFirst(c expr.Expr, rn expr.ColumnID) bool {
	n, ok := atMost(c, rn)
	return ok && n == 1
}

// atMost reports whether c says that the row number is at most n: rn <= n, rn < n + 1, rn = 1, or the same turned around.
func atMost(c expr.Expr, rn expr.ColumnID) (n int64, ok bool) {
	call, ok := c.(*expr.Call)
	if !ok || len(call.Args) != 2 {
		return 0, false
	}
	op, l, r := call.Func.Name, call.Args[0], expr.Fold(call.Args[1])
	if col, ok := r.(*expr.Column); ok && col.ID == rn {
		op, l, r = map[string]string{"=": "=", ">=": "<=", ">": "<"}[op], r, expr.Fold(l)
	}
	col, ok := l.(*expr.Column)
	if !ok || col.ID != rn {
		return 0, false
	}
	k, ok := r.(*expr.Const)
	if !ok {
		return 0, false
	}
	v, ok := k.Value.(int64)
	switch {
	case !ok:
		return 0, false
	case op == "<=", op == "=" && v == 1:
		return v, v >= 1
	case op == "<":
		return v - 1, v > 1
	}
	return 0, false
}

// Changing rewrites a plan whose result may change: row numbers may then be given anew.
func Changing(n logicalplan.Node) logicalplan.Node {
	n, _ = logicalplan.Rewrite(n, topN.Apply)
	return n
}
