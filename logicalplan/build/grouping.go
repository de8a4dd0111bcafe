package build

import (
	"strings"

	"wmsql/expr"
	"wmsql/logicalplan"
	"wmsql/sql"
	"wmsql/sqlerr"
)

// grouping collects the keys and aggregates of one GROUP BY.
type grouping struct {
	b     *binder
	below *exprCtx // where keys and arguments are bound
	node  logicalplan.Node
	keys  []groupKey
	aggs  []logicalplan.AggNamed
	pos   int
	sets  []groupSet         // nil: all keys are one set
	set   logicalplan.Column // the number of a row's set, from 1
	// byText are the numbers of the keys that hold a subquery or return sets, by their text: bound a second time, they are others.
	byText map[string]int
}

// groupKey is a key with the expression that stands for it above the Aggregate. An optional one is not in every grouping set.
type groupKey struct {
	logicalplan.Named
	match    expr.Expr
	optional bool
}

// addKey adds a key once, and returns its number. A plain column keeps its ID.
func (g *grouping) addKey(e expr.Expr, name string) int {
	for i, k := range g.keys {
		if logicalplan.Equal(k.match, e) {
			return i
		}
	}
	out := logicalplan.Column{Name: name, Type: e.Type()}
	if c, ok := e.(*expr.Column); ok {
		out.ID, out.Name = c.ID, bareName(c.Name)
	} else {
		out = g.b.column(name, e.Type())
	}
	g.keys = append(g.keys, groupKey{Named: logicalplan.Named{Out: out, Expr: e}, match: e})
	return len(g.keys) - 1
}

// noteText makes key number i, which is x, known by its text.
func (g *grouping) noteText(x sql.Expr, i int) {
	if g.byText == nil {
		g.byText = map[string]int{}
	}
	g.byText[sql.Format(x)] = i
}

// textKey is the key with the text of x.
func (g *grouping) textKey(x sql.Expr) (out logicalplan.Column, ok bool) {
	if g == nil || len(g.byText) == 0 {
		return out, false
	}
	i, ok := g.numberOf(x)
	if !ok {
		return out, false
	}
	return g.keys[i].Out, true
}

// numberOf is the number of the key with the text of x.
func (g *grouping) numberOf(x sql.Expr) (i int, ok bool) {
	if g != nil && len(g.byText) > 0 {
		i, ok = g.byText[sql.Format(x)]
	}
	return i, ok
}

// bareName drops the relation from a column's name.
func bareName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// hasKey reports whether a plain column is a key of every grouping set.
func (g *grouping) hasKey(id expr.ColumnID) bool {
	for _, k := range g.keys {
		if k.Out.ID == id {
			return true
		}
	}
	return false
}

// plan makes the Aggregate node.
func (g *grouping) plan() *logicalplan.Aggregate {
	a := &logicalplan.Aggregate{Input: g.node, Aggs: g.aggs, Pos: g.pos}
	if g.sets != nil {
		a.Input, a.Keys, a.Totals = g.expand()
	} else {
		for _, k := range g.keys {
			a.Keys = append(a.Keys, k.Named)
		}
	}
	if a.Pos == 0 && len(g.aggs) > 0 {
		a.Pos = g.aggs[0].Pos
	}
	return a
}

// above rewrites an expression that was bound over FROM to one over the Aggregate's output, or fails with 42803.
func (g *grouping) above(e expr.Expr) (expr.Expr, error) {
	for _, k := range g.keys {
		if logicalplan.Equal(k.match, e) {
			return use(k.Out), nil
		}
	}
	if c, ok := e.(*expr.Column); ok {
		return g.aboveColumn(c)
	}
	old := e.Children()
	fresh := make([]expr.Expr, len(old))
	changed := false
	for i, x := range old {
		var err error
		if fresh[i], err = g.above(x); err != nil {
			return nil, err
		}
		changed = changed || fresh[i] != x
	}
	if !changed {
		return e, nil
	}
	return e.WithChildren(fresh), nil
}

func (g *grouping) aboveColumn(c *expr.Column) (expr.Expr, error) {
	if !g.below.scope.owns(c.ID) { // an aggregate, a subquery's result, an enclosing query's column
		return c, nil
	}
	if rl := g.dependent(c.ID); rl != nil {
		g.addKey(c, c.Name)
		return c, nil
	}
	r := g.b.refs[c]
	if r.name == "" {
		r.name = c.Name
	}
	return nil, sqlerr.Newf(sqlerr.GroupingError,
		"column \"%s\" must appear in the GROUP BY clause or be used in an aggregate function", r.name).At(r.pos)
}

// dependent finds the relation of a column whose whole primary key is grouped by: the column is then the same in a group.
func (g *grouping) dependent(id expr.ColumnID) *rel {
	for _, rl := range g.below.scope.rels {
		if len(rl.pk) == 0 {
			continue
		}
		owns, all := false, true
		for _, c := range rl.cols {
			owns = owns || c.ID == id
		}
		for _, k := range rl.pk {
			all = all && g.hasKey(k)
		}
		if owns && all {
			return rl
		}
	}
	return nil
}

// aboveApply checks that a subplan above the Aggregate reads only what is grouped.
func (g *grouping) aboveApply(a *logicalplan.Apply) error {
	a.Subplan = g.expanded(a.Subplan)
	for id := range logicalplan.Free(a.Subplan) {
		if g.below.scope.owns(id) && !g.hasKey(id) && g.dependent(id) == nil {
			col := logicalplan.Column{ID: id, Name: "?"}
			for _, c := range g.below.scope.cols {
				if c.ID == id {
					col = c
				}
			}
			return sqlerr.Newf(sqlerr.GroupingError, "subquery uses ungrouped column \"%s\" from outer query",
				g.below.scope.display(col)).At(a.Pos)
		}
		if rl := g.dependent(id); rl != nil && !g.hasKey(id) {
			for _, c := range rl.cols {
				if c.ID == id {
					g.addKey(use(c), c.Name)
				}
			}
		}
	}
	return nil
}

// expanded is a subplan that reads the columns of optional keys as they are above the Aggregate.
func (g *grouping) expanded(sub logicalplan.Node) logicalplan.Node {
	outs := map[expr.ColumnID]logicalplan.Column{}
	for _, k := range g.keys {
		if c, ok := k.Expr.(*expr.Column); ok && k.optional {
			outs[c.ID] = k.Out
		}
	}
	if len(outs) == 0 {
		return sub
	}
	replace := func(e expr.Expr) expr.Expr {
		return expr.Rewrite(e, func(x expr.Expr) expr.Expr {
			if c, ok := x.(*expr.Column); ok {
				if out, ok := outs[c.ID]; ok {
					return use(out)
				}
			}
			return x
		})
	}
	sub, _ = logicalplan.Rewrite(sub, func(n logicalplan.Node) (logicalplan.Node, bool) {
		return logicalplan.MapExprs(n, replace), true
	})
	return sub
}

func groupingSetName(kind string) string {
	switch kind {
	case "rollup":
		return "ROLLUP"
	case "cube":
		return "CUBE"
	}
	return "GROUPING SETS"
}

// hasAggregate reports whether e calls an aggregate of its own query.
func hasAggregate(e sql.Expr) bool {
	found := false
	walkExpr(e, func(x sql.Expr) bool {
		if f, ok := x.(*sql.Func); ok && f.Over == nil {
			name := f.Name.Parts[len(f.Name.Parts)-1]
			found = found || expr.IsAggregate(name) || name == "grouping" || expr.IsHypothetical(name) && len(f.Within) > 0
		}
		return !found
	})
	return found
}
