package physicalplan

import (
	"slices"

	"wmsql/expr"
	"wmsql/logicalplan"
)

// freeColumns returns the columns that n's expressions read and no node of n makes: those of enclosing queries.
func freeColumns(n logicalplan.Node) []expr.ColumnID {
	made := map[expr.ColumnID]bool{}
	var read []expr.ColumnID
	use := func(es ...expr.Expr) {
		for _, e := range es {
			if e != nil {
				expr.Columns(e, func(c *expr.Column) { read = append(read, c.ID) })
			}
		}
	}
	logicalplan.Walk(n, func(n logicalplan.Node) bool {
		for _, c := range n.Columns() {
			made[c.ID] = true
		}
		nodeExprs(n, use)
		return true
	})
	slices.Sort(read)
	return slices.DeleteFunc(slices.Compact(read), func(id expr.ColumnID) bool { return made[id] })
}

// nodeExprs hands all expressions of one node to use.
func nodeExprs(n logicalplan.Node, use func(...expr.Expr)) {
	switch n := n.(type) {
	case *logicalplan.Values:
		for _, r := range n.Rows {
			use(r...)
		}
	case *logicalplan.Filter:
		use(n.Conds...)
	case *logicalplan.Project:
		named(n.Exprs, use)
	case *logicalplan.Window:
		use(n.TimeExpr, n.Gap)
		use(n.Partition...)
	case *logicalplan.Aggregate:
		named(n.Keys, use)
		for _, a := range n.Aggs {
			aggregate(a.Agg, use)
		}
	case *logicalplan.Expand:
		named(n.Keys, use)
	case *logicalplan.Distinct:
		use(n.On...)
		if n.By != nil {
			use(n.By.X)
		}
	case *logicalplan.Join:
		use(n.L...)
		use(n.R...)
		use(n.On...)
	case *logicalplan.Sort:
		sortKeys(n.Keys, use)
	case *logicalplan.Limit:
		use(n.Count, n.Offset)
		sortKeys(n.Ties, use)
	case *logicalplan.Apply:
		use(n.Test)
	case *logicalplan.TableFunc:
		use(n.Func.Args...)
	case *logicalplan.ProjectSet:
		named(n.Exprs, use)
		for _, f := range n.Funcs {
			use(f.Args...)
		}
	case *logicalplan.TopN:
		use(n.PartitionBy...)
		sortKeys(n.OrderBy, use)
	case *logicalplan.Process:
		use(n.Args...)
		use(n.Keys...)
	case *logicalplan.WindowFunc:
		use(n.PartitionBy...)
		sortKeys(n.OrderBy, use)
		for _, f := range n.Funcs {
			use(f.Args...)
			aggregate(f.Agg, use)
		}
	}
}

func named(ns []logicalplan.Named, use func(...expr.Expr)) {
	for _, n := range ns {
		use(n.Expr)
	}
}

func aggregate(a *expr.Aggregate, use func(...expr.Expr)) {
	if a == nil {
		return
	}
	use(a.Args...)
	use(a.Filter)
	sortKeys(a.OrderBy, use)
}

func sortKeys(ks []expr.SortKey, use func(...expr.Expr)) {
	for _, k := range ks {
		use(k.X)
	}
}
